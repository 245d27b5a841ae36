"""`sim bench GAME`: how fast one core plays, with compiled uniform bots."""

from typing import Annotated

import typer

from sim.cli.printing import echo_json, echo_table, make_table


def bench(
    game: Annotated[str, typer.Argument(help="A game; `sim games` lists them.")],
    seats: Annotated[str | None, typer.Option(metavar="N", help="Seats at a table.")] = None,
    dice: Annotated[
        str | None, typer.Option(metavar="D", help="The same as --rule dice=D.")
    ] = None,
    rules: Annotated[
        list[str] | None,
        typer.Option("--rule", metavar="NAME=VALUE", help="A rule option; repeat it."),
    ] = None,
    seconds: Annotated[
        float, typer.Option(min=0.01, max=600, help="How long each of five repeats plays.")
    ] = 1.0,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Measure games and decisions a second of one core, without and with storing."""
    from sim.runner.nursery import limit_threads

    limit_threads()

    from sim.runner.speed import bench_spec, measure

    options = [*(rules or []), *([f"dice={dice}"] if dice is not None else [])]
    speed = measure(bench_spec(game, seats=seats, rules=options), seconds=seconds)
    if json:
        echo_json(speed.to_json())
        return
    rows = [
        ("games/s", f"{speed.games_per_s:,.0f}"),
        ("decisions/s", f"{speed.decisions_per_s:,.0f}"),
        ("games/s, stored", f"{speed.games_per_s_stored:,.0f}"),
        ("decisions a game", f"{speed.decisions_per_game:.2f}"),
    ]
    echo_table(make_table((f"{speed.game}, {speed.seats} seats, one core", ""), rows, right=[1]))
