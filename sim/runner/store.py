"""The folder of a run: one writer while it is played, any reader afterwards.

    games -> journal.sqlite -> games/part-*.parquet        (journal.py, parts.py)
    faults -> journal.sqlite -> faults.jsonl

The manifest lists the parts that are whole, and is the authority: a part is written, then listed,
then its rows leave the journal, so that at every moment every block is in one of the two.
"""

import contextlib
import fcntl
import json
import logging
import os
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from sim.engines.base import Game, load_game
from sim.errors import RunError, UsageError
from sim.runner import manifest as manifests
from sim.runner.journal import FILES as JOURNAL_FILES
from sim.runner.journal import Damage, Journal
from sim.runner.packing import pack_columns
from sim.runner.parts import Part, Partition, read_columns, read_part
from sim.runner.records import Fault
from sim.runner.schedule import Schedule
from sim.runner.spec import RunSpec

LOGGER: Final = logging.getLogger("sim.store")


class RunFolder:
    """A stored run, to read."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.manifest = manifests.read(folder)
        self.spec = RunSpec.model_validate(self.manifest["spec"])

    @cached_property
    def game(self) -> Game:
        """The game that was played."""
        return load_game(self.spec.game)

    @cached_property
    def rules(self) -> Any:
        """The rules that were played."""
        return self.game.rules(self.spec.seats, self.spec.rules)

    @cached_property
    def schedule(self) -> Schedule:
        """What was to be played."""
        return Schedule(self.spec, self.game, self.rules)

    def parts(self, columns: Iterable[str] | None = None) -> Iterator[Any]:
        """Give the stored games as data frames of whole deals, in schedule order."""
        wanted = None if columns is None else list(columns)
        for part in self.manifest["parts"]:
            yield read_part(self.folder / part["name"], wanted).to_pandas()

    def faults(self) -> Iterator[dict[str, Any]]:
        """Give the faults, in schedule order."""
        path = self.folder / manifests.FAULTS
        if path.exists():
            with path.open(encoding="utf-8") as file:
                yield from map(json.loads, file)


def open_run(folder: Path | str) -> RunFolder:
    """Open a stored run; UsageError where there is none."""
    return RunFolder(Path(folder))


class Covered:
    """Which blocks are there: a set of ranges that do not touch.

    >>> covered = Covered()
    >>> for first, stop in ((0, 4), (8, 9), (4, 8)):
    ...     covered.add(first, stop)
    >>> covered.ranges, list(covered.gaps(0, 12))
    ([(0, 9)], [(9, 12)])
    >>> covered.remove(2, 5)
    >>> list(covered.gaps(0, 9)), covered.count(0, 4)
    ([(2, 5)], 2)
    """

    def __init__(self) -> None:
        self._firsts: list[int] = []
        self._stops: list[int] = []

    @property
    def ranges(self) -> list[tuple[int, int]]:
        """Give the ranges, in order."""
        return list(zip(self._firsts, self._stops, strict=True))

    def add(self, first: int, stop: int) -> None:
        """Add blocks first .. stop - 1."""
        low = bisect_left(self._stops, first)
        high = bisect_right(self._firsts, stop)
        if low < high:
            first = min(first, self._firsts[low])
            stop = max(stop, self._stops[high - 1])
        self._firsts[low:high] = [first]
        self._stops[low:high] = [stop]

    def remove(self, first: int, stop: int) -> None:
        """Take blocks first .. stop - 1 out."""
        kept = []
        for a, b in self.ranges:
            kept += [(x, y) for x, y in ((a, min(b, first)), (max(a, stop), b)) if x < y]
        self._firsts = [a for a, _ in kept]
        self._stops = [b for _, b in kept]

    def gaps(self, first: int, stop: int) -> Iterator[tuple[int, int]]:
        """Give the ranges of first .. stop - 1 that are not there, in order."""
        place = first
        for a, b in self.ranges[bisect_right(self._stops, first) :]:
            if a >= stop:
                break
            if place < a:
                yield place, a
            place = max(place, b)
        if place < stop:
            yield place, stop

    def count(self, first: int, stop: int) -> int:
        """Count the blocks of first .. stop - 1 that are there."""
        return stop - first - sum(b - a for a, b in self.gaps(first, stop))


class Store:
    """The one writer of a run's folder. Use `create`; close it at the end, or stop it."""

    def __init__(
        self,
        folder: Path,
        schedule: Schedule,
        manifest: dict[str, Any],
        lock: int,
        *,
        resumed: bool = False,
    ) -> None:
        self.folder = folder
        self.schedule = schedule
        self.partition = Partition(schedule)
        self.manifest = manifest
        self.covered = Covered()
        self.forgotten = schedule.blocks
        """The first block that was forgotten since somebody last set this back."""
        self.listed: dict[int, Part] = {}
        """The parts that are whole, by number."""
        self._lock = lock
        with _written(folder):
            manifest["files"] = list(
                dict.fromkeys([*manifest["files"], *manifests.planned_files(self.partition)])
            )
            if not resumed:
                manifests.write(folder, manifest)
            self.journal = open_journal(folder)

    @classmethod
    def create(
        cls,
        folder: Path,
        schedule: Schedule,
        bound: Sequence[manifests.BoundBot],
        *,
        force: bool = False,
    ) -> "Store":
        """Begin a run in `folder`, made if need be; UsageError where that is not possible."""
        Partition(schedule)  # refuses what cannot be stored before anything is touched
        manifest = manifests.new_manifest(schedule.spec, schedule.game, bound)
        with _usable(folder):
            folder.mkdir(parents=True, exist_ok=True)
            lock = lock_folder(folder)
            try:
                if any(folder.iterdir()):
                    _make_room(folder, force=force)
                return cls(folder, schedule, manifest, lock)
            except BaseException:
                os.close(lock)
                raise

    @classmethod
    def reopen(cls, folder: Path, schedule: Schedule) -> "Store":
        """Go on with the run in `folder`, which `schedule` may extend by more deals.

        What is not whole is left out, so that it is played again.
        """
        with _usable(folder):
            lock = lock_folder(folder)
            try:
                manifest = manifests.read(folder)
                was_done = manifest["status"] == "done"
                manifest["spec"] = schedule.spec.model_dump(mode="json")
                listed = [Part(**part) for part in manifest["parts"]]
                store = cls(folder, schedule, manifest, lock, resumed=True)
                if was_done:
                    store.journal.add_faults(_read_faults(folder))
                store._take_up(listed)
            except BaseException:
                os.close(lock)
                raise
            return store

    def _take_up(self, parts: list[Part]) -> None:
        """Find out what is there and whole, and begin."""
        self._check_journal()
        for part in parts:
            if not part.is_whole(self.folder):
                LOGGER.warning("%s is damaged: its games are played again", part.name)
                continue
            self.journal.drop(part.first, part.stop)
            self.covered.add(part.first, part.stop)
            number = self.partition.number_of(part.first)
            if (part.first, part.stop) == self.partition.blocks_of(number):
                self.listed[number] = part
            else:  # the run was shorter: the part grows
                columns = read_columns(self.folder / part.name)
                self.journal.add(part.first, part.stop, pack_columns(columns), ())
        self.journal.commit()
        self.manifest["status"] = "running"
        self.manifest["finished"] = None
        self.write_list()

    def _check_journal(self) -> None:
        """Let go of rows that are damaged."""
        for first, stop in self.journal.places():
            if self.journal.is_whole(first):
                self.covered.add(first, stop)
            else:
                LOGGER.warning("blocks from %d on are damaged: played again", first)
                self.journal.drop_row(first)
        for deal, line_up in self.journal.damaged_faults():
            block = self.schedule.block_of(deal=deal, line_up=line_up)
            LOGGER.warning("a fault of block %d is damaged: the block is played again", block)
            self.journal.drop_faults(self.place(block), self.place(block + 1))
            self.forget(block, block + 1)

    def add(self, first: int, stop: int, data: bytes, faults: Iterable[Fault]) -> int | None:
        """Store a range of blocks of one part; give that part's number if it is complete now.

        `faults` are all faults of these blocks; others that were recorded are forgotten.
        """
        self.journal.drop_faults(self.place(first), self.place(stop))
        self.journal.add(first, stop, data, faults)
        self.covered.add(first, stop)
        number = self.partition.number_of(first)
        return number if self._is_complete(number, self.schedule.blocks) else None

    def place(self, block: int) -> tuple[int, int]:
        """Give deal and line-up of a block."""
        deal, line_up = divmod(block, len(self.schedule.line_ups))
        return deal + self.schedule.first_deal, line_up

    def recorded(self, first: int, stop: int) -> list[Fault]:
        """Give the faults recorded for a range of blocks."""
        return list(self.journal.faults(self.place(first), self.place(stop)))

    def _is_complete(self, number: int, limit: int) -> bool:
        first, stop = self.blocks_to_fold(number, limit)
        return first < stop and self.covered.count(first, stop) == stop - first

    def blocks_to_fold(self, number: int, limit: int) -> tuple[int, int]:
        """Give the blocks of a part, of which those from `limit` on are not wanted."""
        first, stop = self.partition.blocks_of(number)
        return first, min(stop, limit)

    def complete_parts(self, limit: int) -> list[int]:
        """Give the parts that could be written and are not listed."""
        return [n for n in self._unlisted(limit) if self._is_complete(n, limit)]

    def _unlisted(self, limit: int) -> list[int]:
        count = self.partition.number_of(limit - 1) + 1
        return [n for n in range(count) if n not in self.listed]

    def lacks(self, limit: int) -> bool:
        """Tell whether any part with blocks below `limit` is not listed yet."""
        return bool(self._unlisted(limit))

    def games_in(self, first: int, stop: int) -> int:
        """Count the games of a range of blocks."""
        return self.schedule.games_before(stop) - self.schedule.games_before(first)

    def games_covered(self) -> int:
        """Count the games that are there."""
        return sum(self.games_in(first, stop) for first, stop in self.covered.ranges)

    def list_part(self, number: int, part: Part) -> None:
        """List a part that was written, and let go of its rows."""
        self.listed[number] = part
        self.write_list()
        self.journal.drop(part.first, part.stop)

    def write_list(self) -> None:
        """Write the manifest with the parts that are listed."""
        parts = [self.listed[number] for number in sorted(self.listed)]
        self.manifest["parts"] = [part.to_json() for part in parts]
        self.manifest["blocks"] = sum(part.stop - part.first for part in parts)
        self.manifest["games"] = sum(part.games for part in parts)
        with _written(self.folder):
            manifests.write(self.folder, self.manifest)

    def forget(self, first: int, stop: int) -> list[tuple[int, int]]:
        """Let go of the games of a range of blocks; give the ranges that this took away.

        Whole rows of the journal and whole parts go. Recorded faults stay: they are played again.
        """
        gone = Covered()
        numbers = [n for n, part in self.listed.items() if part.first < stop and first < part.stop]
        for number in numbers:
            part = self.listed.pop(number)
            gone.add(part.first, part.stop)
        if numbers:
            self.write_list()
        for begin, end in self.journal.places():
            if begin < stop and first < end:
                gone.add(begin, end)
                self.journal.drop_row(begin)
        for begin, end in self.covered.ranges:
            if begin < stop and first < end:
                gone.add(max(begin, first), min(end, stop))
        for begin, end in gone.ranges:
            self.covered.remove(begin, end)
            self.forgotten = min(self.forgotten, begin)
        return gone.ranges

    def damaged(self, number: int, place: object) -> tuple[int, int]:
        """Say which blocks must be played again as a part could not be folded.

        `place` is what `Damage` said: the first block of a row, or nothing.
        """
        first, stop = self.partition.blocks_of(number)
        if isinstance(place, int) and first <= place < stop:
            return place, place + 1
        return first, stop

    def finish(
        self,
        limit: int,
        *,
        given_up: Sequence[str] = (),
        stopped_early: Mapping[str, Any] | None = None,
    ) -> dict[str, dict[str, int]]:
        """Write `faults.jsonl`, mark the run as done and remove the journal.

        `limit` is the number of blocks that the run came to. Give the number of faults by player
        and category.
        """
        counts: dict[str, dict[str, int]] = {}
        self.journal.drop_faults(self.place(limit))
        with _written(self.folder):
            lines = self._fault_lines(counts)
            manifests.write_whole(self.folder / manifests.FAULTS, lines)
            self.manifest["given_up"] = list(given_up)
            self.manifest["stopped_early"] = stopped_early
            self._end("done")
            for name in JOURNAL_FILES:
                (self.folder / name).unlink(missing_ok=True)
        return counts

    def _fault_lines(self, counts: dict[str, dict[str, int]]) -> Iterator[str]:
        """Give `faults.jsonl` line by line and count."""
        for fault in self.journal.faults():
            own = counts.setdefault(fault.player, {})
            own[fault.category] = own.get(fault.category, 0) + 1
            yield json.dumps(fault.to_json(), ensure_ascii=False) + "\n"

    def interrupt(self) -> None:
        """Keep what is there for `sim resume`."""
        self._end("interrupted")

    def _end(self, status: str) -> None:
        self.journal.close()
        self.manifest["status"] = status
        self.manifest["finished"] = manifests.now()
        with _written(self.folder):
            manifests.write(self.folder, self.manifest)

    def close(self) -> None:
        """Let go of the folder."""
        os.close(self._lock)


