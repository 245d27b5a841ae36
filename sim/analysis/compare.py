"""Which setting of a strategy is best, and how sure is that: the analysis of `sim compare`.

All settings play the same deals in the same seats against the same field, so that every comparison
is paired on deals. Pointwise intervals are those of any figure; the simultaneous bands and max-T
p-values come from the bootstrap over deals, which knows how the settings vary together. As in
comparisons.py, what is said about the best is corrected for all pairs, since the best is picked
from the same games; what is said about the default, which was named before, for the other settings
only.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from math import isnan, nan
from typing import Any, Final

import numpy as np
import pandas as pd

from sim.analysis import figures
from sim.analysis.accumulate import Totals
from sim.analysis.comparisons import Comparison
from sim.analysis.findings import Findings
from sim.analysis.resample import pair_p_values, resample, unit_means
from sim.analysis.statistics import (
    ALPHA,
    Estimate,
    Floats,
    holm,
    is_common,
    mean_estimate,
    rate_estimate,
    separable,
)
from sim.runner.spec import Value

Row = dict[str, Any]

MOST_PAIRS: Final = 2000
"""With more pairs of settings (64 and more of them) max-T is taken in one step, to save memory."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: which player of the run it is, and the values of the varied parameters."""

    player: int
    values: Mapping[str, Value]
    is_default: bool = False
    """True for the setting with the strategy's own default values."""


@dataclass(frozen=True, slots=True)
class Gap:
    """A paired difference in the headline figure, with both corrections."""

    comparison: Comparison
    """Setting minus the reference (the best, or the default)."""
    p_max_t: float


