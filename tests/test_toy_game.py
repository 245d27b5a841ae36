"""A third game, installed like anybody's package, plays through to the report: no room knows it."""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

TOY = Path(__file__).parent / "toy"

ENTRY_POINTS = """[sim.games]
high-card = toygame:GAME
[sim.strategies]
high-card/bold = toygame.bots:bold
high-card/meek = toygame.bots:Meek
"""


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Install the game by its metadata alone: a folder on the path."""
    site = tmp_path_factory.mktemp("site")
    info = site / "toygame-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: toygame\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRY_POINTS)
    return {**os.environ, "PYTHONPATH": os.pathsep.join((str(TOY), str(site)))}


def sim(environment: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    """Run the program."""
    return subprocess.run(
        [sys.executable, "-m", "sim", *words],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_a_new_game_is_one_package_and_no_change_elsewhere(
    environment: dict[str, str], tmp_path: Path
) -> None:
    """Listed, played by workers with compiled and plain bots, stored, judged and reported."""
    listed = json.loads(sim(environment, "games", "--json").stdout)
    out = tmp_path / "r"
    words = ["run", "--game", "high-card", "-p", "bold", "-p", "meek", "-p", "shy=meek"]
    ran = sim(
        environment, *words, "--seats", "3", "--deals", "50", "--seed", "7", "--out", str(out)
    )

    assert "high-card" in json.dumps(listed)
    assert ran.returncode == 0, ran.stderr
    with (out / "standings.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["player"]: row for row in csv.DictReader(file)}
    assert set(rows) == {"bold", "meek", "shy"}
    assert rows["meek"]["score_mean"] == rows["shy"]["score_mean"]  # same bot, all orders
    assert int(rows["meek"]["faults"]) > 0
    total = sum(float(row["score_mean"]) for row in rows.values())
    assert abs(total) < 1e-5  # zero-sum
    report = (out / "report.md").read_text(encoding="utf-8")
    assert report.startswith("# High Card: 3 players at 3 seats")
    assert "all stakes" in report  # its own counter, as a distribution
    faults = [json.loads(line) for line in (out / "faults.jsonl").read_text().splitlines()]
    assert all(fault["category"] == "illegal" for fault in faults)
    assert all(fault["position"].startswith("cards [") for fault in faults)


def test_unknown_rules_of_the_new_game_are_refused(
    environment: dict[str, str], tmp_path: Path
) -> None:
    """Its own sentence, exit code 2, nothing written."""
    out = tmp_path / "r"

    ran = sim(
        environment, "run", "--game", "high-card", "-p", "bold", "-p", "meek",
        "--rule", "jokers=2", "--out", str(out),
    )  # fmt: skip

    assert ran.returncode == 2
    assert "unknown rule of high-card 'jokers'" in ran.stderr
    assert not out.exists()
