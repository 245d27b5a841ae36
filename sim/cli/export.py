"""`sim export DIR --csv`: the games of a stored run as CSV."""

from pathlib import Path
from typing import Annotated

import typer

from sim.cli.printing import echo
from sim.errors import UsageError


def export(
    folder: Annotated[Path, typer.Argument(help="The folder of the run.", metavar="DIR")],
    csv: Annotated[bool, typer.Option("--csv", help="Write CSV, one row a game.")] = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="[default: games.csv of the run]"),
    ] = None,
) -> None:
    """Write the games of a stored run as CSV, players by their labels.

    sim export reports/first --csv
    """
    if not csv:
        raise UsageError("say which form: --csv is the one there is")
    from sim.runner.exporting import export_csv

    echo(str(export_csv(folder, out)))
