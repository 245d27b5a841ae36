"""Runs that are stopped, killed, damaged, resumed and extended end in the same bytes."""

import hashlib
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sim.errors import UsageError
from sim.runner.nursery import Fork, Nursery, Prepare
from sim.runner.run import Outcome, carry_out, extended, reopen
from sim.runner.spec import Limits, RunSpec
from sim.runner.store import RunFolder, Store
from tests.runner.fake_arena import FakeArena, FakeWorkshop
from tests.runner.fake_game import FakeBound, fake_spec
from tests.runner.processes import descendants, parents
from tests.runner.program import play

ROOT = Path(__file__).parents[2]

SLOW = fake_spec(4, deals=60, bots={"p01": "slow", "p02": "raise"})
"""720 games in about 1.5 s of one worker: slow enough to be stopped on the way."""


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let parts be small enough for a test to have several."""
    monkeypatch.setattr("sim.runner.parts.GAMES_PER_PART", 100)


def promised(folder: Path) -> dict[str, str]:
    """Hash the files that must not depend on how a run was played."""
    paths = [*sorted(folder.glob("games/*.parquet")), folder / "faults.jsonl"]
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}


def here(spec: RunSpec, folder: Path) -> Outcome:
    """Play in this process."""
    workshop = FakeWorkshop(spec)
    arena = workshop.arena()
    return carry_out(
        workshop,
        arena,
        lambda: Store.create(folder, arena.schedule, arena.bound),
        in_process=True,
    )


def resumed(folder: Path, deals: int | None = None, arena: FakeArena | None = None) -> Outcome:
    """Resume in this process."""
    spec = extended(RunFolder(folder).manifest, deals)
    workshop = FakeWorkshop(spec)
    made = arena or workshop.arena()
    return carry_out(workshop, made, lambda: reopen(folder, made), in_process=True)


def start(folder: Path, spec: RunSpec, **case: Any) -> "subprocess.Popen[str]":
    """Start the program on a run."""
    case = {"spec": spec.model_dump(mode="json"), "jobs": 2, **case}
    return subprocess.Popen(
        [sys.executable, "-m", "tests.runner.program", json.dumps(case), str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )


def wait_until(condition: Callable[[], bool], seconds: float = 20.0) -> None:
    """Wait for something that is bound to happen."""
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.01)


def journaled(folder: Path) -> int:
    """Count the ranges that were committed."""
    try:
        with sqlite3.connect(f"file:{folder}/journal.sqlite?mode=ro", uri=True) as connection:
            [[count]] = connection.execute("SELECT count(*) FROM ranges").fetchall()
            return int(count)
    except sqlite3.Error:
        return 0


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Give the hashes of an undisturbed run."""
    folder = tmp_path_factory.mktemp("calm") / "run"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sim.runner.parts.GAMES_PER_PART", 100)
        here(SLOW, folder)
    return promised(folder)


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["int", "term"]
)
def test_a_signal_stops_soon_and_loses_no_finished_block(
    tmp_path: Path, calm: dict[str, str], number: int, code: int
) -> None:
    """Within 2 s, exit code 130 or 143, no process left; resuming gives the bytes of a calm run."""
    folder = tmp_path / "run"
    process = start(folder, SLOW)
    wait_until(lambda: journaled(folder) > 0)
    family = descendants(process.pid)

    process.send_signal(number)
    process.communicate(timeout=10)

    assert process.returncode == code
    assert len(family) == 4  # nursery, two workers, clerk
    assert not set(family) & set(parents())
    run = RunFolder(folder)
    assert run.manifest["status"] == "interrupted"
    assert run.manifest["parts"] or journaled(folder)
    assert resumed(folder).status == "done"
    assert promised(folder) == calm


def test_a_second_signal_stops_at_once(tmp_path: Path) -> None:
    """A bot that hangs for long does not hold up the second Ctrl-C."""
    folder = tmp_path / "run"
    process = start(folder, fake_spec(2, deals=9, bots={"p00": "stubborn"}))
    wait_until(lambda: len(descendants(process.pid)) == 4)
    time.sleep(0.3)

    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=10)

    assert process.returncode == 130


def forked(folder: Path, spec: RunSpec, **case: Any) -> int:
    """Start the same without a fresh interpreter; give its process id."""
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            case = {"spec": spec.model_dump(mode="json"), "jobs": 2, **case}
            code = play(case, folder).exit_code
        finally:
            os._exit(code)
    return pid


