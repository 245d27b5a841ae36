"""The examples for users: they play, and the plain-Python twin plays as the compiled one."""

from pathlib import Path

import numpy as np
import pytest

from sim.strategies.loading import load_bot
from tests.strategies.tables import LIARS_DICE, VARIANTS, bind, play, play_against_random

EXAMPLES = Path(__file__).parents[2] / "examples"
TWIN = str(EXAMPLES / "threshold_bot.py")

SETTINGS: tuple[dict[str, float], ...] = (
    {},
    {"challenge_below": 0.15, "raise_above": 0.35, "bluff_rate": 0.3},
    {"challenge_below": 0, "raise_above": 0, "bluff_rate": 0},
    {"challenge_below": 1, "raise_above": 1, "bluff_rate": 1},
)


def test_twin_declares_the_same() -> None:
    """Both kinds have the same parameters, defaults and ranges."""
    built_in, twin = load_bot("threshold", LIARS_DICE), load_bot(TWIN, LIARS_DICE)

    declared = [
        [(p.name, p.default, p.low, p.high) for p in bot.parameters] for bot in (built_in, twin)
    ]
    assert declared[0] == declared[1]
    assert (built_in.kind, twin.kind) == ("compiled", "python")


@pytest.mark.parametrize("given", SETTINGS)
@pytest.mark.parametrize(("seats", "rules"), VARIANTS)
def test_twin_plays_identical_games(
    given: dict[str, float], seats: int, rules: dict[str, str]
) -> None:
    """Every number of every game is the same, whichever kind sits at the table."""
    built_in, twin = (
        play_against_random(bind(text, given), seats, rules, deals=5)
        for text in ("threshold", TWIN)
    )

    assert twin.faults == []
    assert np.array_equal(built_in.games, twin.games)


def test_twins_at_one_table() -> None:
    """Against each other the two kinds play exactly the games of either against itself."""
    mixed, alone = (
        play({"a": bind("threshold"), "b": bind(other)}, deals=100) for other in (TWIN, "threshold")
    )

    assert np.array_equal(mixed.games, alone.games)


@pytest.mark.parametrize(
    "path",
    [path for path in sorted(EXAMPLES.glob("*_bot.py")) if "dou_dizhu" not in path.stem],
    ids=lambda path: path.stem,
)
@pytest.mark.parametrize(("seats", "rules"), VARIANTS)
def test_examples_play_legally(path: Path, seats: int, rules: dict[str, str]) -> None:
    """What users copy makes no illegal action under any rules."""
    chunk = play_against_random(bind(str(path)), seats, rules, deals=20)

    assert chunk.faults == []


def test_first_example_beats_random() -> None:
    """The bot of the README wins nearly always against uniform play."""
    chunk = play({"a": bind(str(EXAMPLES / "my_bot.py")), "b": bind("random")}, deals=200)
    wins = sum(chunk.games[f"won_{s}"][chunk.games[f"player_{s}"] == 0].sum() for s in (0, 1))

    assert wins / len(chunk.games) > 0.95