@dataclass(frozen=True)
class Response:
    """What a comparison of settings has shown, worked out once for all that prints it."""

    findings: Findings
    """Of the whole run; the settings are its listed players."""
    settings: Sequence[Setting]

    @property
    def totals(self) -> Totals:
        """Give the sums of the run."""
        return self.findings.totals

    @cached_property
    def parameters(self) -> list[str]:
        """Name the varied parameters."""
        return list(self.settings[0].values)

    @cached_property
    def by_player(self) -> dict[int, Setting]:
        """Give the settings by player."""
        return {setting.player: setting for setting in self.settings}

    @property
    def best(self) -> Setting:
        """Give the setting with the highest headline figure."""
        return self.by_player[self.findings.best]

    @property
    def default(self) -> Setting | None:
        """Give the default setting, if it was played."""
        return next((setting for setting in self.settings if setting.is_default), None)

    def _rows(self, figure: str, rows: int) -> Floats:
        """Give (settings, units) of a figure, to be resampled as `rows` rows."""
        totals = self.totals
        return np.stack(
            [
                unit_means(figures.figure_per_deal(totals, setting.player, figure), rows)
                for setting in self.settings
            ]
        )

    @cached_property
    def to_best(self) -> list[Gap]:
        """Compare each setting with the best one, corrected for all pairs of settings."""
        best = self.settings.index(self.best)
        p_max_t = self._p_of_pairs(best)
        gaps = []
        for number, setting in enumerate(self.settings):
            if number == best:
                same = Estimate(0.0, 0.0, 0.0, 0.0, self.totals.deals)
                gaps.append(Gap(Comparison(setting.player, setting.player, same, 1.0, 1.0), 1.0))
                continue
            comparison = self.findings.against_best(setting.player).turned
            gaps.append(Gap(comparison, float(p_max_t[number])))
        return gaps

    def _p_of_pairs(self, best: int) -> Floats:
        """Give the max-T p-values of one setting against each, corrected for all pairs."""
        count, figure = len(self.settings), self.totals.scoring.headline
        pairs = list(combinations(range(count), 2))
        if len(pairs) > MOST_PAIRS and self._has_max_t:
            against: Floats = pair_p_values(self._rows(figure, count))[best]
            return against
        values = self._rows(figure, max(1, len(pairs)))
        found = self._p_max_t([values[i] - values[j] for i, j in pairs])
        p = np.ones(count)
        for (i, j), value in zip(pairs, found, strict=True):
            if best in (i, j):
                p[i + j - best] = value
        return p

    @cached_property
    def to_default(self) -> list[Gap]:
        """Compare each other setting with the default; empty if the default was not played."""
        default = self.default
        others = [setting for setting in self.settings if setting != default]
        if default is None or not others:
            return []
        values = self._rows(self.totals.scoring.headline, len(others))
        own = values[self.settings.index(default)]
        p_max_t = self._p_max_t([values[self.settings.index(s)] - own for s in others])
        found = [self.findings.comparison(s.player, default.player) for s in others]
        p_holm = holm([comparison.p for comparison in found])
        return [
            Gap(replace(comparison, p_holm=float(p)), float(p_of_all))
            for comparison, p, p_of_all in zip(found, p_holm, p_max_t, strict=True)
        ]

    @property
    def _has_max_t(self) -> bool:
        """Say whether there is anything to resample.

        Not in a run that may have stopped early: there the p-values of Holm, valid at any time,
        are all there is.
        """
        return self.totals.deals > 1 and self.totals.planned is None

    def _p_max_t(self, rows: Sequence[Floats]) -> Floats:
        """Test rows of differences together; nan where there is nothing to resample."""
        if not self._has_max_t or not rows:
            return np.full(len(rows), nan)
        return resample(rows).p_values()

    @cached_property
    def not_separable(self) -> list[bool]:
        """Say of each setting whether the run cannot tell it apart from the best.

        By max-T, which uses the pairing; by Holm where there is no max-T.
        """
        ps = [gap.comparison.p_holm if isnan(gap.p_max_t) else gap.p_max_t for gap in self.to_best]
        return [not separable(p) for p in ps]

    def band(self, figure: str) -> list[Estimate]:
        """Give each setting's `win_rate` or `score` with a band that covers all settings at once.

        A rate near 0 or 1, and every figure of a run that may have stopped early, gets its interval
        at the level divided by the number of settings.
        """
        totals, rate = self.totals, figure == "win_rate"
        players = [setting.player for setting in self.settings]
        estimate = rate_estimate if rate else mean_estimate
        values = [figures.figure_per_deal(totals, player, figure) for player in players]
        known = [row[~np.isnan(row)] for row in values]
        if totals.deals < 2:
            return [estimate(row) for row in known]
        level = 1 - ALPHA / len(players)
        if totals.planned is not None:
            return [estimate(row, totals.planned, confidence=level) for row in known]
        reach = resample(self._rows(figure, len(players))).critical()
        bands = []
        for row in known:
            found = estimate(row)
            if rate and not is_common(found.value, found.error, found.deals):
                bands.append(estimate(row, confidence=level))
                continue
            half = reach * found.error
            low, high = found.value - half, found.value + half
            bands.append(replace(found, low=low, high=high))
        return bands


def table(response: Response) -> pd.DataFrame:
    """Give compare.csv: one row a setting, in the order in which they were asked for."""
    totals = response.totals
    rows = []
    for setting, band, gap, level in zip(
        response.settings,
        response.band("win_rate"),
        response.to_best,
        response.not_separable,
        strict=True,
    ):
        wins = figures.win_rate(totals, setting.player)
        points = figures.score(totals, setting.player)
        row: Row = {
            **setting.values,
            "win_rate": wins.value,
            "win_rate_low": wins.low,
            "win_rate_high": wins.high,
            "band_low": band.low,
            "band_high": band.high,
            "score_mean": points.value,
            "score_low": points.low,
            "score_high": points.high,
            "diff_best": gap.comparison.difference.value,
            "p_holm": gap.comparison.p_holm,
            "p_max_t": gap.p_max_t,
            "not_separable": level,
        }
        for figure in totals.game.behaviours:
            row[figure.name] = figures.behaviour(totals, figure, setting.player).value
        for role in range(len(totals.game.roles)):
            name = totals.game.roles[role]
            if role == 0:
                row[f"{name}_rate"] = figures.role_rate(totals, role, setting.player).value
            row[f"score_{name}"] = figures.role_score(totals, role, setting.player).value
        rows.append(row)
    return pd.DataFrame(rows)
