"""The stored games: `games/part-NNNNN.parquet`, each with the games of a fixed number of deals.

The number of deals follows from the games of one deal alone, so that a run can be extended; a part
is written in one go, under a temporary name, synced, and renamed, so that it is whole or not there.
"""

import hashlib
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from sim.errors import UsageError
from sim.runner.journal import Damage, Journal
from sim.runner.packing import DamagedBytes, is_stored, unpack_columns
from sim.runner.records import games_dtype
from sim.runner.schedule import Schedule

FOLDER: Final = "games"

GAMES_PER_PART: Final = 1 << 18
"""Games of a part, rounded down to whole deals (but at least one)."""

MOST_GAMES_PER_DEAL: Final = 1 << 21
"""A deal is stored in one piece: this many games take about a gigabyte while being written."""

ROW_GROUP: Final = 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A stored part, as the manifest lists it."""

    name: str
    first: int
    """Its first block, and the one after its last."""
    stop: int
    games: int
    size: int
    sha256: str

    def to_json(self) -> dict[str, Any]:
        """Give the part as it stands in the manifest."""
        return asdict(self)

    def is_whole(self, folder: Path) -> bool:
        """Tell whether the file in `folder` is the one that was written."""
        try:
            data = (folder / self.name).read_bytes()
        except OSError:
            return False
        return len(data) == self.size and hashlib.sha256(data).hexdigest() == self.sha256


class Partition:
    """Which blocks are in which part."""

    def __init__(self, schedule: Schedule) -> None:
        if schedule.games_per_deal > MOST_GAMES_PER_DEAL:
            raise UsageError(
                f"one deal is {schedule.games_per_deal} games, and {MOST_GAMES_PER_DEAL} are the "
                "most that can be stored: play a balanced sample of N line-ups with --line-ups N"
            )
        deals = max(1, GAMES_PER_PART // schedule.games_per_deal)
        self.blocks_per_part = deals * len(schedule.line_ups)
        self.blocks = schedule.blocks
        self.count = -(-self.blocks // self.blocks_per_part)

    def number_of(self, block: int) -> int:
        """Give the part that a block is in."""
        return block // self.blocks_per_part

    def blocks_of(self, number: int) -> tuple[int, int]:
        """Give the first block of part `number`, and the one after its last."""
        first = number * self.blocks_per_part
        return first, min(first + self.blocks_per_part, self.blocks)

    @staticmethod
    def name(number: int) -> str:
        """Give the file name of part `number` in the folder of the run.

        >>> Partition.name(3)
        'games/part-00003.parquet'
        """
        return f"{FOLDER}/part-{number:05}.parquet"


def fold(folder: Path, schedule: Schedule, *, first: int, stop: int) -> Part:
    """Write blocks first .. stop - 1 from the journal in `folder` into their part.

    Damage where the journal does not hold these blocks whole; its argument is the first block of
    the range at fault, None if blocks are missing.
    """
    journal = Journal(folder, reader=True)
    try:
        columns = _read_columns(journal, schedule, first, stop)
        journal.checkpoint()
    finally:
        journal.close()
    name = Partition.name(Partition(schedule).number_of(first))
    size, digest = write_part(folder / name, columns)
    games = len(columns["deal"])
    return Part(name=name, first=first, stop=stop, games=games, size=size, sha256=digest)


def _read_columns(
    journal: Journal, schedule: Schedule, first: int, stop: int
) -> dict[str, NDArray[Any]]:
    dtype = games_dtype(schedule.game, schedule.rules.seats)
    pieces: list[dict[str, NDArray[Any]]] = []
    expected = first
    for row in journal.read(first, stop):
        if row.first != expected:
            raise Damage(None)
        count = schedule.games_before(row.stop) - schedule.games_before(row.first)
        try:
            pieces.append(unpack_columns(row.data, count, dtype))
        except DamagedBytes:
            raise Damage(row.first) from None
        expected = row.stop
    if expected != stop:
        raise Damage(None)
    tasks = schedule.tasks(first, stop)
    columns: dict[str, NDArray[Any]] = {}
    for name in dtype.names or ():
        if name in ("deal", "line_up", "seating"):
            column = tasks[name]
        elif name.startswith("player_"):
            column = tasks["player"][:, int(name.removeprefix("player_"))]
        else:
            column = np.concatenate([piece.pop(name) for piece in pieces])
        columns[name] = np.ascontiguousarray(column, dtype=dtype[name])
    return columns


def write_part(path: Path, columns: dict[str, NDArray[Any]]) -> tuple[int, str]:
    """Write a part in one call; give its size and SHA-256.

    Numbers are small and stored as four bytes: splitting them into streams of first, second, ...
    bytes lets LZ4 shrink them six-fold in half the time that dictionaries take.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.table({name: pa.array(column) for name, column in columns.items()})
    split = {n: "BYTE_STREAM_SPLIT" for n, c in columns.items() if c.dtype != np.bool_}
    path.parent.mkdir(exist_ok=True)
    temporary = path.with_name(path.name + ".tmp")
    pq.write_table(
        table,
        temporary,
        row_group_size=ROW_GROUP,
        compression="lz4",
        use_dictionary=False,
        write_statistics=False,
        column_encoding=split,
    )
    data = temporary.read_bytes()
    with temporary.open("rb") as file:
        os.fsync(file.fileno())
    temporary.rename(path)
    sync_folder(path.parent)
    return len(data), hashlib.sha256(data).hexdigest()


def read_part(path: Path, columns: Iterable[str] | None = None) -> Any:
    """Give a part as a table of pyarrow."""
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file:
        return file.read(None if columns is None else list(columns), use_threads=False)


def read_columns(path: Path) -> dict[str, NDArray[Any]]:
    """Give the columns of a part that do not follow from the schedule."""
    table = read_part(path)
    return {n: table[n].to_numpy() for n in table.column_names if is_stored(n)}


def sync_folder(folder: Path) -> None:
    """Make sure that a rename in `folder` is on disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
