"""Who is better than whom: paired on deals, corrected for all pairs, honest about the rest."""

from collections.abc import Iterator
from dataclasses import replace
from math import isnan

import numpy as np
import pytest
import scipy.stats

from sim.analysis import figures
from sim.analysis.accumulate import Totals
from sim.analysis.comparisons import (
    baseline_p,
    between,
    compare_all,
    least_detectable,
    not_separable,
    ranks,
)
from sim.analysis.statistics import separable
from tests.analysis.test_accumulate import totals_of
from tests.analysis.toy_runs import CARDS, DICE, cards, dice


def race(*, seed: int = 1, deals: int = 60, **more: object) -> Totals:
    """Sum up a race of four at tables of three."""
    games = dice(players=4, seats=3, deals=deals, seed=seed, **more)  # type: ignore[arg-type]
    return totals_of(DICE, games, players=4, seats=3, deals_per_part=deals)


def test_differences_are_paired_on_deals() -> None:
    """Difference, interval and p equal scipy's paired t test of the players' deal means."""
    totals = race(strengths=[0, 0.2, 0.4, 0.6])
    found = between(compare_all(totals, range(4)), 3, 1)
    test = scipy.stats.ttest_rel(figures.per_deal(totals, 3), figures.per_deal(totals, 1))
    interval = test.confidence_interval(0.95)

    assert found.p == pytest.approx(test.pvalue, rel=1e-9)
    assert found.difference.low == pytest.approx(interval.low, rel=1e-9)
    assert found.difference.high == pytest.approx(interval.high, rel=1e-9)


def test_shared_luck_makes_differences_sure() -> None:
    """Players that share each deal's luck: a third of the variance of a difference, or less."""
    shared = compare_all(race(deals=300, strengths=[0, 0, 0, 0.3], luck=0.9), range(4))[2]
    apart = compare_all(race(deals=300, strengths=[0, 0, 0, 0.3], salted=True), range(4))[2]

    assert apart.difference.error**2 > 3 * shared.difference.error**2


def test_equal_players_differ_by_exactly_nothing() -> None:
    """Two labels of one bot: difference 0, interval (0, 0), p 1, one rank, one set."""
    totals = race()
    comparisons = compare_all(totals, range(4))

    assert {(c.difference.low, c.difference.high, c.p_holm) for c in comparisons} == {(0, 0, 1)}
    assert ranks(totals, range(4)) == [1, 1, 1, 1]
    assert not_separable(comparisons, 0, range(4)) == (0, 1, 2, 3)


def test_a_clear_winner_stands_alone_and_a_close_second_does_not() -> None:
    """Far ahead: a set of one. A hair ahead of the second: a set of two."""
    clear = compare_all(race(strengths=[0, 0, 0, 1], deals=200), range(4))
    close = compare_all(race(strengths=[0, 0, 1, 1.01], deals=200, salted=True), range(4))

    assert not_separable(clear, 3, range(4)) == (3,)
    assert not_separable(close, 3, range(4)) == (3, 2)


def small_runs(count: int, deals: int, **more: object) -> Iterator[Totals]:
    """Cut one long run into many small ones, of other deals each."""
    long = race(deals=count * deals, **more)  # type: ignore[arg-type]
    for first in range(0, count * deals, deals):
        part = slice(first, first + deals)
        yield replace(long, deals=deals, wins=long.wins[:, part], judged=long.judged[:, part])


def test_equal_players_are_seldom_told_apart() -> None:
    """Any false claim among 4 equal players (salted streams): in at most 7 % of 500 runs."""
    alarms = [
        any(separable(c.p_holm) for c in compare_all(run, range(4)))
        for run in small_runs(500, 30, salted=True)
    ]

    assert np.mean(alarms) <= 0.07


def test_baseline_of_win_rate_and_of_points() -> None:
    """A strong player is above 1/3; in the card game points are tested against 0."""
    strong = baseline_p(race(strengths=[0, 0, 0, 1], deals=200), range(4))
    games = cards(players=3, deals=300, strengths=[0, 0, 2])
    points = baseline_p(totals_of(CARDS, games, players=3, seats=3), range(3))

    assert separable(strong[3])
    assert [separable(p) for p in points] == [True, True, True]
    assert figures.headline_baseline(totals_of(CARDS, games, players=3, seats=3)) == 0


def test_points_are_paired_over_all_deals_and_wins_over_judged_ones() -> None:
    """A deal in which a player's games were all void counts for points, and not for wins."""
    games = cards(players=3, deals=10, void=0.0)
    games.loc[games["deal"] == 4, "void"] = True
    games.loc[games["deal"] == 4, ["score_0", "score_1", "score_2"]] = 0
    totals = totals_of(CARDS, games, players=3, seats=3)

    assert figures.win_rate(totals, 0).deals == 9
    assert figures.score(totals, 0).deals == 10
    assert compare_all(totals, range(3))[0].difference.deals == 10


def test_likelihood_of_superiority() -> None:
    """Near 1 for the much stronger, complementary, exactly one half for equal bots."""
    unequal = compare_all(race(strengths=[0, 0, 0, 1]), range(4))
    equal = compare_all(race(), range(4))
    found = between(unequal, 3, 0)

    assert found.superiority > 0.999
    assert found.superiority + found.turned.superiority == 1
    assert {c.superiority for c in equal} == {0.5}
    assert isnan(compare_all(race(deals=1, strengths=[0, 0, 0, 9]), range(4))[2].superiority)


def test_one_deal_compares_nobody() -> None:
    """There is no p-value, nobody is separable, and no detectable difference."""
    comparisons = compare_all(race(deals=1, strengths=[0, 0, 0, 3]), range(4))

    assert all(isnan(c.p_holm) for c in comparisons)
    assert not_separable(comparisons, 3, range(4)) == (3, 0, 1, 2)
    assert isnan(least_detectable(comparisons, corrected=True))


def test_many_pairs_need_a_larger_difference() -> None:
    """With six pairs the level is .05 / 6: the critical value goes from 1.96 to 2.64."""
    comparisons = compare_all(race(strengths=[0, 0, 0, 0.5], deals=2000), range(4))
    one = least_detectable(comparisons, corrected=False)
    any_of_six = least_detectable(comparisons, corrected=True)

    assert any_of_six / one == pytest.approx((2.638 + 0.842) / (1.960 + 0.842), rel=0.005)


def test_detectable_difference_is_found_as_often_as_it_says() -> None:
    """Runs whose true difference is about the detectable one find it in about 80 %."""
    runs = list(small_runs(400, 40, strengths=[0, 0, 0, 0.5], salted=True))
    pairs = [compare_all(run, [3, 0])[0] for run in runs]
    least = np.mean([least_detectable([pair], corrected=False) for pair in pairs])
    truth = np.mean([pair.difference.value for pair in pairs])

    assert truth == pytest.approx(least, rel=0.05)
    # 0.04: two standard errors of 400 runs; 0.05: what 5 % of the difference does to the power.
    assert np.mean([separable(pair.p) for pair in pairs]) == pytest.approx(0.8, abs=0.09)
