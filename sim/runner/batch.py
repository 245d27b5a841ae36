"""Asks batched strategies: one call for all positions of a player that wait, by row.

Whatever a strategy does in a call is undone if the call fails: its games are asked about again in
halves, until those that make it fail stand alone and forfeit. No other game is lost.
"""

from collections.abc import Collection
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from sim.engines.base import FAULT_CATEGORIES, MAX_SEATS
from sim.engines.batch_rng import BatchRng
from sim.engines.botcall import MEMORY_SIZE
from sim.engines.table import Table
from sim.runner.describe import DETAIL_LENGTH, describe
from sim.runner.watch import Overdue, Watch

ILLEGAL: Final = FAULT_CATEGORIES.index("illegal")
EXCEPTION: Final = FAULT_CATEGORIES.index("exception")
TIMEOUT: Final = FAULT_CATEGORIES.index("timeout")

Details = dict[tuple[int, int], tuple[int, str, str]]
"""(call, detail, traceback) of a forfeit by (task, seat), until the engine notes it."""


class NoActions(Exception):
    """What a strategy returned are not actions."""


class BatchRows:
    """What a batched strategy finds in its rows: streams and memory, fetched when it asks."""

    def __init__(self, table: Table, count: int) -> None:
        self._table = table
        self._count = count
        self._rows = self._slots = self._seats = np.zeros(0, np.intp)
        self._rng: BatchRng | None = None
        self._memory: NDArray[np.int64] | None = None

    def begin(
        self, rows: NDArray[np.intp], slots: NDArray[np.intp], seats: NDArray[np.intp]
    ) -> None:
        """Let `rows` stand for the seats that wait in `slots` from now on."""
        self._rows, self._slots, self._seats = rows, slots, seats
        self._rng = self._memory = None

    @property
    def rng(self) -> BatchRng:
        """The random stream of each row."""
        if self._rng is None:
            streams = self._table.rngs[self._slots, self._seats]
            keys, words = np.zeros(self._count, np.uint64), np.zeros(self._count, np.uint64)
            keys[self._rows], words[self._rows] = streams["key"], streams["word"]
            self._rng = BatchRng(keys, words)
        return self._rng

    @property
    def memory(self) -> NDArray[np.int64]:
        """What each row keeps."""
        if self._memory is None:
            self._memory = np.zeros((self._count, MEMORY_SIZE), np.int64)
            self._memory[self._rows] = self._table.memory["words"][self._slots, self._seats]
        return self._memory

    def keep(self) -> None:
        """Write back what the strategy drew and wrote."""
        if self._rng is not None:
            self._table.rngs["word"][self._slots, self._seats] = self._rng.words[self._rows]
        if self._memory is not None:
            self._table.memory["words"][self._slots, self._seats] = self._memory[self._rows]