def open_journal(folder: Path) -> Journal:
    """Open the journal; one that SQLite cannot read is begun anew, and its games played again."""
    try:
        journal = Journal(folder)
        journal.check()
        return journal
    except Damage as damage:
        LOGGER.warning("the journal is damaged (%s): what was in it is played again", damage)
        for name in JOURNAL_FILES:
            (folder / name).unlink(missing_ok=True)
        return Journal(folder)


def _read_faults(folder: Path) -> Iterator[Fault]:
    """Read back the faults of a run that was done."""
    path = folder / manifests.FAULTS
    try:
        with path.open(encoding="utf-8") as file:
            for line in file:
                yield Fault.from_json(json.loads(line))
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{str(path)!r} cannot be read: {error}") from None


def lock_folder(folder: Path) -> int:
    """Take the folder for this process alone; give the descriptor that holds it."""
    lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        raise UsageError(f"another process is writing to {str(folder)!r}") from None
    return lock


def _make_room(folder: Path, *, force: bool) -> None:
    """Empty a folder of the run that is in it, if that was asked for."""
    if not force:
        raise UsageError(
            f"{str(folder)!r} is not empty: name another folder with --out, or replace the run "
            "that is in it with --force"
        )
    if not (folder / manifests.NAME).exists():
        raise UsageError(
            f"{str(folder)!r} is not empty and holds no run that --force could replace: name "
            "another folder with --out"
        )
    manifests.remove_run(folder)


@contextlib.contextmanager
def _usable(folder: Path) -> Iterator[None]:
    """Say that a folder cannot be used as output before a run."""
    try:
        yield
    except OSError as error:
        raise UsageError(f"cannot write to {str(folder)!r}: {error.strerror}") from None


@contextlib.contextmanager
def _written(folder: Path) -> Iterator[None]:
    """Say that a folder became unwritable during a run."""
    try:
        yield
    except OSError as error:
        said = error.strerror or error
        raise RunError(
            f"cannot write to {str(folder)!r}: {said} (what was stored stays valid)"
        ) from error
