"""Comparing settings: an honest band, the set that may be best, and few false alarms."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from sim.analysis import compare_report, figures, response_plot
from sim.analysis.accumulate import Totals
from sim.analysis.compare import Response, Setting, table
from sim.analysis.findings import Findings
from sim.analysis.statistics import holm, p_value, rate_estimate, separable
from tests.analysis.test_accumulate import totals_of
from tests.analysis.toy_runs import CARDS, DICE, cards, dice

SETTINGS = 5
FIELD = ["honest", "threshold"]
CURVE = [0.0, 0.5, 0.8, 0.7, 0.1]


def response(totals: Totals, *, settings: int = SETTINGS, default: int | None = 1) -> Response:
    """Look at players 0 .. settings - 1 as settings x=0, 0.25, ..."""
    labels = [f"bot:x={number / 4:g}" for number in range(settings)] + FIELD
    chosen = [Setting(number, {"x": number / 4}, number == default) for number in range(settings)]
    return Response(Findings(totals, labels, range(settings)), chosen)


def field(settings: int = SETTINGS) -> list[tuple[int, ...]]:
    """Give the line-ups: each setting against the same two players."""
    return [(number, settings, settings + 1) for number in range(settings)]


def played(*, curve: list[float] = CURVE, deals: int = 80, **more: Any) -> Totals:
    """Play settings of these strengths against two players of strength 0."""
    games = dice(
        players=len(curve) + 2,
        seats=3,
        deals=deals,
        strengths=[*curve, 0, 0],
        line_ups=field(len(curve)),
        **{"luck": 0.6, **more},
    )
    return totals_of(DICE, games, players=len(curve) + 2, seats=3, deals_per_part=deals)


def small_runs(count: int, deals: int, **more: Any) -> Iterator[Totals]:
    """Cut one long run into many small ones, of other deals each."""
    long = played(deals=count * deals, **more)
    for first in range(0, count * deals, deals):
        part = slice(first, first + deals)
        yield replace(
            long,
            deals=deals,
            wins=long.wins[:, part],
            judged=long.judged[:, part],
            scores=long.scores[:, part],
        )


def test_the_columns_of_the_table() -> None:
    """Parameters, outcome, bands, distance from the best, behaviour: one row a setting."""
    found = table(response(played()))

    assert list(found.columns) == [
        *("x", "win_rate", "win_rate_low", "win_rate_high", "band_low", "band_high"),
        *("score_mean", "score_low", "score_high", "diff_best", "p_holm", "p_max_t"),
        *("not_separable", "lie_rate", "bids_per_round", "bids_per_game"),
    ]
    assert found["x"].tolist() == [0, 0.25, 0.5, 0.75, 1]
    assert found["not_separable"].tolist() == [False, False, True, True, False]


def test_the_best_is_at_no_distance_from_itself() -> None:
    """Difference 0, p 1, in the set; everything else is at most 0 away."""
    found = table(response(played()))
    best = found.iloc[int(found["win_rate"].argmax())]

    assert (best["diff_best"], best["p_holm"], best["p_max_t"]) == (0, 1, 1)
    assert best["not_separable"]
    assert (found["diff_best"] <= 0).all()


def test_bands_hold_the_intervals() -> None:
    """The band for all at once is wider than the interval of each by itself."""
    found = table(response(played()))

    assert (found["band_low"] < found["win_rate_low"]).all()
    assert (found["band_high"] > found["win_rate_high"]).all()


def test_bands_cover_the_whole_curve() -> None:
    """All settings lie in their bands at once in 92 to 98 % of 200 runs; intervals do not."""
    truth = [figures.win_rate(played(deals=4000, seed=9), player).value for player in range(5)]
    in_bands, in_intervals = [], []
    for run in small_runs(200, 100):
        found = response(run)
        pairs = zip(found.band("win_rate"), truth, strict=True)
        in_bands.append(all(band.low <= value <= band.high for band, value in pairs))
        own = [figures.win_rate(run, player) for player in range(5)]
        in_intervals.append(all(e.low <= t <= e.high for e, t in zip(own, truth, strict=True)))

    # 0.015: one standard error of 200 runs.
    assert 0.92 - 0.015 <= np.mean(in_bands) <= 0.98 + 0.015
    assert np.mean(in_intervals) < 0.92


@pytest.mark.parametrize("deals", [40, 120])
def test_equal_settings_are_seldom_told_apart(deals: int) -> None:
    """Salted equal settings: some false claim, by max-T or Holm, in under 7 % of 200 runs."""
    max_t, by_holm = [], []
    for run in small_runs(200, deals, curve=[0.0] * 5, salted=True):
        found = response(run)
        max_t.append(not all(found.not_separable))
        by_holm.append(any(separable(gap.comparison.p_holm) for gap in found.to_best))

    assert np.mean(max_t) <= 0.07
    assert np.mean(by_holm) <= 0.07


def test_distances_from_the_default_are_corrected_for_the_others_only() -> None:
    """The default was named before: four comparisons, not ten."""
    totals = played()
    found = response(totals)
    own = figures.per_deal(totals, 1)
    others = [0, 2, 3, 4]
    expected = holm([p_value(figures.per_deal(totals, player) - own) for player in others])

    assert [gap.comparison.first for gap in found.to_default] == others
    assert [gap.comparison.p_holm for gap in found.to_default] == pytest.approx(expected.tolist())


def test_verdicts() -> None:
    """A clear best, a set, one deal, no default, the default itself."""
    clear = compare_report.verdict(response(played(curve=[0.0, 0.1, 2.0, 0.3, 0.0])))
    level = compare_report.verdict(response(played()))
    own = compare_report.verdict(response(played(curve=[0.0, 2.0, 0.1, 0.3, 0.0])))
    none = compare_report.verdict(response(played(), default=None))
    one = compare_report.verdict(response(played(deals=1)))

    assert clear.startswith("**x=0.5** is the best of these settings: it won ")
    assert "The default, x=0.25, is " in clear
    assert "x=0.75 cannot be told apart from it." in level
    assert own.endswith("It is the default.")
    assert none.endswith("The default setting was not among them.")
    assert one.startswith("Only one deal was played")


def test_one_deal_has_no_p_values() -> None:
    """D = 1: everything is still there, and nothing is claimed."""
    found = table(response(played(deals=1)))

    assert found["not_separable"].all()
    assert found["band_low"].notna().all()
    assert found["score_low"].isna().all()


def test_a_run_that_may_stop_early_has_no_max_t_and_wider_bands() -> None:
    """Holm with p-values valid at any time decides; bands divide the level."""
    totals = played()
    fixed, early = response(totals), response(replace(totals, planned=500))
    wider = [
        a.high - a.low < b.high - b.low
        for a, b in zip(fixed.band("win_rate"), early.band("win_rate"), strict=True)
    ]

    own = rate_estimate(figures.per_deal(totals, 0), 500, confidence=1 - 0.05 / 5)
    assert all(wider)
    assert early.band("win_rate")[0] == own
    assert all(np.isnan(gap.p_max_t) for gap in early.to_default)
    assert "there is no max-T" in compare_report.method(early)


def test_very_many_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the pairs are too many max-T takes one step; it says about the same."""
    few = table(response(played()))
    monkeypatch.setattr("sim.analysis.compare.MOST_PAIRS", 1)
    many = table(response(played()))

    assert many["not_separable"].tolist() == few["not_separable"].tolist()
    assert many["p_max_t"].to_numpy() == pytest.approx(few["p_max_t"].to_numpy(), abs=0.03)


def test_the_card_game_ranks_settings_by_points() -> None:
    """Points are the headline; role figures stand beside."""
    games = cards(players=4, deals=200, strengths=[0, 1.5, 0, 0], line_ups=[(0, 2, 3), (1, 2, 3)])
    totals = totals_of(CARDS, games, players=4, seats=3)
    found = response(totals, settings=2, default=0)
    frame = table(found)

    assert found.best.player == 1
    assert frame["diff_best"][0] == pytest.approx(frame["score_mean"][0] - frame["score_mean"][1])
    assert {"landlord_rate", "score_landlord", "score_farmer"} <= set(frame.columns)
    assert "points a game" in compare_report.verdict(found)


def test_settings_that_are_no_numbers_are_drawn_as_a_list() -> None:
    """Two parameters, or words: no axis to put them on."""
    found = response(played())
    words = [Setting(s.player, {"mode": "abcde"[s.player]}, s.is_default) for s in found.settings]
    files = dict(response_plot.draw(Response(found.findings, words)))

    assert set(files) == {"response_win_rate", "response_score"}
    assert compare_report.name(words[0]) == "mode=a"
