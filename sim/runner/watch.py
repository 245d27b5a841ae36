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


class Overdue(BaseException):
    """A strategy thought for too long. Not an Exception, so that a bare `except` of a strategy
    that catches its own errors does not swallow it."""


class Watch:
    """Writes a worker's pulse and adds up thinking times; does nothing where neither is asked."""

    def __init__(self, pulse: NDArray[np.void] | None, limits: Limits) -> None:
        self._pulse = pulse
        self._since = 0
        limit = limits.game_timeout
        self._game_limit = 0 if limit is None else int(limit * SECOND)
        self._bytes = None if pulse is None else memoryview(pulse.view(np.uint8)).cast("B")
        # the fields of PULSE_DTYPE in order: task, seat, call, player, since
        self._pack = Struct("=5q").pack_into

    def begin(self, task: int, seat: int, call: int, player: int) -> None:
        """Say that a call begins now."""
        if self._bytes is not None:
            self._since = monotonic_ns()
            self._pack(self._bytes, 0, task, seat, call, player, self._since)
        elif self._game_limit:
            self._since = monotonic_ns()

    def end(self, entry: Any) -> None:
        """Say that the call is over; Overdue if the player has used up its time in this game."""
        if self._since:
            entry.spent += monotonic_ns() - self._since
            self.clear()
            if self._game_limit and entry.spent > self._game_limit:
                spent = entry.spent / SECOND
                raise Overdue(
                    f"thought {spent:.3g} s in one game, --game-timeout is "
                    f"{self._game_limit / SECOND:.3g} s"
                )

    def clear(self) -> None:
        """Say that nobody is thinking."""
        self._since = 0
        if self._pulse is not None:
            self._pulse["since"] = 0
