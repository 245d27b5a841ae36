"""`sim games`, `sim strategies`, `sim rules`: what there is, for people and for programs."""

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sim.cli.main import app
from sim.engines.base import installed_games, load_game
from sim.strategies.registry import installed

GAMES = sorted(installed_games())


def output(*words: str) -> str:
    """Run a command that works and give what it prints."""
    result = CliRunner().invoke(app, list(words))
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def test_games_are_listed_for_people_and_programs() -> None:
    """Every installed game is there, with its numbers of seats."""
    table = output("games")
    document = json.loads(output("games", "--json"))

    assert document["schema"] == "sim.games/1"
    assert [game["name"] for game in document["games"]] == GAMES
    dice = next(game for game in document["games"] if game["name"] == "liars-dice")
    assert (dice["seats"], dice["default_seats"]) == ([2, 3, 4, 5, 6], 2)
    assert all(name in table for name in GAMES)


def test_strategies_are_listed_with_parameters_and_ranges() -> None:
    """A person can write `-p name:parameter=value` from the table alone."""
    table = output("strategies", "liars-dice")

    assert "aggressiveness=0.5 (0..1)" in table
    assert all(bot.summary in table for bot in installed("liars-dice").bots)


def test_strategies_for_programs_hold_the_same() -> None:
    """The JSON has each declared parameter with type, default and range."""
    document = json.loads(output("strategies", "--json"))

    assert document["schema"] == "sim.strategies/1"
    bold = next(bot for bot in document["strategies"] if bot["name"] == "aggressive")
    assert (bold["game"], bold["kind"], bold["origin"]) == ("liars-dice", "compiled", "built in")
    [parameter] = bold["parameters"]
    assert (parameter["name"], parameter["type"], parameter["default"]) == (
        "aggressiveness",
        "float",
        0.5,
    )
    assert (parameter["low"], parameter["high"]) == (0, 1)


@pytest.mark.parametrize("game", GAMES)
def test_rules_are_printed_with_every_option(game: str) -> None:
    """The rules say how to change them."""
    text = output("rules", game)
    document = json.loads(output("rules", game, "--json"))

    options = load_game(game).rule_options
    assert [option["name"] for option in document["options"]] == [o.name for o in options]
    assert all(option.help in text and option.choices in text for option in options)
    assert document["text"].strip() in text


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_page_under_the_same_headings(game: str) -> None:
    """A reader finds each game's rules, differences and columns in the same places."""
    page = Path(__file__).parents[2].joinpath("docs", "games", f"{game}.md").read_text()

    headings = [line for line in page.splitlines() if line.startswith("## ")]
    assert headings == [
        "## Rules",
        "## Where ours differ",
        "## Sizes",
        "## What a strategy sees",
        "## Actions",
        "## End and score",
        "## Counters",
        "## Version history",
    ]
    counters = re.findall(r"^\| `(\w+)` \|", page, flags=re.MULTILINE)
    assert counters == [counter.name for counter in load_game(game).counters]
    assert f"| {load_game(game).rules_version} |" in page
