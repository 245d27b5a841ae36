"""The bootstrap over deals, and tests of many comparisons that use how they hang together.

Whole deals are drawn with replacement; everything of a deal moves together, so the pairing of
players on deals is kept. The draws are keyed (sim.engines.rng), so that the same data give the same
p-values anywhere.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.analysis.statistics import ALPHA, Floats
from sim.engines.rng import MULTIPLIER_1, MULTIPLIER_2, deal_key

REPLICATES: Final = 4000
"""Resampled runs: a p-value near .05 is then sure to .0035 (one standard error)."""

MOST_UNITS: Final = 2000
"""Above so many deals, runs of consecutive deals are drawn together: deals are independent, so any
such grouping is as good, and 2,000 units give an error as well as millions do."""

FEWEST_UNITS: Final = 200
MOST_CELLS: Final = 1 << 22
"""Rows times units: with very many rows the units are made fewer, but not fewer than these."""

BOOTSTRAP_STREAM: Final = (1 << 63) - 1
"""Takes the place of a deal in the key of the draws: no run has that many."""

AT_ONCE: Final = 200
"""Replicates worked on at a time."""


def mix(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Scramble 64-bit numbers as `sim.engines.rng.mix` does, a whole array at once.

    >>> hex(mix(np.array([1], np.uint64))[0])
    '0x3c02aa47758292bd'
    """
    x = numbers.copy()
    x = (x ^ (x >> np.uint64(27))) * np.uint64(MULTIPLIER_1)
    x = (x ^ (x >> np.uint64(33))) * np.uint64(MULTIPLIER_2)
    return x ^ (x >> np.uint64(27))


def drawn_counts(units: int, *, first: int, count: int, seed: int = 0) -> Floats:
    """Give how often each unit is drawn in replicates first .. first + count - 1.

    >>> drawn_counts(5, first=0, count=2).sum(axis=1)
    array([5., 5.])
    """
    key = np.uint64(deal_key(seed, BOOTSTRAP_STREAM))
    numbers = np.arange(first * units, (first + count) * units, dtype=np.uint64)
    high = mix(key ^ mix(numbers)) >> np.uint64(32)
    # The upper 32 bits, scaled: no unit is favoured by more than units / 2^32.
    drawn = ((high * np.uint64(units)) >> np.uint64(32)).astype(np.int64)
    rows = np.repeat(np.arange(count), units)
    counts = np.bincount(rows * units + drawn, minlength=count * units)
    return counts.reshape(count, units).astype(np.float64)


