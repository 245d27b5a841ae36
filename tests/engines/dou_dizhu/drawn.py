"""What the tests draw: players that do anything, legal or not."""

from hypothesis import strategies as st

from sim.engines.base import FAULT_CATEGORIES
from sim.engines.dou_dizhu.notation import parse_cards
from sim.engines.dou_dizhu.rules import Rules
from sim.engines.dou_dizhu.view import AUCTION, View
from sim.engines.events import ACT
from sim.engines.rng import SeatRng, mix
from tests.engines.liars_dice.tables import ILLEGAL, Row, Verdict
from tests.reference.dou_dizhu import ALL
from tests.reference.dou_dizhu_game import Call, Forfeit

from .tables import Answer

LEAST = -(2**63)
MOST = 2**63 - 1


def rules() -> st.SearchStrategy[Rules]:
    """Any rules that can be played."""
    with_auction = st.sampled_from((0, 1, 2, 100)).map(lambda most: Rules(max_redeals=most))
    return st.one_of(with_auction, st.just(Rules(auction=False)))


def drawn_action(rng: SeatRng, view: View, *, boldness: float, faults: float) -> int | Forfeit:
    """Bid and play at random, long plays rather than short ones, or break the rules.

    `boldness` is the chance not to pass where that may be.
    """
    if rng.random() < faults:
        return illegal_action(rng, view) if rng.below(2) else Forfeit(drawn_category(rng))
    legal = view.legal()
    if legal[0] == 0 and (len(legal) == 1 or rng.random() >= boldness):
        return 0
    plays = [action for action in legal if action]
    if view.phase != AUCTION and rng.below(2):
        return max(plays, key=lambda play: (view.text(play).__len__(), play))
    return rng.choice(plays)


def illegal_action(rng: SeatRng, view: View) -> Forfeit:
    """Give an action that the rules forbid here."""
    legal = set(view.legal())
    tries = [LEAST, MOST, -1, 1 << 60, view.hand | 8, view.hand << 1, view.to_beat, 4, 5, 0]
    tries += [rng.below(4), parse_cards(rng.choice(ALL).cards), rng.bits64() >> 1, view.hand]
    return Forfeit(ILLEGAL, rng.choice([action for action in tries if action not in legal]))


def drawn_category(rng: SeatRng) -> int:
    """Give the category of a fault that somebody else found."""
    return 2 + rng.below(len(FAULT_CATEGORIES) - 2)


def answer_call(key: int, call: Call, *, boldness: float, faults: float) -> int | Forfeit:
    """Answer as a function of the game, the seat and the number of the call, and of nothing else.

    What is drawn does not come from the engine's streams.
    """
    rng = SeatRng(mix(key ^ 0xABCDEF), call.seat, call.number)
    if call.event == ACT:
        return drawn_action(rng, call.view, boldness=boldness, faults=faults)
    return Forfeit(drawn_category(rng)) if rng.random() < faults else 0


def recording(
    calls: list[list[Call]], keys: list[int], *, boldness: float, faults: float
) -> Answer:
    """Answer for a table by `answer_call`, keeping the calls of each task."""

    def answer(row: Row, view: View) -> int | Verdict:
        call = Call(row.event, row.seat, row.call, view)
        calls[row.task].append(call)
        given = answer_call(keys[row.task], call, boldness=boldness, faults=faults)
        if not isinstance(given, Forfeit):
            return given
        if row.event == ACT and given.category == ILLEGAL:
            return given.action  # an illegal action is for the kernel to find
        return Verdict(given.category)

    return answer
