"""`sim resume DIR`: go on with a run that was interrupted, or extend one that is done."""

from pathlib import Path
from typing import Annotated

import typer

from sim.cli import options
from sim.cli.playing import Manner, conclude, started_nursery, telling


def resume(
    folder: Annotated[Path, typer.Argument(help="The folder of the run.", metavar="DIR")],
    deals: Annotated[
        str | None, typer.Option(metavar="N", help="Deals in all; more than before extends it.")
    ] = None,
    jobs: options.Jobs = None,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
    json: options.Json = False,
    child_of: Annotated[int | None, typer.Option("--child-of", hidden=True)] = None,
) -> None:
    """Go on with a run: same files as if it had never stopped."""
    if child_of is not None:
        from sim.runner.lifeline import die_with_parent

        die_with_parent(child_of)
    manner = Manner(quiet=quiet, verbose=verbose, json=json)
    with started_nursery() as nursery:
        from sim.runner.request import read_deals, read_jobs
        from sim.runner.run import resume as go_on
        from sim.runner.store import open_run
        from sim.tournament import stop_rule

        wanted = None if deals is None else read_deals(deals)
        with telling(manner) as told:
            outcome = go_on(
                folder,
                deals=wanted,
                jobs=read_jobs(jobs),
                rule=stop_rule(open_run(folder).spec),
                nursery=nursery,
                **told,
            )
        code = conclude(outcome, folder, manner, report=child_of is None, jobs=read_jobs(jobs))
    raise typer.Exit(code)
