"""The journal of a run: what has been played and is not yet in a part, in one SQLite file.

    ranges  first, stop, sum, games    a range of blocks, packed (packing.py), with its checksum
    faults  the key, record, sum       every fault of the run so far, as JSON

Ranges arrive in any order and never overlap. The journal is in WAL mode: what was committed
survives the death of any process, and the clerk reads it while main writes.
"""

import json
import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from time import monotonic
from typing import Final, NamedTuple

from sim.errors import RunError
from sim.runner.packing import checksum
from sim.runner.records import Fault

NAME: Final = "journal.sqlite"
FILES: Final = (NAME, f"{NAME}-wal", f"{NAME}-shm")

COMMIT_SECONDS: Final = 0.25
"""Longest that a range waits to be committed while others arrive."""

PAGE_SIZE: Final = 32768
"""Larger than SQLite's default: rows are megabytes, and this halves the time they take."""

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS ranges (
    first INTEGER PRIMARY KEY, stop INTEGER NOT NULL, sum INTEGER NOT NULL, games BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS faults (
    deal INTEGER, line_up INTEGER, seating INTEGER, seat INTEGER, call INTEGER,
    record TEXT NOT NULL, sum INTEGER NOT NULL,
    PRIMARY KEY (deal, line_up, seating, seat, call)
) WITHOUT ROWID;
"""


Place = tuple[int, int]
"""Deal and line-up: where a block is."""

FIRST_PLACE: Final = (-1, -1)
LAST_PLACE: Final = (2**63 - 1, 2**63 - 1)


class Range(NamedTuple):
    """A range of blocks and its packed games."""

    first: int
    stop: int
    data: bytes


class Damage(Exception):
    """Rows that are not what was written; what they held must be played again."""


class Journal:
    """Rows in, rows out; who uses it decides what they mean."""

    def __init__(self, folder: Path, *, reader: bool = False) -> None:
        """Open the journal in `folder`, made if need be; a `reader` is opened beside a writer."""
        self._connection = sqlite3.connect(folder / NAME, isolation_level=None, timeout=60)
        if not reader:
            self._run(f"PRAGMA page_size={PAGE_SIZE}")
            self._run("PRAGMA journal_mode=WAL")
            with _stored():
                self._connection.executescript(SCHEMA)
        self._run("PRAGMA synchronous=NORMAL")
        self._committed = monotonic()

    def _run(self, statement: str, values: Iterable[object] = ()) -> sqlite3.Cursor:
        with _stored():
            return self._connection.execute(statement, tuple(values))

    def add(self, first: int, stop: int, data: bytes, faults: Iterable[Fault]) -> None:
        """Add a range and its faults; committed soon (see `commit_if_due`)."""
        self._begin()
        self._run(
            "INSERT INTO ranges VALUES (?, ?, ?, ?)",
            (first, stop, checksum(first, stop, data), data),
        )
        self.add_faults(faults)

    def add_faults(self, faults: Iterable[Fault]) -> None:
        """Add faults; one that is known by its key is replaced."""
        self._begin()
        with _stored():
            self._connection.executemany(
                "INSERT OR REPLACE INTO faults VALUES (?, ?, ?, ?, ?, ?, ?)", map(_row, faults)
            )

    def _begin(self) -> None:
        if not self._connection.in_transaction:
            self._run("BEGIN IMMEDIATE")

    def commit(self) -> None:
        """Make sure that what was added survives the death of this process."""
        if self._connection.in_transaction:
            self._run("COMMIT")
        self._committed = monotonic()

    def commit_if_due(self) -> None:
        """Commit what has waited for long enough."""
        if self._connection.in_transaction and monotonic() - self._committed >= COMMIT_SECONDS:
            self.commit()

    def places(self) -> list[tuple[int, int]]:
        """Give (first, stop) of all ranges, in order."""
        return [(a, b) for a, b in self._run("SELECT first, stop FROM ranges ORDER BY first")]

    def read(self, first: int, stop: int) -> Iterator[Range]:
        """Give the ranges that begin in first .. stop - 1, in order; Damage where one is not whole.

        Where a range is damaged, its place is the argument of `Damage`.
        """
        rows = self._run(
            "SELECT first, stop, sum, games FROM ranges WHERE first >= ? AND first < ?"
            " ORDER BY first",
            (first, stop),
        )
        for begin, end, expected, data in rows:
            if not isinstance(data, bytes) or checksum(begin, end, data) != expected:
                raise Damage(begin)
            yield Range(begin, end, data)

    def drop(self, first: int, stop: int) -> None:
        """Remove the ranges that begin in first .. stop - 1."""
        self._begin()
        self._run("DELETE FROM ranges WHERE first >= ? AND first < ?", (first, stop))

    def drop_row(self, first: int) -> None:
        """Remove the range that begins at `first`."""
        self.drop(first, first + 1)

    def is_whole(self, first: int) -> bool:
        """Tell whether the range that begins at `first` is there and is what was written."""
        try:
            return len(list(self.read(first, first + 1))) == 1
        except Damage:
            return False

    def drop_faults(self, first: Place = FIRST_PLACE, stop: Place = LAST_PLACE) -> None:
        """Remove the faults of the blocks (deal, line-up) from `first` to before `stop`."""
        self._begin()
        self._run(
            "DELETE FROM faults WHERE (deal, line_up) >= (?, ?) AND (deal, line_up) < (?, ?)",
            (*first, *stop),
        )

    def faults(self, first: Place = FIRST_PLACE, stop: Place = LAST_PLACE) -> Iterator[Fault]:
        """Give the faults of the blocks (deal, line-up) from `first` to before `stop`, in order.

        Damage, with its key, where one is not whole.
        """
        rows = self._run(
            "SELECT deal, line_up, seating, seat, call, record, sum FROM faults"
            " WHERE (deal, line_up) >= (?, ?) AND (deal, line_up) < (?, ?)"
            " ORDER BY deal, line_up, seating, seat, call",
            (*first, *stop),
        )
        for *key, record, expected in rows:
            if not isinstance(record, str) or zlib.crc32(record.encode()) != expected:
                raise Damage(tuple(key))
            yield Fault.from_json(json.loads(record))

    def damaged_faults(self) -> set[Place]:
        """Give the blocks with a fault that is not what was written."""
        rows = self._run("SELECT deal, line_up, record, sum FROM faults")
        return {
            (deal, line_up)
            for deal, line_up, record, expected in rows
            if not isinstance(record, str) or zlib.crc32(record.encode()) != expected
        }

    def check(self) -> None:
        """Damage if SQLite finds that the file is not one of its own, whole."""
        [verdict] = self._run("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise Damage(verdict)

    def checkpoint(self) -> None:
        """Move what is in the log into the database, so that the log can begin anew."""
        self._run("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    def close(self) -> None:
        """Commit and close."""
        self.commit()
        self._connection.close()


def _row(fault: Fault) -> tuple[object, ...]:
    record = json.dumps(fault.to_json(), ensure_ascii=False)
    return (*fault.key, record, zlib.crc32(record.encode()))


class _stored:
    """Turn what SQLite says into an error for people; a damaged file is `Damage`."""

    def __enter__(self) -> None: ...

    def __exit__(self, kind: type | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, sqlite3.OperationalError):
            raise RunError(
                f"the journal cannot be written: {error} (what was stored stays valid)"
            ) from error
        if isinstance(error, sqlite3.DatabaseError):
            raise Damage(str(error)) from error
