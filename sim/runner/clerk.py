"""A process that folds the journal into parts. It runs no strategy, so that none can harm a part.

main -> clerk   Fold(number, first, stop)
clerk -> main   Folded | Unfit | Failed
"""

import traceback
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from sim.errors import SimError
from sim.runner.journal import Damage
from sim.runner.parts import Part, fold
from sim.runner.schedule import Schedule
from sim.runner.worker import Failed


@dataclass(frozen=True, slots=True)
class Fold:
    """Write this part from the journal."""

    number: int
    first: int
    stop: int


@dataclass(frozen=True, slots=True)
class Folded:
    """The part is written."""

    number: int
    part: Part


@dataclass(frozen=True, slots=True)
class Unfit:
    """The journal does not hold the part whole: its range that begins at `damaged` is damaged."""

    number: int
    damaged: object


def serve(folder: Path, schedule: Schedule, connection: Connection) -> None:
    """Fold what comes, until there is nobody to fold for."""
    import pyarrow.parquet  # noqa: F401  takes a while: not when the first part waits

    try:
        while True:
            task: Fold = connection.recv()
            connection.send(do(folder, schedule, task))
    except (EOFError, ConnectionError):
        return
    except Exception as error:
        connection.send(Failed(_say(folder, error), traceback.format_exc(), 3))


def _say(folder: Path, error: Exception) -> str:
    if isinstance(error, OSError):
        return f"cannot write to {str(folder)!r}: {error} (what was stored stays valid)"
    return str(error) if isinstance(error, SimError) else f"{type(error).__name__}: {error}"


def do(folder: Path, schedule: Schedule, task: Fold) -> Folded | Unfit:
    """Fold one part."""
    try:
        part = fold(folder, schedule, first=task.first, stop=task.stop)
    except Damage as damage:
        return Unfit(task.number, damage.args[0])
    return Folded(task.number, part)
