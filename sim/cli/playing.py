"""What the commands that play have in common: processes, progress, and what is said at the end."""

import json as json_module
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.cli.printing import complain, echo, echo_json, echo_table, screen_width
from sim.cli.progress import Bar
from sim.cli.standings import plain, standings_table

if TYPE_CHECKING:
    from sim.analysis.report import Result
    from sim.runner.nursery import Nursery
    from sim.runner.run import Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How a run is told of; nothing of it shows in what is stored."""

    quiet: bool = False
    verbose: bool = False
    json: bool = False


@contextmanager
def started_nursery(*, wanted: bool = True) -> Iterator["Nursery | None"]:
    """Start the process that forks all others, before NumPy or a bot is imported."""
    from sim.runner.nursery import Nursery, limit_threads

    if not wanted:
        limit_threads()
        yield None
        return
    nursery = Nursery.start()
    try:
        yield nursery
    finally:
        nursery.stop()


@contextmanager
def telling(manner: Manner, *, in_process: bool = False) -> Iterator[dict[str, Any]]:
    """Give what the runner needs to tell how far it is: the progress bar, or the log.

    There is no bar where a bot may want the terminal for itself.
    """
    lively = not (manner.quiet or manner.verbose or in_process)
    with Bar(wanted=lively) as bar:
        yield {"progress": bar.show, "log_to": [log_handler()] if manner.verbose else []}


def log_handler() -> logging.Handler:
    """Give a handler that prints the lines of run.log on stderr."""
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(levelname)s %(processName)s: %(message)s"))
    return handler


def conclude(
    outcome: "Outcome",
    folder: Path,
    manner: Manner,
    *,
    report: bool = True,
    jobs: int = 1,
    in_process: bool = False,
) -> int:
    """Say how a run ended, write and print its result, and give the exit code.

    `jobs` and `in_process` are for the confirmation that a comparison of settings ends with.
    """
    for player, counts in sorted(outcome.faults.items()):
        kinds = ", ".join(f"{number} {kind}" for kind, number in sorted(counts.items()))
        complain(f"warning: {player!r} forfeited {sum(counts.values())} times ({kinds})")
    for player in outcome.given_up:
        complain(f"warning: {player!r} failed too often and was no longer asked")
    if outcome.status != "done":
        import shlex

        command = shlex.join(["sim", "resume", str(folder)])
        complain(f"interrupted; every finished block is kept, go on with: {command}")
    elif report:
        show_folder(folder, manner, jobs=jobs, in_process=in_process)
    return outcome.exit_code


def show_folder(folder: Path, manner: Manner, *, jobs: int = 1, in_process: bool = False) -> None:
    """Write and print the result of a stored run, whatever was asked of it."""
    from sim.runner import manifest as manifests

    if manifests.read(folder)["spec"].get("comparison") is None:
        from sim.tournament import analyse

        show(analyse(folder), manner)
        return
    from sim.analysis import compare_write
    from sim.cli.settings import show_comparison
    from sim.tournament import confirm

    result = compare_write.write(folder)
    if confirm(folder, result.best, jobs=jobs, in_process=in_process):
        result = compare_write.write(folder)
    show_comparison(result, manner)


def show(result: "Result", manner: Manner) -> None:
    """Print a result."""
    from sim.engines.base import load_game

    if manner.json:
        document = json_module.loads(result.to_json())
        echo_json({"schema": document.pop("format"), **document})
        return
    spec = result.spec
    game = load_game(spec.game)
    by_wins = game.scoring(game.rules(spec.seats, spec.rules)).headline == "win_rate"
    if not manner.quiet:
        echo()
    echo(plain(result.verdict))
    echo()
    echo_table(standings_table(result.standings, by_wins=by_wins, width=screen_width()))
    echo()
    echo(f"seed {spec.seed}; the whole report: {result.folder / 'report.md'}")
