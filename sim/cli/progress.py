"""The progress bar of a run: games done, games a second and the time left, on stderr.

It is drawn on a terminal only, and by the callbacks of the run alone: it starts no thread.
"""

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from sim.cli.printing import is_lively

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

REDRAW_S: Final = 0.1
"""Least time between two drawings."""

SPEED_WINDOW_S: Final = 30.0
"""Games a second are taken over this much of the past."""


class Bar:
    """A bar that appears with the first call of `show` and goes when the block ends."""

    def __init__(self, *, wanted: bool = True) -> None:
        self._lively = wanted and is_lively(sys.stderr)
        self._progress: Progress | None = None
        self._task: TaskID | None = None
        self._drawn = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Take the bar away."""
        if self._progress is not None:
            self._progress.stop()

    def show(self, done: int, total: int) -> None:
        """Draw that `done` of `total` games are played."""
        now = time.monotonic()
        if not self._lively or now - self._drawn < REDRAW_S:
            return
        self._drawn = now
        if self._progress is None:
            self._progress = _make_progress()
            self._progress.start()
            self._task = self._progress.add_task("playing", total=total)
        if self._task is not None:
            self._progress.update(self._task, completed=done, total=total, refresh=True)


def _make_progress() -> "Progress":
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        ProgressColumn,
        Task,
        TimeRemainingColumn,
    )
    from rich.table import Column
    from rich.text import Text

    class Games(ProgressColumn):
        """Games done, and games a second."""

        def render(self, task: Task) -> Text:
            """Write both; no speed before there is one."""
            done = f"{task.completed:,.0f} of {task.total or 0:,.0f} games"
            return Text(f"{done}, {task.speed:,.0f} games/s" if task.speed else done)

    return Progress(
        BarColumn(bar_width=None),
        Games(table_column=Column(no_wrap=True)),
        TimeRemainingColumn(),
        console=Console(file=sys.stderr),
        auto_refresh=False,
        transient=True,
        expand=True,
        redirect_stdout=False,  # a bot played in this process may print what it likes
        redirect_stderr=False,
        speed_estimate_period=SPEED_WINDOW_S,
    )
