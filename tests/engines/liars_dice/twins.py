"""Seats answered in Python by the twins of compiled players, with the same random numbers."""

from collections.abc import Callable
from typing import Any

from sim.engines.events import ACT
from sim.engines.liars_dice.view import View
from sim.engines.rng import SeatRng
from sim.engines.table import Table

from .tables import Row, Verdict, make_table

Twin = Callable[[int, View, SeatRng, list[int]], "int | Verdict"]
"""(event, view, rng, memory) -> action: the Python form of a compiled player."""


class Twins:
    """Plays twins of compiled players at a table; each game and seat has its stream and memory."""

    def __init__(self, twins: dict[int, Twin]) -> None:
        """`twins` holds the players that are answered here, by their number."""
        self.twins = twins
        self.table: Table | None = None
        self.seats: dict[tuple[int, int], tuple[list[int], SeatRng, list[int]]] = {}

    def __call__(self, row: Row, view: View) -> int | Verdict:
        """Answer a position."""
        assert self.table is not None
        key = (row.task, row.seat)
        if key not in self.seats:
            rng = SeatRng(self.table.stream_key(row.slot, row.seat), row.seat, row.epoch)
            self.seats[key] = ([row.epoch], rng, [0] * 32)
        epoch, rng, memory = self.seats[key]
        if epoch[0] != row.epoch:
            epoch[0] = row.epoch
            rng.restart(row.epoch)
        answer = self.twins[row.player](row.event, view, rng, memory)
        return answer if row.event == ACT or isinstance(answer, Verdict) else 0

    def seat_at(self, *table: Any, **options: Any) -> Table:
        """Make the table that they play at."""
        self.table = make_table(*table, **options)
        return self.table
