"""The intervals hold what they promise, on games that were really played.

A long run of unequal bots is cut into 400 small tournaments of other deals; its mean over all deals
is the truth that their intervals should hold in about 95 %. Small games (few dice) keep this quick;
how the deals of a tournament hang together is the same.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from sim.analysis import figures
from sim.analysis.accumulate import Totals, accumulate
from sim.analysis.comparisons import compare_all
from sim.analysis.ratings import fit_luce
from sim.analysis.statistics import separable
from sim.analysis.stopping import narrow_enough
from sim.engines.base import load_game
from sim.runner.arena import Arena
from sim.runner.request import request

RUNS = 400

PIECE = 1 << 17
"""Games played before they are summed up."""

THREE = ("threshold", "honest", "dudo", "aggressive")
SIX = (
    "threshold",
    "calm=threshold:challenge_below=0.15",
    "keen=threshold:challenge_below=0.3",
    "bold=threshold:raise_above=0.5",
    "liar=threshold:bluff_rate=0.3",
    "odd=threshold:raise_above=0.2",
)


def play(
    players: Sequence[str], *, seats: int, dice: int, deals: int, salted: bool = False
) -> Totals:
    """Play Liar's Dice and sum it up."""
    return play_game(
        "liars-dice", players, seats=seats, rule=f"dice={dice}", deals=deals, salted=salted
    )


