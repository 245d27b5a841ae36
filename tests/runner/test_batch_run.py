"""Whole runs with batched strategies: the same bytes for any workers, and nothing lost."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"

FATAL = """
import os, signal, time
import numpy as np
from sim.strategies.api import BatchStrategy

class Bot(BatchStrategy):
    game = "liars-dice"

    def act_batch(self, views):
        bad = (views["own"][:, 6] == 2) & (views["round"] == 1) & (views["seats"] > 0)
        if bad.any():
            {body}
        lowest = views["bid"].astype(int) + 1
        raises = (views["bids_made"] < 3) & (lowest < 6 * views["dice_in_play"].astype(int))
        return np.where(raises, lowest, -1)
"""


def run(folder: Path, *words: str) -> Path:
    """Play a run; give its folder."""
    command = ["sim", "run", "--game", "liars-dice", "-q", "-o", str(folder), *words]
    done = subprocess.run(
        [sys.executable, "-m", *command],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder


def digests(folder: Path) -> dict[str, str]:
    """Give the hash of each file that has to be the same for equal runs."""
    paths = [*folder.glob("games/*"), *folder.glob("*.csv"), folder / "report.md"]
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in paths
    }


def test_a_network_gives_the_same_bytes_for_any_workers(tmp_path: Path) -> None:
    """One worker, two, or none: 9,000 games in three units of fixed batches."""
    words = ["-p", str(EXAMPLES / "batch_network.py"), "-p", "honest", "-p", "random"]
    words += ["--seats", "3", "--deals", "1500", "--seed", "3"]
    ways = (["-j", "1"], ["-j", "2", "--chunk", "7"], ["--in-process"])
    runs = [run(tmp_path / str(n), *words, *way) for n, way in enumerate(ways)]

    assert digests(runs[0]) == digests(runs[1]) == digests(runs[2])
    assert len(digests(runs[0])) >= 5


@pytest.mark.parametrize(
    ("body", "category"),
    [("os._exit(9)", "crash"), ("while True: time.sleep(0.01)", "timeout")],
)
def test_a_batch_that_kills_or_hangs_loses_few_games(
    tmp_path: Path, body: str, category: str
) -> None:
    """The run ends; forfeits are of the one player, and most of its games are played."""
    path = tmp_path / "bot.py"
    path.write_text(FATAL.format(body=body))
    folder = run(
        tmp_path / "run", "-p", f"bad={path}", "-p", "honest", "--deals", "8", "--seed", "5",
        "--move-timeout", "1", "-j", "1",
    )  # fmt: skip
    faults = [json.loads(line) for line in (folder / "faults.jsonl").read_text().splitlines()]

    assert {(fault["player"], fault["category"]) for fault in faults} == {("bad", category)}
    # of 16 games: those with two sixes, and the first or all of the batch that they were in
    assert 0 < len(faults) <= (8 if category == "crash" else 16)
