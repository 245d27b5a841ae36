"""An arena without a game: results follow from deal, line-up and seating by arithmetic."""

import contextlib
import ctypes
import logging
import os
import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.engines.base import FAULT_CATEGORIES, MAX_SEATS, NO_CALL
from sim.engines.flight import PULSE_DTYPE
from sim.runner.records import Chunk, Fault
from sim.runner.schedule import Schedule
from sim.runner.spec import RunSpec
from sim.runner.watch import Overdue
from sim.runner.worker import Workshop
from tests.runner.fake_game import GAME, fake_bound

RESULT_DTYPE = np.dtype(
    [
        ("score", "i4", (MAX_SEATS,)),
        ("place", "i4", (MAX_SEATS,)),
        ("won", "?", (MAX_SEATS,)),
        ("fault", "i4", (MAX_SEATS,)),
        ("decisions", "i4"),
        ("void", "?"),
        ("rounds", "i4"),
        ("bids", "i4", (MAX_SEATS,)),
        ("final", "i4"),
    ]
)


LOGGER = logging.getLogger("sim.fake")

BEHAVIOURS: dict[str, Callable[[], object]] = {
    "raise": lambda: 1 // 0,
    "exit": lambda: os._exit(3),
    "kill": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "segfault": lambda: ctypes.string_at(0),
    "sleep": lambda: time.sleep(1000),
    "stubborn": lambda: _sleep_on(),
    "spin": lambda: _sleep_on(),
    "memory": lambda: _hoard(),
    "slow": lambda: time.sleep(0.004),
    "doze": lambda: time.sleep(0.004),
}
"""What a player's bot does when it misbehaves; `any` never does, `slow` and `doze` are no faults,
and `doze` ships with the program."""


def _sleep_on() -> None:
    while True:
        with contextlib.suppress(BaseException):
            time.sleep(1000)


def _hoard() -> None:
    hoard = []
    while True:
        hoard.append(np.ones(1 << 20))


class FakeArena:
    """Plays blocks; a bot that misbehaves does so where deal + seating is a multiple of five."""

    def __init__(self, spec: RunSpec, pulse: NDArray[np.void] | None = None) -> None:
        self.spec = spec
        self.bound = fake_bound(spec)
        self.schedule = Schedule(spec, GAME, GAME.rules(spec.seats, {}))
        self.pulse = np.zeros(1, PULSE_DTYPE) if pulse is None else pulse

    def play(self, first_block: int, stop_block: int, injected: Sequence[Fault] = ()) -> Chunk:
        """Give the games of blocks first_block .. stop_block - 1."""
        LOGGER.info("plays %d to %d", first_block, stop_block)
        tasks = self.schedule.tasks(first_block, stop_block)
        results = np.zeros(len(tasks), RESULT_DTYPE)
        numbers = tasks["deal"] * 31 + tasks["line_up"] * 7 + tasks["seating"]
        seats = self.spec.seats
        winner = numbers % seats
        results["won"][np.arange(len(tasks)), winner] = True
        results["score"] = np.where(results["won"], seats - 1, -1)
        results["place"] = np.where(results["won"], 1, 2)
        results["decisions"] = numbers % 50 + 1
        results["rounds"] = numbers % 9 + 1
        results["bids"] = (numbers[:, None] + np.arange(MAX_SEATS)) % 300
        faults = self._faults(tasks, results, {fault.key: fault for fault in injected})
        faults.sort(key=lambda fault: fault.key)
        return Chunk(
            first=first_block,
            stop=stop_block,
            game=GAME,
            seats=seats,
            tasks=tasks,
            results=results,
            faults=faults,
        )

    def _faults(
        self,
        tasks: NDArray[np.void],
        results: NDArray[np.void],
        injected: dict[tuple[int, int, int, int, int], Fault],
    ) -> list[Fault]:
        if all(player.bot == "any" for player in self.spec.players):
            return []
        faults = []
        for row, task in enumerate(tasks):
            for seat, player in enumerate(task["player"][: self.spec.seats].tolist()):
                fault = self._ask(row, task, seat, player, injected)
                if fault is not None:
                    results["fault"][row, seat] = FAULT_CATEGORIES.index(fault.category)
                    faults.append(fault)
        return faults

    def _ask(
        self,
        row: int,
        task: np.void,
        seat: int,
        player: int,
        injected: dict[tuple[int, int, int, int, int], Fault],
    ) -> Fault | None:
        """Let a strategy make its one call of the game, number 1."""
        bot = self.spec.players[player].bot
        key = (int(task["deal"]), int(task["line_up"]), int(task["seating"]), seat, 1)
        if key in injected:
            return replace(injected[key], position="here")
        if task["inject_call"][seat] != NO_CALL:
            return self._fault(task, seat, player, "retired", "crash")
        if bot == "any" or (bot not in ("slow", "doze") and (key[0] + key[2]) % 5):
            return None
        self.pulse[0] = (row, seat, 1, player, 0 if bot == "spin" else time.monotonic_ns())
        try:
            BEHAVIOURS[bot]()
        except Overdue as error:
            return self._fault(task, seat, player, str(error), "timeout")
        except Exception as error:
            return self._fault(task, seat, player, repr(error), "exception")
        finally:
            self.pulse["since"] = 0
        return None

    def _fault(self, task: np.void, seat: int, player: int, detail: str, category: str) -> Fault:
        return Fault(
            deal=int(task["deal"]),
            line_up=int(task["line_up"]),
            seating=int(task["seating"]),
            seat=seat,
            call=1,
            player=self.spec.players[player].label,
            category=category,
            position="here",
            detail=detail,
            traceback="line 1",
        )


@dataclass(frozen=True)
class FakeWorkshop(Workshop):
    """Makes fake arenas, in the processes of a run."""

    def schedule(self) -> Schedule:
        """Make the schedule of the fake game."""
        return Schedule(self.spec, GAME, GAME.rules(self.spec.seats, {}))

    def load_engine(self) -> None:
        """Have none."""

    def arena(
        self, pulse: NDArray[np.void] | None = None, *, bound: Sequence[Any] | None = None
    ) -> FakeArena:
        """Make a fake arena."""
        return FakeArena(self.spec, pulse)
