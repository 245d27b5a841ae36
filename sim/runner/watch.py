"""Who is thinking, since when, and for how long a player may think in one game.

The supervisor reads the pulse of each worker; here it is written around each call of a strategy
that is not compiled. Limits of one game are kept here, as they need no other process.
"""

from struct import Struct
from time import monotonic_ns
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from sim.runner.spec import Limits

SECOND: Final = 1_000_000_000

# the fields of PULSE_DTYPE in order: task, seat, call, player, since
_PACK: Final = Struct("=5q").pack_into


class Overdue(BaseException):
    """A strategy thought for too long. Not an Exception, so that a bare `except` of a strategy
    that catches its own errors does not swallow it."""


class Watch:
    """Writes a worker's pulse and adds up thinking times; does nothing where neither is asked."""

    def __init__(self, pulse: NDArray[np.void] | None, limits: Limits) -> None:
        limit = limits.game_timeout
        self._game_limit = 0 if limit is None else int(limit * SECOND)
        self._bytes = None if pulse is None else pulse.view(np.uint8).data.cast("B")
        self._since = 0
        self.watches = pulse is not None or bool(self._game_limit)
        """False: `begin` need not be called."""
        self.limits = bool(self._game_limit)
        """False: `end` need not be called."""

    def begin(self, task: int, seat: int, call: int, player: int) -> None:
        """Say that a call begins now."""
        self._since = since = monotonic_ns()
        if self._bytes is not None:
            _PACK(self._bytes, 0, task, seat, call, player, since)

    def end(self, entry: Any) -> None:
        """Add up the player's time in this game; Overdue if it is used up."""
        entry.spent += self.passed()
        if self.used_up(entry.spent):
            raise Overdue(self.overdue_text(entry.spent))

    def passed(self) -> int:
        """Give the nanoseconds since the call began."""
        return monotonic_ns() - self._since

    def used_up(self, spent: Any) -> Any:
        """Tell whether so many nanoseconds are too many for one game; `spent` may be an array."""
        return spent > self._game_limit

    def overdue_text(self, spent: int) -> str:
        """Say what a strategy did that thought too long in one game."""
        return (
            f"thought {spent / SECOND:.3g} s in one game; the limit is "
            f"{self._game_limit / SECOND:.3g} s"
        )

    def rest(self) -> None:
        """Say that nobody is thinking."""
        if self._bytes is not None:
            _PACK(self._bytes, 0, 0, 0, 0, 0, 0)
