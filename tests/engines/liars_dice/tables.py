"""Playing compiled games from tests: seats answered in Python, in a chosen order, or compiled."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim.engines.base import FAULT_CATEGORIES, NO_CALL, TASK_DTYPE
from sim.engines.botcall import compile_bot
from sim.engines.liars_dice.compiled import game_kernel
from sim.engines.liars_dice.rules import Rules
from sim.engines.liars_dice.view import VIEW_DTYPE, View
from sim.engines.table import SeatedBot, Table, TableFault
from sim.engines.views import struct_of

SEED: Final = 20_260_101

ILLEGAL: Final = FAULT_CATEGORIES.index("illegal")
EXCEPTION: Final = FAULT_CATEGORIES.index("exception")
TIMEOUT: Final = FAULT_CATEGORIES.index("timeout")

OUTSIDE: Final = SeatedBot(compiled=False, params=np.zeros(0))
LISTENING: Final = SeatedBot(compiled=False, params=np.zeros(0), wants_round=True, wants_game=True)
"""Seats that are answered in Python, without and with events."""

_VIEW: Final = struct_of(VIEW_DTYPE)


def read_view(buffer: memoryview, slot: int) -> View:
    """Give the view of a slot as plain-Python strategies get it."""
    return View._make(_VIEW.unpack_from(buffer, slot * VIEW_DTYPE.itemsize))


class Row(NamedTuple):
    """A position that waits, as flight.WAITING_DTYPE has it."""

    slot: int
    seat: int
    player: int
    event: int
    epoch: int
    call: int
    task: int


class Verdict(NamedTuple):
    """Instead of an action: a fault of this category."""

    category: int


Answer = Callable[[Row, View], "int | Verdict"]


@dataclass
class Match:
    """Games that were played to their end."""

    table: Table
    results: NDArray[Any]
    faults: list[TableFault] = field(default_factory=list)


@cache
def _compiled(function: Callable[..., int], trusted: bool) -> tuple[Any, int]:
    return compile_bot(function, VIEW_DTYPE, trusted=trusted)


def seat_compiled(
    function: Callable[..., int], *params: float, trusted: bool = True, hears: bool = False
) -> SeatedBot:
    """Give a function as a compiled player; `hears`: it wants the events too."""
    return SeatedBot(
        compiled=True,
        address=_compiled(function, trusted)[1],
        params=np.array(params, np.float64),
        wants_round=hears,
        wants_game=hears,
        trusted=trusted,
    )


def make_tasks(seatings: Sequence[Sequence[int]], deals: Iterable[int] = (0,)) -> NDArray[np.void]:
    """Give one task for each deal and seating, deal by deal."""
    numbers = np.asarray(list(deals), np.int64)
    tasks: NDArray[np.void] = np.zeros((len(numbers), len(seatings)), TASK_DTYPE)
    tasks["deal"] = numbers[:, None]
    tasks["seating"] = np.arange(len(seatings))
    players = np.asarray(seatings)
    tasks["player"][:, :, : players.shape[1]] = players
    tasks["inject_call"] = NO_CALL
    return tasks.reshape(-1)


def make_table(
    rules: Rules, bots: Sequence[SeatedBot], tasks: NDArray[np.void], **options: Any
) -> Table:
    """Give a table; `options` as Table takes them, the seed is SEED by default."""
    return Table(game_kernel(rules), bots=bots, tasks=tasks, **{"seed": SEED, **options})


def play(
    rules: Rules,
    bots: Sequence[SeatedBot],
    tasks: NDArray[np.void],
    answer: Answer | None = None,
    **options: Any,
) -> Match:
    """Play all tasks; whoever is not compiled is asked through `answer`."""
    return play_out(make_table(rules, bots, tasks, **options), answer)


def play_out(table: Table, answer: Answer | None = None) -> Match:
    """Play a table to its end."""
    match = Match(table, table.results)
    while not table.done:
        waits, noted = table.advance()
        match.faults += noted
        if waits:
            assert answer is not None, "nobody was to be asked"
            give_answers(table, waits, answer)
        else:
            assert table.done or noted, "the table stands still"
    return match


def give_answers(table: Table, waits: int, answer: Answer) -> None:
    """Answer all positions that wait."""
    buffer = table.views.view(np.uint8).data
    for values in table.waiting[:waits].tolist():
        row = Row(*values)
        given = answer(row, read_view(buffer, row.slot))
        verdict = given.category if isinstance(given, Verdict) else 0
        table.states["answer"][row.slot] = 0 if isinstance(given, Verdict) else given
        table.states["verdict"][row.slot] = verdict


def same_results(first: NDArray[Any], second: NDArray[Any]) -> bool:
    """Tell whether two sets of results are equal, byte for byte."""
    return first.tobytes() == second.tobytes()
