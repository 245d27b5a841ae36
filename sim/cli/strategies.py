"""`sim strategies [GAME]`: what is installed, with parameters and their ranges."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from sim.cli.printing import complain, echo_json, echo_table, make_table

if TYPE_CHECKING:
    from sim.strategies.bot import Bot
    from sim.strategies.parameters import Param


def strategies(
    game: Annotated[
        str | None, typer.Argument(help="Only strategies of this game.", show_default=False)
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the strategies that -p knows by name; files and modules work without being listed."""
    from sim.engines.base import load_game
    from sim.strategies.registry import installed

    catalogue = installed(None if game is None else load_game(game).name)
    for problem in catalogue.problems:
        complain(f"warning: {problem}")
    if json:
        listed = [bot_json(bot) for bot in catalogue.bots]
        echo_json({"schema": "sim.strategies/1", "strategies": listed})
        return
    rows: list[tuple[str, ...]] = []
    for bot in catalogue.bots:
        what = bot.summary if bot.trusted else f"{bot.summary} [{bot.origin}]"
        rows.append((bot.game, bot.name, bot.kind, "", what))
        rows += [("", "", "", parameter_text(p), p.help) for p in bot.parameters]
    echo_table(make_table(("game", "name", "kind", "parameter", "what it does"), rows))


def parameter_text(parameter: "Param") -> str:
    """Give name, default and range of a parameter."""
    shown = str(parameter.default)
    shown = shown.lower() if isinstance(parameter.default, bool) else shown
    return f"{parameter.name}={shown} ({parameter.range_text})"


def bot_json(bot: "Bot") -> dict[str, Any]:
    """Describe a strategy for programs."""
    return {
        "game": bot.game,
        "name": bot.name,
        "kind": bot.kind,
        "summary": bot.summary,
        "version": bot.version,
        "origin": bot.origin,
        "references": list(bot.references),
        "parameters": [
            {
                "name": parameter.name,
                "type": parameter.type.__name__,
                "default": parameter.default,
                "low": parameter.low,
                "high": parameter.high,
                "help": parameter.help,
            }
            for parameter in bot.parameters
        ],
    }
