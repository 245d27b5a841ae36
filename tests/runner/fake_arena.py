"""An arena without a game: results follow from deal, line-up and seating by arithmetic."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sim.engines.base import FAULT_CATEGORIES, MAX_SEATS
from sim.runner.records import Chunk, Fault, pack_games
from sim.runner.schedule import Schedule
from sim.runner.spec import RunSpec
from tests.runner.fake_game import GAME

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


class FakeArena:
    """Plays any range of blocks; `faulty` players forfeit where (deal + seating) % 5 == 0."""

    def __init__(self, spec: RunSpec, faulty: Sequence[str] = ()) -> None:
        self.spec = spec
        self.faulty = faulty
        self.schedule = Schedule(spec, GAME, GAME.rules(spec.seats, {}))

    def play(self, first_block: int, stop_block: int, injected: Sequence[Fault] = ()) -> Chunk:
        """Give the games of blocks first_block .. stop_block - 1."""
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
        faults = self._faults(tasks, results)
        faults += [self._inject(fault, tasks, results) for fault in injected]
        faults.sort(key=lambda fault: fault.key)
        return Chunk(first_block, stop_block, pack_games(tasks, results, GAME, seats), faults)

    def _faults(self, tasks: NDArray[np.void], results: NDArray[np.void]) -> list[Fault]:
        faults = []
        for row, task in enumerate(tasks):
            if (task["deal"] + task["seating"]) % 5:
                continue
            for seat, player in enumerate(task["player"][: self.spec.seats].tolist()):
                label = self.spec.players[player].label
                if label in self.faulty:
                    results["fault"][row, seat] = FAULT_CATEGORIES.index("exception")
                    faults.append(self._fault(task, seat, label))
        return faults

    @staticmethod
    def _fault(task: np.void, seat: int, label: str) -> Fault:
        return Fault(
            deal=int(task["deal"]),
            line_up=int(task["line_up"]),
            seating=int(task["seating"]),
            seat=seat,
            call=1,
            player=label,
            category="exception",
            position="here",
            detail="ValueError: no",
            traceback="line 1",
        )

    @staticmethod
    def _inject(fault: Fault, tasks: NDArray[np.void], results: NDArray[np.void]) -> Fault:
        [row] = np.flatnonzero(
            (tasks["deal"] == fault.deal)
            & (tasks["line_up"] == fault.line_up)
            & (tasks["seating"] == fault.seating)
        )
        results["fault"][row, fault.seat] = FAULT_CATEGORIES.index(fault.category)
        return fault
