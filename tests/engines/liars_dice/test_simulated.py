"""Values of full games by simulation on the compiled engine, against exact recursions.

Every figure comes from 250,000 deals and must lie within four standard errors; each deal is played
once, so that the games are independent. The seed is fixed: no test fails by chance.
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import pytest
from numpy.typing import NDArray

from sim.engines.liars_dice.rules import Rules, bid_number
from tests.reference.liars_dice_exact import game_values
from tests.reference.liars_dice_exact import uniform as uniform_policy

from .bots import script, uniform
from .tables import make_tasks, play, seat_compiled

DEALS: Final = 250_000
ERRORS: Final = 4.0


def check_mean(values: NDArray[Any], expected: float) -> None:
    """Hold the mean of independent values against what it must be (exactly, where all agree)."""
    standard_error = values.std(ddof=1) / np.sqrt(len(values))
    assert abs(values.mean() - expected) <= ERRORS * standard_error


def check_wins(results: NDArray[Any], wins: Sequence[float]) -> None:
    """Hold the wins of each seat against their expectations."""
    for seat, expected in enumerate(wins):
        check_mean(results["won"][:, seat], expected)


@pytest.mark.parametrize(
    ("wins", "rounds", "decisions"),
    [
        ((0.4991637966, 0.5008362034), 7.52479615, 32.51626184),
        ((0.3336267070, 0.3318566849, 0.3345166081), 12.88227037, 58.83476078),
        (
            (0.2511678371, 0.2497647514, 0.2486144586, 0.2504529529),
            18.04280568,
            85.97202706,
        ),
    ],
    ids=["2 players", "3 players", "4 players"],
)
def test_uniform_players_with_five_dice(
    wins: tuple[float, ...], rounds: float, decisions: float
) -> None:
    """oracles.md: P(win) by seat, E[rounds] and E[decisions] of tables of uniform players."""
    seats = len(wins)
    tasks = make_tasks([[0] * seats], range(DEALS))
    results = play(Rules(seats=seats), [seat_compiled(uniform)], tasks).results

    check_wins(results, wins)
    check_mean(results["rounds"], rounds)
    check_mean(results["decisions"], decisions)


ONE_TWO: Final = bid_number(1, 2, ones_rank="low")
ONE_ONE: Final = bid_number(1, 1, ones_rank="low")


@pytest.mark.parametrize(
    ("bids", "rules", "wins"),
    [
        ((ONE_TWO,), Rules(seats=2), (0.6287647321, 0.3712352679)),
        ((ONE_TWO,), Rules(seats=3), (0.4127975865, 0.1643737233, 0.4228286902)),
        ((ONE_ONE,), Rules(seats=2), (0.5583435740, 0.4416564260)),
        ((ONE_ONE,), Rules(seats=3), (0.3994800181, 0.2409474329, 0.3595725490)),
        ((ONE_ONE, ONE_TWO), Rules(seats=2), (0.3331218002, 0.6668781998)),
        ((ONE_ONE, ONE_TWO), Rules(seats=2, ones_lock="off"), (0.1160315355, 0.8839684645)),
    ],
)
def test_scripted_players(bids: tuple[int, ...], rules: Rules, wins: tuple[float, ...]) -> None:
    """oracles.md: the opener makes the first bid, the next seat the second, the next challenges."""
    tasks = make_tasks([[0] * rules.seats], range(DEALS))
    results = play(rules, [seat_compiled(script, *bids)], tasks).results

    check_wins(results, wins)
    assert (results["decisions"] == (len(bids) + 1) * results["rounds"]).all()


@pytest.mark.parametrize(
    "rules",
    [
        Rules(seats=2, dice=(2, 1)),
        Rules(seats=2, dice=(1, 1), ones_lock="off"),
        Rules(seats=2, dice=(1, 1), ones_rank="high"),
        Rules(seats=2, dice=(1, 1), ones_rank="high", ones_lock="off"),
        Rules(seats=2, dice=(1, 1), ones_wild=False),
        Rules(seats=3, dice=(1, 1, 1)),
        Rules(seats=2, dice=(1, 2), rounds="1"),
    ],
    ids=lambda rules: ",".join(f"{k}={v}" for k, v in rules.options().items()),
)
def test_small_tables_against_enumeration(rules: Rules) -> None:
    """Rule variants: what the readable state enumerates is what the compiled engine plays."""
    wins, rounds, decisions = game_values(rules, uniform_policy)
    tasks = make_tasks([[0] * rules.seats], range(DEALS))
    results = play(rules, [seat_compiled(uniform)], tasks).results

    check_wins(results, [float(win) for win in wins])
    check_mean(results["rounds"], float(rounds))
    check_mean(results["decisions"], float(decisions))
