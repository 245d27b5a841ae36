"""Who is better than whom: paired differences on deals, corrected for how many there are.

The comparisons of a run are those of all pairs of listed players. The best player is chosen by
looking at the same games, so a correction for "the best against each other one" alone would let too
many differences through; one for all pairs holds whoever turns out to be best.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import isnan, nan

import numpy as np

from sim.analysis.accumulate import Totals
from sim.analysis.figures import headline, headline_baseline, per_deal
from sim.analysis.statistics import (
    Estimate,
    Floats,
    competition_ranks,
    detectable_difference,
    holm,
    mean_estimate,
    p_value,
    separable,
)


@dataclass(frozen=True, slots=True)
class Comparison:
    """The difference of two players in the headline figure, first minus second."""

    first: int
    second: int
    difference: Estimate
    p: float
    p_holm: float
    """Corrected for all comparisons made together."""

    @property
    def superiority(self) -> float:
        """Give the likelihood that `first` is better: of its mean difference, with a flat prior.

        nan with fewer than two deals. It is about this pair alone; nothing is corrected.
        """
        if self.difference.value == 0 or isnan(self.p):
            return 0.5 if self.p == 1 else nan
        return 1 - self.p / 2 if self.difference.value > 0 else self.p / 2

    @property
    def turned(self) -> "Comparison":
        """Give the same as second minus first."""
        d = self.difference
        difference = Estimate(-d.value, -d.high, -d.low, d.error, d.deals)
        return Comparison(self.second, self.first, difference, self.p, self.p_holm)


def compare_all(totals: Totals, players: Sequence[int]) -> list[Comparison]:
    """Compare every pair in the headline figure, paired on deals; Holm over all of them."""
    values = {player: per_deal(totals, player) for player in players}
    pairs = list(combinations(players, 2))
    differences, tests = [], []
    for first, second in pairs:
        difference = _known(values[first] - values[second])
        differences.append(mean_estimate(difference, totals.planned))
        tests.append(p_value(difference, planned=totals.planned))
    return [
        Comparison(first, second, difference, p, float(p_holm))
        for (first, second), difference, p, p_holm in zip(
            pairs, differences, tests, holm(tests), strict=True
        )
    ]


def _known(values: Floats) -> Floats:
    return values[~np.isnan(values)]


def between(comparisons: Sequence[Comparison], first: int, second: int) -> Comparison:
    """Find the comparison of two players, as `first` minus `second`."""
    for found in comparisons:
        if (found.first, found.second) == (first, second):
            return found
        if (found.second, found.first) == (first, second):
            return found.turned
    raise KeyError((first, second))


def baseline_p(totals: Totals, players: Sequence[int]) -> list[float]:
    """Test each player's headline figure against the baseline; Holm over the players."""
    baseline = headline_baseline(totals)
    if baseline is None:
        return [nan] * len(players)
    tests = [
        p_value(_known(per_deal(totals, player)), null=baseline, planned=totals.planned)
        for player in players
    ]
    return [float(p) for p in holm(tests)]


def ranks(totals: Totals, players: Sequence[int]) -> list[int]:
    """Rank players by the headline figure; exactly equal ones share a rank."""
    return competition_ranks([headline(totals, player).value for player in players])


def not_separable(
    comparisons: Sequence[Comparison], best: int, players: Sequence[int]
) -> tuple[int, ...]:
    """Give the players that the run cannot tell apart from `best`, itself first."""
    others = [
        player
        for player in players
        if player != best and not separable(between(comparisons, best, player).p_holm)
    ]
    return (best, *others)


def least_certain(comparisons: Sequence[Comparison]) -> Estimate | None:
    """Give the difference with the largest standard error; None if none has an error."""
    known = [c.difference for c in comparisons if not isnan(c.difference.error)]
    return max(known, key=lambda difference: difference.error, default=None)


def least_detectable(
    comparisons: Sequence[Comparison], *, corrected: bool, planned: int | None = None
) -> float:
    """Give the smallest difference that any pair could have shown (80 %); nan if there is none.

    `corrected`: at the level of the first step of Holm's procedure over all pairs; else at that of
    one pair named before the run.
    """
    worst = least_certain(comparisons)
    if worst is None:
        return nan
    count = len(comparisons) if corrected else 1
    return detectable_difference(worst.error, worst.deals, comparisons=count, planned=planned)
