"""`sim games`: the games that can be played."""

from typing import Annotated

import typer

from sim.cli.printing import echo_json, echo_table, make_table


def games(
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the games with their numbers of seats."""
    from sim.engines.base import installed_games, load_game

    found = [load_game(name) for name in sorted(installed_games())]
    if json:
        echo_json(
            {
                "schema": "sim.games/1",
                "games": [
                    {
                        "name": game.name,
                        "title": game.title,
                        "rules_version": game.rules_version,
                        "seats": list(game.seat_counts),
                        "default_seats": game.default_seats,
                    }
                    for game in found
                ],
            }
        )
        return
    rows = [
        (game.name, game.title, seats_text(game.seat_counts), str(game.default_seats))
        for game in found
    ]
    echo_table(make_table(("name", "title", "seats", "default"), rows))


def seats_text(seats: range) -> str:
    """Give the numbers of seats in words.

    >>> seats_text(range(2, 7)), seats_text(range(3, 4))
    ('2 to 6', '3')
    """
    return f"{seats[0]} to {seats[-1]}" if len(seats) > 1 else str(seats[0])
