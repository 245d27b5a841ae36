"""The estimates, intervals and tests, by hand for a few numbers and against scipy, statsmodels."""

from math import isnan, nan, sqrt

import numpy as np
import pytest
import scipy.stats
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from statsmodels.stats.multitest import multipletests  # type: ignore[import-untyped]
from statsmodels.stats.power import TTestPower  # type: ignore[import-untyped]
from statsmodels.stats.proportion import proportion_confint  # type: ignore[import-untyped]

from sim.analysis.statistics import (
    FEW_EVENTS,
    RatioSums,
    competition_ranks,
    deals_needed,
    detectable_difference,
    exact_dot,
    holm,
    mean_and_error,
    mean_estimate,
    median_of,
    p_value,
    rate_estimate,
    t_quantile,
    top_share,
    wilson,
)

VALUES = st.lists(st.floats(-1000, 1000), min_size=2, max_size=40)


def rng(seed: int) -> np.random.Generator:
    """Give a seeded source of random data."""
    return np.random.Generator(np.random.Philox(seed))


@pytest.mark.parametrize("freedom", [1, 2, 3, 9, 30, 999, 10**7])
@pytest.mark.parametrize("probability", [0.6, 0.8, 0.975, 0.9999])
def test_t_quantile_is_that_of_scipy(probability: float, freedom: int) -> None:
    """The quantile inverts scipy's distribution function."""
    back = scipy.stats.t.cdf(t_quantile(probability, freedom), freedom)

    assert back == pytest.approx(probability, rel=1e-9)


@given(VALUES)
def test_mean_interval_is_that_of_scipy(values: list[float]) -> None:
    """Mean, error and interval equal scipy's, for any data with a spread."""
    assume(np.ptp(values) > 1e-6)  # scipy warns of lost precision; no spread is tested below
    found = mean_estimate(values)
    test = scipy.stats.ttest_1samp(values, 0)
    interval = test.confidence_interval(0.95)

    assert found.value == pytest.approx(np.mean(values), abs=1e-9)
    assert found.low == pytest.approx(interval.low, rel=1e-6, abs=1e-6)
    assert found.high == pytest.approx(interval.high, rel=1e-6, abs=1e-6)
    assert p_value(values) == pytest.approx(test.pvalue, rel=1e-6, abs=1e-12)


def test_mean_by_hand() -> None:
    """Four numbers: mean 2.5, sum of squares 5, so sd^2 = 5/3 and error sqrt(5/12)."""
    mean, error = mean_and_error([1, 2, 3, 4])

    assert mean == 2.5
    assert error == pytest.approx(sqrt(5 / 12), rel=1e-15)


def test_equal_values_have_no_spread_at_all() -> None:
    """Seven thirds are exactly a third, with an error of exactly zero."""
    assert mean_and_error([1 / 3] * 7) == (1 / 3, 0.0)


def test_one_deal_has_a_value_and_no_interval() -> None:
    """A mean of one deal has no interval; a rate has Wilson's with one trial."""
    score, rate = mean_estimate([2.0]), rate_estimate([0.5])

    assert (score.value, isnan(score.low), isnan(score.high)) == (2.0, True, True)
    assert (rate.low, rate.high) == wilson(0.5, 1)
    assert isnan(p_value([2.0]))


def test_no_deal_says_nothing() -> None:
    """Without data every figure is nan and nothing raises."""
    assert isnan(mean_estimate([]).value)
    assert isnan(rate_estimate([]).value)
    assert isnan(RatioSums().estimate().value)


@pytest.mark.parametrize("trials", [1, 7, 20, 1000])
@pytest.mark.parametrize("share", [0.0, 0.13, 0.5, 1.0])
def test_wilson_is_that_of_statsmodels(share: float, trials: int) -> None:
    """The interval equals statsmodels', the ends included."""
    expected = proportion_confint(share * trials, trials, method="wilson")

    assert wilson(share, trials) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("rate", "low", "high"), [(0, 0, 0.161125), (1, 0.838875, 1)])
