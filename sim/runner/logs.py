"""One log for all processes of a run: `run.log`.

    main, nursery   multiprocessing-logging, on the logger `sim` alone
    worker, clerk   a pipe of its own to the nursery, which logs what comes out of it

The queue of multiprocessing-logging falls silent, and a process that survives hangs when it ends,
once a process is killed while it logs. So those that may be killed never touch it.
"""

import contextlib
import io
import logging
import multiprocessing
import os
import pickle
import struct
import sys
from collections.abc import Iterator
from logging.handlers import MemoryHandler
from pathlib import Path
from typing import Any, Final

from multiprocessing_logging import MultiProcessingHandler, install_mp_handler

LOGGER: Final = logging.getLogger("sim")

LINE: Final = "%(asctime)s %(levelname)s %(processName)s: %(message)s"

OUTPUT_LIMIT: Final = 64 * 1024
"""Bytes kept of what the strategies of one worker print."""

_LENGTH: Final = struct.Struct("<I")
_PIECE: Final = 1 << 16


class _Several(logging.Handler):
    """Hands every record on to several handlers."""

    def __init__(self, handlers: list[logging.Handler]) -> None:
        super().__init__()
        self.handlers = handlers

    def emit(self, record: logging.LogRecord) -> None:
        """Hand it on."""
        for handler in self.handlers:
            if record.levelno >= handler.level:
                handler.handle(record)


class _LogFile(logging.FileHandler):
    """The log on disk; a full disk ends the run elsewhere, where it can be said well."""

    def handleError(self, record: logging.LogRecord) -> None:
        """Let the record go."""


class RunLog:
    """The log as main holds it: kept in memory until the run is known to be valid."""

    def __init__(self) -> None:
        self._memory = MemoryHandler(capacity=1, flushLevel=logging.NOTSET, flushOnClose=False)
        self._targets: list[logging.Handler] = []
        self._shared: MultiProcessingHandler | None = None
        self._level = LOGGER.level
        LOGGER.setLevel(logging.INFO)
        LOGGER.addHandler(self._memory)

    def share(self) -> None:
        """Take records of processes forked from here on, too."""
        before = multiprocessing.get_start_method(allow_none=True)
        multiprocessing.set_start_method("fork", force=True)  # the package insists
        try:
            install_mp_handler(LOGGER)
        finally:
            multiprocessing.set_start_method(before, force=True)
        [self._shared] = [h for h in LOGGER.handlers if isinstance(h, MultiProcessingHandler)]

    def write_to(self, path: Path, *also: logging.Handler) -> None:
        """Write what was kept, and all that comes, to `path` and to other handlers."""
        file = _LogFile(path, encoding="utf-8")
        file.setFormatter(logging.Formatter(LINE))
        self._targets = [file, *also]
        self._memory.setTarget(_Several(self._targets))
        self._memory.flush()

    def give_up_sharing(self) -> None:
        """Go on alone after the nursery died: it may have died with the queue's lock in hand."""
        if self._shared is not None:
            LOGGER.removeHandler(self._shared)
            LOGGER.addHandler(self._memory)
            self._shared.queue.cancel_join_thread()
            self._shared._is_closed = True  # its close() would wait for the queue to empty
            self._shared = None

    def close(self) -> None:
        """Write what is left and leave the logger as it was found."""
        handler = self._shared or self._memory
        LOGGER.removeHandler(handler)
        if self._shared is not None:
            self._shared.close()
        self._memory.close()
        for target in self._targets:
            target.close()
        LOGGER.setLevel(self._level)


class PipeHandler(logging.Handler):
    """A worker's log: records into a pipe, each with its length before it."""

    def __init__(self, descriptor: int) -> None:
        super().__init__()
        self.descriptor = descriptor

    def emit(self, record: logging.LogRecord) -> None:
        """Send a record: as text, so that nothing has to be known to read it."""
        with contextlib.suppress(OSError):  # a log that cannot be written harms no game
            message = record.getMessage()
            if record.exc_info:
                message += "\n" + logging.Formatter().formatException(record.exc_info)
            values = (record.name, record.levelno, record.processName, record.created, message)
            data = pickle.dumps(values)
            write_all(self.descriptor, _LENGTH.pack(len(data)) + data)


def write_all(descriptor: int, data: bytes) -> None:
    """Write all of `data`."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


class RecordReader:
    """The nursery's end of a worker's log."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self._buffer = b""

    def read(self) -> bool:
        """Log what has arrived; False at the end. A record that breaks off is dropped."""
        data = os.read(self.descriptor, _PIECE)
        self._buffer += data
        for name, level, process, created, message in self._records():
            record = logging.LogRecord(name, level, "", 0, message, None, None)
            record.processName, record.created = process, created
            LOGGER.handle(record)
        return bool(data)

    def _records(self) -> Iterator[tuple[Any, ...]]:
        while len(self._buffer) >= _LENGTH.size:
            [length] = _LENGTH.unpack(self._buffer[: _LENGTH.size])
            if len(self._buffer) < _LENGTH.size + length:
                return
            data = self._buffer[_LENGTH.size : _LENGTH.size + length]
            self._buffer = self._buffer[_LENGTH.size + length :]
            yield pickle.loads(data)


class OutputReader:
    """The nursery's end of what a worker's strategies print: bounded, line by line in the log."""

    def __init__(self, descriptor: int, name: str) -> None:
        self.descriptor = descriptor
        self._name = name
        self._kept = 0
        self._line = b""

    def read(self) -> bool:
        """Log what has arrived, up to the limit; False at the end."""
        data = os.read(self.descriptor, _PIECE)
        room = OUTPUT_LIMIT - self._kept
        if room > 0:
            self._kept += len(data)
            *lines, self._line = (self._line + data[:room]).split(b"\n")
            if not data and self._line:
                lines.append(self._line)
            for line in lines:
                LOGGER.info("%s printed: %s", self._name, line.decode("utf-8", "replace"))
            if self._kept >= OUTPUT_LIMIT:
                LOGGER.warning("%s printed more, which is not kept", self._name)
        return bool(data)


class _Unclosable(io.TextIOWrapper):
    """Standard output of a worker: a strategy that closes it does not close it for the others."""

    def close(self) -> None:
        """Flush instead."""
        self.flush()

    def detach(self) -> Any:
        """Refuse: it would close the stream by another name."""
        raise io.UnsupportedOperation("detach")


def redirect_output(descriptor: int) -> None:
    """Send what this process prints to `descriptor` and let it read nothing."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(descriptor, 1)
    os.dup2(descriptor, 2)
    sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115
    for name in ("stdout", "stderr"):
        raw = io.FileIO(os.dup(descriptor), "wb", closefd=False)
        stream = _Unclosable(io.BufferedWriter(raw), "utf-8", "replace", line_buffering=True)
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
