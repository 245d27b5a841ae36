"""The command `sim`: one file for each command, brought together here.

Commands parse words, call, and print; what they call is imported inside them, so that
`sim --help` starts without NumPy. Every way to end is decided here:

    0    done
    1    done, but a bot forfeited too often (the commands decide)
    2    the request cannot be carried out: one line on stderr
    3    our bug, or a run that could not go on
    4    a plugin does not load
    130  Ctrl-C
"""

import os
import sys
import traceback
from typing import Annotated, Any, Final, NoReturn

import typer
from typer.core import TyperGroup

from sim.cli import (
    bench,
    check,
    compare,
    export,
    games,
    moves,
    new,
    report,
    resume,
    rules,
    run,
    strategies,
)
from sim.cli.printing import complain, echo, say
from sim.errors import SimError

INTERNAL_ERROR: Final = 3
INTERRUPTED: Final = 130

CLICK_ERROR: Final = typer.BadParameter.__mro__[2]
"""Click's base of all errors in how a command was typed; newer Typers hide it in a private copy."""


class Commands(TyperGroup):
    """The group of all commands: turns exceptions into messages and exit codes."""

    def main(self, *args: Any, **options: Any) -> NoReturn:
        """Run a command line and leave with its exit code."""
        hold_streams()
        options.update(prog_name="sim", standalone_mode=False)
        sys.exit(self._guarded(*args, **options))

    def invoke(self, ctx: Any) -> Any:
        """Run a command; Click itself would swallow Ctrl-C in silence."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            complain("interrupted")
            raise typer.Exit(INTERRUPTED) from None

    def _guarded(self, *args: Any, **options: Any) -> int:
        try:
            code = super().main(*args, **options)
        except SimError as error:
            complain(str(error))
            return error.exit_code
        except Exception as error:
            if isinstance(error, CLICK_ERROR):
                return refuse_typing(error)
            complain_of_bug()
            return INTERNAL_ERROR
        return code if isinstance(code, int) else 0


def refuse_typing(error: Any) -> int:
    """Say in one line what is wrong with the words typed, and where help is."""
    context = getattr(error, "ctx", None)
    lines = [line.strip() for line in error.format_message().splitlines() if line.strip()]
    sentence = " ".join(lines).rstrip(".")
    path = context.command_path if context is not None else "sim"
    complain(f"{sentence[:1].lower()}{sentence[1:]} (`{path} --help` shows what there is)")
    return int(error.exit_code)


def complain_of_bug() -> None:
    """Show the traceback of the exception at hand and ask for a report."""
    complain(
        f"{traceback.format_exc()}\n"
        "This is a bug in sim, not a mistake of yours. Please report it with the lines above.",
        prefix="",
    )


def hold_streams() -> None:
    """Open closed standard streams on the null device.

    Otherwise the next file opened would get the number of stdout or stderr, and be printed into.
    """
    for descriptor, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(descriptor)
        except OSError:
            opened = os.open(os.devnull, os.O_RDWR)
            if opened != descriptor:
                os.dup2(opened, descriptor)
                os.close(opened)
        if getattr(sys, name) is None:
            stream = open(descriptor, "r" if name == "stdin" else "w", closefd=False)  # noqa: SIM115
            setattr(sys, name, stream)


app = typer.Typer(
    name="sim",
    cls=Commands,
    help="Tournaments of bidding-game bots: which strategy is better, and how sure is that?",
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def print_version(wanted: bool) -> None:
    """Print the version and leave."""
    if wanted:
        from sim import __version__

        echo(f"sim {__version__}")
        raise typer.Exit


@app.callback()
def options(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version.", callback=print_version, is_eager=True),
    ] = False,
) -> None:
    """Tournaments of bidding-game bots: which strategy is better, and how sure is that?"""
    if context.invoked_subcommand is None:
        say(context.get_help())
        raise typer.Exit(2)


app.command("run")(run.run)
app.command("compare")(compare.compare)
app.command("resume")(resume.resume)
app.command("report")(report.report)
app.command("export")(export.export)
app.command("games")(games.games)
app.command("strategies")(strategies.strategies)
app.command("rules")(rules.rules)
app.command("moves")(moves.moves)
app.command("bench")(bench.bench)
app.command("new")(new.new)
app.command("check")(check.check)


def main() -> None:
    """Run the command line; the console script `sim` starts here."""
    app()
