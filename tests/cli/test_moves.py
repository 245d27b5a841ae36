"""`sim moves`: the plays of a hand, and what is no hand."""

import json

import pytest
from typer.testing import CliRunner

from sim.cli.main import app


def test_plays_are_grouped_by_kind() -> None:
    """The 18 leads of oracles: 333444BR."""
    result = CliRunner().invoke(app, ["moves", "BR443343"])

    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0].split() == ["single", "4", "3", "4", "B", "R"]
    assert lines[-1] == "18 leads"


def test_json_has_the_same_plays() -> None:
    """Trios over 999 and the bomb, from the hand of oracles."""
    result = CliRunner().invoke(app, ["moves", "558999TJJJJKKK", "--beat", "999", "--json"])

    document = json.loads(result.stdout)
    assert document["plays"] == {"trio": ["JJJ", "KKK"], "bomb": ["JJJJ"]}
    assert document["count"] == 3


def test_a_hand_that_cannot_beat_may_only_pass() -> None:
    """Nothing is over both jokers."""
    result = CliRunner().invoke(app, ["moves", "3333", "--beat", "BR"])

    assert result.stdout == "nothing but pass\n"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["34X"], "'X' is no card"),
        (["33333"], "five cards '3'"),
        (["RR"], "two red jokers"),
        (["3456", "--beat", "34"], "'34' is no combination"),
        (["3456", "--beat", "3X"], "'X' is no card"),
    ],
)
def test_what_is_no_hand_is_refused_in_a_sentence(words: list[str], sentence: str) -> None:
    """One line that names the offending part, exit code 2."""
    result = CliRunner().invoke(app, ["moves", *words])

    assert result.exit_code == 2
    assert sentence in result.stderr
    assert result.stderr.count("\n") == 1
    assert not result.stdout
