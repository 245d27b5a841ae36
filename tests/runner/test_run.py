"""Runs in real processes, of a game whose results follow by arithmetic."""

import contextlib
import hashlib
import os
import random
import signal
import threading
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from sim.engines.base import FAULT_CATEGORIES
from sim.errors import UsageError
from sim.runner.run import Outcome, carry_out
from sim.runner.spec import Limits, RunSpec
from sim.runner.store import RunFolder, Store
from tests.runner.fake_arena import FakeWorkshop
from tests.runner.fake_game import fake_spec
from tests.runner.processes import depth, descendants

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


HARD_BEHAVIOURS = [
    ("exit", "crash", "its process ended with exit code 3"),
    ("kill", "crash", "its process ended with signal 9"),
    ("segfault", "crash", "its process ended with signal 11"),
    ("sleep", "timeout", "thought longer than --move-timeout, which is 0.2 s"),
    ("stubborn", "timeout", "thought longer than --move-timeout, which is 0.2 s"),
    ("spin", "timeout", "thought longer than --move-timeout, which is 0.2 s"),
    ("memory", "memory", "held more than 500000000 bytes"),
]


@pytest.mark.parametrize(("bot", "category", "detail"), HARD_BEHAVIOURS)
def test_a_bot_that_breaks_its_worker_forfeits_that_game(
    tmp_path: Path, bot: str, category: str, detail: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Attributed to player, game, seat and call; position from the game; all others unharmed."""
    monkeypatch.setattr("sim.runner.supervisor.GRACE_SECONDS", 0.1)
    limits = Limits(max_memory=500_000_000) if bot == "memory" else Limits(move_timeout=0.2)
    spec = fake_spec(3, deals=6, bots={"p01": bot}, limits=limits)

    outcome = run(spec, tmp_path / "bad", jobs=2)
    run(fake_spec(3, deals=6), tmp_path / "good", in_process=True)

    faults = list(RunFolder(tmp_path / "bad").faults())
    expected = [(d, u, s) for d, s in ((0, 0), (4, 1), (5, 0)) for u in (0, 2)]
    assert [(f["deal"], f["line_up"], f["seating"]) for f in faults] == expected
    assert {(f["player"], f["call"], f["category"]) for f in faults} == {("p01", 1, category)}
    assert {(f["detail"], f["position"]) for f in faults} == {(detail, "here")}
    assert (outcome.status, outcome.exit_code) == ("done", 0)
    assert outcome.faults == {"p01": {category: 6}}
    [bad] = RunFolder(tmp_path / "bad").parts()
    [good] = RunFolder(tmp_path / "good").parts()
    forfeits = bad[["fault_0", "fault_1"]]
    assert forfeits.any(axis=1).sum() == 6
    assert forfeits.max().max() == FAULT_CATEGORIES.index(category)
    rest = [name for name in bad.columns if not name.startswith("fault_")]
    pd.testing.assert_frame_equal(good[rest], bad[rest])


def test_a_process_that_is_killed_from_outside_costs_no_game(tmp_path: Path) -> None:
    """SIGKILL of workers and clerk at random: the same bytes, and nobody forfeits."""
    spec = fake_spec(3, deals=400)
    run(spec, tmp_path / "calm", in_process=True)
    stop = threading.Event()
    killed = []

    def kill_some() -> None:
        rng = random.Random(7)
        while not stop.wait(0.03):
            victims = [pid for pid in descendants(os.getpid()) if depth(pid, os.getpid()) == 2]
            if victims:
                pid = rng.choice(victims)
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
                    killed.append(pid)

    killer = threading.Thread(target=kill_some)
    killer.start()
    try:
        outcome = run(spec, tmp_path / "storm", jobs=2, chunk=2)
    finally:
        stop.set()
        killer.join()

    assert promised(tmp_path / "calm") == promised(tmp_path / "storm")
    assert len(killed) > 3
    assert outcome.faults == {}


def test_a_player_is_given_up_after_twenty_kills(tmp_path: Path) -> None:
    """From the game after the twentieth on it forfeits unasked, whoever played what and when."""
    spec = fake_spec(2, deals=60, bots={"p01": "exit"})

    first = run(spec, tmp_path / "first", jobs=1)
    second = run(spec, tmp_path / "second", jobs=3, chunk=1)

    assert promised(tmp_path / "first") == promised(tmp_path / "second")
    assert first == second == Outcome("done", 1, {"p01": {"crash": 20}}, ("p01",), None)
    run_folder = RunFolder(tmp_path / "first")
    faults = list(run_folder.faults())
    assert len(faults) == 20
    last = (faults[-1]["deal"], faults[-1]["seating"])
    games = pd.concat(run_folder.parts())
    for game in games.itertuples():
        place = (game.deal, game.seating)
        own = game.fault_0 if game.player_0 == 1 else game.fault_1
        failed = place > last or (game.deal + game.seating) % 5 == 0
        assert (own != 0) == failed, place
    assert run_folder.manifest["given_up"] == ["p01"]


@pytest.mark.parametrize("jobs", [1, 4])
def test_strict_ends_with_the_block_of_the_first_fault(tmp_path: Path, jobs: int) -> None:
    """First in schedule order, not in time; nothing after that block is stored."""
    spec = fake_spec(4, deals=60, first_deal=1, bots={"p03": "raise"}, limits=Limits(strict=True))

    outcome = run(spec, tmp_path / "run", jobs=jobs, chunk=3)

    # deal 4, seating 1 is the first with a fault; p03 sits in line-up 2 first (of six a deal)
    folder = RunFolder(tmp_path / "run")
    games = pd.concat(folder.parts())
    assert (games["deal"].iloc[-1], games["line_up"].iloc[-1]) == (4, 2)
    assert len(games) == 2 * (3 * 6 + 3)
    assert len(list(folder.faults())) == 1
    assert outcome.exit_code == 1
    assert outcome.stopped_early == {"reason": "strict", "blocks": 21}
    assert folder.manifest["stopped_early"] == outcome.stopped_early


@pytest.mark.parametrize(("allowed", "code"), [(12, 0), (11, 1)])
def test_more_faults_than_allowed_are_exit_code_1(tmp_path: Path, allowed: int, code: int) -> None:
    """`--max-faults N`: the run goes to its end; N are allowed, N + 1 are not."""
    limits = Limits(max_faults=allowed)
    spec = fake_spec(3, deals=15, bots={"p01": "raise"}, limits=limits)

    outcome = run(spec, tmp_path / "run", in_process=True)

    assert (outcome.status, outcome.exit_code) == ("done", code)
    assert outcome.faults == {"p01": {"exception": 12}}


@pytest.mark.parametrize(
    "limits", [Limits(move_timeout=1.0), Limits(max_memory=10**9)], ids=["time", "memory"]
)
def test_limits_that_need_a_process_are_refused_without_one(tmp_path: Path, limits: Limits) -> None:
    """`--in-process` with a limit on time or memory is an error, and nothing is written."""
    with pytest.raises(UsageError, match="leave out --in-process"):
        run(fake_spec(2, limits=limits), tmp_path / "run", in_process=True)

    assert list(tmp_path.iterdir()) == []
