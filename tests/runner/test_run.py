"""Runs in real processes, of a game whose results follow by arithmetic."""

import hashlib
from pathlib import Path
from typing import Any

import pytest

from sim.runner.run import Outcome, carry_out
from sim.runner.spec import RunSpec
from sim.runner.store import Store
from tests.runner.fake_arena import FakeWorkshop
from tests.runner.fake_game import fake_spec

PROMISED = ("games/*.parquet", "faults.jsonl")


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let parts be small enough for a test to have several; forked processes know it too."""
    monkeypatch.setattr("sim.runner.parts.GAMES_PER_PART", 100)


def run(spec: RunSpec, folder: Path, **how: Any) -> Outcome:
    """Play a spec of the fake game."""
    workshop = FakeWorkshop(spec)
    arena = workshop.arena()
    return carry_out(
        workshop, arena, lambda: Store.create(folder, arena.schedule, arena.bound), **how
    )


def promised(folder: Path) -> dict[str, str]:
    """Hash the files that must not depend on how a run was played."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for pattern in PROMISED
        for path in sorted(folder.glob(pattern))
    }


@pytest.mark.parametrize(
    "how",
    [{"jobs": 1}, {"jobs": 2}, {"jobs": 5}, {"jobs": 2, "chunk": 1}, {"jobs": 2, "chunk": 64}],
    ids=str,
)
def test_the_same_bytes_however_it_is_played(tmp_path: Path, how: dict[str, Any]) -> None:
    """Any number of workers, any chunk: what `--in-process` writes."""
    spec = fake_spec(4, deals=60, bots={"p02": "raise"})

    here = run(spec, tmp_path / "here", in_process=True)
    there = run(spec, tmp_path / "there", **how)

    assert promised(tmp_path / "here") == promised(tmp_path / "there")
    assert here == there
    assert here.faults == {"p02": {"exception": 72}}
