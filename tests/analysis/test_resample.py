"""The bootstrap over deals: keyed draws, and tests of many comparisons that hold their level."""

import numpy as np
import pytest
import scipy.stats
from numpy.typing import NDArray

from sim.analysis.resample import (
    MOST_UNITS,
    drawn_counts,
    grouped_sums,
    mix,
    pair_p_values,
    resample,
)
from sim.analysis.statistics import holm, p_value
from sim.engines import rng as keyed


def rng(seed: int) -> np.random.Generator:
    """Give a seeded source of random data."""
    return np.random.Generator(np.random.Philox(seed))


def test_numbers_are_those_of_the_engines() -> None:
    """The array version of the hash equals the one of the engines."""
    numbers = [0, 1, 12345, (1 << 64) - 1]

    assert mix(np.array(numbers, np.uint64)).tolist() == [keyed.mix(n) for n in numbers]


def test_draws_do_not_depend_on_how_many_are_made_at_a_time() -> None:
    """Replicate 7 is the same alone and among others, and each draws as many as there are."""
    many = drawn_counts(30, first=0, count=10)

    assert (drawn_counts(30, first=7, count=1)[0] == many[7]).all()
    assert set(many.sum(axis=1)) == {30}


def test_every_unit_is_drawn_equally_often() -> None:
    """Chi-square of 40 units over 5,000 replicates is unremarkable."""
    counts = drawn_counts(40, first=0, count=5000).sum(axis=0)

    assert scipy.stats.chisquare(counts).pvalue > 0.001


def test_many_deals_are_drawn_in_groups() -> None:
    """Sums over groups are sums over deals, and no group is more than one deal larger."""
    values = rng(1).random((3, 2 * MOST_UNITS + 7))
    sums, numbers = grouped_sums(values)

    assert sums.shape == (3, MOST_UNITS)
    assert sums.sum(axis=1) == pytest.approx(values.sum(axis=1))
    assert set(numbers[0]) == {2, 3}


@pytest.mark.parametrize("deals", [200, 3 * MOST_UNITS])
def test_means_and_errors_are_those_of_the_deals(deals: int) -> None:
    """Exact for the mean; the error of grouped deals within a few per cent."""
    values = rng(2).exponential(size=(4, deals))
    found = resample(values, replicates=10)

    assert found.means == pytest.approx(values.mean(axis=1))
    expected = values.std(axis=1, ddof=1) / np.sqrt(deals)
    # An error from 2,000 groups is itself sure to 1/sqrt(2 * 2,000) = 1.6 %.
    assert found.errors == pytest.approx(expected, rel=1e-9 if deals == 200 else 0.06)


def test_missing_deals_are_left_out() -> None:
    """A row with nan has the mean of what is there."""
    values = rng(3).random((2, 100))
    values[0, ::3] = np.nan

    assert resample(values, replicates=10).means[0] == pytest.approx(np.nanmean(values[0]))


def differences(arms: int, deals: int, seed: int, shift: float = 0.0) -> NDArray[np.float64]:
    """Give all pairwise differences of arms that share most of their luck."""
    source = rng(seed)
    values = source.normal(size=(1, deals)) + 0.5 * source.normal(size=(arms, deals))
    values[0] += shift
    return np.array([values[i] - values[j] for i in range(arms) for j in range(i + 1, arms)])


def test_false_alarms_of_equal_arms() -> None:
    """Any false claim among all pairs of 5 equal arms: in 2 to 8 % of 400 runs."""
    alarms = [
        (resample(differences(5, 60, seed), replicates=400).p_values() <= 0.05).any()
        for seed in range(400)
    ]

    assert 0.02 <= np.mean(alarms) <= 0.08


def test_it_finds_more_than_holm() -> None:
    """For many correlated comparisons max-T p-values are smaller than Holm's on the whole."""
    values = differences(8, 100, 1, shift=0.25)
    ours = resample(values).p_values()
    theirs = holm([p_value(row) for row in values])
    shifted = slice(0, 7)

    assert (ours[shifted] < theirs[shifted]).all()


def test_one_comparison_is_a_t_test() -> None:
    """With one row the p-value is that of the t test, within the error of the bootstrap."""
    values = rng(4).normal(0.25, 1, (1, 80))

    assert resample(values).p_values()[0] == pytest.approx(p_value(values[0]), abs=0.015)


def test_simultaneous_bands_cover_all_at_once() -> None:
    """All of 6 correlated means lie in their bands in 92 to 98 % of 400 runs."""
    covered = []
    for seed in range(400):
        source = rng(1000 + seed)
        values = source.normal(size=(1, 80)) + source.normal(size=(6, 80))
        found = resample(values, replicates=400)
        covered.append((np.abs(found.means) <= found.critical() * found.errors).all())

    assert 0.92 <= np.mean(covered) <= 0.98


def test_all_pairs_in_one_step_are_no_bolder() -> None:
    """For many rows: about the p-values of the step-down test, on the cautious side."""
    source = rng(6)
    values = source.normal(size=(1, 120)) + source.normal(size=(6, 120))
    values[0] += 0.6
    pairs = [(i, j) for i in range(6) for j in range(i + 1, 6)]
    step_down = resample([values[i] - values[j] for i, j in pairs]).p_values()
    found = pair_p_values(values)
    one_step = np.array([found[i, j] for i, j in pairs])

    assert (found == found.T).all()
    assert (np.diag(found) == 1).all()
    # 0.02: two standard errors of either bootstrap near .3, and the errors of each draw.
    assert (one_step > step_down - 0.02).all()
    assert (one_step[:5] < 0.05).tolist() == (step_down[:5] < 0.05).tolist()


def test_rows_without_spread_take_no_part() -> None:
    """Equal arms have p = 1 and leave the other comparisons alone."""
    values = differences(3, 50, 5, shift=1.0)
    with_equal = np.vstack([values, np.zeros(50)])

    always = np.vstack([values, np.full(50, 0.3)])

    assert resample(with_equal).p_values()[3] == 1
    assert resample(always).p_values()[3] == 4 * 2.0**-49
    assert (resample(with_equal).p_values()[:3] == resample(values).p_values()).all()
