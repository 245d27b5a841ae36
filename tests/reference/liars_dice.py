"""The slow twin: whole games of Liar's Dice played on the readable state, counting by hand.

It keeps who is out, who was faulty and how often each seat was called by itself, so that forfeits
of every kind (in a turn, in the event of a round, in the event of the game) can be compared too.
"""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from sim.engines.events import ACT, GAME_OVER, ROUND_OVER
from sim.engines.liars_dice.rules import Rules, count_of
from sim.engines.liars_dice.state import Shown, State, roll_hands
from sim.engines.liars_dice.view import CHALLENGE, View

COUNTERS = (
    "bids",
    "challenges",
    "challenges_right",
    "bids_unsupported",
    "bid_excess",
    "bids_on_ones",
)


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

    places: tuple[int, ...]
    scores: tuple[int, ...]
    rounds: int
    decisions: int
    counters: dict[str, list[int]]
    calls: list[Call]
    faults: list[Fault]
    texts: list[str]
    """The state at the end of each round."""


@dataclass
class Tally:
    """What is counted of one seat."""

    counts: Counter[str] = field(default_factory=Counter)
    excess: Fraction = Fraction(0)

    def bid(self, before: State, after: State, seat: int) -> None:
        """Count a bid."""
        excess = excess_of(after, before, seat, after.bid)
        self.counts["bids"] += 1
        self.counts["bids_on_ones"] += after.face(after.bid) == 1
        self.counts["bids_unsupported"] += excess > 0
        self.excess += excess

    def challenge(self, *, right: bool) -> None:
        """Count a challenge."""
        self.counts["challenges"] += 1
        self.counts["challenges_right"] += right

    def value(self, name: str) -> int:
        """Give a counter as it is stored: the excess in hundredths, rounded to nearest."""
        if name == "bid_excess":
            return (100 * self.excess + Fraction(1, 2)).__floor__()
        return self.counts[name]


class Twin:
    """One game in play."""

    def __init__(
        self,
        rules: Rules,
        answer: Answer,
        *,
        seed: int,
        deal: int,
        wants: Sequence[Collection[int]],
    ) -> None:
        self.rules, self.answer = rules, answer
        self.seed, self.deal = seed, deal
        self.wants = wants
        self.seats = range(rules.seats)
        self.tallies = [Tally() for _ in self.seats]
        self.numbers = [0] * rules.seats
        self.faulty: set[int] = set()
        self.out: list[int] = []
        self.decisions = 0
        self.calls: list[Call] = []
        self.faults: list[Fault] = []
        self.texts: list[str] = []

    def ask(self, event: int, state: State, view: View) -> "int | Forfeit":
        """Call the strategy of a seat, and note what it did wrong."""
        seat = view.seat
        self.numbers[seat] += 1
        call = Call(event, seat, self.numbers[seat], view)
        self.calls.append(call)
        answer = self.answer(call)
        if isinstance(answer, Forfeit):
            self.faulty.add(seat)
            fault = Fault(event, seat, call.number, answer.category, answer.action, str(state))
            self.faults.append(fault)
        return answer

    def round(self, state: State, shown: Shown | None) -> State:
        """Play one round to its end."""
        while not state.round_over:
            seat = state.to_move
            action = self.ask(ACT, state, state.view(seat, shown))
            if isinstance(action, Forfeit):
                return state.after_forfeit()
            before, state = state, state.after(action)
            self.decisions += 1
            if action == CHALLENGE:
                self.tallies[seat].challenge(right=state.loser != seat)
            else:
                self.tallies[seat].bid(before, state, seat)
        return state

    def tell_round(self, end: State) -> list[int]:
        """Show the dice to the seats that were in; give those that failed on it, by seat."""
        before = replace(end, actions=end.bids)
        failed = []
        for seat in self.seats:
            wanted = end.hands[seat] and ROUND_OVER in self.wants[seat]
            if wanted and seat not in self.faulty:
                answer = self.ask(ROUND_OVER, before, end.view(seat, end.shown))
                if isinstance(answer, Forfeit):
                    failed.append(seat)
        return failed

    def put_out(self, seat: int) -> None:
        """Take a seat out, unless it is out or the last one in."""
        if seat not in self.out and len(self.out) < len(self.seats) - 1:
            self.out.append(seat)

    def play(self) -> Played:
        """Play the game."""
        shown: Shown | None = None
        state = State.deal(self.rules, seed=self.seed, deal=self.deal)
        while True:
            end = self.round(state, shown)
            self.texts.append(str(end))
            shown = end.shown
            failed = [] if end.forfeited else self.tell_round(end)
            self.out = list(end.out_after)
            for seat in failed:
                self.put_out(seat)
            dice = tuple(0 if s in self.out else end.dice_after[s] for s in self.seats)
            if len(self.out) == len(self.seats) - 1:
                return self.finish(end, dice)
            state = State(
                rules=self.rules,
                hands=roll_hands(dice, seed=self.seed, deal=self.deal, round=end.round + 1),
                round=end.round + 1,
                out=tuple(self.out),
                opener=next(
                    seat
                    for seat in (*self.seats[end.loser :], *self.seats[: end.loser])
                    if dice[seat]
                ),
            )

    def finish(self, end: State, dice: tuple[int, ...]) -> Played:
        """Tell how the game ended, and sum it up."""
        (winner,) = set(self.seats) - set(self.out)
        order = (*self.out, winner)
        places = tuple(self.rules.seats - order.index(seat) for seat in self.seats)
        scores = tuple(self.rules.seats - 1 if seat == winner else -1 for seat in self.seats)
        before = replace(end, actions=end.bids)
        for seat in self.seats:
            if GAME_OVER in self.wants[seat] and seat not in self.faulty:
                view = end.view(seat, end.shown)._replace(
                    dice_in_play=sum(dice),
                    dice_counts=bytes(dice).ljust(6, b"\0"),
                    own_dice=dice[seat],
                    winner=winner,
                    place=places[seat],
                    score=scores[seat],
                )
                self.ask(GAME_OVER, before, view)
        return Played(
            places=places,
            scores=scores,
            rounds=end.round,
            decisions=self.decisions,
            counters={name: [tally.value(name) for tally in self.tallies] for name in COUNTERS},
            calls=self.calls,
            faults=self.faults,
            texts=self.texts,
        )


def play(
    rules: Rules,
    answer: Answer,
    *,
    seed: int,
    deal: int,
    wants: Sequence[Collection[int]] | None = None,
) -> Played:
    """Play a whole game; every seat is asked through `answer`.

    `wants[seat]` are the events that a seat hears of; the turns are asked for always.
    """
    wants = [()] * rules.seats if wants is None else wants
    return Twin(rules, answer, seed=seed, deal=deal, wants=wants).play()


def excess_of(state: State, before: State, seat: int, bid: int) -> Fraction:
    """Give a bid's count minus the bidder's own dice minus the expectation of the others'.

    A bid on ones is supported by ones alone, and locks at once (L6).
    """
    face = state.face(bid)
    hand = state.hands[seat]
    wild = face != 1 and not state.locked
    own = hand.count(face) + (hand.count(1) if wild else 0)
    unseen = state.in_play - len(hand)
    return count_of(bid) - own - unseen * Fraction(1 + wild, 6)