def test_all_lost_and_all_won_have_wilson_intervals(rate: int, low: float, high: float) -> None:
    """With 20 deals all lost the interval is (0, .16): never (0, 0), never nan."""
    found = rate_estimate([rate] * 20)

    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-6)


def test_rare_wins_use_wilson_with_at_most_as_many_trials_as_deals() -> None:
    """Nine wins in 100 deals: Wilson; its effective trials never exceed the deals."""
    values = np.r_[np.ones(FEW_EVENTS - 1), np.zeros(101 - FEW_EVENTS)]
    found = rate_estimate(values)

    # p(1-p)/SE^2 = n - 1 for zeros and ones: the sample variance divides by n - 1.
    assert (found.low, found.high) == pytest.approx(wilson(values.mean(), 99), abs=1e-9)


def test_a_paired_rate_never_counts_for_more_trials_than_deals() -> None:
    """Deals that always give 5 % of the games have next to no spread; n_eff is capped at D."""
    values = np.full(50, 0.05)
    values[0] = 0.06
    found = rate_estimate(values)

    assert (found.low, found.high) == pytest.approx(wilson(values.mean(), 50), abs=1e-12)


def test_common_wins_use_the_t_interval() -> None:
    """From ten wins and ten losses on the t interval holds."""
    values = np.r_[np.ones(FEW_EVENTS), np.zeros(90)]

    assert rate_estimate(values) == mean_estimate(values)


def test_no_spread_is_tested_by_signs() -> None:
    """Six deals all the same way: 2 * 2^-6; no difference at all: 1."""
    assert p_value([1.0] * 6) == 2 * 0.5**6
    assert p_value([0.25] * 6, null=0.25) == 1.0


@settings(max_examples=25)  # statsmodels takes 0.05 s for each
@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_holm_is_that_of_statsmodels(p_values: list[float]) -> None:
    """Adjusted p-values equal statsmodels'."""
    expected = multipletests(p_values, method="holm")[1]

    assert holm(p_values) == pytest.approx(expected, abs=1e-12)


def test_holm_leaves_out_what_is_not_known() -> None:
    """A test that could not be made takes no part in the count of comparisons."""
    found = holm([0.01, nan, 0.04])

    assert found[0] == 0.02
    assert isnan(found[1])
    assert found[2] == 0.04


@pytest.mark.parametrize("deals", [30, 200, 5000])
def test_detectable_difference_has_its_power(deals: int) -> None:
    """The exact power (noncentral t, statsmodels) at the difference is within .01 of 80 %."""
    error = 1 / sqrt(deals)
    difference = detectable_difference(error, deals)

    power = TTestPower().power(difference, deals, 0.05, alternative="two-sided")
    assert power == pytest.approx(0.8, abs=0.01)


def test_half_the_difference_needs_four_times_the_deals() -> None:
    """About: the t quantiles of more deals are a little smaller."""
    difference = detectable_difference(0.02, 500)

    assert deals_needed(difference, 0.02, 500) == 500
    assert 1980 < deals_needed(difference / 2, 0.02, 500) <= 2000


def test_a_ratio_with_equal_denominators_is_a_mean() -> None:
    """With three games in every deal the ratio estimate is the mean of the deals' ratios."""
    x = rng(1).integers(0, 9, 40)
    sums = RatioSums()
    sums.add(x, np.full(40, 3))
    found, expected = sums.estimate(), mean_estimate(x / 3)

    assert found.value == pytest.approx(expected.value, rel=1e-12)
    assert found.error == pytest.approx(expected.error, rel=1e-12)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), rel=1e-9)


