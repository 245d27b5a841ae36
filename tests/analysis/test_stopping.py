"""Stopping early: valid whenever it stops, the same however the data came in."""

from itertools import accumulate
from math import isnan, log, sqrt

import numpy as np
import pytest
import scipy.optimize
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from sim.analysis.statistics import mean_estimate, p_value, rate_estimate
from sim.analysis.stopping import (
    FIRST_LOOK,
    Sprt,
    narrow_enough,
    prefix_moments,
    sequence_critical,
    sequence_radii,
)


def rng(seed: int) -> np.random.Generator:
    """Give a seeded source of random data."""
    return np.random.Generator(np.random.Philox(seed))


def deals(runs: int, planned: int, seed: int) -> NDArray[np.float64]:
    """Give deal means of six dependent games each, whose true win rate is 1/4."""
    source = rng(seed)
    return source.binomial(6, source.beta(0.5, 1.5, (runs, planned))) / 6


def test_prefix_moments_are_those_of_every_prefix() -> None:
    """Mean and deviation equal numpy's on each prefix."""
    values = deals(1, 30, 1)[0]
    means, deviations = prefix_moments(values)

    assert means == pytest.approx([values[:n].mean() for n in range(1, 31)])
    assert deviations[1:] == pytest.approx([values[:n].std(ddof=1) for n in range(2, 31)])
    assert isnan(deviations[0])


def test_radius_is_the_formula_of_the_paper() -> None:
    """Written out once more as it stands in the paper, at every deal."""
    values = deals(1, 300, 2)[0]
    alpha, planned = 0.05, 1000
    r2 = (-2 * log(alpha) + log(-2 * log(alpha) + 1)) / planned
    found = sequence_radii(values, planned=planned)
    for n in (50, 51, 299, 300):
        s = values[:n].std(ddof=1)
        expected = s * sqrt(2 * (n * r2 + 1) / (n**2 * r2) * log(sqrt(n * r2 + 1) / alpha))
        assert found[n - 1] == pytest.approx(expected, rel=1e-9)
    assert np.isnan(found[: FIRST_LOOK - 1]).all()


def test_the_sequence_is_narrowest_where_it_was_tuned() -> None:
    """Of all tunings the one for the planned end reaches least far there."""
    reaches = {tuned: sequence_critical(1000, tuned, 0.05) for tuned in (250, 500, 1000, 2000)}

    assert min(reaches, key=lambda tuned: reaches[tuned]) == 1000


def test_looking_at_every_deal_stays_valid_and_peeking_does_not() -> None:
    """At every deal from 50 on: the sequence misses the truth in under 5 % of 1,000 runs.

    A 95 % interval looked at as often misses it at some time in more than a quarter.
    """
    runs = deals(1000, 1000, 3)
    ever_missed, ever_peeked = [], []
    for values in runs:
        means, deviations = prefix_moments(values)
        off = np.abs(means - 0.25)[FIRST_LOOK - 1 :]
        radii = sequence_radii(values, planned=1000)[FIRST_LOOK - 1 :]
        errors = (deviations / np.sqrt(np.arange(1, 1001)))[FIRST_LOOK - 1 :]
        ever_missed.append((off > radii).any())
        ever_peeked.append((off > 1.96 * errors).any())

    assert np.mean(ever_missed) <= 0.05
    assert np.mean(ever_peeked) > 0.25


def test_intervals_at_the_stopping_time_cover_the_truth() -> None:
    """Over 1,000 runs stopped by width the printed interval covers in at least 95 %."""
    covered = []
    for values in deals(1000, 600, 4):
        stop = narrow_enough(values, width=0.12, planned=600) or 600
        found = rate_estimate(values[:stop], 600)
        covered.append(found.low <= 0.25 <= found.high)

    assert np.mean(covered) >= 0.95


def test_estimates_of_a_run_that_may_stop_reach_as_far_as_the_sequence() -> None:
    """`mean_estimate` with `planned` is the confidence sequence; p is .05 at its edge."""
    values = deals(1, 200, 5)[0]
    found = mean_estimate(values, 600)
    radius = sequence_radii(values, planned=600)[-1]

    assert found.high - found.value == pytest.approx(radius, rel=1e-9)
    assert p_value(values, found.low, planned=600) == pytest.approx(0.05, rel=1e-6)
    assert p_value(values, found.value, planned=600) == 1


