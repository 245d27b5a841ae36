"""A running program and the lines to and from it, none of which is waited for without an end.

Its standard error is ours: in a worker that is the run's log, read all the time by another process.
It dies with the process that started it. What it starts itself is of a worker's group, and ends
with that.
"""

import atexit
import contextlib
import ctypes
import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from time import monotonic
from typing import Final

from sim.strategies.foreign.base import Crashed, Illegal, TimedOut

LONGEST_LINE: Final = 1 << 20
"""Bytes of a line before it counts as garbage."""

FAREWELL_SECONDS: Final = 0.5
"""How long a program may take to end by itself at the end of a run."""

_PIECE: Final = 1 << 16
_PR_SET_PDEATHSIG: Final = 1  # <linux/prctl.h>

_running: Final[set["Program"]] = set()


class Program:
    """A program that was started: send lines, await lines."""

    def __init__(self, words: Sequence[str], folder: str) -> None:
        self._buffer = b""
        self._unsent = b""
        try:
            self._process = subprocess.Popen(
                list(words),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                bufsize=0,
                cwd=folder,
                preexec_fn=_readiness(),
            )
        except (OSError, subprocess.SubprocessError) as error:
            raise Crashed(f"its program could not be started: {error}") from None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._in = self._process.stdin.fileno()
        self._out = self._process.stdout.fileno()
        os.set_blocking(self._in, False)
        os.set_blocking(self._out, False)
        self.owner = os.getpid()
        _running.add(self)

    @property
    def has_ended(self) -> bool:
        """Tell whether it ended by itself."""
        return self._process.poll() is not None

    def send(self, line: bytes, seconds: float | None) -> None:
        """Send a line; TimedOut if it is not read. That nobody is there shows at the next `ask`."""
        self._unsent += line
        self._exchange(seconds, lambda: not self._unsent)

    def ask(self, line: bytes, seconds: float | None) -> bytes:
        """Send a line and give the line that comes back, without its end."""
        self._read()
        if self._buffer:
            raise Illegal(f"wrote {_shown(self._buffer)} without being asked")
        self._unsent += line
        self._exchange(seconds, self._has_line)
        answer, newline, self._buffer = self._buffer.partition(b"\n")
        if newline and len(answer) <= LONGEST_LINE:
            return answer
        if len(answer) > LONGEST_LINE:
            raise Illegal(f"wrote a line of more than {LONGEST_LINE} bytes")
        raise Crashed(f"its program {self._ending()}")

    def _has_line(self) -> bool:
        return b"\n" in self._buffer or len(self._buffer) > LONGEST_LINE

    def _exchange(self, seconds: float | None, done: Callable[[], bool]) -> None:
        """Write what is unsent and read what comes, until `done` or the program is gone."""
        end = None if seconds is None else monotonic() + seconds
        while not done():
            left = None if end is None else end - monotonic()
            if left is not None and left <= 0:
                raise TimedOut(f"thought longer than --move-timeout, which is {seconds:g} s")
            writes = [self._in] if self._unsent else []
            readable, writable, _ = select.select([self._out], writes, [], left)
            if writable and not self._write():
                self._unsent = b""  # what it wrote before it ended still counts
            if readable and not self._read():
                return

    def _write(self) -> bool:
        """Write what fits; False if nobody reads any more."""
        try:
            self._unsent = self._unsent[os.write(self._in, self._unsent) :]
        except BlockingIOError:
            return True
        except OSError:
            return False
        return True

    def _read(self) -> bool:
        """Take what is there; False if there will be no more."""
        try:
            data = os.read(self._out, _PIECE)
        except BlockingIOError:
            return True
        self._buffer += data
        return bool(data)

    def _ending(self) -> str:
        """Say how it ended; it has closed its output, so it is about to."""
        try:
            code = self._process.wait(FAREWELL_SECONDS)
        except subprocess.TimeoutExpired:
            return "closed its standard output"
        return f"ended with signal {-code}" if code < 0 else f"ended with exit code {code}"

    def kill(self) -> None:
        """End it at once."""
        _running.discard(self)
        self._process.kill()
        self._close()
        self._process.wait()

    def dismiss(self, line: bytes) -> None:
        """Send a last line and let it end by itself, for a moment."""
        _running.discard(self)
        self._unsent += line
        with contextlib.suppress(TimedOut):
            self._exchange(FAREWELL_SECONDS, lambda: not self._unsent)
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(FAREWELL_SECONDS)
        self.kill()

    def _close(self) -> None:
        for stream in (self._process.stdin, self._process.stdout):
            assert stream is not None
            with contextlib.suppress(OSError):
                stream.close()


def say_goodbye() -> None:
    """Dismiss every program that this process has started; one that is killed cannot."""
    for program in list(_running):
        if program.owner == os.getpid():  # not in a child that a strategy forked
            program.dismiss(b'{"type":"bye"}\n')


atexit.register(say_goodbye)


def _readiness() -> Callable[[], None]:
    """Give what a new process does before it becomes the program.

    It dies with its parent (only Linux can do that), and Ctrl-C in a terminal is not for it.
    """
    # loaded here: little is allowed after a fork
    prctl = ctypes.CDLL(None).prctl if sys.platform == "linux" else None

    def prepare() -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        if prctl is not None:
            prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)

    return prepare


def _shown(line: bytes) -> str:
    """Quote the beginning of a line."""
    text = line.partition(b"\n")[0][:80].decode("utf-8", "replace")
    return repr(text)
