"""A comparison of settings on a screen: what `sim compare` prints at the end."""

import json as json_module
from typing import TYPE_CHECKING

from sim.cli.printing import echo, echo_json, echo_table, make_table
from sim.cli.standings import plain

if TYPE_CHECKING:
    from sim.analysis.compare_write import CompareResult
    from sim.cli.playing import Manner


def show_comparison(result: "CompareResult", manner: "Manner") -> None:
    """Print the verdict and one row a setting, or one JSON document."""
    if manner.json:
        document = json_module.loads(result.to_json())
        echo_json({"schema": document.pop("format"), **document})
        return
    from math import nan

    from sim.analysis.markdown import Numbers
    from sim.analysis.statistics import Estimate

    assert result.spec.comparison is not None
    varied = result.spec.comparison.varied
    rows = result.table.to_dict("records")

    def column(value: str, stem: str, *, percent: bool) -> list[str]:
        found = [
            Estimate(row[value], row[f"{stem}_low"], row[f"{stem}_high"], error=nan, deals=0)
            for row in rows
        ]
        write = Numbers(found, percent=percent)
        return [write.interval(one) for one in found]

    wins = column("win_rate", "win_rate", percent=True)
    points = column("score_mean", "score", percent=False)
    marks = ["yes" if row["not_separable"] else "" for row in rows]
    cells = [
        [*(f"{row[name]:g}" if isinstance(row[name], float) else str(row[name]) for name in varied),
         wins[number], points[number], marks[number]]
        for number, row in enumerate(rows)
    ]  # fmt: skip
    if not manner.quiet:
        echo()
    echo(plain(result.verdict))
    echo()
    headings = [*varied, "win rate %", "points a game", "may be best"]
    echo_table(make_table(headings, cells, right=range(len(headings) - 1)))
    echo()
    echo(f"seed {result.spec.seed}; the whole report: {result.folder / 'compare.md'}")
