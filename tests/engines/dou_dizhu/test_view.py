"""What people ask of a view: cards as text, histories, what is unseen, what may be done."""

from collections.abc import Iterator

import pytest

from sim.engines.dou_dizhu.notation import PACK, cards_text, counts_of
from sim.engines.dou_dizhu.rules import Rules
from sim.engines.dou_dizhu.state import State
from sim.engines.dou_dizhu.view import AUCTION
from sim.engines.rng import SeatRng

from .positions import FAST


def positions(deals: int) -> Iterator[State]:
    """Give all positions of some random games, the ends included."""
    for deal in range(deals):
        rng = SeatRng(deal, 3)
        state = State.deal(Rules(), seed=8, deal=deal)
        yield state
        while not (state.is_over or state.passed_out):
            actions = [action for action in state.legal() if action] or [0]
            state = state.after(0 if 0 in state.legal() and rng.below(3) else rng.choice(actions))
            yield state


@pytest.fixture(scope="module")
def states() -> list[State]:
    """Give some hundreds of positions."""
    return list(positions(12))


def test_cards_are_those_held(states: list[State]) -> None:
    """As text, as counts and packed."""
    for state in states:
        for seat in range(3):
            view = state.view(seat)
            assert view.cards == cards_text(state.held[seat])
            assert tuple(view.own[:15]) == counts_of(state.held[seat])
            assert view.cards_left[seat] == len(view.cards)


def test_histories_tell_who_did_what(states: list[State]) -> None:
    """Replaying what a view tells gives the actions of the state, seat by seat."""
    for state in states:
        view = state.view(0)
        seats = [(state.first + k) % 3 for k in range(len(state.calls))]
        assert view.call_history == tuple(zip(seats, state.calls, strict=True))
        seats = [(state.landlord + k) % 3 for k in range(len(state.plays))]
        assert view.history == tuple(zip(seats, state.plays, strict=True))


def test_unseen_is_what_the_others_hold(states: list[State]) -> None:
    """And the bottom, while it lies on the table."""
    for state in states:
        for seat in range(3):
            view = state.view(seat)
            others = sum(state.held) - state.held[seat]
            assert view.unseen == others + (state.bottom if view.phase == AUCTION else 0)
            assert view.unseen + view.hand + sum(view.played) == PACK


def test_the_landlord_holds_what_is_known_of_the_bottom(states: list[State]) -> None:
    """Never more than is really there, and all of it before the first play."""
    for state in states:
        known = state.view(1).landlord_holds
        if state.phase == AUCTION:
            assert known == 0
            continue
        held = counts_of(state.held[state.landlord])
        assert all(n <= most for n, most in zip(counts_of(known), held, strict=True))
        if not state.plays:
            assert known == state.bottom


def test_legal_is_what_the_state_says(states: list[State]) -> None:
    """In the same order, the pass first where it is allowed."""
    for state in states:
        if not state.is_over and not state.passed_out:
            assert state.view(state.to_move).legal() == state.legal()


def test_actions_as_text() -> None:
    """A call is a number, a play are cards, a pass is a pass."""
    auction = State.from_text(FAST).view(0)
    playing = State.from_text(f"{FAST} calls=3").view(0)

    assert [auction.text(action) for action in (0, 1, 3)] == ["pass", "1", "3"]
    assert [playing.text(action) for action in (0, 1, 3 << 4)] == ["pass", "3", "444"]