def test_rare_wins_of_a_run_that_may_stop_have_wider_wilson_intervals() -> None:
    """0 of 60: wider than at a fixed end, and still finite."""
    fixed, early = rate_estimate([0] * 60), rate_estimate([0] * 60, 1000)

    assert 0 == early.low < fixed.high < early.high < 1


@given(st.integers(1, 250), st.integers(1, 250))
def test_when_it_is_asked_does_not_matter(first: int, more: int) -> None:
    """The deal at which the run stops is the same for any rhythm of looking."""
    values = deals(2, 500, 6)
    whole = narrow_enough(values, width=0.15, planned=500)
    asked = (
        narrow_enough(values[:, :end], width=0.15, planned=500)
        for end in accumulate([first] + [more] * 499)
    )

    assert whole is not None
    assert next(stop for stop in asked if stop is not None) == whole


def test_every_player_must_be_narrow() -> None:
    """The run goes on until the last interval is narrow, not the first."""
    narrow, wide = np.tile([0.4, 0.6], 200), np.tile([0.0, 1.0], 200)
    both = narrow_enough([narrow, wide], width=0.25, planned=400)

    assert narrow_enough([narrow], width=0.25, planned=400) == FIRST_LOOK
    assert both == narrow_enough([wide], width=0.25, planned=400)


def test_no_spread_never_stops_a_run() -> None:
    """A player that always loses looks certain; that says nothing about the next deal."""
    assert narrow_enough([np.zeros(500)], width=0.5, planned=500) is None
    assert Sprt(lo=0, hi=0.2).decide(np.full(500, 0.3)) == ("undecided", 500)


def test_likelihood_ratio_is_that_of_the_best_sigma_of_each_hypothesis() -> None:
    """Equals a numerical search over sigma for either hypothesis."""
    values = rng(7).normal(0.3, 1, 80)
    test = Sprt(lo=0.1, hi=0.4)

    def best(delta: float) -> float:
        found = scipy.optimize.minimize_scalar(
            lambda s: -scipy.stats.norm.logpdf(values, delta * s, s).sum(),
            bounds=(0.1, 10),
            method="bounded",
            options={"xatol": 1e-10},
        )
        return -float(found.fun)

    assert test.ratios(values)[-1] == pytest.approx(best(0.4) - best(0.1), abs=1e-6)


@pytest.mark.parametrize(("truth", "right"), [(0.0, "worse"), (0.2, "better")])
def test_error_rates_of_the_sequential_test(truth: float, right: str) -> None:
    """The wrong hypothesis is accepted in at most 7 % of 1,000 runs (5 % asked, asymptotically).

    And it is much quicker than a fixed test of the same power, (1.645 * 2 / .2)^2 = 271 deals.
    """
    test = Sprt(lo=0.0, hi=0.2)
    outcomes = [test.decide(values) for values in rng(8).normal(truth, 1, (1000, 3000))]

    assert np.mean([outcome != right for outcome, _ in outcomes]) <= 0.07
    assert np.mean([count for _, count in outcomes]) < 200


def test_the_test_is_not_made_before_the_first_look() -> None:
    """However large the difference, it takes 50 deals."""
    assert Sprt(lo=0, hi=0.2).decide(rng(11).normal(3, 1, 200)) == ("better", FIRST_LOOK)


def test_the_test_is_blind_to_the_unit() -> None:
    """Hypotheses are in standard deviations: points or hundreds of points decide alike."""
    values = rng(9).normal(0.15, 1, 2000)
    test = Sprt(lo=0, hi=0.2)

    assert test.decide(values) == test.decide(100 * values)


def test_the_test_is_made_on_prefixes() -> None:
    """Data after the decision change nothing."""
    values = rng(10).normal(0.2, 1, 3000)
    outcome, count = Sprt(lo=0, hi=0.2).decide(values)

    assert Sprt(lo=0, hi=0.2).decide(values[:count]) == (outcome, count)
    assert Sprt(lo=0, hi=0.2).decide(values[: count - 1])[0] == "undecided"
