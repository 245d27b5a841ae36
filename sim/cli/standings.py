"""The standings of a run as a table on a screen: the columns of standings.csv that are there."""

import re
from math import nan
from typing import TYPE_CHECKING, Any

from sim.cli.printing import make_table

if TYPE_CHECKING:
    import pandas as pd
    from rich.table import Table


def standings_table(frame: "pd.DataFrame", *, by_wins: bool) -> "Table":
    """Make the table; the headline figure comes first."""
    from sim.analysis.markdown import Numbers
    from sim.analysis.statistics import Estimate

    rows = frame.to_dict("records")

    def estimates(value: str, stem: str) -> list[Estimate]:
        return [
            Estimate(row[value], row[f"{stem}_low"], row[f"{stem}_high"], error=nan, deals=0)
            for row in rows
        ]

    def column(value: str, stem: str, *, percent: bool = False) -> list[str]:
        found = estimates(value, stem)
        write = Numbers(found, percent=percent)
        return [write.interval(one) for one in found]

    wins = ("win rate %", column("win_rate", "win_rate", percent=True))
    score = ("points a game", column("score_mean", "score"))
    shown = [
        ("rank", [str(row["rank"]) for row in rows]),
        ("player", [str(row["player"]) for row in rows]),
        ("games", [f"{row['games']:,}" for row in rows]),
        *([wins, score] if by_wins else [score, wins]),
    ]
    if "baseline" in frame and not frame["baseline"].isna().all():
        shown.insert(4, ("baseline", [f"{100 * row['baseline']:.1f}" for row in rows]))
    if "place_mean" in frame:
        shown.append(("place", [number(row["place_mean"]) for row in rows]))
    shown.append(("forfeits", [f"{row['faults']:,}" for row in rows]))
    headings = [heading for heading, _ in shown]
    cells = zip(*(texts for _, texts in shown), strict=True)
    return make_table(headings, cells, right={0, *range(2, len(shown))})


def number(value: Any) -> str:
    """Write a plain mean, `-` where there is none."""
    return f"{value:.2f}" if value == value else "-"


def plain(markdown: str) -> str:
    r"""Give a sentence of the report without its markup.

    >>> plain(r"**my\_bot** wins 40 %.")
    'my_bot wins 40 %.'
    """
    return re.sub(r"\\([\\`*_<\[])|\*\*", lambda found: found[1] or "", markdown)
