"""Runs in real processes, of a game whose results follow by arithmetic."""

import contextlib
import hashlib
import os
import random
import re
import resource
import signal
import threading
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from sim.engines.base import FAULT_CATEGORIES
from sim.errors import PluginError, RunError, UsageError
from sim.runner.records import Chunk, Fault
from sim.runner.run import Outcome, carry_out, reopen
from sim.runner.spec import Limits, RunSpec
from sim.runner.store import RunFolder, Store
from sim.runner.worker import MORE_TRACEBACKS
from tests.runner.fake_arena import FakeArena, FakeWorkshop
from tests.runner.fake_game import fake_spec
from tests.runner.processes import depth, descendants

PROMISED = ("games/*.parquet", "faults.jsonl")


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let parts be small enough for a test to have several; forked processes know it too."""
    monkeypatch.setattr("sim.runner.parts.GAMES_PER_PART", 100)


class Unloadable(FakeWorkshop):
    """Strategies that do not load in a worker."""

    def arena(self, *given: Any, **named: Any) -> FakeArena:
        """Refuse."""
        raise PluginError("no luck")


class Deadly(FakeWorkshop):
    """A worker that dies at birth."""

    def arena(self, *given: Any, **named: Any) -> FakeArena:
        """Die."""
        os._exit(7)


class BrokenArena(FakeArena):
    """Has a fault."""

    def play(self, first_block: int, stop_block: int, injected: Sequence[Fault] = ()) -> Chunk:
        """Fail."""
        raise AssertionError("ours")


class Broken(FakeWorkshop):
    """Makes arenas that have a fault."""

    def arena(self, *given: Any, **named: Any) -> FakeArena:
        """Make one."""
        return BrokenArena(self.spec)


def run(
    spec: RunSpec, folder: Path, workshop: type[FakeWorkshop] = FakeWorkshop, **how: Any
) -> Outcome:
    """Play a spec of the fake game."""
    arena = FakeWorkshop(spec).arena()
    return carry_out(
        workshop(spec), arena, lambda: Store.create(folder, arena.schedule, arena.bound), **how
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
    log = (tmp_path / "bad" / "run.log").read_text()
    assert ("ended with" in log) == (bot != "sleep")  # a signal was enough for that one
    [bad] = RunFolder(tmp_path / "bad").parts()
    [good] = RunFolder(tmp_path / "good").parts()
    forfeits = bad[["fault_0", "fault_1"]]
    assert forfeits.any(axis=1).sum() == 6
    assert forfeits.max().max() == FAULT_CATEGORIES.index(category)
    rest = [name for name in bad.columns if not name.startswith("fault_")]
    pd.testing.assert_frame_equal(good[rest], bad[rest])


def test_a_process_that_is_killed_from_outside_costs_no_game(tmp_path: Path) -> None:
    """SIGKILL of workers and clerk at random: the same bytes, and nobody forfeits."""
    spec = fake_spec(3, deals=100, bots={"p00": "doze"})
    run(spec, tmp_path / "calm", in_process=True)
    stop = threading.Event()
    killed = []

    def kill_some() -> None:
        rng = random.Random(7)
        while not stop.wait(0.1):
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
    assert len(killed) > 3, len(killed)
    assert outcome.faults == {}


def test_two_hundred_kills_in_a_row_lose_nothing(tmp_path: Path) -> None:
    """Workers die as fast as they are born: no deadlock, no game lost, no line of the log lost."""
    spec = fake_spec(16, deals=3, bots={f"p{i:02}": "exit" for i in range(16)})

    outcome = run(spec, tmp_path / "run", jobs=4, chunk=1)

    assert outcome.exit_code == 0
    assert sum(own["crash"] for own in outcome.faults.values()) == 240
    blocks = range(120 * 3)
    log = (tmp_path / "run" / "run.log").read_text()
    assert {int(n) for n in re.findall(r"plays (\d+) to", log)} == {*blocks}
    assert len(re.findall("ended with exit code 3", log)) == 2 * 240  # said, and forfeited for


def test_a_plugin_that_fails_only_in_a_worker_ends_the_run(tmp_path: Path) -> None:
    """What a worker cannot load is an error with the exit code of plugins, and nobody hangs."""
    with pytest.raises(PluginError, match="no luck"):
        run(fake_spec(2), tmp_path / "run", workshop=Unloadable, jobs=2)

    assert RunFolder(tmp_path / "run").manifest["status"] == "interrupted"


def test_a_fault_of_ours_is_not_taken_for_one_of_a_bot(tmp_path: Path) -> None:
    """An exception that leaves the arena ends the run, and its traceback is in the log."""
    with pytest.raises(RunError, match="AssertionError: ours"):
        run(fake_spec(2), tmp_path / "run", workshop=Broken, jobs=2)

    assert "raise AssertionError" in (tmp_path / "run" / "run.log").read_text()


def test_workers_that_only_die_end_the_run(tmp_path: Path) -> None:
    """Twenty deaths in a row for which no strategy can be blamed: enough."""
    with pytest.raises(RunError, match="20 workers died in a row, the last with exit code 7"):
        run(fake_spec(2), tmp_path / "run", workshop=Deadly, jobs=2)


def test_a_full_disk_is_said_and_harms_nothing(tmp_path: Path) -> None:
    """A file that may not grow: one sentence, exit code 3; what was stored can be resumed."""
    spec = fake_spec(4, deals=300)
    workshop = FakeWorkshop(spec)
    arena = workshop.arena()
    pid = os.fork()
    if pid == 0:
        try:
            resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, 150_000))
            run(spec, tmp_path / "run", jobs=2)
        except RunError as error:
            (tmp_path / "said").write_text(str(error))
            os._exit(error.exit_code)
        finally:
            os._exit(99)
    _, status = os.waitpid(pid, 0)

    assert os.waitstatus_to_exitcode(status) == 3
    assert "what was stored stays valid" in (tmp_path / "said").read_text()
    run(spec, tmp_path / "calm", in_process=True)
    carry_out(workshop, arena, lambda: reopen(tmp_path / "run", arena), in_process=True)
    assert promised(tmp_path / "calm") == promised(tmp_path / "run")


def test_tracebacks_are_kept_in_reason(tmp_path: Path) -> None:
    """A bot that always raises: every forfeit is recorded, the traceback of the first hundred."""
    outcome = run(fake_spec(2, deals=400, bots={"p01": "raise"}), tmp_path, in_process=True)

    traces = Counter(fault["traceback"] for fault in RunFolder(tmp_path).faults())
    assert outcome.faults == {"p01": {"exception": 160}}
    assert traces == {"line 1": 100, MORE_TRACEBACKS: 60}


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
