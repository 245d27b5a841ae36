"""Figures of uniform play on the compiled engine, against an independent program and exact values.

Every mean is of independent deals and must lie within four standard errors; the seed is fixed, so
that no test fails by chance.
"""

from typing import Any, Final

import numpy as np
import pytest
from numpy.typing import NDArray

from sim.engines.dou_dizhu.rules import Rules
from tests.engines.liars_dice.tables import make_tasks

from .bots import uniform
from .tables import play, seat_compiled

DEALS: Final = 250_000
ERRORS: Final = 4.0


@pytest.fixture(scope="module")
def sides() -> NDArray[Any]:
    """Uniform players without an auction."""
    rules = Rules(auction=False)
    return play(rules, [seat_compiled(uniform)], make_tasks([[0] * 3], range(DEALS))).results


@pytest.fixture(scope="module")
def auctions() -> NDArray[Any]:
    """Uniform players with an auction."""
    return play(Rules(), [seat_compiled(uniform)], make_tasks([[0] * 3], range(DEALS))).results


def check_mean(values: NDArray[Any], expected: float, *, error: float = 0.0) -> None:
    """Hold a mean against what it must be; `error` is the standard error of `expected` itself."""
    own = values.std(ddof=1) / np.sqrt(len(values))
    assert abs(values.mean() - expected) <= ERRORS * np.hypot(own, error)


def test_the_landlord_wins_as_often_as_in_an_independent_program(sides: NDArray[Any]) -> None:
    """oracles.md: .3523 +- .0003."""
    check_mean(sides["won"][:, 0], 0.3523, error=0.0003)


def test_decisions_and_bombs_of_an_independent_program(sides: NDArray[Any]) -> None:
    """60.98 decisions and .351 bombs a deal; both are given to that many digits."""
    check_mean(sides["decisions"], 60.98, error=0.005 / ERRORS)
    check_mean(sides["bombs"].sum(axis=1), 0.351, error=0.0005 / ERRORS)


def test_sides_are_kept_apart(sides: NDArray[Any]) -> None:
    """Seat 0 is the landlord in every deal, at a bid of 1; the farmers win and lose together."""
    assert (sides["landlord"] == 0).all()
    assert (sides["final_bid"] == 1).all()
    assert (sides["role"][:, :3] == [0, 1, 1]).all()
    assert (sides["won"][:, 1] == sides["won"][:, 2]).all()
    assert (sides["won"][:, 0] != sides["won"][:, 1]).all()
    assert (sides["redeals"] == 0).all()


def test_scores_follow_from_bid_multiplier_and_side(auctions: NDArray[Any]) -> None:
    """In every game: a unit is bid times multiplier, a power of 2 of bombs and springs."""
    unit = auctions["final_bid"] * auctions["multiplier"]
    doublings = auctions["bombs"].sum(axis=1) + (auctions["spring"] > 0)
    landlord = np.take_along_axis(auctions["score"], auctions["landlord"][:, None], axis=1)[:, 0]
    won = np.take_along_axis(auctions["won"], auctions["landlord"][:, None], axis=1)[:, 0]

    assert (auctions["multiplier"] == 2**doublings).all()
    assert (landlord == np.where(won, 2 * unit, -2 * unit)).all()
    assert (auctions["score"].sum(axis=1) == 0).all()
    assert (np.abs(auctions["score"][:, :3]).sum(axis=1) == 4 * unit).all()


def test_uniform_auctions(auctions: NDArray[Any]) -> None:
    """Exactly: how often all pass, the chance of each final bid, the mean number of calls.

    A pass has chance 1/4, 1/3 or 1/2 with 0, 1 or 2 as the highest bid.
    """
    redeal = 1 / 64
    # the auction that ends at 1: a first bid of 1, and two passes; at 2: a first bid of 2, or 2
    # over 1 at once or after a pass; and then two passes
    first = (1 - redeal) / 3
    at_1 = first / 9
    over_1 = first * (1 / 3 + 1 / 9)
    at_2 = (first + over_1) / 4
    shares = {1: at_1 / (1 - redeal), 2: at_2 / (1 - redeal)}
    for bid, share in shares.items():
        check_mean(auctions["final_bid"] == bid, share)
    check_mean(auctions["redeals"], redeal / (1 - redeal))
    assert (auctions["void"] == 0).all()
    for seat in range(3):
        check_mean(auctions["landlord"] == seat, 1 / 3)
