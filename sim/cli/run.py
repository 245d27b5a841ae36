"""`sim run`: play a tournament and print its standings."""

import json as json_module
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sim.cli.printing import complain, echo, echo_json, echo_table, say
from sim.cli.progress import Bar
from sim.cli.standings import plain, standings_table

if TYPE_CHECKING:
    from sim.analysis.report import Result
    from sim.runner.nursery import Nursery
    from sim.runner.request import Request
    from sim.runner.run import Outcome


def run(
    file: Annotated[
        Path | None,
        typer.Argument(help="A tournament in TOML; flags beat what it says.", show_default=False),
    ] = None,
    game: Annotated[str | None, typer.Option("--game", "-g", help="What is played.")] = None,
    players: Annotated[
        list[str] | None,
        typer.Option(
            "--player", "-p", metavar="SPEC", help="[label=]name[:key=value,...]; repeat it."
        ),
    ] = None,
    seats: Annotated[str | None, typer.Option(metavar="N", help="Seats at a table.")] = None,
    deals: Annotated[
        str | None, typer.Option(metavar="N", help="Deals; all line-ups play all.  [default: 1000]")
    ] = None,
    seed: Annotated[
        str | None, typer.Option(metavar="N", help="Same seed, same games.  [default: drawn]")
    ] = None,
    rules: Annotated[
        list[str] | None,
        typer.Option("--rule", metavar="NAME=VALUE", help="A rule option; repeat it."),
    ] = None,
    line_ups: Annotated[
        str | None,
        typer.Option("--line-ups", metavar="N", help="Play a balanced sample of N line-ups."),
    ] = None,
    fill: Annotated[
        str | None,
        typer.Option(metavar="SPEC", help="Takes the empty seats, and is in no standings."),
    ] = None,
    mixed: Annotated[
        bool | None,
        typer.Option("--mixed", help="Add tables with the same player twice, where teams play."),
    ] = None,
    focus: Annotated[
        str | None, typer.Option(metavar="LABEL", help="Only line-ups with this player.")
    ] = None,
    jobs: Annotated[
        str | None,
        typer.Option("--jobs", "-j", metavar="N", help="Worker processes.  [default: auto]"),
    ] = None,
    out: Annotated[
        str | None,
        typer.Option("--out", "-o", metavar="DIR", help="[default: reports/<game>-<date>-<time>]"),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace the run that is in the folder.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say how much would be played, and stop.")
    ] = False,
    in_process: Annotated[
        bool,
        typer.Option("--in-process", help="No workers: print and pdb in a bot work."),
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print the result alone.")] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Print what goes to run.log as well.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
    first_deal: Annotated[str | None, typer.Option("--first-deal", hidden=True)] = None,
    chunk: Annotated[str | None, typer.Option("--chunk", hidden=True)] = None,
    child_of: Annotated[int | None, typer.Option("--child-of", hidden=True)] = None,
) -> None:
    """Play a round-robin tournament and say who is better, and how sure that is.

    sim run --game liars-dice -p random -p honest -p "bold=aggressive:aggressiveness=0.8"
    """
    flags = {
        "game": game,
        "players": players or None,
        "seats": seats,
        "deals": deals,
        "first_deal": first_deal,
        "seed": seed,
        "rules": rules or None,
        "line_ups": line_ups,
        "fill": fill,
        "mixed": mixed,
        "focus": focus,
        "jobs": jobs,
        "out": out,
        "in_process": in_process or None,
    }
    manner = Manner(
        force=force, quiet=quiet, verbose=verbose, json=json, chunk=chunk, child_of=child_of
    )
    with started_nursery(wanted=not (dry_run or in_process)) as nursery:
        from sim.runner import request as requests

        asked = requests.request(flags, file)
        if dry_run:
            show_plan(asked, json=json)
            return
        requests.check_out(asked.out, force=force)
        code = play(asked, manner, nursery)
    raise typer.Exit(code)


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How a run is played and told of; nothing of it shows in what it stores."""

    force: bool
    quiet: bool
    verbose: bool
    json: bool
    chunk: str | None
    child_of: int | None
    """Process that waits for this one and makes the report itself (`sim.run`)."""


@contextmanager
def started_nursery(*, wanted: bool) -> Iterator["Nursery | None"]:
    """Start the process that forks all others, before NumPy or a bot is imported."""
    if not wanted:
        yield None
        return
    from sim.runner.nursery import Nursery

    nursery = Nursery.start()
    try:
        yield nursery
    finally:
        nursery.stop()


def play(asked: "Request", manner: Manner, nursery: "Nursery | None") -> int:
    """Play, print what came out, and give the exit code."""
    from sim import tournament
    from sim.runner.request import read_chunk

    chunk = None if manner.chunk is None else read_chunk(manner.chunk)
    if manner.child_of is not None:
        from sim.runner.lifeline import die_with_parent

        die_with_parent(manner.child_of)
    if not manner.quiet:
        announce(asked, json=manner.json)
    lively = not (manner.quiet or manner.verbose or asked.in_process)
    with Bar(wanted=lively) as bar:
        outcome = tournament.play(
            asked,
            force=manner.force,
            chunk=chunk,
            progress=bar.show,
            nursery=nursery,
            log_to=[log_handler()] if manner.verbose else [],
        )
    warn_of_forfeits(outcome)
    if outcome.status != "done":
        complain(f"interrupted: what was finished is kept in {str(asked.out)!r}")
    elif manner.child_of is None:
        show(tournament.analyse(asked.out), asked, manner)
    return outcome.exit_code


def show_plan(asked: "Request", *, json: bool) -> None:
    """Print how much would be played."""
    if not json:
        echo(asked.plan)
        echo(f"seed {asked.spec.seed}")
        return
    schedule = asked.schedule
    echo_json(
        {
            "schema": "sim.plan/1",
            "line_ups": len(schedule.line_ups),
            "deals": asked.spec.deals,
            "games_per_deal": schedule.games_per_deal,
            "games": schedule.games,
            "seed": asked.spec.seed,
            "spec": asked.spec.model_dump(mode="json"),
        }
    )


def announce(asked: "Request", *, json: bool) -> None:
    """Say what will be played, before anything is compiled."""
    workers = f"{asked.jobs} worker{'s' * (asked.jobs != 1)}"
    how = "in this process" if asked.in_process else f"with {workers}"
    tell = say if json else echo
    tell(asked.plan)
    tell(f"seed {asked.spec.seed}, {how}, into {asked.out}")


def log_handler() -> logging.Handler:
    """Give a handler that prints the lines of run.log on stderr."""
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(levelname)s %(processName)s: %(message)s"))
    return handler


def warn_of_forfeits(outcome: "Outcome") -> None:
    """Say who forfeited, and who was given up."""
    for player, counts in sorted(outcome.faults.items()):
        kinds = ", ".join(f"{number} {kind}" for kind, number in sorted(counts.items()))
        complain(f"warning: {player!r} forfeited {sum(counts.values())} times ({kinds})")
    for player in outcome.given_up:
        complain(f"warning: {player!r} failed too often and was no longer asked")


def show(result: "Result", asked: "Request", manner: Manner) -> None:
    """Print the result."""
    if manner.json:
        document = json_module.loads(result.to_json())
        echo_json({"schema": document.pop("format"), **document})
        return
    if not manner.quiet:
        echo()
    echo(plain(result.verdict))
    echo()
    scoring = asked.schedule.game.scoring(asked.schedule.rules)
    echo_table(standings_table(result.standings, by_wins=scoring.headline == "win_rate"))
    echo()
    echo(f"seed {asked.spec.seed}; the whole report: {asked.out / 'report.md'}")
