"""Games in flight: the arrays of one batch, and the compiled `advance` that moves them.

A game of compiled strategies never returns to Python. `advance` returns when every game in flight
waits for somebody outside or is over, when all games are over (`done`), or early when there is no
more room to note faults.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from sim.engines import flight
from sim.engines.base import FAULT_CATEGORIES, MAX_SEATS, TASK_DTYPE, GameKernel
from sim.engines.rng import RNG_DTYPE

IN_FLIGHT: Final = 128
"""Games in flight at most: enough to hide the latency of each, few enough for the cache."""

NO_SLOT: Final = -1
"""No compiled strategy has been called: whatever is raised is our own fault."""

EXCEPTION: Final = FAULT_CATEGORIES.index("exception")


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatedBot:
    """How the kernel reaches one player's strategy."""

    compiled: bool
    """False: the game waits for an answer from outside."""
    address: int = 0
    params: NDArray[np.float64]
    wants_round: bool = False
    wants_game: bool = False
    trusted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TableFault:
    """A fault as the kernel saw it."""

    task: int
    seat: int
    call: int
    category: int
    event: int
    action: int
    position: str
    error: BaseException | None
    """What a compiled strategy raised."""


class Table:
    """A batch of games. Arrays are described in flight.py."""

    def __init__(
        self,
        kernel: GameKernel,
        *,
        bots: Sequence[SeatedBot],
        tasks: NDArray[Any],
        seed: int,
        salted: bool = False,
        in_flight: int = IN_FLIGHT,
        pulse: NDArray[Any] | None = None,
    ) -> None:
        slots = max(1, min(in_flight, len(tasks)))
        records, params = _bot_records(bots)
        self.states = np.zeros(slots, kernel.state_dtype)
        self.views = np.zeros(slots, kernel.view_dtype)
        self.waiting = np.zeros(slots, flight.WAITING_DTYPE)
        self.results = np.zeros(len(tasks), kernel.result_dtype)
        self._faults = np.zeros(flight.FAULT_ROOM * slots, flight.FAULT_DTYPE)
        self._fault_states = np.zeros(flight.FAULT_ROOM * slots, kernel.state_dtype)
        self.rngs = np.zeros((slots, flight.STREAMS), RNG_DTYPE)
        self.memory = np.zeros((slots, MAX_SEATS), flight.MEMORY_DTYPE)
        arrays = {
            "states": self.states,
            "views": self.views,
            "view_copy": np.zeros(1, kernel.view_dtype),
            "rngs": self.rngs,
            "memory": self.memory,
            "tasks": np.ascontiguousarray(tasks, TASK_DTYPE),
            "results": self.results,
            "bots": records,
            "params": params,
            "waiting": self.waiting,
            "faults": self._faults,
            "fault_states": self._fault_states,
            "ended": np.zeros(slots, flight.ENDED_DTYPE),
            "rules": kernel.rules,
            "pulse": np.zeros(1, flight.PULSE_DTYPE) if pulse is None else pulse,
        }
        self._arrays = arrays  # the kernel holds addresses only
        self._flight = np.zeros(1, flight.FLIGHT_DTYPE)[0]
        for name, array in arrays.items():
            self._flight[name] = array.ctypes.data
        self._flight["slot_count"] = slots
        self._flight["task_count"] = len(tasks)
        self._flight["seed"] = seed
        self._flight["salted"] = salted
        self._flight["wants_round"] = any(bot.wants_round for bot in bots)
        self._flight["wants_game"] = any(bot.wants_game for bot in bots)
        self._kernel = kernel
        self._errors: dict[tuple[int, int], BaseException] = {}

    @property
    def done(self) -> bool:
        """Tell whether every game is over."""
        return int(self._flight["done"]) == len(self.results)

    def restart(self) -> None:
        """Forget what was played; no game begins any more (for positions that are put in)."""
        self._flight["next_task"] = len(self.results)
        self._flight["done"] = 0
        self._flight["fault_count"] = 0

    def stream_key(self, slot: int, seat: int) -> int:
        """Give the key of a seat's random stream in the game that a slot holds now."""
        return int(self.rngs["key"][slot, seat])

    def advance(self) -> tuple[int, list[TableFault]]:
        """Move all games on; give the number of positions in `waiting`, and new faults.

        A compiled strategy that raises forfeits this one game; the kernel is entered again.
        """
        faults: list[TableFault] = []
        while True:
            self._flight["call_slot"] = NO_SLOT
            try:
                waits = self._kernel.advance(self._flight)
            except Exception as error:
                if self._flight["call_slot"] == NO_SLOT:
                    raise
                faults += self._read_faults()
                self._blame(error)
            else:
                return waits, faults + self._read_faults()

    def _blame(self, error: Exception) -> None:
        """Turn an exception of a compiled strategy into the verdict on its call."""
        slot = int(self._flight["call_slot"])
        phase = int(self._flight["call_phase"])
        state = self.states[slot]
        state["phase"] = phase
        state["verdict"] = EXCEPTION
        seat = int(state["turn"] if phase == flight.WAIT_ACT else state["cursor"])
        self._errors[int(state["task"]), seat] = error

    def _read_faults(self) -> list[TableFault]:
        """Read the faults that the kernel noted, and make room for more."""
        count = int(self._flight["fault_count"])
        self._flight["fault_count"] = 0
        rows = self._faults[:count].tolist()
        names = flight.FAULT_DTYPE.names or ()
        faults = []
        for row, state in zip(rows, self._fault_states[:count], strict=True):
            fields = dict(zip(names, row, strict=True))
            del fields["slot"]
            error = self._errors.pop((fields["task"], fields["seat"]), None)
            position = self._kernel.position_text(state)
            faults.append(TableFault(**fields, position=position, error=error))
        return faults


def _bot_records(bots: Sequence[SeatedBot]) -> tuple[NDArray[Any], NDArray[np.float64]]:
    """Lay the players out as the kernel reads them: records, and one array of parameters."""
    records = np.zeros(len(bots), flight.BOT_DTYPE)
    starts = np.cumsum([0] + [len(bot.params) for bot in bots])
    for record, bot, start in zip(records, bots, starts, strict=False):
        record["kind"] = flight.COMPILED if bot.compiled else flight.OUTSIDE
        record["address"] = bot.address
        record["params_start"] = start
        record["params_count"] = len(bot.params)
        record["wants_round"] = bot.wants_round
        record["wants_game"] = bot.wants_game
        record["trusted"] = bot.trusted
    params = np.concatenate([bot.params for bot in bots] or [np.zeros(0)])
    return records, np.ascontiguousarray(params if len(params) else np.zeros(1), np.float64)
