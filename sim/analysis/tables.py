"""The tables that people and programs read, as frames and as CSV of fixed form.

CSV: comma, one header line, `\\n`, six decimals, an empty field where a figure does not exist.
Columns are documented in docs/files.md.
"""

from collections.abc import Sequence
from math import isnan, nan
from typing import Any, Final

import pandas as pd

from sim.analysis import figures
from sim.analysis.accumulate import Totals
from sim.analysis.comparisons import ranks
from sim.analysis.layout import WIN_UNIT
from sim.analysis.statistics import Estimate
from sim.engines.base import FAULT_CATEGORIES

PAIRWISE: Final = [
    *("player", "opponent", "games"),
    *("ahead_rate", "ahead_low", "ahead_high"),
    *("score_diff", "diff_low", "diff_high"),
]
SEATS: Final = ["seat", "games", "wins", "win_rate", "win_rate_low", "win_rate_high"]
FAULTS: Final = ["player", "category", "count"]

DECIMALS: Final = 6

WHOLE: Final = ("rank", "wins")
"""Columns written without decimals where they are whole (wins may be sums of shares)."""

Row = dict[str, Any]


def standings(totals: Totals, labels: Sequence[str], listed: Sequence[int]) -> pd.DataFrame:
    """Rank the listed players by the headline figure; equal ones in the order of their labels."""
    baseline = totals.scoring.win_baseline
    rows = []
    for rank, player in sorted(zip(ranks(totals, listed), listed, strict=True)):
        row = {
            "rank": nan if isnan(figures.headline(totals, player).value) else rank,
            "player": labels[player],
            "games": totals.games_of(player),
            "wins": int(totals.wins[player].sum(dtype=int)) / WIN_UNIT,
            **_interval("win_rate", figures.win_rate(totals, player), "win_rate"),
            "baseline": nan if baseline is None else baseline,
            **_interval("score_mean", figures.score(totals, player), "score"),
            "place_mean": figures.place(totals, player).value,
            "faults": int(totals.faults[player].sum()),
        }
        rows.append(row | _role_columns(totals, player) | _tail_columns(totals, player))
    return pd.DataFrame(rows)


def _interval(name: str, found: Estimate, stem: str) -> Row:
    return {name: found.value, f"{stem}_low": found.low, f"{stem}_high": found.high}


def _role_columns(totals: Totals, player: int) -> Row:
    """Give how often a player has the first role, and points and wins in each, by appearance."""
    roles = dict(enumerate(totals.game.roles))
    rate = {f"{roles[0]}_rate": figures.role_rate(totals, 0, player).value} if roles else {}
    scores = {
        f"score_{role}": figures.role_score(totals, number, player).value
        for number, role in roles.items()
    }
    wins = {
        f"win_rate_{role}": figures.role_win_rate(totals, number, player).value
        for number, role in roles.items()
    }
    return rate | scores | wins


def _tail_columns(totals: Totals, player: int) -> Row:
    clip = totals.scoring.clip
    if clip is None:
        return {}
    return {
        "score_median": figures.score_median(totals, player),
        "score_clipped": figures.score_clipped(totals, player, clip),
    }


def pairwise(totals: Totals, labels: Sequence[str], listed: Sequence[int]) -> pd.DataFrame:
    """Compare every two listed players over the games that both played; unmet pairs are absent."""
    rows: list[tuple[int, int, Row]] = []
    for number, (first, second) in enumerate(totals.pairs.tolist()):
        if first not in listed or second not in listed:
            continue
        each = totals.meetings_per_deal(number)
        ahead = figures.ahead(totals, number)
        gap = figures.score_gap(totals, number, each)
        for player, opponent, rate, points in (
            (first, second, ahead, gap),
            (second, first, _turned(ahead, 1.0), _turned(gap, 0.0)),
        ):
            row = {
                "player": labels[player],
                "opponent": labels[opponent],
                "games": each * totals.deals,
                **_interval("ahead_rate", rate, "ahead"),
                **_interval("score_diff", points, "diff"),
            }
            rows.append((player, opponent, row))
    rows.sort(key=lambda entry: entry[:2])
    return pd.DataFrame([row for _, _, row in rows], columns=PAIRWISE)


def _turned(found: Estimate, whole: float) -> Estimate:
    """See a figure from the other side: what is left of `whole`."""
    low, high = whole - found.high, whole - found.low
    return Estimate(whole - found.value, low, high, found.error, found.deals)


def seats(totals: Totals) -> pd.DataFrame:
    """Give each seat's wins over all games, whoever sat there."""
    rows = [
        {
            "seat": seat,
            "games": totals.games,
            "wins": int(totals.seat_wins[seat].sum(dtype=int)) if totals.deals else 0,
            **_interval("win_rate", figures.seat_win_rate(totals, seat), "win_rate"),
        }
        for seat in range(totals.seats)
    ]
    return pd.DataFrame(rows, columns=SEATS)


def faults(totals: Totals, labels: Sequence[str]) -> pd.DataFrame:
    """List the forfeits that happened, by player (the fill player too) and category."""
    rows = [
        {"player": label, "category": category, "count": int(totals.faults[player, number])}
        for player, label in enumerate(labels)
        for number, category in enumerate(FAULT_CATEGORIES)
        if number and totals.faults[player, number]
    ]
    return pd.DataFrame(rows, columns=FAULTS)


def behaviour(totals: Totals, labels: Sequence[str], listed: Sequence[int]) -> pd.DataFrame:
    """Give how each listed player plays: every figure that the game declares, with its interval."""
    rows = []
    for player in listed:
        row: Row = {"player": labels[player]}
        for figure in totals.game.behaviours:
            found = figures.behaviour(totals, figure, player)
            row |= _interval(figure.name, found, figure.name)
        rows.append(row)
    return pd.DataFrame(rows)


def to_csv(frame: pd.DataFrame) -> str:
    """Write a frame in the fixed form.

    >>> to_csv(pd.DataFrame({"player": ["a,b"], "wins": [2.0], "rate": [1 / 3], "low": [nan]}))
    'player,wins,rate,low\\n"a,b",2,0.333333,\\n'
    """
    shown = pd.DataFrame(
        {name: [_field(name, value) for value in frame[name]] for name in frame.columns},
        columns=frame.columns,
        dtype=object,
    )
    return shown.to_csv(index=False, lineterminator="\n")


def _field(column: str, value: Any) -> str:
    if not isinstance(value, float):
        return str(value)
    if isnan(value):
        return ""
    if column in WHOLE and value.is_integer():
        return str(int(value))
    text = f"{value:.{DECIMALS}f}"
    return text.removeprefix("-") if float(text) == 0 else text