def kill_after(pid: int, seconds: float) -> bool:
    """Kill a run some time after its workers started; False if it was done before that."""
    wait_until(lambda: len(descendants(pid)) >= 3 or pid not in parents())
    time.sleep(seconds)
    family = descendants(pid)
    os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    wait_until(lambda: not set(family) & set(parents()), 2.0)
    return os.waitstatus_to_exitcode(status) == -signal.SIGKILL


def test_killed_at_any_moment_and_resumed(tmp_path: Path, calm: dict[str, str]) -> None:
    """SIGKILL of main at 20 seeded moments, resumed each time: no orphan, the same bytes."""
    folder = tmp_path / "run"
    rng = random.Random(7)
    kills = 0
    while kills < 20:
        again = (folder / "manifest.json").exists()
        if not kill_after(forked(folder, SLOW, resume=again), rng.random() * 0.2):
            break
        kills += 1

    assert kills >= 5
    resumed(folder)
    assert promised(folder) == calm


def test_the_nursery_can_be_killed(tmp_path: Path, calm: dict[str, str]) -> None:
    """Main stores what arrived, says so and leaves with 3; nobody is left; it can be resumed."""
    folder = tmp_path / "run"
    process = start(folder, SLOW)
    wait_until(lambda: journaled(folder) > 0)
    [nursery] = [pid for pid in descendants(process.pid) if len(descendants(pid)) == 3]
    family = descendants(process.pid)

    os.kill(nursery, signal.SIGKILL)
    _, said = process.communicate(timeout=10)

    assert process.returncode == 3
    assert said == (
        f"sim: the process that starts the workers died; go on with: sim resume {folder}\n"
    )
    wait_until(lambda: not set(family) & set(parents()), 2.0)
    resumed(folder)
    assert promised(folder) == calm


def test_nobody_outlives_main_and_nursery(tmp_path: Path) -> None:
    """Both killed at once: a worker whose bot catches everything and hangs is gone within 2 s."""
    pid = forked(tmp_path / "run", fake_spec(2, deals=9, bots={"p00": "stubborn"}))
    wait_until(lambda: len(descendants(pid)) == 4)
    time.sleep(0.3)
    family = descendants(pid)
    [nursery] = [child for child in family if len(descendants(child)) == 3]

    os.kill(pid, signal.SIGSTOP)  # main cannot tidy up
    os.kill(nursery, signal.SIGKILL)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)

    wait_until(lambda: not set(family) & set(parents()), 2.0)


def test_more_deals_give_the_bytes_of_a_longer_run(tmp_path: Path) -> None:
    """Extended once and again, the last part growing: as if played in one go."""
    bots = {"p02": "raise"}
    here(fake_spec(3, deals=60, bots=bots), tmp_path / "long")
    here(fake_spec(3, deals=21, bots=bots), tmp_path / "short")

    first = resumed(tmp_path / "short", deals=40)
    second = resumed(tmp_path / "short", deals=60)

    assert promised(tmp_path / "short") == promised(tmp_path / "long")
    assert (first.status, second.status) == ("done", "done")
    assert RunFolder(tmp_path / "short").spec.deals == 60


def test_a_run_that_is_done_is_done(tmp_path: Path) -> None:
    """Resuming it plays nothing and changes nothing."""
    spec = fake_spec(3, deals=30, bots={"p02": "raise"})
    outcome = here(spec, tmp_path)
    before = promised(tmp_path)

    assert resumed(tmp_path) == outcome
    assert promised(tmp_path) == before


def test_a_main_that_hangs_up_early_is_no_fault(tmp_path: Path) -> None:
    """Main may have nothing for its workers to do, or leave while they are born: in silence."""
    spec = fake_spec(3, deals=9)
    here(spec, tmp_path)

    process = start(tmp_path, spec, resume=True, jobs=5)
    _, said = process.communicate(timeout=20)
    nursery = Nursery.start()
    nursery.send(Prepare(FakeWorkshop(spec), tmp_path))
    for slot in range(4):
        nursery.send(Fork(slot, "worker"))
    family = descendants(nursery.pid)
    nursery.stop()

    assert (process.returncode, said) == (0, "")
    assert not {nursery.pid, *family} & set(parents())


