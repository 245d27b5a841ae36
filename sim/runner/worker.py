"""A process that plays: forked by the nursery, it gets ranges of blocks from main and sends games.

    main -> worker   Play(first, stop, injected)
    worker -> main   Ready | Failed | Played

`Failed` before `Ready` is a strategy that does not load; after it, a fault of ours.
"""

import os
import signal
import traceback
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from time import perf_counter
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from sim.engines.base import TASK_DTYPE, load_game
from sim.engines.flight import PULSE_DTYPE
from sim.errors import SimError
from sim.runner.lifeline import die_with_parent
from sim.runner.packing import pack_columns
from sim.runner.records import Chunk, Fault
from sim.runner.schedule import Retired, Schedule
from sim.runner.spec import RunSpec
from sim.runner.watch import Overdue

SLOT_DTYPE: Final = np.dtype(
    [
        # told by the engine: which call is running (or was the last one), and since when
        ("pulse", PULSE_DTYPE),
        # told by the worker: the range of blocks in play
        ("first", "i8"),
        ("stop", "i8"),
        # told by main: the `since` of the call that is to be broken off
        ("overdue", "i8"),
    ]
)
"""A worker's slot in the memory it shares with main."""

TRACEBACKS: Final = 100
"""Tracebacks of one player that a worker keeps; a bot that always fails would fill the disk."""

MORE_TRACEBACKS: Final = f"(only {TRACEBACKS} tracebacks of a player are kept by each worker)"

NOBODY: Final = -1
"""Player in the slot while no strategy thinks."""


class Player(Protocol):
    """What plays blocks: an `Arena`."""

    @property
    def schedule(self) -> Schedule: ...

    @property
    def bound(self) -> Sequence[Any]: ...

    def play(self, first_block: int, stop_block: int, injected: Sequence[Fault] = ()) -> Chunk: ...


@dataclass(frozen=True)
class Workshop:
    """How to get what the processes of a run need; it crosses from main to the nursery."""

    spec: RunSpec

    def schedule(self) -> Schedule:
        """Make the schedule."""
        game = load_game(self.spec.game)
        return Schedule(self.spec, game, game.rules(self.spec.seats, self.spec.rules))

    def load_engine(self) -> None:
        """Load compiled code that all workers need, before they are forked: play no game."""
        from sim.engines.table import Table

        game = load_game(self.spec.game)
        kernel = game.kernel(game.rules(self.spec.seats, self.spec.rules))
        Table(kernel, bots=(), tasks=np.empty(0, TASK_DTYPE), seed=self.spec.seed).advance()

    def arena(
        self, pulse: NDArray[np.void] | None = None, *, bound: Sequence[Any] | None = None
    ) -> Player:
        """Make what plays; load the strategies if they are not."""
        from sim.runner.arena import Arena

        return Arena(self.spec, bound=bound, pulse=pulse)


@dataclass(frozen=True, slots=True)
class Play:
    """Play these blocks; at the keys of `injected`, forfeit without asking."""

    first: int
    stop: int
    injected: tuple[Fault, ...] = ()
    retired: tuple[Retired, ...] = ()
    """Players that forfeit without being asked; these forfeits are not recorded one by one."""


@dataclass(frozen=True, slots=True)
class Ready:
    """The strategies are loaded."""


@dataclass(frozen=True, slots=True)
class Failed:
    """Something was raised that is no strategy's forfeit."""

    message: str
    trace: str
    exit_code: int
    """What it would end the program with: 4 for a strategy that does not load, 3 for a fault of
    ours."""


@dataclass(frozen=True, slots=True)
class Played:
    """Blocks first .. stop - 1, packed, with their faults, and the seconds they took."""

    first: int
    stop: int
    data: bytes
    faults: list[Fault]
    seconds: float


def serve(workshop: Workshop, connection: Connection, slot: NDArray[np.void]) -> None:
    """Play what comes, until there is nobody to play for. `slot` is one row of SLOT_DTYPE."""
    slot[:] = 0
    slot["pulse"]["player"] = NOBODY
    owner = os.getpid()
    traces: Counter[str] = Counter()
    os.register_at_fork(after_in_child=lambda: die_with_parent(owner))
    _break_off_when_told(slot, workshop.spec.limits.move_timeout)
    try:
        arena = workshop.arena(slot["pulse"])
        _send(connection, owner, Ready())
        while True:
            task: Play = connection.recv()
            _send(connection, owner, play(arena, task, slot, traces))
    except (EOFError, ConnectionError):
        return
    except Exception as error:
        _send(connection, owner, _failed(error))


def _break_off_when_told(slot: NDArray[np.void], seconds: float | None) -> None:
    """Let SIGALRM end the call that main found overdue, and no other that began since."""
    told, thinking = slot["overdue"], slot["pulse"]["since"]

    def break_off(*_: object) -> None:
        if thinking[0] and thinking[0] == told[0]:
            told[0] = 0
            raise Overdue(timeout_detail(seconds))

    signal.signal(signal.SIGALRM, break_off)


def timeout_detail(seconds: float | None) -> str:
    """Say what a strategy did that thought too long.

    >>> timeout_detail(10.0)
    'thought longer than --move-timeout, which is 10 s'
    """
    return f"thought longer than --move-timeout, which is {seconds:g} s"


def play(arena: Player, task: Play, slot: NDArray[np.void], traces: Counter[str]) -> Played:
    """Play one range of blocks, saying so in `slot`; `traces` counts the tracebacks by player."""
    began = perf_counter()
    slot["first"], slot["stop"] = task.first, task.stop
    arena.schedule.retired = task.retired
    chunk = arena.play(task.first, task.stop, task.injected)
    slot["pulse"]["player"], slot["pulse"]["since"] = NOBODY, 0
    data = pack_columns(chunk.columns())
    labels = [player.label for player in arena.schedule.spec.players]
    gone = {labels[retired.player]: retired.game for retired in task.retired}
    kept = [f for f in chunk.faults if f.player not in gone or f.key[:3] <= gone[f.player]]
    faults = [_with_less_trace(fault, traces) for fault in kept]
    return Played(task.first, task.stop, data, faults, perf_counter() - began)


def _with_less_trace(fault: Fault, traces: Counter[str]) -> Fault:
    """Leave out the traceback where the player has had enough of them."""
    if not fault.traceback:
        return fault
    traces[fault.player] += 1
    if traces[fault.player] <= TRACEBACKS:
        return fault
    return replace(fault, traceback=MORE_TRACEBACKS)


def _send(connection: Connection, owner: int, message: Any) -> None:
    """Send a message; a child that a strategy forked does not get to."""
    if os.getpid() != owner:
        os._exit(1)
    connection.send(message)


def _failed(error: Exception) -> Failed:
    code = error.exit_code if isinstance(error, SimError) else 3
    message = str(error) if isinstance(error, SimError) else f"{type(error).__name__}: {error}"
    return Failed(message, traceback.format_exc(), code)
