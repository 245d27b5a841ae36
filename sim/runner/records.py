"""What is stored of a run: one record a game, and one for each forfeit with its reason."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from sim.engines.base import Game

PER_SEAT: Final = (
    ("player", "i2"),
    ("score", "i4"),
    ("place", "i1"),
    ("won", "?"),
    ("fault", "i1"),
)
"""Columns that exist once for each seat, as `<name>_<seat>`."""

READ_AT_ONCE: Final = 2048
"""Games read before the next ones: all their columns come from the processor's cache."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """Why a player forfeited a game, and where."""

    deal: int
    line_up: int
    seating: int
    seat: int
    call: int
    """Number of the seat's call in that game: its constructor is 0, acts and events follow."""
    player: str
    category: str
    """One of FAULT_CATEGORIES."""
    position: str
    """The position as the player saw the game, as text; empty where there was none yet."""
    detail: str
    """What happened, in one line."""
    traceback: str = ""

    @property
    def key(self) -> tuple[int, int, int, int, int]:
        """Give where the fault belongs in the schedule; it sorts faults into schedule order."""
        return (self.deal, self.line_up, self.seating, self.seat, self.call)

    def to_json(self) -> dict[str, Any]:
        """Give the fault as it stands in `faults.jsonl`."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> "Fault":
        """Read what `to_json` gives.

        >>> fault = Fault(deal=3, line_up=0, seating=1, seat=0, call=2, player="bold",
        ...               category="illegal", position="", detail="played 99")
        >>> Fault.from_json(fault.to_json()) == fault, fault.key
        (True, (3, 0, 1, 0, 2))
        """
        return cls(**{field.name: values[field.name] for field in fields(cls)})


@dataclass(frozen=True, kw_only=True)
class Chunk:
    """The games of blocks first .. stop - 1, in schedule order, and their faults."""

    first: int
    stop: int
    game: Game
    seats: int
    tasks: NDArray[np.void]
    """TASK_DTYPE rows: who sat where."""
    results: NDArray[np.void]
    """The kernel's result of each."""
    faults: list[Fault]

    @cached_property
    def games(self) -> NDArray[np.void]:
        """The games as rows of `games_dtype`; the runner stores `columns` and never asks."""
        return pack_games(self.tasks, self.results, self.game, self.seats)

    def columns(self) -> dict[str, NDArray[Any]]:
        """Give the columns of the stored games that do not follow from the schedule."""
        layout = [entry for entry in _layout(self.game, self.seats) if entry[2] != "player"]
        count = len(self.results)
        columns = {column: np.empty(count, dtype) for column, dtype, _, _ in layout}
        for start in range(0, count, READ_AT_ONCE):
            rows = slice(start, start + READ_AT_ONCE)
            piece = self.results[rows]
            for column, _, name, seat in layout:
                columns[column][rows] = piece[name] if seat is None else piece[name][:, seat]
        return columns


def _layout(game: Game, seats: int) -> Iterator[tuple[str, str, str, int | None]]:
    """Give column, type, name in the results, and seat (None: one for the whole game)."""
    for name, dtype in PER_SEAT:
        for seat in range(seats):
            yield f"{name}_{seat}", dtype, name, seat
    yield "decisions", "i4", "decisions", None
    if game.has_rounds:
        yield "rounds", "i2", "rounds", None
    yield "void", "?", "void", None
    for counter in game.counters:
        if counter.scope == "game":
            yield counter.name, counter.dtype, counter.name, None
        else:
            for seat in range(seats):
                yield f"{counter.name}_{seat}", counter.dtype, counter.name, seat


def games_dtype(game: Game, seats: int) -> np.dtype[Any]:
    """Give the columns of the stored games, for `seats` seats.

    >>> from sim.engines.base import load_game
    >>> games_dtype(load_game("liars-dice"), 2).names[:7]
    ('deal', 'line_up', 'seating', 'player_0', 'player_1', 'score_0', 'score_1')
    """
    head = [("deal", "i8"), ("line_up", "i4"), ("seating", "i2")]
    return np.dtype(head + [(column, dtype) for column, dtype, _, _ in _layout(game, seats)])


def pack_games(
    tasks: NDArray[np.void], results: NDArray[np.void], game: Game, seats: int
) -> NDArray[np.void]:
    """Give the stored form of games: `tasks` (TASK_DTYPE) and their `results`, row by row.

    Values are not checked against the width of the columns: a game declares counters that fit.
    """
    packed = np.empty(len(tasks), games_dtype(game, seats))
    layout = list(_layout(game, seats))
    for start in range(0, len(tasks), READ_AT_ONCE):
        rows = slice(start, start + READ_AT_ONCE)
        piece, task, result = packed[rows], tasks[rows], results[rows]
        for name in ("deal", "line_up", "seating"):
            piece[name] = task[name]
        for column, _, name, seat in layout:
            source = task if name == "player" else result
            piece[column] = source[name] if seat is None else source[name][:, seat]
    return packed
