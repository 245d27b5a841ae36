"""Ending a run early by a rule: the same end however it is played, and nothing stored past it."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sim import tournament
from sim.errors import UsageError
from sim.runner.request import Request, request
from sim.runner.run import extended
from sim.runner.store import open_run

FLAGS: dict[str, Any] = {
    "game": "liars-dice",
    "players": ["random", "honest", "dudo"],
    "deals": "3000",
    "seed": "7",
    "in_process": True,
}


def ask(out: Path, **more: str) -> Request:
    """Ask for a run of three players that may end early."""
    return request({**FLAGS, "out": str(out), **more})


def play(out: Path, chunk: int, **more: str) -> dict[str, Any]:
    """Play it in this process; give its manifest."""
    outcome = tournament.play(ask(out, **more), chunk=chunk)
    assert (outcome.status, outcome.exit_code) == ("done", 0)
    manifest: dict[str, Any] = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
    return manifest


def test_it_ends_at_the_same_deal_for_any_chunk(tmp_path: Path) -> None:
    """Parts are equal to the last byte, and hold whole deals up to the end alone."""
    ends = []
    for chunk in (7, 1000):
        folder = tmp_path / str(chunk)
        manifest = play(folder, chunk, until_width="0.08")
        ends.append((manifest["stopped_early"], [part["sha256"] for part in manifest["parts"]]))

    assert ends[0] == ends[1]
    stopped = ends[0][0]
    assert stopped["reason"] == "every interval is at most 0.08 wide"
    deals = np.concatenate([part["deal"] for part in open_run(tmp_path / "7").parts(["deal"])])
    assert stopped["blocks"] == 3 * (deals[-1] + 1)
    assert len(deals) == 6 * (deals[-1] + 1)


def test_the_end_is_the_first_deal_at_which_the_rule_holds(tmp_path: Path) -> None:
    """Asked of the whole run afterwards, the rule names the same deal."""
    whole = tmp_path / "whole"
    tournament.play(ask(whole))
    games = next(open_run(whole).parts())
    means = np.zeros((3, 3000))
    for player in range(3):
        for seat in (0, 1):
            own = games[games[f"player_{seat}"] == player]
            means[player] += np.bincount(own["deal"], own[f"won_{seat}"], 3000) / 4
    rule = tournament.stop_rule(ask(tmp_path / "x", until_width="0.08").spec)
    assert rule is not None
    found = rule(means)
    assert found is not None

    manifest = play(tmp_path / "stopped", 100, until_width="0.08")

    assert manifest["stopped_early"]["blocks"] == 3 * found[0]


def test_a_sequential_test_ends_the_run_and_says_how(tmp_path: Path) -> None:
    """The pair is named, and the outcome from the first one's side."""
    manifest = play(tmp_path / "r", 50, sprt="dudo,random,lo=0,hi=0.3")

    assert manifest["stopped_early"]["reason"] == "SPRT: dudo is better than random"


def test_a_rule_that_never_holds_lets_the_run_play_to_its_end(tmp_path: Path) -> None:
    """All deals are there, and the intervals are those of a confidence sequence still."""
    manifest = play(tmp_path / "r", 500, until_width="0.0001")

    assert manifest["stopped_early"] is None
    assert manifest["games"] == 18_000
    assert tournament.analyse(tmp_path / "r").standings["games"].sum() == 36_000


def test_a_run_with_a_rule_cannot_be_extended(tmp_path: Path) -> None:
    """Its end is the rule's: more deals would change what its intervals mean."""
    manifest = play(tmp_path / "r", 500, until_width="0.08")

    with pytest.raises(UsageError, match="stopping rule"):
        extended(manifest, 5000)


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"until_width": "0"}, "above 0"),
        ({"until_width": "nan"}, "above 0"),
        ({"sprt": "dudo,honest"}, "write A,B,lo=NUMBER,hi=NUMBER"),
        ({"sprt": "dudo,honst,lo=0,hi=1"}, "did you mean 'honest'"),
        ({"sprt": "dudo,dudo,lo=0,hi=1"}, "against itself"),
        ({"sprt": "dudo,honest,lo=1,hi=0"}, "lo must be below hi"),
        ({"sprt": "dudo,honest,lo=0,hi=1,alpha=0.7"}, "alpha must be above 0 and below 0.5"),
    ],
)
def test_refusals(tmp_path: Path, more: dict[str, str], sentence: str) -> None:
    """One sentence that quotes the value."""
    with pytest.raises(UsageError, match=sentence):
        ask(tmp_path / "r", **more)
