"""`sim check`: hold one strategy to what the engine needs of it, one line a promise."""

from typing import Annotated

import typer

from sim.cli.printing import echo, echo_json


def check(
    spec: Annotated[
        str, typer.Argument(metavar="SPEC", help="name, file.py or package.module:Name[:key=value]")
    ],
    game: Annotated[
        str | None, typer.Option("--game", "-g", help="Where the name alone does not say it.")
    ] = None,
    situations: Annotated[
        int, typer.Option(min=1, help="Random situations it is put into.")
    ] = 1000,
    games: Annotated[int, typer.Option(min=1, help="Games at each table size, about.")] = 300,
    seed: Annotated[int, typer.Option(min=0, help="Same seed, same situations.")] = 1,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Put a strategy through situations and games; exit code 1 if it breaks a promise.

    sim check my_bot.py
    """
    from sim.runner.nursery import limit_threads

    limit_threads()

    from sim.runner.check import check as examine

    findings = []
    for finding in examine(spec, game, situations=situations, games=games, seed=seed):
        findings.append(finding)
        if not json:
            echo(finding.line)
    if json:
        echo_json(
            {
                "schema": "sim.check/1",
                "kept": all(finding.kept for finding in findings),
                "promises": [finding.to_json() for finding in findings],
            }
        )
    raise typer.Exit(0 if all(finding.kept for finding in findings) else 1)
