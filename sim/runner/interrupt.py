"""Ctrl-C and SIGTERM while a run is on: noted, and acted on where nothing is lost by it."""

import os
import signal
import threading
from types import FrameType
from typing import Any, Final

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


class Interrupt:
    """Notes signals while it is entered; `descriptor` becomes readable when one has come."""

    def __init__(self, *, abrupt: bool = False) -> None:
        """With `abrupt`, a second signal ends the process there and then."""
        self._abrupt = abrupt
        self.signal: int | None = None
        """The first signal."""
        self.count = 0
        self._before: dict[int, Any] = {}
        self.descriptor, self._wake = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)

    @property
    def exit_code(self) -> int:
        """Give the exit code of a program that ends by the signal: 130 or 143.

        >>> interrupt = Interrupt()
        >>> interrupt.signal = signal.SIGINT
        >>> interrupt.exit_code
        130
        """
        return 128 + (self.signal or 0)

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.signal = self.signal or number
        self.count += 1
        os.write(self._wake, b"!")
        if self._abrupt and self.count > 1:
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)

    def __enter__(self) -> "Interrupt":
        if threading.current_thread() is threading.main_thread():
            for number in SIGNALS:
                self._before[number] = signal.signal(number, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
        os.close(self.descriptor)
        os.close(self._wake)