def unit_starts(deals: int, rows: int) -> NDArray[np.int64]:
    """Give where each unit begins: groups of consecutive deals that are drawn together.

    >>> unit_starts(4, 1), len(unit_starts(1_000_000, 1)), len(unit_starts(1_000_000, 5_000))
    (array([0, 1, 2, 3]), 2000, 838)
    """
    units = min(deals, MOST_UNITS, max(FEWEST_UNITS, MOST_CELLS // rows))
    return np.arange(units) * deals // units


def unit_means(values: Floats, rows: int) -> Floats:
    """Average one value per deal over units; nan is left out, and stays where a unit has no value.

    `rows`: how many rows of such units there will be in the end.

    >>> unit_means(np.array([1.0, np.nan, 3.0]), 1)
    array([ 1., nan,  3.])
    """
    starts = unit_starts(values.size, rows)
    known = ~np.isnan(values)
    sums = np.add.reduceat(np.where(known, values, 0.0), starts)
    numbers = np.add.reduceat(known, starts, dtype=np.float64)
    means = np.full(starts.size, np.nan)
    np.divide(sums, numbers, out=means, where=numbers > 0)
    return means


def grouped_sums(values: ArrayLike) -> tuple[Floats, Floats]:
    """Sum rows of one value per deal over units; nan counts for none.

    Give sums and numbers of values, (rows, units).

    >>> sums, numbers = grouped_sums([[1, np.nan, 3]])
    >>> sums, numbers
    (array([[1., 0., 3.]]), array([[1., 0., 1.]]))
    """
    rows = np.atleast_2d(np.asarray(values, np.float64))
    known = ~np.isnan(rows)
    filled = np.where(known, rows, 0.0)
    starts = unit_starts(rows.shape[1], len(rows))
    sums = np.add.reduceat(filled, starts, axis=1)
    numbers = np.add.reduceat(known, starts, axis=1, dtype=np.float64)
    return sums, numbers


@dataclass(frozen=True, slots=True)
class Resampled:
    """Means of rows of deal values, and how they vary together when deals are drawn anew."""

    means: Floats
    """(rows,)"""
    errors: Floats
    """(rows,): standard errors."""
    units: int
    """Units drawn: deals, or groups of them."""
    statistics: Floats
    """(replicates, rows): (drawn mean - mean) / (standard error in the draw); 0 without spread."""

    def critical(self, alpha: float = ALPHA) -> float:
        """Give how many standard errors a simultaneous interval reaches, over all rows."""
        return float(np.quantile(np.abs(self.statistics).max(axis=1), 1 - alpha))

    def p_values(self) -> Floats:
        """Test each mean against 0, corrected for all rows: step-down max-T.

        Westfall and Young 1993, "Resampling-based multiple testing", algorithm 2.8 (free
        step-down). A row without spread takes no part: if its mean is not 0, its p is that of the
        sign test (all units on one side) times the number of rows.
        """
        varied = self.errors > 0
        observed = np.zeros(self.means.size)
        np.divide(np.abs(self.means), self.errors, out=observed, where=varied)
        order = np.argsort(-observed, kind="stable")
        order = order[varied[order]]
        # The largest drawn statistic among this row and all with smaller observed ones.
        drawn = np.abs(self.statistics)[:, order][:, ::-1]
        largest = np.maximum.accumulate(drawn, axis=1)[:, ::-1]
        exceeded = (largest >= observed[order]).sum(axis=0)
        always = 2.0 ** (1 - self.units) * self.means.size
        p = np.where(self.means == 0, 1.0, min(1.0, always))
        p[order] = np.maximum.accumulate((1 + exceeded) / (1 + len(self.statistics)))
        return p


def resample(values: ArrayLike, *, replicates: int = REPLICATES, seed: int = 0) -> Resampled:
    """Draw deals with replacement: `values` (rows, deals), nan where a row has none.

    >>> coin = np.arange(200) % 2 - 0.5
    >>> found = resample([coin, coin + 0.2])
    >>> found.means.round(3), (found.p_values() < 0.05).tolist()
    (array([0. , 0.2]), [False, True])
    """
    sums, numbers = grouped_sums(values)
    units = sums.shape[1]
    products = [sums, numbers, sums**2, sums * numbers, numbers**2]
    means, errors = _ratios(np.ones((1, units)), products)
    statistics = np.zeros((replicates, len(sums)))
    for first in range(0, replicates, AT_ONCE):
        count = min(AT_ONCE, replicates - first)
        weights = drawn_counts(units, first=first, count=count, seed=seed)
        drawn, spread = _ratios(weights, products)
        part = statistics[first : first + count]
        np.divide(drawn - means, spread, out=part, where=spread > 0)
    return Resampled(means[0], errors[0], units, statistics)


def _ratios(weights: Floats, products: list[Floats]) -> tuple[Floats, Floats]:
    """Give weighted means and their standard errors (ratio of sums over units): (draws, rows)."""
    x, n, xx, xn, nn = (weights @ product.T for product in products)
    units = weights.sum(axis=1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = x / n
        squares = np.maximum(xx - 2 * means * xn + means**2 * nn, 0)
        errors = np.sqrt(squares * units / (units - 1)) / n
    # What rounding leaves of no spread at all is no spread.
    errors[errors < 1e-12] = 0
    return means, np.nan_to_num(errors)


def pair_p_values(values: Floats, *, replicates: int = REPLICATES, seed: int = 0) -> Floats:
    """Test the differences of all pairs of rows of `values`, corrected for all: (rows, rows).

    For so many rows that their pairs would not fit into memory: single-step max-T with the errors
    of the data, not of each draw. Never smaller, on the whole, than what `resample` finds.
    """
    rows = len(values)
    sums, numbers = grouped_sums(values)
    means = sums.sum(axis=1) / numbers.sum(axis=1)
    reach = np.zeros((rows, rows))
    for row in range(rows):
        gaps, both = grouped_sums(values[row] - values)
        errors = _ratios(np.ones((1, gaps.shape[1])), [gaps, both, gaps**2, gaps * both, both**2])
        np.divide(1.0, errors[1][0], out=reach[row], where=errors[1][0] > 0)
    observed = np.abs(means[:, None] - means) * reach
    exceeded = np.zeros((rows, rows))
    for first in range(0, replicates, AT_ONCE):
        weights = drawn_counts(
            sums.shape[1], first=first, count=min(AT_ONCE, replicates - first), seed=seed
        )
        for drawn in (weights @ sums.T) / (weights @ numbers.T) - means:
            exceeded += (np.abs(drawn[:, None] - drawn) * reach).max() >= observed
    p: Floats = (1 + exceeded) / (1 + replicates)
    always = min(1.0, 2.0 ** (1 - sums.shape[1]) * rows * (rows - 1) / 2)
    return np.where(reach > 0, p, np.where(means[:, None] == means, 1.0, always))
