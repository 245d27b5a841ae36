"""A round played by both engines, the readable and the compiled one, and told in one form."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np

from sim.engines.events import ACT, GAME_OVER, ROUND_OVER
from sim.engines.liars_dice.notation import parse_action, parse_hand
from sim.engines.liars_dice.rules import Rules
from sim.engines.liars_dice.state import State
from sim.engines.liars_dice.view import View
from sim.errors import IllegalAction

from .tables import LISTENING, Row, make_table, make_tasks, read_view

Hands = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What became of a round, or how it stands."""

    refused: str | None
    """The action that was illegal; its seat forfeited by it."""
    to_move: int | None
    """Seat in turn; None if the round is over."""
    locked: bool
    actual: int | None = None
    """Dice that supported the challenged bid."""
    loser: int | None = None
    """Seat that lost a die, or all by a forfeit."""
    dice: tuple[int, ...] | None = None
    """Dice by seat after the round."""
    opener: int | None = None
    """Seat that opens the next round."""
    winner: int | None = None
    places: tuple[int, ...] | None = None
    scores: tuple[int, ...] | None = None


class Engine(Protocol):
    """Plays rounds, each with given hands and actions, and tells how the last one came out."""

    def __call__(self, rules: Rules, rounds: Sequence[tuple[Hands, Sequence[str]]]) -> Outcome:
        """Play."""


def by_state(rules: Rules, rounds: Sequence[tuple[Hands, Sequence[str]]]) -> Outcome:
    """Play on the readable state."""
    state: State | None = None
    refused = None
    for hands, words in rounds:
        state = state.next_round(hands) if state else State(rules=rules, hands=hands)
        for word in words:
            try:
                state = state.after(state.parse(word))
            except IllegalAction:
                refused = word
                state = state.after_forfeit()
                break
    assert state is not None
    if not state.round_over:
        return Outcome(refused=None, to_move=state.to_move, locked=state.locked)
    over = state.game_over
    return Outcome(
        refused=refused,
        to_move=None,
        locked=state.locked,
        actual=state.shown.actual if state.shown else None,
        loser=state.loser,
        dice=state.dice_after,
        opener=None if over else state.next_opener,
        winner=state.winner,
        places=state.places if over else None,
        scores=state.scores if over else None,
    )


class _Kernel:
    """One compiled game that is answered by hand."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.table = make_table(rules, [LISTENING], make_tasks([[0] * rules.seats]))
        self.illegal = False
        self.shown: View | None = None
        self.last: View | None = None
        self.go_on()

    def go_on(self) -> None:
        """Advance to the next decision, or to the end, letting all events pass."""
        while True:
            waits, faults = self.table.advance()
            self.illegal |= bool(faults)
            if not waits:
                return
            row = Row(*self.table.waiting[0].item())
            view = read_view(self.table.views.view(np.uint8).data, row.slot)
            if row.event == ACT:
                self.last = view
                return
            if row.event == ROUND_OVER:
                self.shown = view
            assert row.event in (ROUND_OVER, GAME_OVER)
            self.table.states["verdict"][row.slot] = 0

    def deal(self, hands: Hands) -> None:
        """Put these dice into the hands of the round that begins."""
        assert tuple(map(len, hands)) == self.dice
        for seat, hand in enumerate(hands):
            self.table.states["hands"][0, seat] = sum(1 << 8 * face for face in hand)

    def answer(self, action: int) -> None:
        """Answer for the seat in turn."""
        self.shown = None
        self.table.states["answer"][0] = action
        self.table.states["verdict"][0] = 0
        self.go_on()

    @property
    def dice(self) -> tuple[int, ...]:
        """Dice by seat."""
        return tuple(self.table.states["dice"][0, : self.rules.seats].tolist())


def by_kernel(rules: Rules, rounds: Sequence[tuple[Hands, Sequence[str]]]) -> Outcome:
    """Play on the compiled engine."""
    game = _Kernel(rules)
    word, number, view = "", 0, None
    for number, (hands, words) in enumerate(rounds, 1):
        game.deal(hands)
        for word in words:
            assert game.last is not None
            assert game.last.round == number
            game.answer(parse_action(word, ones_rank=rules.ones_rank))
        view = game.last
    assert view is not None
    over = game.table.done
    if not over and view.round == number:
        return Outcome(refused=None, to_move=view.seat, locked=bool(view.locked))
    result = game.table.results[0]
    seats = slice(rules.seats)
    locked = int(game.table.states["locked"][0]) if over else None
    winner = int(np.flatnonzero(result["won"])[0]) if over else None
    return Outcome(
        refused=word if game.illegal else None,
        to_move=None,
        locked=bool(game.shown.locked if game.shown else locked),
        actual=game.shown.shown_actual if game.shown else None,
        loser=game.shown.shown_loser if game.shown else None,
        dice=game.dice,
        opener=None if over else view.opener,
        winner=winner,
        places=tuple(result["place"][seats].tolist()) if over else None,
        scores=tuple(result["score"][seats].tolist()) if over else None,
    )


ENGINES: Final = (by_state, by_kernel)


def read_hands(text: str) -> Hands:
    """Read hands as `25/13`."""
    return tuple(map(parse_hand, text.split("/")))
