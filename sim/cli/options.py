"""Options that several commands have: each is written once, and means the same everywhere."""

from typing import Annotated

import typer

Seats = Annotated[str | None, typer.Option(metavar="N", help="Seats at a table.")]
Seed = Annotated[
    str | None, typer.Option(metavar="N", help="Same seed, same games.  [default: drawn]")
]
RuleOptions = Annotated[
    list[str] | None,
    typer.Option("--rule", metavar="NAME=VALUE", help="A rule option; repeat it."),
]
MoveTimeout = Annotated[
    str | None,
    typer.Option(metavar="S", help="Seconds for one call of a bot, or none.  [default: 10]"),
]
GameTimeout = Annotated[
    str | None, typer.Option(metavar="S", help="Seconds of a player's thinking in one game.")
]
MaxMemory = Annotated[str | None, typer.Option(metavar="N", help="Memory of a worker, e.g. 512M.")]
MaxFaults = Annotated[
    str | None, typer.Option(metavar="N", help="More faults than this end with code 1.")
]
Strict = Annotated[
    bool, typer.Option("--strict", help="Stop after the block with the first fault.")
]
UntilWidth = Annotated[
    str | None,
    typer.Option(metavar="W", help="End once every player's interval is at most W wide."),
]
Sprt = Annotated[
    str | None,
    typer.Option(metavar="A,B,lo=..,hi=..", help="End once this pair's test has decided."),
]
Jobs = Annotated[
    str | None,
    typer.Option("--jobs", "-j", metavar="N", help="Worker processes.  [default: auto]"),
]
Out = Annotated[
    str | None,
    typer.Option("--out", "-o", metavar="DIR", help="[default: reports/<game>-<date>-<time>]"),
]
Force = Annotated[bool, typer.Option("--force", help="Replace the run that is in the folder.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say how much would be played, and stop.")]
InProcess = Annotated[
    bool,
    typer.Option("--in-process", help="No workers: print and pdb in a bot work."),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print the result alone.")]
Verbose = Annotated[
    bool, typer.Option("--verbose", "-v", help="Print what goes to run.log as well.")
]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
Chunk = Annotated[str | None, typer.Option("--chunk", hidden=True)]
