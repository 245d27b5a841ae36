"""Estimates, intervals and tests: pure functions of numbers.

The cluster of everything here is the deal. A function that takes `deal_means` wants one figure per
deal: the mean of a player's results over all games of that deal, over all line-ups and seatings.
Games of one deal share its luck, so treating them (or the blocks of a deal) as independent is
wrong. `nan` stands for "cannot be said"; nothing is clamped into a number.

`planned`, where a function takes it, is for a run that may have stopped early: the most deals it
could have had. Intervals and p-values then hold at any stopping time (see stopping.py), at the
price of being half as wide again.

SciPy is imported on first use: `sim --help` must not wait for it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, isnan, nan, sqrt
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.analysis.stopping import sequence_critical, sequence_p_value

Floats = NDArray[np.float64]

CONFIDENCE: Final = 0.95
"""Coverage of every interval that is not said to be another one."""

ALPHA: Final = 0.05
"""Two-sided level of every test."""

POWER: Final = 0.8
"""Chance with which a detectable difference would have been found."""

FEW_EVENTS: Final = 10
"""Below so many successes or failures, counted in deals, a proportion gets a Wilson interval. With
10 of them the other one, about (10 +- 2 * sqrt(10)) / D, still keeps clear of 0 and 1."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its 95 % interval; `low` and `high` are nan where there is none."""

    value: float
    low: float
    high: float
    error: float
    """Standard error; nan with fewer than two deals."""
    deals: int
    """Deals that the figure rests on."""

    @property
    def half_width(self) -> float:
        """Give half the width of the interval, nan if there is none."""
        return (self.high - self.low) / 2


NOTHING: Final = Estimate(nan, nan, nan, nan, 0)
"""What can be said without a single deal."""


def t_quantile(probability: float, freedom: int) -> float:
    """Give the quantile of Student's t distribution.

    >>> round(t_quantile(0.975, 10), 6)
    2.228139
    """
    from scipy.special import stdtrit

    return float(stdtrit(freedom, probability))


def normal_quantile(probability: float) -> float:
    """Give the quantile of the standard normal distribution.

    >>> round(normal_quantile(0.975), 6)
    1.959964
    """
    from scipy.special import ndtri

    return float(ndtri(probability))


def deal_means(sums: ArrayLike, counts: ArrayLike) -> Floats:
    """Divide sums per deal by games per deal; deals without a game are left out.

    >>> deal_means([3, 1, 0], [4, 2, 0])
    array([0.75, 0.5 ])
    """
    total, games = np.asarray(sums, np.float64), np.asarray(counts, np.float64)
    played = games > 0
    means: Floats = total[played] / games[played]
    return means


def mean_and_error(values: ArrayLike) -> tuple[float, float]:
    """Give the mean and its standard error, sd / sqrt(n); the error of one value is nan.

    Shifted by the first value before it is summed, so that equal values give exactly themselves
    and an error of exactly 0.

    >>> mean_and_error([1, 2, 3, 4])
    (2.5, 0.6454972243679028)
    >>> mean_and_error([1 / 3] * 7)
    (0.3333333333333333, 0.0)
    """
    array = np.asarray(values, np.float64)
    if not array.size:
        return nan, nan
    shifted = array - array[0]
    mean = float(array[0] + shifted.mean())
    if array.size < 2:
        return mean, nan
    return mean, float(shifted.std(ddof=1) / sqrt(array.size))


def critical(deals: int, planned: int | None = None, *, confidence: float = CONFIDENCE) -> float:
    """Give how many standard errors an interval reaches to each side.

    >>> round(critical(20), 4), round(critical(20, planned=20), 4)
    (2.093, 3.0352)
    """
    if planned is None:
        return t_quantile((1 + confidence) / 2, deals - 1)
    return sequence_critical(deals, planned, 1 - confidence)


def mean_estimate(
    values: ArrayLike, planned: int | None = None, *, confidence: float = CONFIDENCE
) -> Estimate:
    """Estimate a mean from one value per deal: mean +- t(D - 1) * sd / sqrt(D).

    >>> found = mean_estimate([1, 2, 3, 4])
    >>> found.value, round(found.low, 6), round(found.high, 6), found.deals
    (2.5, 0.44574, 4.55426, 4)
    """
    deals = int(np.size(values))
    mean, error = mean_and_error(values)
    return estimate_around(mean, error, deals, planned, confidence=confidence)


def estimate_around(
    value: float,
    error: float,
    deals: int,
    planned: int | None = None,
    *,
    confidence: float = CONFIDENCE,
) -> Estimate:
    """Put an interval around a figure that rests on a standard error.

    >>> estimate_around(0.5, float("nan"), 1).low
    nan
    """
    if deals < 2:
        return Estimate(value, nan, nan, nan, deals)
    half = critical(deals, planned, confidence=confidence) * error
    return Estimate(value, value - half, value + half, error, deals)


