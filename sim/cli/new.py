"""`sim new`: a starting point for a strategy, as a file or as a package."""

from pathlib import Path
from typing import Annotated

import typer

from sim.cli.printing import echo
from sim.errors import UsageError

DEFAULT_GAME = "liars-dice"


def new(
    file: Annotated[
        Path | None,
        typer.Argument(help="The file to write, e.g. my_bot.py.", show_default=False),
    ] = None,
    game: Annotated[str | None, typer.Option("--game", "-g", help="What it plays.")] = None,
    kind: Annotated[
        str, typer.Option(metavar="KIND", help="python, compiled or batch.")
    ] = "python",
    package: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Write an installable package instead."),
    ] = None,
) -> None:
    """Write a working strategy to start from. Nothing that exists is written over.

    sim new my_bot.py --game liars-dice
    """
    from sim.engines.base import installed_games
    from sim.strategies.scaffold import new_bot, new_package

    if (file is None) == (package is None):
        raise UsageError("name one thing to write: a file, e.g. my_bot.py, or --package my-bots")
    if package is not None:
        for path in new_package(package, game=game or DEFAULT_GAME, kind=kind):
            echo(f"wrote {path}")
        echo(f"next: pip install -e {package}")
        return
    assert file is not None
    if game is None:
        known = " or ".join(f"--game {name}" for name in sorted(installed_games()))
        raise UsageError(f"what does it play? add {known}")
    path = new_bot(file, game=game, kind=kind)
    echo(f"wrote {path}")
    echo(f"next: sim check {path}")
