"""Which blocks to play next, and how many at a time. Nothing of it shows in any output."""

from typing import Final

from sim.runner.parts import Partition
from sim.runner.schedule import Schedule
from sim.runner.store import Covered

CHUNK_SECONDS: Final = 0.1
"""Aim: long enough to make handing out cheap, short enough that little is lost or waited for."""

FIRST_GAMES: Final = 64
"""Games of the first chunk, before anything is known about how long they take."""

MOST_GAMES: Final = 1 << 17

GROWTH: Final = 8
"""A chunk has at most this many times the blocks of the one before."""


class Feed:
    """Hands out ranges of blocks in schedule order; what was lost is put back and comes first."""

    def __init__(
        self,
        schedule: Schedule,
        done: Covered,
        *,
        chunk: int | None = None,
        unit: int | None = None,
    ) -> None:
        """Hand out what is not `done`; `chunk` blocks at a time, if given.

        `unit`: hand out up to the next multiple of so many blocks instead (units.py).
        """
        self.limit = schedule.blocks
        self._partition = Partition(schedule)
        self._taken = Covered()
        for first, stop in done.ranges:
            self._taken.add(first, stop)
        self._place = 0
        self._fixed = chunk
        self._unit = unit
        games_per_block = max(1, schedule.games_per_deal // len(schedule.line_ups))
        self._most = max(1, MOST_GAMES // games_per_block)
        self._size = chunk or max(1, FIRST_GAMES // games_per_block)

    def take(self) -> tuple[int, int] | None:
        """Give the next range, which lies in one part; None if there is none for now."""
        for first, stop in self._taken.gaps(self._place, self.limit):
            end = self._partition.blocks_of(self._partition.number_of(first))[1]
            size = self._size if self._unit is None else self._unit - first % self._unit
            stop = min(stop, first + size, end)
            self._taken.add(first, stop)
            self._place = stop
            return first, stop
        return None

    def put_back(self, first: int, stop: int) -> None:
        """Take back blocks first .. stop - 1: they are to be played (again)."""
        self._taken.remove(first, stop)
        self._place = min(self._place, first)

    def learn(self, blocks: int, seconds: float) -> None:
        """Note how long some blocks took, to make the next chunks of a good size."""
        if self._fixed is None:
            wanted = int(CHUNK_SECONDS * blocks / max(seconds, 1e-6))
            self._size = max(1, min(wanted, GROWTH * blocks, self._most))

    @property
    def may_queue(self) -> bool:
        """Tell whether a worker may have a second chunk waiting: not while blocks take long."""
        return self._size > 1 or self._fixed is not None
