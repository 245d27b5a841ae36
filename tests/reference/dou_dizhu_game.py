"""The slow twin: whole games of Dou Dizhu played on the readable state, counting by hand.

Who was faulty, how often each seat was called and what each seat did is kept here, so that forfeits
of every kind and every counter can be compared. What may be played is looked up in the table of
all combinations (tests/reference/dou_dizhu.py), not asked of the engine.
"""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace

from sim.engines.dou_dizhu.notation import cards_text
from sim.engines.dou_dizhu.rules import Rules
from sim.engines.dou_dizhu.state import FORFEIT, State
from sim.engines.dou_dizhu.view import AUCTION, View
from sim.engines.events import ACT, GAME_OVER
from tests.reference.dou_dizhu import BY_CARDS, legal_plays


@dataclass(frozen=True)
class Call:
    """One call of a strategy, and what it saw."""

    event: int
    seat: int
    number: int
    """How often the seat was called in this game, this call included."""
    view: View


@dataclass(frozen=True)
class Forfeit:
    """What a strategy answers in the twin to forfeit; `action` is what it tried, if illegal."""

    category: int
    action: int = 0


@dataclass(frozen=True)
class Fault:
    """A forfeit as it is to be recorded."""

    event: int
    seat: int
    number: int
    category: int
    action: int
    position: str


Answer = Callable[[Call], "int | Forfeit"]
"""What the seats do. The value counts only for ACT; a Forfeit counts always."""


@dataclass
class Played:
    """A finished game."""

    state: State
    """How it ended."""
    decisions: int
    counters: dict[str, list[int]]
    """Per seat."""
    calls: list[Call]
    faults: list[Fault]
    deals: list[str]
    """The end of each deal as text: those that were passed out, then the last one."""


@dataclass
class Twin:
    """One game in play."""

    answer: Answer
    wants: Sequence[Collection[int]]
    numbers: list[int] = field(default_factory=lambda: [0, 0, 0])
    faulty: set[int] = field(default_factory=set)
    counts: Counter[tuple[str, int]] = field(default_factory=Counter)
    decisions: int = 0
    calls: list[Call] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    def ask(self, event: int, state: State, seat: int) -> "int | Forfeit":
        """Call the strategy of a seat, and note what it did wrong."""
        self.numbers[seat] += 1
        call = Call(event, seat, self.numbers[seat], state.view(seat))
        self.calls.append(call)
        answer = self.answer(call)
        if isinstance(answer, Forfeit):
            self.faulty.add(seat)
            fault = Fault(
                event, seat, call.number, answer.category, answer.action, _as_noted(state)
            )
            self.faults.append(fault)
        return answer

    def deal(self, state: State) -> State:
        """Play one deal to its end."""
        while not (state.is_over or state.passed_out):
            seat = state.to_move
            action = self.ask(ACT, state, seat)
            if isinstance(action, Forfeit):
                return state.after_forfeit()
            self.count(state, seat, action)
            state = state.after(action)
        return state

    def count(self, state: State, seat: int, action: int) -> None:
        """Count what a seat does."""
        self.decisions += 1
        if state.phase == AUCTION:
            self.counts["bid", seat] = max(self.counts["bid", seat], action)
        elif action == 0:
            to_beat = BY_CARDS[cards_text(state.to_beat)]
            able = legal_plays(cards_text(state.held[seat]), to_beat)
            self.counts["passes_able", seat] += bool(able)
        else:
            kind = BY_CARDS[cards_text(action)].kind
            self.counts["bombs", seat] += kind in ("bomb", "rocket")

    def tell(self, state: State) -> None:
        """Tell the seats that want to hear of it that the game is over."""
        for seat in range(3):
            if GAME_OVER in self.wants[seat] and seat not in self.faulty:
                self.ask(GAME_OVER, state, seat)

    def per_seat(self, state: State) -> dict[str, list[int]]:
        """Give the counters of all seats."""
        roles = [-1] * 3
        won = [0] * 3
        if state.landlord >= 0:
            roles = [1 - (seat == state.landlord) for seat in range(3)]
            won[state.landlord] = max(state.calls, default=0)
        names = ("bid", "passes_able", "bombs")
        counters = {name: [self.counts[name, seat] for seat in range(3)] for name in names}
        return {"role": roles, "bid_won": won, **counters}


def play(
    rules: Rules,
    answer: Answer,
    *,
    seed: int,
    deal: int,
    wants: Sequence[Collection[int]] = ((), (), ()),
) -> Played:
    """Play a whole game; every seat is asked through `answer`.

    `wants[seat]` are the events that a seat hears of; the turns are asked for always.
    """
    twin = Twin(answer, wants)
    deals = []
    state = twin.deal(State.deal(rules, seed=seed, deal=deal))
    deals.append(str(state))
    while not state.is_over:
        state = twin.deal(state.next_deal(seed=seed, deal=deal))
        deals.append(str(state))
    twin.tell(state)
    return Played(
        state=state,
        decisions=twin.decisions,
        counters=twin.per_seat(state),
        calls=twin.calls,
        faults=twin.faults,
        deals=deals,
    )


def _as_noted(state: State) -> str:
    """Write a position as faults note it: without somebody's forfeit before."""
    plays = tuple(play for play in state.plays if play != FORFEIT)
    calls = tuple(call for call in state.calls if call != FORFEIT)
    return str(replace(state, calls=calls, plays=plays))
