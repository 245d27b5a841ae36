"""Cycles are found where they are and not where chance makes one; Nash averaging sees them."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.analysis.accumulate import Totals
from sim.analysis.cycles import find_cycles, nash_average, nash_weights
from tests.analysis.test_accumulate import totals_of
from tests.analysis.toy_runs import DICE, dice, per_seat, players_of

LABELS = ["rock", "paper", "scissors", "spare"]


def circle(edge: float, *, deals: int = 150, players: int = 3, seed: int = 1) -> Totals:
    """Play pairs in which player i beats i + 1 with chance 1/2 + edge; a fourth is level."""
    games = dice(players=players, seats=2, deals=deals)
    who = players_of(games, 2)
    source = np.random.Generator(np.random.Philox(seed))
    ahead = (who[:, 1] - who[:, 0]) % 3 == 1
    both = (who < 3).all(axis=1)
    chance = 0.5 + np.where(both, np.where(ahead, edge, -edge), 0.0)
    won = source.random(len(games)) < chance
    wins = np.stack([won, ~won], axis=1)
    per_seat(games, "won", wins, "bool")
    per_seat(games, "place", np.where(wins, 1, 2), "int8")
    return totals_of(DICE, games, players=players, seats=2, deals_per_part=deals)


def test_a_circle_is_found_once() -> None:
    """Rock beats paper here, paper scissors, scissors rock: one cycle, in that direction."""
    (found,) = find_cycles(circle(0.2), range(3))

    assert found.players == (0, 1, 2)
    assert found.p <= 0.05
    assert [cycle.players for cycle in find_cycles(circle(-0.2), range(3))] == [(0, 2, 1)]


def test_chance_makes_no_circles() -> None:
    """Three equal players: at most one false cycle in 300 runs (three edges must all be sure)."""
    found = [bool(find_cycles(circle(0.0, deals=30, seed=s), range(3))) for s in range(300)]

    assert sum(found) <= 1


def test_an_order_is_no_circle() -> None:
    """Players of different strengths beat each other in one order."""
    games = dice(players=4, seats=2, deals=200, strengths=[0, 0.5, 1.0, 1.5])

    assert find_cycles(totals_of(DICE, games, players=4, seats=2), range(4)) == []


def test_only_listed_players_count() -> None:
    """The fill player is in no cycle."""
    assert find_cycles(circle(0.2), range(2)) == []


Payoff = Callable[[Any], Any]


def antisymmetric(upper: list[float], size: int) -> Any:
    """Fill a matrix from its upper triangle."""
    payoff = np.zeros((size, size))
    payoff[np.triu_indices(size, 1)] = upper
    return payoff - payoff.T


@settings(max_examples=60)
@given(
    st.integers(2, 6).flatmap(
        lambda n: st.tuples(
            st.just(n),
            st.lists(st.integers(-4, 4), min_size=n * (n - 1) // 2, max_size=n * (n - 1) // 2),
        )
    )
)
def test_nobody_beats_the_mixture(case: tuple[int, list[int]]) -> None:
    """For any matrix, ties and copies included, the weights are an equilibrium."""
    size, upper = case
    payoff = antisymmetric([value / 10 for value in upper], size)
    weights = nash_weights(payoff)

    assert weights.sum() == pytest.approx(1)
    assert (weights >= 0).all()
    assert (payoff @ weights).max() <= 1e-6


def test_copies_share_the_weight_of_one() -> None:
    """Rock, paper and two equal scissors: a third, a third, a sixth, a sixth."""
    payoff = np.array([[0, -1, 1, 1], [1, 0, -1, -1], [-1, 1, 0, 0], [-1, 1, 0, 0]], float)

    assert nash_weights(payoff) == pytest.approx([1 / 3, 1 / 3, 1 / 6, 1 / 6], abs=1e-5)


def test_a_player_that_beats_all_has_all_the_weight() -> None:
    """Without circles the mixture is the best player."""
    assert nash_weights(antisymmetric([0.1, 0.2, 0.1], 3)).tolist() == [1, 0, 0]


def test_the_average_of_a_circle() -> None:
    """Three in a circle share the weight and are rated 0, in nearly all resampled runs."""
    found = nash_average(circle(0.2, deals=300), LABELS, range(3), replicates=100)
    assert found is not None

    assert found["weight"].tolist() == pytest.approx([1 / 3] * 3, abs=0.1)
    assert (found["support"] > 0.95).all()
    assert found["nash_rating"].abs().max() < 1e-6


def test_support_says_how_sure_the_weights_are() -> None:
    """A strong player has support 1, a weak one next to none and a rating below 0."""
    games = dice(players=4, seats=2, deals=200, strengths=[0, 0.5, 1.0, 2.0])
    found = nash_average(
        totals_of(DICE, games, players=4, seats=2), LABELS, range(4), replicates=100
    )
    assert found is not None
    support = dict(zip(found["player"], found["support"], strict=True))
    highest = dict(zip(found["player"], found["nash_high"], strict=True))

    assert support["spare"] == 1
    assert support["rock"] == 0
    assert highest["rock"] < 0


def test_there_is_no_average_of_players_that_never_met() -> None:
    """In a gauntlet the matrix has holes."""
    games = dice(players=3, seats=2, deals=30, line_ups=[(0, 1), (0, 2)])

    assert nash_average(totals_of(DICE, games, players=3, seats=2), LABELS, range(3)) is None
