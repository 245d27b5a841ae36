"""`sim rules GAME`: the rules as they are played here, and what can be changed."""

from typing import Annotated

import typer

from sim.cli.printing import echo, echo_json, echo_table, make_table


def rules(
    game: Annotated[str, typer.Argument(help="A game; `sim games` lists them.")],
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Print the rules of a game and its options (`--rule NAME=VALUE`)."""
    from sim.engines.base import load_game

    found = load_game(game)
    if json:
        echo_json(
            {
                "schema": "sim.rules/1",
                "game": found.name,
                "rules_version": found.rules_version,
                "text": found.rules_text(),
                "options": [
                    {
                        "name": option.name,
                        "default": option.default,
                        "choices": option.choices,
                        "help": option.help,
                    }
                    for option in found.rule_options
                ],
            }
        )
        return
    echo(found.rules_text().strip())
    echo()
    rows = [
        (option.name, option.default, option.choices, option.help) for option in found.rule_options
    ]
    echo_table(make_table(("option", "default", "choices", "what it does"), rows))
