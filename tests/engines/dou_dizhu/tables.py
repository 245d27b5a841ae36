"""Playing compiled games of Dou Dizhu from tests: seats answered in Python, or compiled."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.engines.botcall import compile_bot
from sim.engines.dou_dizhu.compiled import game_kernel
from sim.engines.dou_dizhu.rules import Rules
from sim.engines.dou_dizhu.view import VIEW_DTYPE, View
from sim.engines.table import SeatedBot, Table
from sim.engines.views import struct_of
from tests.engines.liars_dice.tables import SEED, Match, Row, Verdict

Answer = Callable[[Row, View], "int | Verdict"]

_VIEW = struct_of(VIEW_DTYPE)


@cache
def _compiled(function: Callable[..., int], trusted: bool) -> tuple[Any, int]:
    return compile_bot(function, VIEW_DTYPE, trusted=trusted)


def seat_compiled(
    function: Callable[..., int], *params: float, trusted: bool = True, hears: bool = False
) -> SeatedBot:
    """Give a function as a compiled player; `hears`: it wants the event of the game's end."""
    return SeatedBot(
        compiled=True,
        address=_compiled(function, trusted)[1],
        params=np.array(params, np.float64),
        wants_game=hears,
        trusted=trusted,
    )


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
            _give_answers(table, waits, answer)
        else:
            assert table.done or noted, "the table stands still"
    return match


def _give_answers(table: Table, waits: int, answer: Answer) -> None:
    buffer = table.views.view(np.uint8).data
    for values in table.waiting[:waits].tolist():
        row = Row(*values)
        view = View._make(_VIEW.unpack_from(buffer, row.slot * VIEW_DTYPE.itemsize))
        given = answer(row, view)
        verdict = given.category if isinstance(given, Verdict) else 0
        table.states["answer"][row.slot] = 0 if isinstance(given, Verdict) else given
        table.states["verdict"][row.slot] = verdict
