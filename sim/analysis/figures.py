"""What is estimated of a player, out of the sums of a run."""

from math import nan

import numpy as np

from sim.analysis.accumulate import Totals
from sim.analysis.layout import WIN_UNIT
from sim.analysis.statistics import (
    Estimate,
    Floats,
    RatioSums,
    deal_means,
    mean_estimate,
    median_of,
    rate_estimate,
)
from sim.engines.base import Behaviour


def headline(totals: Totals, player: int) -> Estimate:
    """Estimate the figure that ranks the players."""
    if totals.scoring.headline == "win_rate":
        return win_rate(totals, player)
    return score(totals, player)


def headline_baseline(totals: Totals) -> float | None:
    """Give the headline figure of equally good players; None where there is none."""
    return totals.scoring.win_baseline if totals.scoring.headline == "win_rate" else 0.0


def per_deal(totals: Totals, player: int) -> Floats:
    """Give the headline figure of a player in each deal; nan where no game of a deal counts."""
    return figure_per_deal(totals, player, totals.scoring.headline)


def figure_per_deal(totals: Totals, player: int, figure: str) -> Floats:
    """Give `win_rate` or `score` of a player in each deal; nan where no game of a deal counts."""
    if figure == "win_rate":
        sums, counts = totals.wins[player] / WIN_UNIT, totals.judged[player]
    else:
        sums, counts = totals.scores[player], np.array(totals.games_per_deal(player))
    means = np.full(totals.deals, nan)
    np.divide(sums, counts, out=means, where=counts > 0)
    return means


def win_rate(totals: Totals, player: int) -> Estimate:
    """Estimate the win rate of a player over the games that were not void."""
    return rate_estimate(
        deal_means(totals.wins[player] / WIN_UNIT, totals.judged[player]), totals.planned
    )


def score(totals: Totals, player: int) -> Estimate:
    """Estimate the points a game of a player."""
    games = totals.games_per_deal(player)
    return mean_estimate(totals.scores[player] / games if games else [], totals.planned)


def place(totals: Totals, player: int) -> Estimate:
    """Estimate the finishing place of a player; nan where places mean nothing."""
    if totals.places is None:
        return mean_estimate([])
    return mean_estimate(
        deal_means(totals.places[player] / WIN_UNIT, totals.judged[player]), totals.planned
    )


def ahead_per_deal(totals: Totals, pair: int, *, keep: bool = False) -> Floats:
    """Give how often the lower player of a pair finishes ahead in each deal; level is one half.

    Deals without a game that counts are left out, or nan if they are to be kept.
    """
    sums, counts = totals.pair_ahead[pair] / 2, totals.pair_judged[pair]
    if not keep:
        return deal_means(sums, counts)
    means = np.full(totals.deals, nan)
    np.divide(sums, counts, out=means, where=counts > 0)
    return means


def ahead(totals: Totals, pair: int) -> Estimate:
    """Estimate how often the lower player of a pair finishes ahead; level counts one half."""
    return rate_estimate(ahead_per_deal(totals, pair), totals.planned)


def score_gap(totals: Totals, pair: int, games_per_deal: int) -> Estimate:
    """Estimate the points of a pair's lower player minus those of the higher, a game of both."""
    return mean_estimate(totals.pair_score[pair] / games_per_deal, totals.planned)


def seat_win_rate(totals: Totals, seat: int) -> Estimate:
    """Estimate how often a seat wins, whoever sits there."""
    if not totals.deals:
        return mean_estimate([])
    return rate_estimate(deal_means(totals.seat_wins[seat], totals.seat_judged), totals.planned)


def behaviour(totals: Totals, figure: Behaviour, player: int) -> Estimate:
    """Estimate a figure of how a player plays."""
    sums = totals.behaviour.get((figure.name, player), RatioSums())
    return sums.estimate(figure.scale, rate=figure.proportion, planned=totals.planned)


def per_appearance(totals: Totals, counter: str, player: int) -> Estimate:
    """Estimate a per-seat counter for each (game, seat) of a player."""
    return totals.seat_sums.get((counter, player), RatioSums()).estimate(planned=totals.planned)


def role_rate(totals: Totals, role: int, player: int) -> Estimate:
    """Estimate how often a player holds a role, of its seats in games that had roles."""
    return totals.role_rate.get((role, player), RatioSums()).estimate(
        rate=True, planned=totals.planned
    )


def role_score(totals: Totals, role: int, player: int) -> Estimate:
    """Estimate the points of a player's seats in a role."""
    return totals.role_score.get((role, player), RatioSums()).estimate(planned=totals.planned)


def role_win_rate(totals: Totals, role: int, player: int) -> Estimate:
    """Estimate the share of wins of a player's seats in a role."""
    return totals.role_wins.get((role, player), RatioSums()).estimate(
        rate=True, planned=totals.planned
    )


def score_median(totals: Totals, player: int) -> float:
    """Give the median of a player's points in a game."""
    return median_of(totals.score_tally.get(player, {}))


def score_clipped(totals: Totals, player: int, clip: int) -> float:
    """Give the mean of a player's points in a game, each clipped at +-`clip`."""
    tally: dict[int, int] = dict(totals.score_tally.get(player, {}))
    clipped = sum(max(-clip, min(clip, value)) * times for value, times in tally.items())
    games = sum(tally.values())
    return clipped / games if games else nan
