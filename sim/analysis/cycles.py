"""Where "better than" goes in circles: a check for cycles, and Nash averaging.

A rating is one number a player and cannot show that a beats b, b beats c and c beats a. So the
pairwise matrix comes before any rating, and these two come beside it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import nan
from typing import Any, Final

import numpy as np
import pandas as pd

from sim.analysis.accumulate import Totals
from sim.analysis.figures import ahead_per_deal
from sim.analysis.resample import drawn_counts, grouped_sums
from sim.analysis.statistics import Floats, holm, p_value, separable

NASH_REPLICATES: Final = 400
"""Resampled runs behind the support of a Nash average."""

SHARE: Final = 1e-3
"""Weight from which a player counts as part of the Nash average."""

ZERO: Final = 1e-9
"""What a linear program leaves of 0."""

NASH: Final = ["player", "weight", "support", "nash_rating", "nash_low", "nash_high"]


@dataclass(frozen=True, slots=True)
class Cycle:
    """Three players of whom each finishes ahead of the next, beyond chance."""

    players: tuple[int, int, int]
    """The lowest number first; each beats the next, the last the first."""
    p: float
    """The largest of the three corrected p-values."""


def beaten(
    totals: Totals, listed: Sequence[int], *, only: int | None = None
) -> dict[tuple[int, int], float]:
    """Give (better, worse) and the p-value for every pair that is ordered beyond chance.

    Tested on how often one finishes ahead of the other (t over deals against 1/2), Holm over all
    pairs that met; `only`: pairs with this player.
    """
    met = [
        (number, first, second)
        for number, (first, second) in enumerate(totals.pairs.tolist())
        if first in listed and second in listed and only in (None, first, second)
    ]
    rates = [ahead_per_deal(totals, number) for number, _, _ in met]
    corrected = holm([p_value(rate, 0.5, totals.planned) for rate in rates])
    found: dict[tuple[int, int], float] = {}
    for (_, first, second), rate, p in zip(met, rates, corrected, strict=True):
        if separable(p):
            pair = (first, second) if rate.mean() > 0.5 else (second, first)
            found[pair] = float(p)
    return found


def find_cycles(totals: Totals, listed: Sequence[int]) -> list[Cycle]:
    """Give the triples that beat each other in a circle, beyond chance.

    All three edges must be sure. As these are corrected for all pairs together, the triples made of
    them need no further correction.
    """
    edges = beaten(totals, listed)
    cycles = []
    for a, b, c in combinations(sorted(listed), 3):
        for x, y, z in ((a, b, c), (a, c, b)):
            circle = [(x, y), (y, z), (z, x)]
            if all(edge in edges for edge in circle):
                cycles.append(Cycle((x, y, z), max(edges[edge] for edge in circle)))
    return cycles


def nash_weights(payoff: Floats) -> Floats:
    """Give the equilibrium of largest entropy of an antisymmetric payoff matrix.

    Balduzzi, Tuyls, Perolat and Graepel 2018, "Re-evaluating evaluation" (NeurIPS 31): the mixture
    of players that no player beats. Of all such mixtures the one that spreads its weight most, so
    that copies of a player share the weight of one.

    >>> rock_paper_scissors = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], float)
    >>> nash_weights(rock_paper_scissors).round(3)
    array([0.333, 0.333, 0.333])
    """
    found = _equilibrium(payoff, np.zeros(len(payoff)))
    if _is_only_one(payoff, found):
        return found
    spread = _most_spread(payoff)
    return found if spread is None else spread


def _equilibrium(payoff: Floats, cost: Floats) -> Floats:
    """Give the equilibrium of least cost: p >= 0, sum 1, and no player gains against p."""
    from scipy.optimize import linprog

    count = len(payoff)
    found = linprog(
        cost,
        A_ub=payoff,
        b_ub=np.zeros(count),
        A_eq=np.ones((1, count)),
        b_eq=[1],
        bounds=(0, 1),
    )
    weights: Floats = np.clip(np.asarray(found.x, np.float64), 0, 1)
    weights /= weights.sum()
    return weights


def _is_only_one(payoff: Floats, weights: Floats) -> bool:
    """Say whether an equilibrium is the only one.

    It is if every player outside loses strictly and the players inside balance in one way only.
    """
    inside = weights > ZERO
    outside_loses = (payoff[~inside] @ weights < -ZERO).all()
    rank = np.linalg.matrix_rank(payoff[np.ix_(inside, inside)], tol=ZERO)
    return bool(outside_loses and rank == inside.sum() - 1)


def _most_spread(payoff: Floats) -> Floats | None:
    """Give the equilibrium of largest entropy; None if the search fails."""
    from scipy.optimize import minimize

    # Players without weight in any equilibrium only slow the search down.
    own = np.eye(len(payoff))
    inside = [i for i in range(len(payoff)) if _equilibrium(payoff, -own[i])[i] > ZERO]
    inner = payoff[:, inside]

    def negative_entropy(p: Floats) -> tuple[float, Floats]:
        safe = np.maximum(p, 1e-12)
        return float((safe * np.log(safe)).sum()), np.log(safe) + 1

    constraints: Any = [
        {"type": "eq", "fun": lambda p: p.sum() - 1, "jac": lambda p: np.ones(p.size)},
        {"type": "ineq", "fun": lambda p: -inner @ p, "jac": lambda p: -inner},
    ]
    found = minimize(
        negative_entropy,
        np.full(len(inside), 1 / len(inside)),
        jac=True,
        method="SLSQP",
        bounds=[(0, 1)] * len(inside),
        constraints=constraints,
        options={"ftol": 1e-12, "maxiter": 500},
    )
    weights = np.zeros(len(payoff))
    weights[inside] = np.clip(found.x, 0, 1)
    weights /= weights.sum()
    return weights if found.success and (payoff @ weights).max() < 1e-6 else None


def nash_average(
    totals: Totals,
    labels: Sequence[str],
    listed: Sequence[int],
    *,
    replicates: int = NASH_REPLICATES,
) -> pd.DataFrame | None:
    """Rate each player by how it does against the Nash mixture; None unless every two met.

    The payoff is how much more often than half a player finishes ahead. `support`: the share of
    resampled runs in which the player has any weight. `nash_low`, `nash_high`: 95 % of the rating
    in resampled runs.
    """
    place = {player: row for row, player in enumerate(listed)}
    pairs = [
        (number, place[first], place[second])
        for number, (first, second) in enumerate(totals.pairs.tolist())
        if first in place and second in place
    ]
    count = len(listed)
    if count < 2 or len(pairs) < count * (count - 1) // 2:
        return None
    rates = np.stack([ahead_per_deal(totals, number, keep=True) for number, _, _ in pairs])
    sums, numbers = grouped_sums(rates)

    def matrix(counts: Floats) -> Floats:
        payoff = np.zeros((count, count))
        edge = (counts @ sums.T) / np.maximum(counts @ numbers.T, 1) - 0.5
        for (_, row, column), value in zip(pairs, edge, strict=True):
            payoff[row, column], payoff[column, row] = value, -value
        return payoff

    payoff = matrix(np.ones(sums.shape[1]))
    weights = nash_weights(payoff)
    drawn = drawn_counts(sums.shape[1], first=0, count=replicates)
    others = [(one, nash_weights(one)) for one in map(matrix, drawn)]
    support = np.mean([mixed > SHARE for _, mixed in others], axis=0)
    ratings = np.array([one @ mixed for one, mixed in others])
    low, high = np.quantile(ratings, [0.025, 0.975], axis=0)
    if totals.deals < 2:
        support, low, high = (np.full(count, nan) for _ in range(3))
    columns = [weights, support, payoff @ weights, low, high]
    names = [labels[player] for player in listed]
    frame = pd.DataFrame(dict(zip(NASH, [names, *columns], strict=True)))
    return frame.sort_values(
        ["nash_rating", "weight"], ascending=False, kind="stable", ignore_index=True
    )
