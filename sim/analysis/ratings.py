"""Ratings of fixed players from who won at which table: maximum likelihood, one fit for all games.

Liar's Dice (Luce's choice model): P(the player at seat s wins) is exp(theta + gamma_s) over the
sum of the same for all seats of the table, with one theta a player and one gamma a seat. A table of
n is not broken into n - 1 pairwise wins: that would treat one event as several.

Dou Dizhu by sides (Bradley and Terry with a role term): P(the landlord wins) is the logistic
function of theta_landlord - theta_farmers + rho.

Both are exponential families: who won how often in each deal is all that the fit and its errors
need. Errors are those of the sandwich clustered on deals (Liang and Zeger 1986, Biometrika 73,
13-22), with D / (D - 1). Every player is given one phantom game, half won and half lost, against a
phantom of strength 0, so that one that won or lost everything has a finite rating. No rating here
depends on the order of the games (Elo's K factor, Glicko and TrueSkill do; their players are meant
to change).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isnan, log, nan, sqrt
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sim.analysis.accumulate import Totals
from sim.analysis.layout import WIN_UNIT, Layout
from sim.analysis.statistics import Estimate, Floats, estimate_around

ELO: Final = 400 / log(10)
"""Points of the Elo scale per unit of theta: 400 points are odds of 10 to 1 (Elo 1978)."""

PHANTOM: Final = 0.5
"""Wins (and losses) of every player against the phantom."""

STEPS: Final = 100
"""Newton steps before a fit is called a failure; a dozen are usual."""

TOLERANCE: Final = 1e-10
"""A fit is done when the Newton step gains less log likelihood than this."""

ROUNDING: Final = 1e-12
"""Relative error of a log likelihood, a sum of many terms: less than this is no loss."""

TABLES_AT_ONCE: Final = 1 << 14
"""Games of the layout whose design is in memory at a time."""

RATINGS: Final = ["player", "elo", "elo_low", "elo_high", "theta", "theta_error"]


@dataclass(frozen=True)
class Fit:
    """A fitted model: K parameters, the first P of them the players' thetas."""

    names: Sequence[str]
    """Of the parameters after the players': `seat 0` ... or `landlord`."""
    theta: Floats
    """(K,)"""
    covariance: Floats
    """(K, K), clustered on deals; nan with fewer than two deals."""
    deals: int
    planned: int | None = None

    def contrast(self, weights: Floats) -> Estimate:
        """Estimate a weighted sum of the parameters."""
        value = float(weights @ self.theta)
        variance = float(weights @ self.covariance @ weights)
        error = nan if isnan(variance) else sqrt(max(variance, 0.0))
        return estimate_around(value, error, self.deals, self.planned)

    def strength(self, player: int, among: Sequence[int]) -> Estimate:
        """Estimate the theta of a player above the mean of the players `among`."""
        weights = np.zeros(self.theta.size)
        weights[list(among)] -= 1 / len(among)
        weights[player] += 1
        return self.contrast(weights)

    def term(self, number: int, players: int) -> Estimate:
        """Estimate a parameter after the players'."""
        weights = np.zeros(self.theta.size)
        weights[players + number] = 1
        return self.contrast(weights)


def fit(totals: Totals, *, phantom: float = PHANTOM) -> Fit | None:
    """Fit the rating model of the game; None where it has none, or nothing was played."""
    if not totals.deals or totals.layout is None:
        return None
    if totals.scoring.rating == "luce":
        return fit_luce(totals, phantom=phantom)
    if totals.scoring.rating == "bradley-terry-roles":
        return fit_roles(totals, phantom=phantom)
    return None


def fit_luce(totals: Totals, *, phantom: float = PHANTOM) -> Fit:
    """Fit Luce's model to games with one winner each."""
    layout = totals.layout
    assert layout is not None
    if totals.void or not totals.scoring.one_winner:
        raise ValueError("Luce's model is for games that all have one winner")
    basis = _sum_to_zero(layout.seats)
    players, free = totals.players, layout.seats - 1
    won = np.concatenate([totals.seats_won, basis.T @ totals.seat_wins])  # (K, deals)

    def moments(theta: Floats) -> tuple[float, Floats, Floats]:
        """Give log normaliser, expected statistics and their covariance, of one deal."""
        value, mean, spread = 0.0, np.zeros(theta.size), np.zeros((theta.size, theta.size))
        for design in _luce_designs(layout, players, basis):
            exponents = design @ theta
            top = exponents.max(axis=1, keepdims=True)
            weights = np.exp(exponents - top)
            total = weights.sum(axis=1, keepdims=True)
            chances = weights / total
            value += float((top + np.log(total)).sum())
            inner = np.einsum("gs,gsk->gk", chances, design)
            mean += inner.sum(axis=0)
            flat = design.reshape(-1, theta.size)
            spread += flat.T @ (flat * chances.reshape(-1, 1)) - inner.T @ inner
        return value, mean, spread

    found = _newton(won, moments, players, phantom)
    grow = np.zeros((players + layout.seats, players + free))
    grow[:players, :players] = np.eye(players)
    grow[players:, players:] = basis
    names = [f"seat {seat}" for seat in range(layout.seats)]
    return Fit(names, grow @ found[0], grow @ found[1] @ grow.T, totals.deals, totals.planned)


def _sum_to_zero(size: int) -> Floats:
    """Give (size, size - 1) orthonormal columns that each sum to 0 (Helmert contrasts)."""
    columns = np.zeros((size, size - 1))
    for j in range(size - 1):
        columns[: j + 1, j] = 1
        columns[j + 1, j] = -(j + 1)
        columns[:, j] /= sqrt((j + 1) * (j + 2))
    return columns


