"""The dial of `aggressive` does what it says, by the engine's own counters."""

from itertools import pairwise

import pytest

from sim.runner.records import Chunk
from tests.strategies.tables import VARIANTS, bind, play, play_against_random

DIAL = (0.0, 0.25, 0.5, 0.75, 1.0)


def ratio(chunk: Chunk, player: int, counter: str) -> float:
    """Give a counter per bid of one player, over all its seats."""
    total = bids = 0
    names = chunk.games.dtype.names or ()
    for seat in range(sum(name.startswith("player_") for name in names)):
        rows = chunk.games[chunk.games[f"player_{seat}"] == player]
        total += int(rows[f"{counter}_{seat}"].sum())
        bids += int(rows[f"bids_{seat}"].sum())
    return total / bids


@pytest.mark.parametrize(("seats", "rules"), VARIANTS)
def test_at_zero_it_never_bluffs(seats: int, rules: dict[str, str]) -> None:
    """No bid of it lacks the support of own dice plus expectation, under any rules."""
    chunk = play_against_random(bind("aggressive", {"aggressiveness": 0}), seats, rules, deals=30)

    assert ratio(chunk, 0, "bids_unsupported") == 0


def test_at_one_it_bluffs_often() -> None:
    """Most of its bids then lack support."""
    chunk = play({"a": bind("aggressive", {"aggressiveness": 1}), "b": bind("honest")}, deals=500)

    assert ratio(chunk, 0, "bids_unsupported") > 0.6


@pytest.mark.parametrize("opponent", ["random", "honest", "dudo", "threshold"])
@pytest.mark.parametrize("seats", [2, 4])
def test_bids_rise_with_it(opponent: str, seats: int) -> None:
    """Against every kind of opponent the mean excess of its bids rises at each step of the dial."""
    means = []
    for aggressiveness in DIAL:
        others = {f"b{i}": bind(opponent) for i in range(seats - 1)}
        bold = bind("aggressive", {"aggressiveness": aggressiveness})
        chunk = play({"a": bold, **others}, deals=3000 // seats**2)
        means.append(ratio(chunk, 0, "bid_excess"))

    assert all(lower < higher for lower, higher in pairwise(means)), means


def test_challenges_wane_with_it() -> None:
    """Against the same opponent it challenges less at each step of the dial."""
    shares = []
    for aggressiveness in DIAL:
        bold = bind("aggressive", {"aggressiveness": aggressiveness})
        chunk = play({"a": bold, "b": bind("dudo")}, deals=1000)
        shares.append(ratio(chunk, 0, "challenges"))

    assert all(more > less for more, less in pairwise(shares)), shares
