"""`sim report DIR`: write the report of a stored run again, without playing."""

from pathlib import Path
from typing import Annotated

import typer

from sim.cli import options
from sim.cli.playing import Manner, show


def report(
    folder: Annotated[Path, typer.Argument(help="The folder of the run.", metavar="DIR")],
    plots: Annotated[
        bool | None,
        typer.Option("--plots/--no-plots", help="Draw plots.  [default: if matplotlib is there]"),
    ] = None,
    nash: Annotated[
        bool, typer.Option("--nash", help="Add Nash averaging, which takes a while.")
    ] = False,
    quiet: options.Quiet = False,
    json: options.Json = False,
) -> None:
    """Write report and tables of a stored run again, without playing."""
    from sim.runner import manifest as manifests

    manner = Manner(quiet=quiet, json=json)
    if manifests.read(folder)["spec"].get("comparison") is not None:
        from sim.analysis import compare_write
        from sim.cli.settings import show_comparison

        show_comparison(compare_write.write(folder, draw=plots), manner)
        return
    from sim.analysis.report import write

    show(write(folder, plots=plots, nash=nash), manner)