class Batch:
    """The rows of one batched player in one table."""

    def __init__(
        self,
        asked: Any,
        table: Table,
        *,
        count: int,
        first_row: int,
        watch: Watch,
        details: Details,
        one_by_one: bool,
    ) -> None:
        """`count` rows are padded with zeros; the game in slot s has row first_row + s.

        `one_by_one`: a worker died of this player in these games, so that the next call that does
        not return must be about one game.
        """
        self._asked = asked
        self._table = table
        self._first_row = first_row
        self._watch = watch
        self._details = details
        self._one_by_one = one_by_one
        self._padded = np.zeros(count, table.views.dtype)
        self._bytes = self._padded.view(np.uint8).reshape(count, -1)
        self._source = table.views.view(np.uint8).reshape(len(table.views), -1)
        self._shown = self._padded.view()
        self._shown.flags.writeable = False
        self._filled = np.zeros(0, np.intp)
        self._rows = BatchRows(table, count)
        self._spent = np.zeros((len(table.views), MAX_SEATS), np.int64)

    def answer(self, waiting: NDArray[np.void]) -> None:
        """Answer `waiting`: rows of WAITING_DTYPE, all turns of this player."""
        if len(waiting) > 1 and self._one_by_one:
            for row in range(len(waiting)):
                self.answer(waiting[row : row + 1])
            return
        try:
            actions = self._ask(waiting)
        except Overdue as error:  # asking again would take as long for each game
            self._forfeit(waiting, error)
        except BaseException as error:
            if len(waiting) == 1:
                self._forfeit(waiting, error)
                return
            half = len(waiting) // 2
            self.answer(waiting[:half])
            self.answer(waiting[half:])
        else:
            slots = waiting["slot"]
            self._table.states["answer"][slots] = actions
            self._table.states["verdict"][slots] = 0
            if self._watch.limits:
                self._count_time(waiting)

    def _ask(self, waiting: NDArray[np.void]) -> NDArray[np.int64]:
        """Give the actions in the order of `waiting`; raises what the strategy raises."""
        slots = waiting["slot"].astype(np.intp)
        rows = slots + self._first_row
        self._bytes[self._filled] = 0
        self._bytes[rows] = self._source[slots]
        self._filled = rows
        self._rows.begin(rows, slots, waiting["seat"].astype(np.intp))
        self._asked.rows = self._rows
        if self._watch.watches:
            first = waiting[0]
            self._watch.begin(*(int(first[name]) for name in ("task", "seat", "call", "player")))
        try:
            returned = self._asked.act_batch(self._shown)
        finally:
            self._watch.rest()
        actions = actions_of(returned, rows, count=len(self._padded))
        self._rows.keep()
        return actions

    def _forfeit(self, waiting: NDArray[np.void], error: BaseException) -> None:
        """Note one failure for all games of `waiting`."""
        detail, trace = describe(error, ours=2)
        category = EXCEPTION
        if isinstance(error, Overdue):
            category, detail = TIMEOUT, str(error)
        elif isinstance(error, NoActions):
            category, detail, trace = ILLEGAL, str(error)[:DETAIL_LENGTH], ""
        self._table.states["verdict"][waiting["slot"]] = category
        for row in waiting:
            self._details[int(row["task"]), int(row["seat"])] = (int(row["call"]), detail, trace)

    def _count_time(self, waiting: NDArray[np.void]) -> None:
        """Share the time of a call among its games; those with none left forfeit."""
        slots, seats = waiting["slot"], waiting["seat"]
        self._spent[slots, seats] += self._watch.passed() // len(waiting)
        over = self._watch.used_up(self._spent[slots, seats])
        for row in waiting[over]:
            spent = int(self._spent[row["slot"], row["seat"]])
            self._forfeit(np.array([row]), Overdue(self._watch.overdue_text(spent)))


def actions_of(returned: Any, rows: NDArray[np.intp], *, count: int) -> NDArray[np.int64]:
    """Take the actions of `rows` from what a strategy returned for `count` rows.

    >>> actions_of([3, -1, 0], np.array([0, 1]), count=3)
    array([ 3, -1])
    >>> actions_of([3.0, -1.0, 0.0], np.array([0, 1]), count=3)
    Traceback (most recent call last):
    sim.runner.batch.NoActions: returned float64, not whole numbers
    """
    try:
        actions = np.asarray(returned)
    except Exception as error:
        raise NoActions(f"returned what is no array: {error}") from None
    if actions.shape != (count,):
        raise NoActions(f"returned the shape {actions.shape}, not ({count},): one action a row")
    if actions.dtype.kind not in "iu":
        raise NoActions(f"returned {actions.dtype}, not whole numbers")
    wanted = actions[rows]
    if wanted.dtype == np.uint64 and wanted.max(initial=np.uint64(0)) >> np.uint64(63):
        raise NoActions("returned a number above 2**63 - 1")
    return wanted.astype(np.int64, copy=False)


class BatchPump:
    """Answers the positions of one table that wait for batched strategies."""

    def __init__(
        self,
        asked: dict[int, Any],
        table: Table,
        *,
        count: int,
        first_row: int,
        watch: Watch,
        details: Details,
        one_by_one: Collection[int],
    ) -> None:
        """`asked` are the strategies by player; `one_by_one` the players of which workers died."""
        self._players = np.array(sorted(asked))
        self._table = table
        self._batches = {
            player: Batch(
                strategy,
                table,
                count=count,
                first_row=first_row,
                watch=watch,
                details=details,
                one_by_one=player in one_by_one,
            )
            for player, strategy in asked.items()
        }

    def answer(self, waiting: NDArray[np.void]) -> NDArray[np.void]:
        """Answer what waits for batched strategies; give the rest."""
        rest = ~np.isin(waiting["player"], self._players)
        for player, batch in self._batches.items():
            own = waiting[waiting["player"] == player]
            if len(own):
                batch.answer(own)
        return waiting[rest]
