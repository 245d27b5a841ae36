"""The store: ranges in any order, the same bytes; folders treated with care."""

import hashlib
import json
import random
import sqlite3
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from sim.engines.base import load_game
from sim.errors import UsageError
from sim.runner import manifest as manifests
from sim.runner.journal import Damage, Journal
from sim.runner.packing import DamagedBytes, pack_columns, unpack_columns
from sim.runner.parts import Partition, fold
from sim.runner.schedule import Schedule
from sim.runner.spec import PlayerSpec, RunSpec
from sim.runner.store import RunFolder, Store
from tests.runner.fake_arena import FakeArena
from tests.runner.fake_game import fake_bound, fake_spec

PROMISED = ("games/*.parquet", "faults.jsonl")


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let parts be small enough for a test to have several."""
    monkeypatch.setattr("sim.runner.parts.GAMES_PER_PART", 100)


def play_all(
    folder: Path, arena: FakeArena, cuts: list[tuple[int, int]], *, force: bool = False
) -> dict[str, str]:
    """Store the given ranges in the given order; give the hash of every promised file."""
    store = Store.create(folder, arena.schedule, fake_bound(arena.spec), force=force)
    for first, stop in cuts:
        chunk = arena.play(first, stop)
        complete = store.add(first, stop, pack_columns(chunk.columns()), chunk.faults)
        if complete is not None:
            begin, end = store.partition.blocks_of(complete)
            store.journal.commit()
            store.list_part(complete, fold(folder, arena.schedule, first=begin, stop=end))
    assert not store.lacks(arena.schedule.blocks)
    store.finish(arena.schedule.blocks)
    store.close()
    return promised(folder)


def promised(folder: Path) -> dict[str, str]:
    """Hash the files that must not depend on how a run was played."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for pattern in PROMISED
        for path in sorted(folder.glob(pattern))
    }


def cut(arena: FakeArena, size: int) -> list[tuple[int, int]]:
    """Cut the schedule into ranges that end where parts end."""
    partition = Partition(arena.schedule)
    return [
        (first, min(first + size, stop))
        for begin, stop in map(partition.blocks_of, range(partition.count))
        for first in range(begin, stop, size)
    ]


@pytest.fixture
def arena() -> FakeArena:
    """Play 3 players at 2 seats: 6 games a deal, 16 deals a part, 4 parts, the last one short."""
    return FakeArena(fake_spec(3, deals=60, bots={"p01": "raise"}))


def test_order_and_size_of_ranges_leave_no_trace(tmp_path: Path, arena: FakeArena) -> None:
    """One block at a time in random order, or whole parts: the same bytes."""
    single = cut(arena, 1)
    random.Random(7).shuffle(single)

    first = play_all(tmp_path / "single", arena, single)
    second = play_all(tmp_path / "whole", arena, cut(arena, 1000))

    assert first == second
    assert list(first) == [f"games/part-0000{i}.parquet" for i in range(4)] + ["faults.jsonl"]


def test_what_was_played_is_what_is_read(tmp_path: Path, arena: FakeArena) -> None:
    """Every column of every game comes back in schedule order with its type; faults too."""
    play_all(tmp_path / "run", arena, cut(arena, 7))
    chunk = arena.play(0, arena.schedule.blocks)

    run = RunFolder(tmp_path / "run")
    frames = [pd.read_parquet(tmp_path / "run" / part["name"]) for part in run.manifest["parts"]]
    read = pd.concat(frames, ignore_index=True)

    pd.testing.assert_frame_equal(pd.DataFrame(chunk.games), read)
    assert [fault.to_json() for fault in chunk.faults] == list(run.faults())
    assert (run.manifest["status"], run.manifest["blocks"], run.manifest["games"]) == (
        "done",
        arena.schedule.blocks,
        arena.schedule.games,
    )
    names = {path.name for path in (tmp_path / "run").iterdir()}
    assert names == {"games", "faults.jsonl", "manifest.json"}  # no journal, nothing temporary


def test_parts_give_chosen_columns_of_whole_deals(tmp_path: Path, arena: FakeArena) -> None:
    """Readers get data frames part by part, with the columns asked for, in that order."""
    play_all(tmp_path / "run", arena, cut(arena, 7))

    parts = list(RunFolder(tmp_path / "run").parts(["won_1", "deal"]))

    assert [list(part.columns) for part in parts] == [["won_1", "deal"]] * 4
    assert [sorted(set(part["deal"])) for part in parts] == [
        [*range(16)],
        [*range(16, 32)],
        [*range(32, 48)],
        [*range(48, 60)],
    ]