def test_a_ratio_by_hand() -> None:
    """Deals 1/2, 3/2 and 2/4: ratio 6/8; residuals -.5, 1.5, -1, so SE^2 = 3.5 * 3/2 / 64."""
    sums = RatioSums()
    sums.add(np.array([1, 3, 2]), np.array([2, 2, 4]))
    found = sums.estimate(scale=2)

    assert found.value == 1.5
    assert found.error == pytest.approx(2 * sqrt(3.5 * 1.5 / 64), rel=1e-12)


def test_a_ratio_error_is_that_of_a_bootstrap_over_deals() -> None:
    """Within 10 %: the clustered error equals resampling whole deals."""
    source = rng(2)
    n = source.integers(1, 20, 200)
    x = source.binomial(n, source.beta(2, 5, 200))
    sums = RatioSums()
    sums.add(x, n)
    chosen = source.integers(0, 200, (4000, 200))
    bootstrap = (x[chosen].sum(axis=1) / n[chosen].sum(axis=1)).std()

    assert sums.estimate().error == pytest.approx(bootstrap, rel=0.1)


@given(st.integers(1, 39))
def test_ratio_sums_do_not_depend_on_where_they_are_split(cut: int) -> None:
    """Any split into parts gives exactly the same sums."""
    source = rng(3)
    x, n = source.integers(-50, 50, 40), source.integers(1, 9, 40)
    whole, split = RatioSums(), RatioSums()
    whole.add(x, n)
    split.add(x[:cut], n[:cut])
    split.add(x[cut:], n[cut:])

    assert whole == split


def test_sums_of_products_do_not_overflow() -> None:
    """Products beyond 64 bits are added up in Python integers."""
    large = np.array([3 << 60, -(3 << 60)])

    assert exact_dot(large, large) == 2 * (3 << 60) ** 2


@given(st.lists(st.integers(-9, 9), min_size=1, max_size=60))
def test_median_of_a_tally_is_that_of_the_values(values: list[int]) -> None:
    """The tally's median is numpy's."""
    tally = {value: values.count(value) for value in values}

    assert median_of(tally) == np.median(values)


def test_share_of_the_top() -> None:
    """Of 200 games the top 1 % are two; they hold 10 + 10 of 20 + 198."""
    assert top_share({1: 198, 10: 2}) == 20 / 218
    assert top_share({5: 200}) == 10 / 1000
    assert isnan(top_share({0: 200}))


def test_equal_figures_share_a_rank() -> None:
    """Two at the top, then the third place; what is not known comes last."""
    assert competition_ranks([0.1, 0.5, nan, 0.5]) == [3, 1, 4, 1]


def clustered_rates(tournaments: int, deals: int, seed: int) -> NDArray[np.float64]:
    """Give deal means of six dependent games each, whose true win rate is 1/4."""
    source = rng(seed)
    chance = source.beta(0.5, 1.5, (tournaments, deals))
    return source.binomial(6, chance) / 6


def coverage(deals: int) -> float:
    """Give the share of 2,000 tournaments whose interval holds the truth."""
    found = [rate_estimate(values) for values in clustered_rates(2000, deals, seed=4)]
    return float(np.mean([estimate.low <= 0.25 <= estimate.high for estimate in found]))


@pytest.mark.parametrize("deals", [100, 200])
def test_intervals_cover_the_truth(deals: int) -> None:
    """Over 2,000 tournaments of dependent games the 95 % interval covers in 92 to 98 %."""
    assert 0.92 <= coverage(deals) <= 0.98


def test_intervals_of_few_deals_are_cautious() -> None:
    """With 20 deals Wilson counts a deal as one trial, however many games it has: it covers."""
    assert coverage(20) >= 0.95


def test_games_of_a_deal_are_not_independent() -> None:
    """The reason for all this: with one interval over all games the same data cover below 85 %."""
    covered = []
    for values in clustered_rates(500, 100, seed=5):
        rate = values.mean()
        low, high = wilson(rate, 600)
        covered.append(low <= 0.25 <= high)

    assert np.mean(covered) < 0.85