def test_damage_is_noticed_and_played_again(tmp_path: Path) -> None:
    """A truncated part, a changed byte in one, and one that is gone."""
    spec = fake_spec(3, deals=60, bots={"p02": "raise"})
    here(spec, tmp_path)
    before = promised(tmp_path)
    parts = sorted(tmp_path.glob("games/*"))
    data = parts[0].read_bytes()
    parts[0].write_bytes(data[:-10])
    middle = len(data) // 2
    parts[1].write_bytes(data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :])
    parts[2].unlink()

    resumed(tmp_path)

    assert promised(tmp_path) == before


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE ranges SET games = zeroblob(length(games)) WHERE first > 50",
        "UPDATE ranges SET games = substr(games, 1, 20)",
        "UPDATE ranges SET stop = stop + 1",
        "UPDATE faults SET record = '{}'",
        None,
    ],
)
def test_a_damaged_journal_is_not_trusted(
    tmp_path: Path, calm: dict[str, str], statement: str | None
) -> None:
    """Changed rows, changed faults, or a file that is no database any more: played again."""
    folder = tmp_path / "run"
    process = start(folder, SLOW, chunk=7)
    wait_until(lambda: journaled(folder) > 3)
    process.kill()
    process.communicate(timeout=10)
    if statement is None:
        (folder / "journal.sqlite").write_bytes(b"x" * 100_000)
    else:
        raw = sqlite3.connect(folder / "journal.sqlite", isolation_level=None)
        raw.execute(statement)
        raw.close()

    resumed(folder)

    assert promised(folder) == calm


def test_recorded_forfeits_are_replayed_on_resume(tmp_path: Path) -> None:
    """A bot that crashed before the interruption need not crash again: its forfeit stands."""
    spec = fake_spec(2, deals=40, bots={"p00": "exit", "p01": "slow"})
    folder = tmp_path / "run"
    process = start(folder, spec, chunk=1)
    wait_until(lambda: journaled(folder) > 4)
    process.kill()
    process.communicate(timeout=10)
    with sqlite3.connect(folder / "journal.sqlite") as connection:
        connection.execute("DELETE FROM ranges")

    players = fake_spec(2, bots={"p01": "slow"}).players
    harmless = FakeArena(spec.model_copy(update={"players": players}))
    resumed(folder, arena=harmless)

    faults = list(RunFolder(folder).faults())
    assert faults
    assert {fault["category"] for fault in faults} == {"crash"}
    assert {fault["position"] for fault in faults} == {"here"}


def test_a_run_that_would_be_another_is_refused(tmp_path: Path) -> None:
    """Changed rules, strategies and plugin files are named; nothing is touched."""
    spec = fake_spec(2, bots={"p01": "raise"})
    plugin = tmp_path / "bot.py"
    plugin.write_text("one")
    workshop = FakeWorkshop(spec)
    arena = workshop.arena()
    arena.bound[1] = FakeBound("python", trusted=False, sources=(plugin,))
    folder = tmp_path / "run"
    carry_out(
        workshop,
        arena,
        lambda: Store.create(folder, arena.schedule, arena.bound),
        in_process=True,
    )
    before = promised(folder)

    plugin.write_text("two")
    with pytest.raises(UsageError, match=r"'p01' was played by another '.*bot.py': it has changed"):
        resumed(folder, arena=arena)
    arena.bound[1] = FakeBound("python", trusted=False, sources=())
    with pytest.raises(UsageError, match="is not used any more"):
        resumed(folder, arena=arena)
    arena.bound[1] = FakeBound("python", trusted=False, version="2")
    with pytest.raises(UsageError, match="version 1 of its strategy, and this is version 2"):
        resumed(folder, arena=arena)
    manifest = RunFolder(folder).manifest
    (folder / "manifest.json").write_text(json.dumps({**manifest, "rules_version": 9}))
    with pytest.raises(UsageError, match="version 9 of the rules"):
        resumed(folder)

    assert promised(folder) == before


def test_what_cannot_be_extended_is_refused(tmp_path: Path) -> None:
    """Fewer deals than there are, and a run that stopped by itself."""
    here(fake_spec(2, deals=9), tmp_path / "run")
    strict = fake_spec(2, deals=9, bots={"p01": "raise"}, limits=Limits(strict=True))
    here(strict, tmp_path / "strict")

    with pytest.raises(UsageError, match="has 9 deals already, which 5 would cut short"):
        resumed(tmp_path / "run", deals=5)
    with pytest.raises(UsageError, match="stopped early"):
        resumed(tmp_path / "strict", deals=20)


def test_ctrl_c_in_this_process_ends_after_the_chunk(tmp_path: Path, calm: dict[str, str]) -> None:
    """Without workers too: what was played is kept, exit code 130, and the run can be resumed."""
    folder = tmp_path / "run"
    pid = forked(folder, SLOW, in_process=True)
    wait_until(lambda: journaled(folder) > 0)

    os.kill(pid, signal.SIGINT)
    _, status = os.waitpid(pid, 0)

    assert os.waitstatus_to_exitcode(status) == 130
    resumed(folder)
    assert promised(folder) == calm
