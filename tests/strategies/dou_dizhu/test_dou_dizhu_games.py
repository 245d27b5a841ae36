"""The built-in Dou Dizhu strategies over whole games: legal, repeatable, and as strong as said."""

import numpy as np
import pytest

from sim.engines.dou_dizhu.packed import list_plays
from sim.engines.dou_dizhu.rules import Rules
from sim.engines.dou_dizhu.state import State
from sim.strategies.dou_dizhu.plans import plan, write_plan
from tests.strategies.dou_dizhu.tables import bind, decide, play, wins

BOTS = ("random", "greedy", "partition")


@pytest.mark.parametrize("auction", [False, True])
@pytest.mark.parametrize("name", BOTS)
def test_never_breaks_the_rules(name: str, auction: bool) -> None:
    """No illegal action in thousands of games against each strategy, itself among them."""
    for other in BOTS:
        chunk = play({"a": bind(name), "b": bind(other)}, auction=auction, deals=500)

        assert chunk.faults == [], other


@pytest.mark.parametrize("aggressiveness", [0, 0.25, 0.75, 1])
def test_partition_never_breaks_the_rules_however_it_bids(aggressiveness: float) -> None:
    """No illegal action with any bidding, and no game without end: all pass at most 100 times."""
    bound = bind("partition", {"bid_aggressiveness": aggressiveness})

    chunk = play({"a": bound, "b": bound}, auction=True, deals=200)

    assert chunk.faults == []


@pytest.mark.parametrize("name", ["greedy", "partition"])
def test_same_seed_same_games(name: str) -> None:
    """Playing again gives the same games: nothing is left over from other games."""
    first, again = (
        play({"a": bind(name), "b": bind("random")}, auction=True, deals=20) for _ in range(2)
    )

    assert np.array_equal(first.games, again.games)


@pytest.mark.parametrize(
    ("name", "other", "rate"),
    [
        ("greedy", "random", 0.90),  # .941 over 3,000 games
        ("partition", "random", 0.95),  # .989 over 6,000
        ("partition", "greedy", 0.70),  # .79 over 12,000
    ],
)
def test_is_as_strong_as_said(name: str, other: str, rate: float) -> None:
    """By sides, without an auction, each wins more of 1,600 games than that.

    The standard errors are at most .011; the limits lie 6 of them below what was measured.
    """
    chunk = play({"a": bind(name), "b": bind(other)}, auction=False, deals=800)

    assert wins(chunk).mean() > rate


def test_bid_aggressiveness_raises_bids() -> None:
    """Of the same hands each step bids at least as high, and over 300 hands higher in all."""
    levels = [bind("partition", {"bid_aggressiveness": k / 10}) for k in range(11)]
    views = [
        (lambda state: state.view(state.to_move))(State.deal(Rules(), seed=5, deal=deal))
        for deal in range(300)
    ]

    bids = np.array([[decide(bound, view) for view in views] for bound in levels])

    assert (np.diff(bids, axis=0) >= 0).all()
    assert (np.diff(bids.sum(axis=1)) > 0).all()
    assert bids[0].mean() < 0.5
    assert bids[-1].mean() > 2.5


def test_a_plan_is_the_hand_split_into_plays() -> None:
    """The plays of a plan are legal leads and together the hand: 100 hands, to their last cards."""
    memory = np.zeros(32, np.int64)
    leads = np.zeros(2000, np.int64)
    rules = Rules(auction=False)
    for deal in range(100):
        state = State.deal(rules, seed=9, deal=deal)
        hand = state.held[0]
        while hand:
            plan(hand, 0, 60, state.held[1] + state.held[2], memory)
            plays = memory[9 : 9 + write_plan(hand, memory)].tolist()
            possible = leads[: list_plays(hand, 0, leads)].tolist()

            assert sum(plays) == hand
            assert set(plays) <= set(possible)
            hand -= plays[deal % len(plays)]
