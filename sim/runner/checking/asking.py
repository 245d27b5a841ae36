"""Asking a strategy of any kind in one situation, as the engine would."""

from dataclasses import dataclass
from operator import index
from time import perf_counter_ns
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from sim.engines.batch_rng import BatchRng
from sim.engines.events import ACT, MEMORY_SIZE
from sim.engines.rng import SeatRng
from sim.engines.views import struct_of
from sim.runner.checking.situations import Situation
from sim.runner.describe import describe
from sim.strategies.foreign.base import enter
from sim.strategies.loading import BoundBot

ROWS: Final = 64
"""Rows of the batches that are asked about here."""

LOOPS: Final = 20
"""Times that a compiled strategy is called to measure one call."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a strategy answered in a situation."""

    action: int | None
    problem: str = ""
    """Why there is no action: what it raised, or that it is no whole number."""
    wrote: bool = False
    """It changed its view."""
    nanoseconds: int = 0

    @property
    def shown(self) -> str:
        """Give the action, or why there is none."""
        return self.problem if self.action is None else str(self.action)


class Asker:
    """Asks one strategy; every situation is the first of a new game."""

    def __init__(self, bound: BoundBot) -> None:
        self.bound = bound
        self._batched = bound.create_batched() if bound.kind == "batch" else None
        self._repeat: Any = None
        if bound.kind == "compiled":
            from sim.engines.botcall import repeat_bot  # imports numba

            self._repeat = repeat_bot
        self._entered: set[int] = set()

    def ask(self, situation: Situation, *, timed: bool = False) -> Answer:
        """Ask in one situation; whatever goes wrong is in the answer."""
        if self.bound.kind == "compiled":
            return self._ask_compiled(situation, timed=timed)
        if self.bound.kind == "batch":
            return self.ask_together([situation])[0]
        return self._ask_plain(situation)

    def ask_all(self, asked: list[Situation]) -> list[Answer]:
        """Ask in all situations, in order; batched strategies in batches of one view type."""
        if self.bound.kind != "batch":
            return [self.ask(situation) for situation in asked]
        answers: list[Answer] = []
        for start in range(0, len(asked), ROWS):
            answers += self.ask_together(asked[start : start + ROWS])
        return answers

    def _ask_plain(self, situation: Situation) -> Answer:
        key, word = map(int, situation.stream)
        rng = SeatRng(key, situation.seat, situation.epoch)
        rng._word = word
        kernel = situation.setting.kernel
        if id(situation.setting) not in self._entered:
            enter(self.bound.bot, situation.setting.rules, None)
            self._entered.add(id(situation.setting))
        values = struct_of(kernel.view_dtype).unpack(situation.view.tobytes())
        view = kernel.view_class(*values)
        try:
            player = self.bound.create(rng)
            began = perf_counter_ns()
            returned = player.act(view)
            spent = perf_counter_ns() - began
        except Exception as error:
            return Answer(None, f"raised {describe(error)[0]}")
        return _answer(returned, spent=spent)

    def _ask_compiled(self, situation: Situation, *, timed: bool) -> Answer:
        kernel = situation.setting.kernel
        function = self.bound.bot.dispatcher(kernel.view_dtype)
        view = situation.view.copy()
        params = self.bound.params.copy()
        stream = situation.streams[0, situation.seat : situation.seat + 1].copy()[0]
        memory = np.zeros(MEMORY_SIZE, np.int64)
        try:
            action = int(function(ACT, view[0], params, memory, stream))
            wrote = view.tobytes() != situation.view.tobytes()
            spent = 0
            if timed and self._repeat is not None:
                self._repeat(function, ACT, view[0], params, memory, stream, 1)
                began = perf_counter_ns()
                self._repeat(function, ACT, view[0], params, memory, stream, LOOPS)
                spent = (perf_counter_ns() - began) // LOOPS
        except Exception as error:
            return Answer(None, f"raised {describe(error)[0]}")
        return Answer(action, wrote=wrote, nanoseconds=spent)

    def ask_together(self, asked: list[Situation]) -> list[Answer]:
        """Ask a batched strategy in several situations at once, one a row."""
        kernel = asked[0].setting.kernel
        views = np.zeros(ROWS, kernel.view_dtype)
        rows = _Rows()
        for row, situation in enumerate(asked):
            views[row] = situation.view[0]
            rows.rng.keys[row], rows.rng.words[row] = situation.stream
        before = views.tobytes()
        shown = views.view()
        shown.flags.writeable = False
        strategy: Any = self._batched
        strategy.rows = rows
        try:
            began = perf_counter_ns()
            returned = np.asarray(strategy.act_batch(shown))
            spent = (perf_counter_ns() - began) // ROWS
        except Exception as error:
            return [Answer(None, f"raised {describe(error)[0]}") for _ in asked]
        if returned.shape != (ROWS,) or returned.dtype.kind not in "iu":
            problem = f"returned {returned.dtype} of the shape {returned.shape}, not {ROWS} actions"
            return [Answer(None, problem) for _ in asked]
        wrote = views.tobytes() != before
        return [Answer(int(a), wrote=wrote, nanoseconds=spent) for a in returned[: len(asked)]]


class _Rows:
    """Streams and memory of a batch in which every game has just begun."""

    def __init__(self) -> None:
        self.rng = BatchRng(np.zeros(ROWS, np.uint64), np.zeros(ROWS, np.uint64))
        self.memory: NDArray[np.int64] = np.zeros((ROWS, MEMORY_SIZE), np.int64)


def _answer(returned: Any, *, spent: int) -> Answer:
    try:
        if isinstance(returned, bool):
            raise TypeError
        action = index(returned)
    except Exception:
        return Answer(None, f"returned {returned!r:.100}, which is no whole number")
    return Answer(action, nanoseconds=spent)