def test_a_longer_run_begins_with_the_same_parts(tmp_path: Path) -> None:
    """More deals: the parts that were full before have the same bytes."""
    short, long = (FakeArena(fake_spec(3, deals=deals)) for deals in (32, 60))

    first = play_all(tmp_path / "short", short, cut(short, 5))
    second = play_all(tmp_path / "long", long, cut(long, 6))

    for name in ("games/part-00000.parquet", "games/part-00001.parquet"):
        assert first[name] == second[name]


def test_a_deal_larger_than_a_part_is_a_part(tmp_path: Path) -> None:
    """35 line-ups of 6 games are 210 games a deal: one deal a part."""
    arena = FakeArena(fake_spec(7, seats=3, deals=2))

    files = play_all(tmp_path / "run", arena, cut(arena, 10))

    assert len([name for name in files if name.startswith("games")]) == 2


def test_a_deal_too_large_to_store_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    """30 players at six seats are 35 million games a deal: sample the line-ups instead."""
    arena = FakeArena(fake_spec(30, seats=6))

    with pytest.raises(UsageError, match=r"35626500 games.*--line-ups N"):
        Store.create(tmp_path / "run", arena.schedule, fake_bound(arena.spec))

    assert list(tmp_path.iterdir()) == []


def test_damaged_rows_are_noticed(tmp_path: Path, arena: FakeArena) -> None:
    """A flipped byte in a row, a missing row: the fold says which range is at fault."""
    store = Store.create(tmp_path / "run", arena.schedule, fake_bound(arena.spec))
    _, stop = store.partition.blocks_of(0)
    for first in range(0, stop, 8):
        store.add(first, first + 8, pack_columns(arena.play(first, first + 8).columns()), ())
    store.journal.commit()
    raw = sqlite3.connect(tmp_path / "run" / "journal.sqlite", isolation_level=None)
    [[data]] = raw.execute("SELECT games FROM ranges WHERE first = 16").fetchall()
    raw.execute(
        "UPDATE ranges SET games = ? WHERE first = 16", (data[:-1] + bytes([data[-1] ^ 1]),)
    )

    with pytest.raises(Damage) as damage:
        fold(tmp_path / "run", arena.schedule, first=0, stop=stop)
    raw.execute("DELETE FROM ranges WHERE first = 16")
    with pytest.raises(Damage) as missing:
        fold(tmp_path / "run", arena.schedule, first=0, stop=stop)

    assert (damage.value.args, missing.value.args) == ((16,), (None,))
    assert not list((tmp_path / "run").glob("games/*"))
    raw.close()
    store.interrupt()
    store.close()


def test_damaged_faults_are_noticed(tmp_path: Path, arena: FakeArena) -> None:
    """A fault whose text changed is not passed on."""
    journal = Journal(tmp_path)
    journal.add(0, 60, b"", arena.play(0, 60).faults)
    journal.commit()
    raw = sqlite3.connect(tmp_path / "journal.sqlite", isolation_level=None)
    raw.execute("UPDATE faults SET record = replace(record, 'ZeroDivisionError', 'TypeError')")
    raw.close()

    with pytest.raises(Damage):
        list(journal.faults())
    journal.close()


@pytest.mark.parametrize("length", [0, 30, -1])
def test_bytes_that_break_off_are_no_games(arena: FakeArena, length: int) -> None:
    """Truncated in the header or in a column, or too long: refused."""
    chunk = arena.play(0, 40)
    games = chunk.games
    data = pack_columns(chunk.columns())

    with pytest.raises(DamagedBytes):
        unpack_columns(data[:length], len(games), games.dtype)
    with pytest.raises(DamagedBytes):
        unpack_columns(data + b"x", len(games), games.dtype)


def test_every_value_survives_packing() -> None:
    """Columns at the ends of their types, constant and not, whole and empty."""
    dtype = np.dtype([("a", "i1"), ("b", "i2"), ("c", "i4"), ("d", "?"), ("e", "i8")])
    games = np.zeros(5, dtype)
    for name in "abce":
        info = np.iinfo(dtype[name])
        games[name] = [info.min, info.max, 0, -1, 1]
    games["d"] = [True, False, True, True, False]

    for rows in (games, games[:1], games[:0]):
        given = {name: rows[name] for name in dtype.names or ()}
        columns = unpack_columns(pack_columns(given), len(rows), dtype)
        for name in dtype.names or ():
            np.testing.assert_array_equal(rows[name], columns[name])
            assert columns[name].dtype == dtype[name]