def play_game(
    name: str, players: Sequence[str], *, seats: int, rule: str, deals: int, salted: bool = False
) -> Totals:
    """Play a game and sum it up."""
    asked = request(
        {
            "game": name,
            "players": list(players),
            "seats": str(seats),
            "deals": str(deals),
            "seed": "20",
            "rules": [rule],
        }
    ).spec
    arena = Arena(asked.model_copy(update={"salted": salted}))
    schedule, game = arena.schedule, load_game(name)

    def parts() -> Iterator[pd.DataFrame]:
        each = len(schedule.line_ups)
        step = max(1, PIECE // schedule.games_per_deal) * each
        for first in range(0, schedule.blocks, step):
            games = arena.play(first, min(first + step, schedule.blocks)).games
            assert games.dtype.names is not None
            yield pd.DataFrame({name: games[name] for name in games.dtype.names})

    return accumulate(
        parts(),
        game=game,
        scoring=game.scoring(arena.rules),
        seats=seats,
        players=len(asked.players),
    )


def pieces(long: Totals) -> Iterator[Totals]:
    """Cut a long run into RUNS small ones."""
    deals = long.deals // RUNS
    for first in range(0, RUNS * deals, deals):
        part = slice(first, first + deals)
        yield replace(
            long,
            deals=deals,
            wins=long.wins[:, part],
            seats_won=long.seats_won[:, part],
            judged=long.judged[:, part],
            scores=long.scores[:, part],
            seat_wins=long.seat_wins[:, part],
            pair_ahead=long.pair_ahead[:, part],
            pair_judged=long.pair_judged[:, part],
        )


@pytest.mark.parametrize(
    ("seats", "players", "dice", "deals"),
    [(2, THREE, 2, 60), (3, THREE, 2, 60), (6, SIX, 1, 64)],
)
def test_win_rates_and_points_cover_the_truth(
    seats: int, players: Sequence[str], dice: int, deals: int
) -> None:
    """Over 400 small tournaments the 95 % intervals cover in 92 to 98 %, several line-ups sharing
    deals (two and three seats) and with balanced orders (six)."""
    long = play(players, seats=seats, dice=dice, deals=RUNS * deals)
    covered: dict[str, list[bool]] = {"wins": [], "points": [], "ahead": []}
    for player in range(long.players):
        wins, points = figures.win_rate(long, player).value, figures.score(long, player).value
        for run in pieces(long):
            won, scored = figures.win_rate(run, player), figures.score(run, player)
            covered["wins"].append(won.low <= wins <= won.high)
            covered["points"].append(scored.low <= points <= scored.high)
    for pair in range(len(long.pairs)):
        truth = figures.ahead(long, pair).value
        for run in pieces(long):
            ahead = figures.ahead(run, pair)
            covered["ahead"].append(ahead.low <= truth <= ahead.high)

    for name, values in covered.items():
        assert 0.92 <= np.mean(values) <= 0.98, name


@pytest.mark.parametrize(
    ("rule", "players", "deals"),
    [
        ("auction=true", ("greedy", "random", "again=greedy"), 50),
        # enough deals that no rate is rare: Wilson's intervals are cautious, and capped at that
        ("auction=false", ("greedy", "random", "partition"), 300),
    ],
)
def test_dou_dizhu_covers_the_truth_in_both_modes(
    rule: str, players: Sequence[str], deals: int
) -> None:
    """Points of unequal bots with the auction, and win rates by sides, whose tables share deals."""
    long = play_game("dou-dizhu", players, seats=3, rule=rule, deals=RUNS * deals)
    by_wins = rule == "auction=false"
    covered: list[bool] = []
    for player in range(long.players):
        figure = figures.win_rate if by_wins else figures.score
        truth = figure(long, player).value
        for run in pieces(long):
            found = figure(run, player)
            covered.append(found.low <= truth <= found.high)

    assert 0.92 <= np.mean(covered) <= 0.98


def test_ratings_and_differences_cover_the_truth() -> None:
    """The same for Luce ratings with clustered errors, and for paired differences."""
    long = play(THREE, seats=3, dice=2, deals=RUNS * 60)
    everybody = range(long.players)
    truth = fit_luce(long)
    strengths = [truth.strength(player, everybody).value for player in everybody]
    gaps = [comparison.difference.value for comparison in compare_all(long, everybody)]
    rated, compared = [], []
    for run in pieces(long):
        fit = fit_luce(run)
        for player, strength in zip(everybody, strengths, strict=True):
            found = fit.strength(player, everybody)
            rated.append(found.low <= strength <= found.high)
        for comparison, gap in zip(compare_all(run, everybody), gaps, strict=True):
            compared.append(comparison.difference.low <= gap <= comparison.difference.high)

    assert 0.92 <= np.mean(rated) <= 0.98
    assert 0.92 <= np.mean(compared) <= 0.98


def test_runs_that_stop_early_cover_the_truth() -> None:
    """Stopped as soon as every interval is at most .17 wide, looked at after every deal."""
    planned = 120
    long = play(THREE, seats=3, dice=2, deals=RUNS * planned)
    truth = [figures.win_rate(long, player).value for player in range(long.players)]
    covered, stops = [], []
    for run in pieces(long):
        means = [figures.per_deal(run, player) for player in range(run.players)]
        stop = narrow_enough(means, width=0.17, planned=planned) or planned
        stops.append(stop)
        short = replace(
            run,
            deals=stop,
            planned=planned,
            wins=run.wins[:, :stop],
            judged=run.judged[:, :stop],
        )
        for player, value in enumerate(truth):
            found = figures.win_rate(short, player)
            covered.append(found.low <= value <= found.high)

    # Valid at any time, so they may be cautious at this one: no upper bound.
    assert np.mean(covered) >= 0.95
    assert 50 < np.mean(stops) < planned


def test_equal_bots_differ_by_exactly_nothing() -> None:
    """The same bot under two labels, all orders and line-ups played: not a game's difference."""
    long = play(("threshold", "twin=threshold", "honest"), seats=3, dice=3, deals=50)
    twins = compare_all(long, [1, 2])

    assert (twins[0].difference.value, twins[0].difference.error, twins[0].p) == (0, 0, 1)


def test_salted_equal_bots_are_seldom_told_apart() -> None:
    """With draws salted by player, some false claim among four in at most 7 % of 400 runs."""
    bots = [f"b{number}=threshold:bluff_rate=0.5" for number in range(4)]
    long = play(bots, seats=3, dice=2, deals=RUNS * 40, salted=True)
    alarms = [any(separable(c.p_holm) for c in compare_all(run, range(4))) for run in pieces(long)]

    assert 0 < np.mean(alarms) <= 0.07
