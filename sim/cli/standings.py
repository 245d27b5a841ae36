"""The standings of a run as a table on a screen: the columns of standings.csv that are there."""

import re
from collections.abc import Sequence
from math import nan
from typing import TYPE_CHECKING, Any, Final

from sim.cli.printing import GAP, make_table

if TYPE_CHECKING:
    import pandas as pd
    from rich.table import Table


DROPPED: Final = ("place", "points a game", "win rate %", "baseline", "games")
"""What a narrow screen does without, in this order; the headline figure always stays."""


def standings_table(frame: "pd.DataFrame", *, by_wins: bool, width: int | None) -> "Table":
    """Make the table, the headline figure first; no wider than `width` if that is possible."""
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
    if "place_mean" in frame and frame["place_mean"].notna().any():
        shown.append(("place", [number(row["place_mean"]) for row in rows]))
    shown.append(("forfeits", [f"{row['faults']:,}" for row in rows]))
    headline = "win rate %" if by_wins else "points a game"
    for name in DROPPED:
        if width is not None and width_of(shown) > width and name != headline:
            shown = [column for column in shown if column[0] != name]
    headings = [heading for heading, _ in shown]
    cells = zip(*(texts for _, texts in shown), strict=True)
    return make_table(headings, cells, right={0, *range(2, len(shown))})


def width_of(columns: Sequence[tuple[str, Sequence[str]]]) -> int:
    """Give how wide a table of these columns is.

    >>> width_of([("rank", ["1"]), ("player", ["aggressive"])])
    17
    """
    widths = [max(map(len, (heading, *texts))) for heading, texts in columns]
    return sum(widths) + GAP * (len(widths) - 1)


def number(value: Any) -> str:
    """Write a plain mean, `-` where there is none."""
    return f"{value:.2f}" if value == value else "-"


def plain(markdown: str) -> str:
    r"""Give a sentence of the report without its markup.

    >>> plain(r"**my\_bot** wins 40 %.")
    'my_bot wins 40 %.'
    """
    return re.sub(r"\\([\\`*_<\[])|\*\*", lambda found: found[1] or "", markdown)
