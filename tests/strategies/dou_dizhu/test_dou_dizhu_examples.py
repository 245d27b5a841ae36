"""The Dou Dizhu examples for users: the bot plays as it says, the tournament can be played."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from sim.cli.main import app
from tests.strategies.dou_dizhu.tables import bind, decision, play, wins

EXAMPLES = Path(__file__).parents[3] / "examples"
BOT = str(EXAMPLES / "dou_dizhu_bot.py")

HANDS = "hands=33344556789TJQK2B/45667788999TTJKA2/34578TJJQQQKKAA2R bottom=6A2"


@pytest.mark.parametrize("auction", [False, True])
def test_example_plays_legally_and_beats_random(auction: bool) -> None:
    """What users copy makes no illegal action, and beats uniform play in either mode."""
    chunk = play({"a": bind(BOT), "b": bind("random")}, auction=auction, deals=60)

    assert chunk.faults == []
    if not auction:
        assert wins(chunk).mean() > 0.8  # .93 over 600 games; the standard error is .023


@pytest.mark.parametrize(
    ("position", "expected"),
    [
        (HANDS, "1"),  # one top card beyond one
        (f"{HANDS} calls=1", "pass"),
        (f"rules=auction:false {HANDS}", "3456789TJQKA"),
        (f"rules=auction:false {HANDS} plays=A", "pass"),  # no 2 while nobody is nearly out
        (f"rules=auction:false {HANDS} plays=3", "4"),
        (f"rules=auction:false {HANDS} plays=3,4", "pass"),  # its partner's
    ],
)
def test_example_plays_as_its_comments_say(position: str, expected: str) -> None:
    """In this position it does that."""
    assert decision(bind(BOT), position) == expected


def test_example_tournament_can_be_played() -> None:
    """Its players, parameters and words are right."""
    file = str(EXAMPLES / "dou_dizhu.toml")

    result = CliRunner().invoke(app, ["run", file, "--deals", "10", "--dry-run"])

    assert result.exit_code == 0
    assert "10 line-ups x 10 deals x 6 seatings = 600 games" in result.output
