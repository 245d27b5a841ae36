"""`sim run`: play a tournament and print its standings."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sim.cli import options
from sim.cli.playing import Manner, conclude, started_nursery, telling
from sim.cli.printing import echo, echo_json, say

if TYPE_CHECKING:
    from sim.runner.request import Request


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
    seats: options.Seats = None,
    deals: Annotated[
        str | None, typer.Option(metavar="N", help="Deals; all line-ups play all.  [default: 1000]")
    ] = None,
    seed: options.Seed = None,
    rules: options.RuleOptions = None,
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
    move_timeout: options.MoveTimeout = None,
    game_timeout: options.GameTimeout = None,
    max_memory: options.MaxMemory = None,
    max_faults: options.MaxFaults = None,
    strict: options.Strict = False,
    until_width: options.UntilWidth = None,
    sprt: options.Sprt = None,
    jobs: options.Jobs = None,
    out: options.Out = None,
    force: options.Force = False,
    dry_run: options.DryRun = False,
    in_process: options.InProcess = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
    json: options.Json = False,
    first_deal: Annotated[str | None, typer.Option("--first-deal", hidden=True)] = None,
    chunk: options.Chunk = None,
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
        "move_timeout": move_timeout,
        "game_timeout": game_timeout,
        "max_memory": max_memory,
        "max_faults": max_faults,
        "strict": strict or None,
        "until_width": until_width,
        "sprt": sprt,
        "jobs": jobs,
        "out": out,
        "in_process": in_process or None,
    }
    manner = Manner(quiet=quiet, verbose=verbose, json=json)
    if child_of is not None:
        from sim.runner.lifeline import die_with_parent

        die_with_parent(child_of)
    with started_nursery(wanted=not (dry_run or in_process)) as nursery:
        from sim.runner import out as outs
        from sim.runner import request as requests

        asked = requests.request(flags, file)
        if dry_run:
            show_plan(asked, json=json)
            return
        outs.check_out(asked.out, force=force)
        size = None if chunk is None else requests.read_chunk(chunk)
        if not quiet:
            announce(asked, json=json)

        from sim import tournament

        with telling(manner, in_process=asked.in_process) as told:
            outcome = tournament.play(asked, force=force, chunk=size, nursery=nursery, **told)
        code = conclude(outcome, asked.out, manner, report=child_of is None)
    raise typer.Exit(code)


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