def test_a_folder_that_is_not_empty_is_refused(tmp_path: Path, arena: FakeArena) -> None:
    """Nothing of others is touched, with --force neither."""
    (tmp_path / "notes.txt").write_text("mine")

    for force in (False, True):
        with pytest.raises(UsageError, match="is not empty"):
            Store.create(tmp_path, arena.schedule, fake_bound(arena.spec), force=force)

    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_force_removes_the_files_of_that_run_and_no_others(
    tmp_path: Path, arena: FakeArena
) -> None:
    """A file beside the run, and one in its folder of games, survive; stale parts do not."""
    longer = FakeArena(fake_spec(3, deals=90))
    play_all(tmp_path, longer, cut(longer, 50))
    manifests.add_files(tmp_path, ["report.md"])
    for name in ("report.md", "notes.txt", "games/mine.txt"):
        (tmp_path / name).write_text("text")

    with pytest.raises(UsageError, match="--force"):
        play_all(tmp_path, arena, cut(arena, 50))
    files = play_all(tmp_path, arena, cut(arena, 50), force=True)

    assert len([name for name in files if name.startswith("games")]) == 4
    names = {str(p.relative_to(tmp_path)) for p in tmp_path.rglob("*") if p.is_file()}
    assert {"notes.txt", "games/mine.txt"} <= names
    assert "report.md" not in names


def test_a_manifest_that_names_files_elsewhere_is_not_obeyed(
    tmp_path: Path, arena: FakeArena
) -> None:
    """--force removes nothing outside the folder."""
    play_all(tmp_path / "run", arena, cut(arena, 50))
    victim = tmp_path / "victim.txt"
    victim.write_text("mine")
    for name in ("../victim.txt", str(victim)):
        path = tmp_path / "run" / "manifest.json"
        manifest = json.loads(path.read_text())
        path.write_text(json.dumps({**manifest, "files": [name]}))

        with pytest.raises(UsageError, match="not inside its folder"):
            Store.create(tmp_path / "run", arena.schedule, fake_bound(arena.spec), force=True)

    assert victim.exists()


def test_one_writer_a_folder(tmp_path: Path, arena: FakeArena) -> None:
    """A second run into a folder that is being written is refused, with --force too."""
    store = Store.create(tmp_path, arena.schedule, fake_bound(arena.spec))

    with pytest.raises(UsageError, match="another process is writing"):
        Store.create(tmp_path, arena.schedule, fake_bound(arena.spec), force=True)

    store.interrupt()
    store.close()
    play_all(tmp_path, arena, cut(arena, 50), force=True)


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path, arena: FakeArena) -> None:
    """A file in the way: one sentence."""
    (tmp_path / "file").write_text("")

    with pytest.raises(UsageError, match=r"cannot write to .*file/run': Not a directory"):
        Store.create(tmp_path / "file" / "run", arena.schedule, fake_bound(arena.spec))


def test_a_manifest_of_somebody_else_is_no_run(tmp_path: Path) -> None:
    """Reading refuses what it does not know, in one sentence."""
    with pytest.raises(UsageError, match="is no run"):
        RunFolder(tmp_path)
    (tmp_path / "manifest.json").write_text('{"format": "other/1"}')
    with pytest.raises(UsageError, match="format 'other/1'"):
        RunFolder(tmp_path)
    (tmp_path / "manifest.json").write_text('{"format": ')
    with pytest.raises(UsageError, match="cannot be read"):
        RunFolder(tmp_path)


def test_a_real_game_can_be_stored_and_reopened(tmp_path: Path) -> None:
    """`open_run` finds game, rules and schedule again from the manifest alone."""
    game = load_game("liars-dice")
    rules = game.rules(3, {})
    players = tuple(PlayerSpec(label=label, bot="random") for label in "abc")
    spec = RunSpec(game=game.name, rules=rules.options(), seats=3, deals=5, seed=7, players=players)
    store = Store.create(tmp_path, Schedule(spec, game, rules), fake_bound(spec))
    store.interrupt()
    store.close()

    run = RunFolder(tmp_path)

    assert (run.spec, run.rules, run.game.name) == (spec, rules, "liars-dice")
    assert (run.schedule.games, run.manifest["status"]) == (30, "interrupted")
    assert list(run.parts()) == []
