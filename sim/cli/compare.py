"""`sim compare`: play settings of one strategy and print how they compare."""

from pathlib import Path
from typing import Annotated

import typer

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
    seats: Annotated[str | None, typer.Option(metavar="N", help="Seats at a table.")] = None,
    deals: Annotated[
        str | None, typer.Option(metavar="N", help="Deals; all settings play all.  [default: 1000]")
    ] = None,
    seed: Annotated[
        str | None, typer.Option(metavar="N", help="Same seed, same games.  [default: drawn]")
    ] = None,
    rules: Annotated[
        list[str] | None,
        typer.Option("--rule", metavar="NAME=VALUE", help="A rule option; repeat it."),
    ] = None,
    move_timeout: Annotated[
        str | None,
        typer.Option(metavar="S", help="Seconds for one call of a bot, or none.  [default: 10]"),
    ] = None,
    game_timeout: Annotated[
        str | None, typer.Option(metavar="S", help="Seconds of a player's thinking in one game.")
    ] = None,
    max_memory: Annotated[
        str | None, typer.Option(metavar="N", help="Memory of a worker, e.g. 512M.")
    ] = None,
    max_faults: Annotated[
        str | None, typer.Option(metavar="N", help="More faults than this end with code 1.")
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Stop after the block with the first fault.")
    ] = False,
    until_width: Annotated[
        str | None,
        typer.Option(metavar="W", help="End once every player's interval is at most W wide."),
    ] = None,
    sprt: Annotated[
        str | None,
        typer.Option(metavar="A,B,lo=..,hi=..", help="End once this pair's test has decided."),
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
        bool, typer.Option("--in-process", help="No workers: print and pdb in a bot work.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print the result alone.")] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Print what goes to run.log as well.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
    chunk: Annotated[str | None, typer.Option("--chunk", hidden=True)] = None,
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