def wilson(rate: float, trials: float, z: float | None = None) -> tuple[float, float]:
    """Give Wilson's score interval of a proportion seen in `trials` independent trials.

    Wilson 1927, J. Am. Stat. Assoc. 22, 209-212. `trials` need not be whole (an effective number);
    `z`: standard errors to each side, by default those of 95 %.

    >>> low, high = wilson(0, 20)
    >>> low, round(high, 4)
    (0.0, 0.1611)
    """
    z2 = (normal_quantile((1 + CONFIDENCE) / 2) if z is None else z) ** 2
    centre = rate + z2 / (2 * trials)
    half = sqrt(z2 * (rate * (1 - rate) / trials + z2 / (4 * trials**2)))
    scale = 1 + z2 / trials
    low = 0.0 if rate <= 0 else max(0.0, (centre - half) / scale)
    high = 1.0 if rate >= 1 else min(1.0, (centre + half) / scale)
    return low, high


def rate_estimate(
    values: ArrayLike, planned: int | None = None, *, confidence: float = CONFIDENCE
) -> Estimate:
    """Estimate a proportion from one rate (0..1) per deal.

    As `mean_estimate`, except where that breaks down: with no spread at all, or fewer than
    FEW_EVENTS successes or failures counted in deals, Wilson's interval with the effective number
    of trials p(1-p)/SE^2, at most (and without spread exactly) the number of deals. So 0 % and
    100 % have an interval that is neither empty nor a point.

    >>> lost = rate_estimate([0] * 20)
    >>> lost.value, lost.low, round(lost.high, 6)
    (0.0, 0.0, 0.161125)
    """
    deals = int(np.size(values))
    mean, error = mean_and_error(values)
    return _rate_around(mean, error, deals, planned, confidence)


def _rate_around(
    rate: float, error: float, deals: int, planned: int | None, confidence: float
) -> Estimate:
    if not deals:
        return NOTHING
    if is_common(rate, error, deals):
        return estimate_around(rate, error, deals, planned, confidence=confidence)
    variance, spread = rate * (1 - rate), deals > 1 and error > 0
    trials = min(variance / error**2, deals) if spread and variance > 0 else deals
    z = normal_quantile((1 + confidence) / 2)
    if planned is not None:
        z = critical(deals, planned, confidence=confidence)
    low, high = wilson(rate, trials, z)
    return Estimate(rate, low, high, error, deals)


def is_common(rate: float, error: float, deals: int) -> bool:
    """Say whether a rate is far enough from 0 and 1 for an interval of standard errors.

    >>> is_common(0.25, 0.04, 100), is_common(0.25, 0.1, 20), is_common(0.5, 0.0, 100)
    (True, False, False)
    """
    events = round(min(rate, 1 - rate) * deals, 9)  # whole counts must not fall short by rounding
    return deals > 1 and error > 0 and events >= FEW_EVENTS


def p_value(values: ArrayLike, null: float = 0.0, planned: int | None = None) -> float:
    """Test the mean of one value per deal against `null`: two-sided one-sample t test.

    Without any spread the t statistic is infinite whatever the number of deals; then the exact
    sign test is used (all D deals on one side: 2 * 2^-D; Conover 1999, section 3.4). Fewer than
    two deals: nan.

    >>> round(p_value([1, 2, 3, 4]), 6)
    0.030466
    >>> p_value([0.5] * 6), p_value([0] * 6)
    (0.03125, 1.0)
    """
    deals = int(np.size(values))
    mean, error = mean_and_error(values)
    if deals < 2:
        return nan
    if error == 0:
        return 1.0 if mean == null else 2.0 ** (1 - deals)
    if planned is not None:
        return sequence_p_value((mean - null) / error, deals, planned, ALPHA)
    from scipy.special import stdtr

    return float(2 * stdtr(deals - 1, -abs((mean - null) / error)))


def holm(p_values: ArrayLike) -> Floats:
    """Adjust p-values for several comparisons; valid under any dependence. nan stays nan.

    Holm 1979, Scand. J. Stat. 6, 65-70.

    >>> holm([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    """
    raw = np.asarray(p_values, np.float64)
    known = np.flatnonzero(~np.isnan(raw))
    order = known[np.argsort(raw[known], kind="stable")]
    factors = np.arange(known.size, 0, -1)
    adjusted = np.full(raw.shape, nan)
    adjusted[order] = np.minimum(1, np.maximum.accumulate(raw[order] * factors))
    return adjusted


