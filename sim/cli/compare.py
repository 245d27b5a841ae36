"""`sim compare`: play settings of one strategy and print how they compare."""

from pathlib import Path
from typing import Annotated

import typer

from sim.cli import options
from sim.cli.playing import Manner, conclude, started_nursery, telling
from sim.cli.run import announce, show_plan


def compare(
    game: Annotated[
        str | None, typer.Argument(help="What is played, or a comparison in TOML.")
    ] = None,
    strategy: Annotated[
        str | None,
        typer.Argument(
            help="Whose settings are compared: name[:key=value,...].", metavar="STRATEGY"
        ),
    ] = None,
    vary: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=VALUES", help="LOW:HIGH:POINTS or a list; repeat for a grid."),
    ] = None,
    against: Annotated[
        list[str] | None,
        typer.Option(metavar="SPEC", help="Opponent; they fill the other seats in turn."),
    ] = None,
    round_robin: Annotated[
        bool | None,
        typer.Option("--round-robin", help="The settings play each other, and nobody else."),
    ] = None,
    confirm: Annotated[
        bool | None,
        typer.Option(
            "--confirm/--no-confirm",
            help="Best against default again, on fresh deals.  [default: confirm]",
            show_default=False,
        ),
    ] = None,
    seats: options.Seats = None,
    deals: Annotated[
        str | None, typer.Option(metavar="N", help="Deals; all settings play all.  [default: 1000]")
    ] = None,
    seed: options.Seed = None,
    rules: options.RuleOptions = None,
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
    chunk: options.Chunk = None,
) -> None:
    """Compare settings of one strategy on the same deals, in the same seats.

    sim compare liars-dice aggressive --vary aggressiveness=0:1:11 --against honest --seats 3
    """
    file = None
    if game is not None and game.endswith(".toml"):
        file, game = Path(game), None
    flags = {
        "game": game,
        "bot": strategy,
        "vary": vary or None,
        "against": against or None,
        "round_robin": round_robin,
        "confirm": confirm,
        "seats": seats,
        "deals": deals,
        "seed": seed,
        "rules": rules or None,
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
    with started_nursery(wanted=not (dry_run or in_process)) as nursery:
        from sim.runner import out as outs
        from sim.runner.comparison import compare_request
        from sim.runner.request import read_chunk

        asked = compare_request(flags, file)
        if dry_run:
            show_plan(asked, json=json)
            return
        outs.check_out(asked.out, force=force)
        size = None if chunk is None else read_chunk(chunk)
        if not quiet:
            announce(asked, json=json)

        from sim import tournament

        with telling(manner, in_process=asked.in_process) as told:
            outcome = tournament.play(asked, force=force, chunk=size, nursery=nursery, **told)
        code = conclude(outcome, asked.out, manner, jobs=asked.jobs, in_process=asked.in_process)
    raise typer.Exit(code)
