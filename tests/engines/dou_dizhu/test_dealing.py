"""The deal: the same from Python and compiled, every card as likely to lie anywhere."""

from typing import Any, Final

import numpy as np
import pytest
from numpy.typing import NDArray

from sim.engines.dou_dizhu.dealing import BATCHES, BOUNDS, PRODUCTS, deal_cards
from sim.engines.dou_dizhu.notation import COPIES, ROCKET
from sim.engines.dou_dizhu.rules import Rules
from sim.engines.dou_dizhu.state import State
from tests.engines.liars_dice.tables import OUTSIDE, make_tasks

from .tables import make_table

DEALS: Final = 40_000


@pytest.fixture(scope="module")
def dealt() -> NDArray[Any]:
    """Give many deals as the compiled engine makes them."""
    parts = []
    for first in range(0, DEALS, 1000):
        tasks = make_tasks([[0, 0, 0]], range(first, first + 1000))
        table = make_table(Rules(), [OUTSIDE], tasks, in_flight=1000)
        table.advance()
        parts.append(table.states[["hands", "bottom"]])
    return np.concatenate(parts)


def counts(cards: NDArray[Any]) -> NDArray[Any]:
    """Count the cards of each rank of packed hands."""
    return cards[..., None] >> 4 * np.arange(15) & 15


@pytest.mark.parametrize("seed", [0, 1, 2**63, 2**64 - 1])
def test_both_engines_deal_the_same_cards(seed: int) -> None:
    """Over the whole range of keys."""
    deals = [0, 1, 2**32, 2**62, 2**63 - 1]
    table = make_table(Rules(), [OUTSIDE], make_tasks([[0, 0, 0]], deals), seed=seed)
    table.advance()

    for row, deal in zip(table.states, deals, strict=True):
        state = State.deal(Rules(), seed=seed, deal=deal)
        assert tuple(row["hands"]) == state.hands
        assert (row["bottom"], row["first"]) == (state.bottom, state.first)


def test_batches_fit_into_a_word() -> None:
    """Every number is drawn in one batch, and hardly any batch is biased and drawn again."""
    assert BATCHES[0] == 0
    assert BATCHES[-1] == len(BOUNDS) == 38
    assert max(PRODUCTS) < 2**51


@pytest.mark.parametrize("seat", range(3))
def test_every_rank_lies_in_every_hand_equally_often(dealt: NDArray[Any], seat: int) -> None:
    """Cards of a rank in a hand are hypergeometric: mean and variance, within 4.5 errors.

    45 figures of each are looked at, so that 4 would be exceeded once in 350 runs of another seed.
    """
    held = counts(dealt["hands"][:, seat])
    copies = np.array(COPIES)
    mean = copies * 17 / 54
    variance = copies * (17 / 54) * (37 / 54) * (54 - copies) / 53

    assert (np.abs(held.mean(axis=0) - mean) < 4.5 * np.sqrt(variance / DEALS)).all()
    spread = (held - mean) ** 2
    error = spread.std(axis=0) / np.sqrt(DEALS)
    assert (np.abs(spread.mean(axis=0) - variance) < 4.5 * error).all()


def test_ranks_are_dealt_independently_of_each_other(dealt: NDArray[Any]) -> None:
    """Covariances of the hypergeometric distribution, for all pairs of ranks and two hands."""
    held = counts(dealt["hands"][:, 0]) - np.array(COPIES) * 17 / 54
    other = counts(dealt["hands"][:, 1]) - np.array(COPIES) * 17 / 54
    both = np.outer(COPIES, COPIES)
    own = -both * (17 / 54) * (37 / 54) / 53
    across = both * (17 / 54) * (17 / 54) / 53

    for left, right, expected in ((held, held, own), (held, other, across)):
        seen = left.T @ right / DEALS
        error = np.sqrt((left**2).T @ right**2) / DEALS
        apart = ~np.eye(15, dtype=bool)
        assert (np.abs(seen - expected)[apart] < 4.5 * error[apart]).all()


def test_chance_of_the_rocket_and_number_of_fours(dealt: NDArray[Any]) -> None:
    """oracles.md: both jokers .09504 and .09783 fours in 17 cards; .13277 and .19916 in 20."""
    for cards, rocket, fours in (
        (dealt["hands"][:, 2], 0.09504, 0.09783),
        (dealt["hands"][:, 2] + dealt["bottom"], 0.13277, 0.19916),
    ):
        jokers = (cards & ROCKET) == ROCKET
        quads = (counts(cards)[:, :13] == 4).sum(axis=1)
        assert abs(jokers.mean() - rocket) < 4 * np.sqrt(rocket / DEALS)
        assert abs(quads.mean() - fours) < 4 * quads.std() / np.sqrt(DEALS)


def test_neighbouring_keys_deal_unlike_cards() -> None:
    """Deals, redeals and seeds beside each other share no more cards than any two deals."""
    base = deal_cards(seed=5, deal=10)
    near = [
        deal_cards(seed=5, deal=11),
        deal_cards(seed=6, deal=10),
        deal_cards(seed=5, deal=10, redeal=1),
    ]

    assert len({deal.hands for deal in [base, *near]}) == 4
    assert deal_cards(seed=5, deal=10) == base