@dataclass(slots=True)
class RatioSums:
    """What a ratio of two sums needs, in whole numbers, so that any split gives the same bytes.

    For each deal a numerator x (say, bids) and a denominator n (say, games).

    >>> sums = RatioSums()
    >>> sums.add(np.array([1, 3]), np.array([2, 2]))
    >>> sums.add(np.array([2]), np.array([4]))
    >>> sums.estimate().value
    0.75
    """

    deals: int = 0
    """Deals with a denominator that is not 0."""
    x: int = 0
    n: int = 0
    xx: int = 0
    xn: int = 0
    nn: int = 0

    def add(self, numerators: NDArray[np.integer], denominators: NDArray[np.integer]) -> None:
        """Add the sums of some deals, one pair of entries a deal."""
        x, n = numerators.astype(np.int64), denominators.astype(np.int64)
        self.deals += int(np.count_nonzero(n))
        self.x += int(x.sum())
        self.n += int(n.sum())
        self.xx += exact_dot(x, x)
        self.xn += exact_dot(x, n)
        self.nn += exact_dot(n, n)

    def estimate(
        self, scale: float = 1.0, *, rate: bool = False, planned: int | None = None
    ) -> Estimate:
        """Estimate the ratio of sums, times `scale`, with an interval clustered on deals.

        The ratio estimator of cluster sampling (Cochran 1977, Sampling Techniques, chapter 6, no
        finite-population correction). Where every deal has the same denominator it is exactly
        `mean_estimate` of the deals' ratios. `rate`: a proportion, see `rate_estimate`.
        """
        if not self.n:
            return NOTHING
        value = self.x / self.n
        error = nan
        if self.deals > 1:
            # Times n^2, so that it is exact: sum over deals of (x_d - r * n_d)^2.
            squares = (
                self.xx * self.n**2 - 2 * self.x * self.n * self.xn + self.x**2 * self.nn
            ) / self.n**4
            error = sqrt(max(squares, 0.0) * self.deals / (self.deals - 1))
        if rate:
            return _rate_around(value, error, self.deals, planned, CONFIDENCE)
        return estimate_around(value * scale, error * abs(scale), self.deals, planned)


def exact_dot(a: NDArray[np.int64], b: NDArray[np.int64]) -> int:
    """Give the sum of products as a Python integer: no overflow, no rounding.

    >>> exact_dot(np.array([1 << 40]), np.array([1 << 40])) == 1 << 80
    True
    """
    if not a.size:
        return 0
    largest = int(np.abs(a).max()) * int(np.abs(b).max())
    if largest * a.size < 1 << 62:
        return int(np.dot(a, b))
    return sum(x * y for x, y in zip(a.tolist(), b.tolist(), strict=True))


def detectable_difference(
    error: float,
    deals: int,
    *,
    comparisons: int = 1,
    power: float = POWER,
    planned: int | None = None,
) -> float:
    """Give the smallest true difference that a test at 5 % finds with chance `power`.

    (t(1 - alpha/2m) + t(power)) * SE, D - 1 degrees of freedom (Bloom 1995, Evaluation Review 19,
    547-556), with the level divided by the number m of comparisons.

    >>> round(detectable_difference(0.01, 1000), 5)
    0.02804
    """
    if deals < 2:
        return nan
    reach = critical(deals, planned, confidence=1 - ALPHA / comparisons)
    return (reach + t_quantile(power, deals - 1)) * error


def deals_needed(difference: float, error: float, deals: int, *, planned: int | None = None) -> int:
    """Give the deals that make `difference` detectable, from the error seen over `deals` deals.

    For a run that may stop early: the most deals to plan.

    >>> deals_needed(0.01402, 0.01, 1000)
    3996
    """
    if not (difference > 0 and error > 0 and deals > 1):
        raise ValueError(f"deals_needed({difference!r}, {error!r}, {deals!r}): must be positive")
    deviation = error * sqrt(deals)

    def enough(count: int) -> bool:
        error, most = deviation / sqrt(count), None if planned is None else count
        return detectable_difference(error, count, planned=most) <= difference

    high = 2
    while not enough(high):
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def median_of(tally: dict[int, int]) -> float:
    """Give the median of values counted in a tally {value: times}; nan if it is empty.

    >>> median_of({-1: 3, 2: 1, 5: 2})
    0.5
    """
    total = sum(tally.values())
    if not total:
        return nan
    seen = 0
    lower: int | None = None
    for value in sorted(tally):
        seen += tally[value]
        if lower is None and seen > (total - 1) // 2:
            lower = value
        if seen > total // 2:
            assert lower is not None
            return (lower + value) / 2
    raise AssertionError("unreachable: the tally was counted to its end")


def top_share(tally: dict[int, int], part: float = 0.01) -> float:
    """Give the share of the total that the largest `part` of the entries holds; nan if all are 0.

    The values must not be negative. At least one entry counts as the top.

    >>> top_share({1: 99, 101: 1})
    0.505
    """
    entries = sum(tally.values())
    total = sum(value * times for value, times in tally.items())
    if not total:
        return nan
    left = max(1, int(entries * part))
    held = 0
    for value in sorted(tally, reverse=True):
        taken = min(left, tally[value])
        held += value * taken
        left -= taken
        if not left:
            break
    return held / total


def separable(p_adjusted: float, alpha: float = ALPHA) -> bool:
    """Say whether an adjusted p-value shows a difference; one that could not be computed does not.

    >>> separable(0.01), separable(0.2), separable(float("nan"))
    (True, False, False)
    """
    return p_adjusted <= alpha


def competition_ranks(figures: Sequence[float]) -> list[int]:
    """Rank from the largest down; equal figures share a rank; nan comes last.

    >>> competition_ranks([0.2, 0.5, 0.5, float("nan")])
    [3, 1, 1, 4]
    """
    keys = [-inf if isnan(figure) else figure for figure in figures]
    return [1 + sum(other > key for other in keys) for key in keys]
