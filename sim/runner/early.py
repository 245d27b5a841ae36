"""Ending a run early by a rule: looks at whole deals in schedule order, as they become complete.

The rule is a function of the deal means of all players so far; it looks at every prefix of deals,
so that its answer does not depend on when it is asked. What lies past the point is not wanted: the
run is stored as if it had had so many deals.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.runner.hazards import Hazards
from sim.runner.journal import Damage
from sim.runner.packing import unpack_columns
from sim.runner.parts import read_part
from sim.runner.records import games_dtype
from sim.runner.store import Store

GROWTH: Final = 1.05
"""The rule is asked again once there are this many times the deals of the last time."""


class Stop(NamedTuple):
    """After how many deals a run ends, and why."""

    deals: int
    reason: str


Rule = Callable[[NDArray[np.float64]], tuple[int, str] | None]
"""(players, deals so far) of deal means of the headline figure -> where to stop, and why."""


class EarlyStop:
    """Follows the games of a run as they are stored, and says when the rule ends it."""

    def __init__(self, store: Store, hazards: Hazards, rule: Rule | None) -> None:
        self._store = store
        self._hazards = hazards
        self._rule = rule
        schedule = store.schedule
        self._players = len(schedule.spec.listed)
        self._by_wins = schedule.game.scoring(schedule.rules).headline == "win_rate"
        self.stop: Stop | None = None
        """Where the rule ends the run, as far as is known."""
        self._ended_now = False
        self._reset()

    def _reset(self) -> None:
        self._block = 0
        self._asked = 0
        deals, players = 0, len(self._store.schedule.spec.players)
        self._sums = np.zeros((deals, players))
        self._counts = np.zeros((deals, players))
        self._store.forgotten = self._store.schedule.blocks

    def look(self) -> tuple[int, int] | None:
        """Take in what has become complete; give the blocks that the rule does not want, if any."""
        if self._rule is None:
            return None
        if self._store.forgotten < self._block:
            self._begin_again()
        if self.stop is not None:
            return None
        ranges = self._store.covered.ranges
        end = ranges[0][1] if ranges and ranges[0][0] == 0 else 0
        line_ups = len(self._store.schedule.line_ups)
        deals = end // line_ups
        last = end == self._store.schedule.blocks
        if deals < max(self._asked * GROWTH, 1) and not last:
            return None
        try:
            self._take(end)
        except Damage:
            return None  # folding finds it too, and has it played again
        self._asked = deals
        sums, counts = self._sums[:deals, : self._players], self._counts[:deals, : self._players]
        means = np.divide(sums, counts, out=np.zeros_like(sums), where=counts > 0)
        found = self._rule(means.T)
        if found is None:
            return None
        self.stop = Stop(*found)
        self._hazards.limit = min(self._hazards.limit, self.stop.deals * line_ups)
        self._ended_now = True
        return self._hazards.limit, self._store.schedule.blocks

    def _begin_again(self) -> None:
        """Start over, as games that were looked at are played again: rare.

        Right after the end was found it is the range of blocks across it, whose first part comes
        back as it was; later it is games that faults put into question, and then the end, too.
        """
        self._reset()
        if not self._ended_now and self.stop is not None:
            self._hazards.limit = self._store.schedule.blocks
        self._ended_now = False
        self.stop = None

    def _take(self, end: int) -> None:
        """Add up the games from where the last look ended to block `end`."""
        while self._block < end:
            for stop, columns in self._read(self._block, end):
                self._add(self._block, stop, columns)
                self._block = stop

    def _read(self, first: int, end: int) -> list[tuple[int, dict[str, NDArray[Any]]]]:
        """Give (block after it, columns) of what is stored from `first` on: a part, or rows."""
        for part in self._store.listed.values():
            if part.first == first:
                table = read_part(self._store.folder / part.name)
                return [(part.stop, {name: table[name].to_numpy() for name in table.column_names})]
        schedule = self._store.schedule
        dtype = games_dtype(schedule.game, schedule.rules.seats)
        last = min(end, self._store.partition.blocks_of(self._store.partition.number_of(first))[1])
        return [
            (row.stop, unpack_columns(row.data, self._store.games_in(row.first, row.stop), dtype))
            for row in self._store.journal.read(first, last)
        ]

    def _add(self, first: int, stop: int, columns: dict[str, NDArray[Any]]) -> None:
        """Add games: one result a game and player, however many seats it holds (statistics.md)."""
        schedule = self._store.schedule
        tasks = schedule.tasks(first, stop)
        seated = tasks["player"][:, : schedule.rules.seats]
        begin, end = self._store.place(first)[0], self._store.place(stop - 1)[0] + 1
        rows = slice(begin - schedule.first_deal, end - schedule.first_deal)
        self._grow(rows.stop)
        deal = tasks["deal"] - begin
        shape = self._sums[rows].shape
        seats = (seated[:, :, None] == seated[:, None, :]).sum(axis=2)
        counted = ~columns["void"] if self._by_wins else np.ones(len(tasks), np.bool_)
        for seat in range(schedule.rules.seats):
            weight = counted / seats[:, seat]
            result = (
                columns[f"won_{seat}"] * weight
                if self._by_wins
                else columns[f"score_{seat}"].astype(np.float64)
            )
            place = deal * shape[1] + seated[:, seat]
            size = shape[0] * shape[1]
            self._sums[rows] += np.bincount(place, result, size).reshape(shape)
            self._counts[rows] += np.bincount(place, weight, size).reshape(shape)

    def _grow(self, deals: int) -> None:
        missing = deals - len(self._sums)
        if missing > 0:
            more = np.zeros((missing, self._sums.shape[1]))
            self._sums = np.concatenate([self._sums, more])
            self._counts = np.concatenate([self._counts, more])