def _luce_designs(layout: Layout, players: int, basis: Floats) -> Iterator[Floats]:
    """Give (games, seats, K): the parameters that add up to the exponent of each seat."""
    for begin in range(0, layout.games, TABLES_AT_ONCE):
        who = layout.player[begin : begin + TABLES_AT_ONCE].astype(np.int64)
        design = np.zeros((*who.shape, players + basis.shape[1]))
        np.put_along_axis(design, who[:, :, None], 1, axis=2)
        design[:, :, players:] = basis[None, :, :]
        yield design


def fit_roles(totals: Totals, *, phantom: float = PHANTOM) -> Fit:
    """Fit Bradley and Terry's model with a term for the first role.

    For games of one seat with the first role against a team of one player, the role always being
    that of the same seat, and a winner in every game.
    """
    from scipy.special import expit

    layout, lone = totals.layout, totals.lone_seat
    assert layout is not None
    if lone is None or totals.void:
        raise ValueError("this model is for games in which one seat always has the first role")
    others = [seat for seat in range(layout.seats) if seat != lone]
    team = layout.player[:, others]
    if (team != team[:, :1]).any() or (team == layout.player[:, [lone]]).any():
        raise ValueError("this model is for one player against a team of another")
    players = totals.players
    design = np.zeros((layout.games, players + 1))
    rows = np.arange(layout.games)
    design[rows, layout.player[:, lone]] += 1
    design[rows, team[:, 0]] -= 1
    design[:, players] = 1
    as_team = np.bincount(team[:, 0], minlength=players)
    # Over the games of a deal the sum of x * y, y the wins of the lone seat: a player's wins alone
    # minus its losses in the team, so its wins in either role minus its games in the team.
    won = np.concatenate(
        [totals.wins / WIN_UNIT - as_team[:, None], totals.seat_wins[[lone]]], dtype=np.float64
    )

    def moments(theta: Floats) -> tuple[float, Floats, Floats]:
        """Give log normaliser, expected statistics and their covariance, of one deal."""
        exponents = design @ theta
        chances = expit(exponents)
        spread = design.T @ (design * (chances * (1 - chances))[:, None])
        return float(np.logaddexp(0, exponents).sum()), design.T @ chances, spread

    theta, covariance = _newton(won, moments, players, phantom)
    return Fit([totals.game.roles[0]], theta, covariance, totals.deals, totals.planned)


Moments = Callable[[Floats], tuple[float, Floats, Floats]]


def _newton(
    statistics: NDArray[Any], moments: Moments, players: int, phantom: float
) -> tuple[Floats, Floats]:
    """Maximise the likelihood of an exponential family; give parameters and their covariance.

    `statistics`: (K, deals). The log likelihood is concave, so Newton's method with halved steps
    finds its only maximum (up to a shift of all players, if there is no phantom).
    """
    from scipy.special import expit

    deals = statistics.shape[1]
    total = statistics.sum(axis=1, dtype=np.float64)

    def evaluate(theta: Floats) -> tuple[float, Floats, Floats]:
        """Give log likelihood, gradient and negative Hessian."""
        value, mean, spread = moments(theta)
        own = theta[:players]
        chance = expit(own)
        prior = -phantom * (np.logaddexp(0, own) + np.logaddexp(0, -own)).sum()
        gradient, curvature = total - deals * mean, deals * spread
        gradient[:players] += phantom * (1 - 2 * chance)
        curvature[range(players), range(players)] += 2 * phantom * chance * (1 - chance)
        return float(total @ theta - deals * value + prior), gradient, curvature

    theta = np.zeros(total.size)
    value, gradient, curvature = evaluate(theta)
    for _ in range(STEPS):
        step = np.linalg.pinv(curvature, hermitian=True) @ gradient
        gain = float(gradient @ step) / 2
        if gain < TOLERANCE:
            return theta, _sandwich(statistics, moments(theta)[1], curvature)
        found = evaluate(theta + step)
        while not found[0] >= value - ROUNDING * abs(value):
            step = step / 2
            found = evaluate(theta + step)
        theta = theta + step
        value, gradient, curvature = found
    raise ArithmeticError(f"the rating model did not converge in {STEPS} steps")


def _sandwich(statistics: NDArray[Any], mean: Floats, curvature: Floats) -> Floats:
    """Give the covariance of the parameters from the spread of the deals' scores."""
    deals = statistics.shape[1]
    if deals < 2:
        return np.full(curvature.shape, nan)
    scores = statistics - mean[:, None]
    scores -= scores.mean(axis=1, keepdims=True)
    inverse = np.linalg.pinv(curvature, hermitian=True)
    covariance: Floats = inverse @ (scores @ scores.T) @ inverse * deals / (deals - 1)
    return covariance


def by_strength(thetas: Mapping[int, float]) -> list[int]:
    """Order players from the strongest down; equal ones, but for rounding, stay as they are.

    >>> by_strength({0: 0.1, 1: 0.5, 2: 0.5 + 1e-14})
    [1, 2, 0]
    """
    return sorted(thetas, key=lambda player: -round(thetas[player], 9))


def table(found: Fit, labels: Sequence[str], listed: Sequence[int]) -> pd.DataFrame:
    """Give the ratings, the best first: Elo scale, the mean of the listed players at 0."""
    thetas = {player: found.strength(player, listed) for player in listed}
    rows = []
    for player in by_strength({player: theta.value for player, theta in thetas.items()}):
        theta = thetas[player]
        rows.append(
            {
                "player": labels[player],
                "elo": theta.value * ELO,
                "elo_low": theta.low * ELO,
                "elo_high": theta.high * ELO,
                "theta": theta.value,
                "theta_error": theta.error,
            }
        )
    return pd.DataFrame(rows, columns=RATINGS)
