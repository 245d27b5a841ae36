"""What the tests draw: rules, hands, and players that do anything, legal or not."""

from typing import Final

from hypothesis import strategies as st

from sim.engines.base import FAULT_CATEGORIES
from sim.engines.events import ACT
from sim.engines.liars_dice.rules import FACES, Rules
from sim.engines.liars_dice.view import CHALLENGE, View
from sim.engines.rng import SeatRng, mix
from tests.reference.liars_dice import Call, Forfeit

from .tables import ILLEGAL, Answer, Row, Verdict

LEAST: Final = -(2**63)
MOST: Final = 2**63 - 1
ANY_INT64: Final = st.integers(LEAST, MOST)


@st.composite
def rules(draw: st.DrawFn, *, most_dice: int = 5) -> Rules:
    """Any rules that can be played."""
    seats = draw(st.integers(2, 6))
    dice = draw(st.lists(st.integers(1, most_dice), min_size=seats, max_size=seats))
    wild = draw(st.booleans())
    return Rules(
        seats=seats,
        dice=tuple(dice),
        ones_rank=draw(st.sampled_from(("low", "high"))),
        ones_wild=wild,
        ones_lock=draw(st.sampled_from(("any", "off"))) if wild else "any",
        rounds=draw(st.sampled_from(("all", "1"))) if seats == 2 else "all",
    )


def drawn_action(rng: SeatRng, view: View, *, faults: float) -> int | Forfeit:
    """Challenge now and then, raise by a little or by anything, or break the rules."""
    top = FACES * view.dice_in_play
    if rng.random() < faults:
        return illegal_action(rng, view) if rng.below(2) else Forfeit(drawn_category(rng))
    room = top - 1 - view.bid
    if view.bids_made and (room == 0 or rng.random() < 0.2):
        return CHALLENGE
    step = rng.below(min(room, 4)) if rng.below(8) else rng.below(room)
    return view.bid + 1 + step


def illegal_action(rng: SeatRng, view: View) -> Forfeit:
    """Give an action that the rules forbid here."""
    top = FACES * view.dice_in_play
    tries = [top, top + rng.below(200), -2 - rng.below(100), LEAST, MOST, 1 << 32]
    tries += [rng.below(view.bid + 1) if view.bids_made else CHALLENGE] * 3
    return Forfeit(ILLEGAL, rng.choice(tries))


def drawn_category(rng: SeatRng) -> int:
    """Give the category of a fault that somebody else found."""
    return 2 + rng.below(len(FAULT_CATEGORIES) - 2)


def answer_call(task_key: int, call: Call, *, faults: float) -> int | Forfeit:
    """Answer as a function of the game, the seat and the number of the call, and of nothing else.

    What is drawn does not come from the engine's streams.
    """
    rng = SeatRng(mix(task_key ^ 0xABCDEF), call.seat, call.number)
    if call.event == ACT:
        return drawn_action(rng, call.view, faults=faults)
    return Forfeit(drawn_category(rng)) if rng.random() < faults else 0


def through_table(answer: int | Forfeit, event: int) -> int | Verdict:
    """Give a table what the twin would be given: an illegal action is for the kernel to find."""
    if not isinstance(answer, Forfeit):
        return answer
    if event == ACT and answer.category == ILLEGAL:
        return answer.action
    return Verdict(answer.category)


def recording(calls: list[list[Call]], keys: list[int], *, faults: float) -> Answer:
    """Answer for a table by `answer_call`, keeping the calls of each task."""

    def answer(row: Row, view: View) -> int | Verdict:
        call = Call(row.event, row.seat, row.call, view)
        calls[row.task].append(call)
        return through_table(answer_call(keys[row.task], call, faults=faults), row.event)

    return answer
