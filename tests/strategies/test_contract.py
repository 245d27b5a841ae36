"""What every installed strategy has to keep, whoever wrote it."""

import numpy as np
import pytest

from sim.strategies.loading import Bot, load_bot
from sim.strategies.parameters import Param, Value
from sim.strategies.registry import installed
from tests.strategies.tables import LIARS_DICE, VARIANTS, arena, bind, play, play_against_random

CATALOGUE = installed()
EVERY = pytest.mark.parametrize("bot", CATALOGUE.bots, ids=lambda bot: f"{bot.game}/{bot.name}")
DICE = pytest.mark.parametrize(
    "bot", [bot for bot in CATALOGUE.bots if bot.game == LIARS_DICE], ids=lambda bot: bot.name
)


def extremes(parameter: Param) -> list[Value]:
    """Give the values at the ends of a parameter's range, and its default."""
    ends = [end for end in (parameter.low, parameter.high) if end is not None]
    if parameter.type is bool:
        return [False, True]
    return [*(parameter.type(end) for end in ends), parameter.default]


def settings(bot: Bot) -> list[dict[str, Value]]:
    """Give settings in which each parameter takes each of its extremes, alone and together."""
    together: list[dict[str, Value]] = [{}]
    for parameter in bot.parameters:
        together = [
            {**given, parameter.name: value} for given in together for value in extremes(parameter)
        ]
    return together


def test_nothing_installed_is_broken() -> None:
    """Every entry point loads and is what it says."""
    assert CATALOGUE.problems == ()


@EVERY
def test_is_documented(bot: Bot) -> None:
    """A strategy says in a sentence what it does, and so does each parameter, with its range."""
    assert bot.summary.endswith(".")
    for parameter in bot.parameters:
        assert parameter.help
        assert parameter.has_range or parameter.type in (bool, str)


@EVERY
def test_is_found_again_by_its_text(bot: Bot) -> None:
    """The text kept in a run's specification leads to the same strategy in another process."""
    again = load_bot(bot.text, bot.game)

    assert (bot.game, bot.name, bot.made) == (again.game, again.name, again.made)


@DICE
@pytest.mark.parametrize(("seats", "rules"), VARIANTS)
def test_never_breaks_the_rules(bot: Bot, seats: int, rules: dict[str, str]) -> None:
    """No illegal action and no exception, at any table and with any parameters."""
    for given in settings(bot):
        chunk = play_against_random(bot.bind(given), seats, rules, deals=3)

        assert chunk.faults == [], given


@DICE
def test_never_breaks_the_rules_in_many_games(bot: Bot) -> None:
    """No illegal action in some ten thousand decisions."""
    chunk = play_against_random(bot.bind({}), 3, {}, deals=200)

    assert chunk.faults == []
    assert chunk.games["decisions"].sum() > 10_000


@DICE
def test_same_seed_same_games(bot: Bot) -> None:
    """A strategy draws from its own stream only: playing again gives the same games."""
    first, again = (play({"a": bot.bind({}), "b": bind("random")}, deals=20) for _ in range(2))

    assert np.array_equal(first.games, again.games)


@DICE
def test_no_memory_between_games(bot: Bot) -> None:
    """A game is the same whatever was played before it, and in whatever company."""
    table = arena({"a": bot.bind({}), "b": bind("random")}, deals=20)
    together = table.play(0, 20).games
    backwards = [table.play(block, block + 1).games for block in reversed(range(20))]

    assert np.array_equal(together, np.concatenate(backwards[::-1]))


@DICE
def test_the_seed_matters(bot: Bot) -> None:
    """Other seeds are other games."""
    first, other = (
        play({"a": bot.bind({}), "b": bind("random")}, deals=20, seed=seed) for seed in (1, 2)
    )

    assert not np.array_equal(first.games["decisions"], other.games["decisions"])
