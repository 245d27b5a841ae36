"""The process that forks all others: forked first, it runs no strategy and starts no thread.

So a worker, and a replacement for one that died, is a fork of a process of which everything is
known: compiled code loaded, no lock held by a thread that the fork leaves behind.

    main -> nursery   Prepare(workshop, folder) | Fork(slot, role) | Kill(slot, signal)
    nursery -> main   Prepared | Born (followed by a descriptor) | Died

Importing this module is cheap; numpy and numba are imported in the nursery.
"""

import contextlib
import gc
import logging
import mmap
import os
import selectors
import signal
import socket
import sys
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.reduction import recv_handle, send_handle
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from sim.runner.lifeline import die_with_parent, keep_from_children
from sim.runner.logs import LOGGER, OutputReader, PipeHandler, RecordReader, RunLog, redirect_output

if TYPE_CHECKING:
    from sim.runner.schedule import Schedule
    from sim.runner.worker import Workshop

SLOTS: Final = 1025
"""Room for workers, and for the clerk in the last slot."""

CLERK: Final = SLOTS - 1

SLOT_BYTES: Final = 64
"""Size of worker.SLOT_DTYPE, known here without NumPy."""

Role = Literal["worker", "clerk"]


@dataclass(frozen=True, slots=True)
class Prepare:
    """Load what workers need; the run is stored in `folder`."""

    workshop: "Workshop"
    folder: Path


@dataclass(frozen=True, slots=True)
class Prepared:
    """Everything is loaded; or why not."""

    error: str | None = None


@dataclass(frozen=True, slots=True)
class Fork:
    """Start a process in a slot."""

    slot: int
    role: Role


@dataclass(frozen=True, slots=True)
class Kill:
    """Send a signal to the process in a slot."""

    slot: int
    signal: int


@dataclass(frozen=True, slots=True)
class Born:
    """A process started; the descriptor of its connection follows."""

    slot: int
    pid: int


@dataclass(frozen=True, slots=True)
class Died:
    """A process ended; `code` is its exit code, or minus the signal that killed it."""

    slot: int
    pid: int
    code: int


def limit_threads() -> None:
    """Let numerical libraries start no threads, unless the user has said how many.

    It works before NumPy is imported, and for the processes that come from this one.
    """
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")


class Nursery:
    """The nursery as main holds it."""

    def __init__(self, log: RunLog, connection: Connection, pid: int, memory: mmap.mmap) -> None:
        self.log = log
        self.connection = connection
        self.pid = pid
        self.memory = memory

    @classmethod
    def start(cls) -> "Nursery":
        """Fork the nursery. Call this before anything that starts a thread, or NumPy is imported.

        The log is shared with it, and nothing is written until `log.write_to` is called.
        """
        limit_threads()
        log = RunLog()
        log.share()
        memory = mmap.mmap(-1, SLOTS * SLOT_BYTES)
        ours, theirs = socket.socketpair()
        parent = os.getpid()
        pid = _fork()
        if pid == 0:
            ours.close()
            _run_process(lambda: _Home(Connection(theirs.detach()), memory).live(parent))
        theirs.close()
        return cls(log, Connection(ours.detach()), pid, memory)

    def send(self, message: Prepare | Fork | Kill) -> None:
        """Ask for something; ConnectionError if the nursery is gone."""
        self.connection.send(message)

    def receive(self) -> "tuple[Prepared | Died, None] | tuple[Born, Connection]":
        """Give the next message, with the connection of a newborn; EOFError if it is gone."""
        message = self.connection.recv()
        if isinstance(message, Born):
            return message, Connection(recv_handle(self.connection))
        return message, None

    def stop(self) -> None:
        """End the nursery and all that it forked, and the shared log with it."""
        self.connection.close()
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self.pid, 0)
        self.log.close()


def _fork() -> int:
    with warnings.catch_warnings():
        # Newer Pythons warn of forks beside threads: here only those that the log's queue has.
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def _run_process(live: Callable[[], None]) -> None:
    """Be a process of its own: run `live`, and never return into what the parent was doing."""
    code = 1
    try:
        live()
        code = 0
    except BaseException:
        with contextlib.suppress(Exception):
            LOGGER.critical("unexpected end of process %d\n%s", os.getpid(), traceback.format_exc())
    finally:
        os._exit(code)


@dataclass(slots=True)
class _Child:
    slot: int
    pid: int


class _Home:
    """The nursery's own side."""

    def __init__(self, connection: Connection, memory: mmap.mmap) -> None:
        self.connection = connection
        self.memory = memory
        self.children: dict[int, _Child] = {}
        self.selector = selectors.DefaultSelector()
        self.workshop: Workshop | None = None
        self.schedule: Schedule | None = None
        self.folder = Path()

    def live(self, parent: int) -> None:
        """Serve main until it hangs up; then end all children."""
        die_with_parent(parent)
        os.setsid()  # keys pressed in the terminal are for main
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        woken, wake = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wake)
        self.selector.register(self.connection, selectors.EVENT_READ, self._obey)
        self.selector.register(woken, selectors.EVENT_READ, lambda: self._reap(woken))
        self._import_early()
        try:
            while True:
                for key, _ in self.selector.select():
                    key.data()
        except (EOFError, ConnectionError):
            pass  # main hung up, perhaps in the middle of a birth
        finally:
            self._end()

    def _import_early(self) -> None:
        """Import what every worker needs while main still reads the command line."""
        with contextlib.suppress(ImportError):  # told when it matters, by `Prepared`
            import sim.engines.calls
            import sim.runner.clerk
            import sim.runner.worker  # noqa: F401

    def _obey(self) -> None:
        message = self.connection.recv()
        if isinstance(message, Prepare):
            self._prepare(message)
        elif isinstance(message, Fork):
            self._give_birth(message)
        else:
            for child in self.children.values():
                if child.slot == message.slot:
                    os.kill(child.pid, message.signal)

    def _prepare(self, message: Prepare) -> None:
        try:
            self.workshop, self.folder = message.workshop, message.folder
            self.schedule = message.workshop.schedule()
            message.workshop.load_engine()
        except Exception:
            self.connection.send(Prepared(traceback.format_exc()))
            return
        gc.collect()
        gc.freeze()  # what is here now is shared by all children
        self.connection.send(Prepared())

    def _give_birth(self, message: Fork) -> None:
        ours, theirs = socket.socketpair()
        records, write_records = os.pipe()
        output, write_output = os.pipe()
        parent = os.getpid()
        pid = _fork()
        if pid == 0:
            child = Connection(theirs.detach())
            _run_process(
                lambda: self._be_child(message, parent, child, write_records, write_output)
            )
        theirs.close()
        os.close(write_records)
        os.close(write_output)
        self.children[pid] = _Child(message.slot, pid)
        name = f"{message.role} {message.slot}" if message.role == "worker" else "clerk"
        for reader in (RecordReader(records), OutputReader(output, name)):
            self.selector.register(
                reader.descriptor, selectors.EVENT_READ, lambda reader=reader: self._drain(reader)
            )
        LOGGER.info("%s is process %d", name, pid)
        self.connection.send(Born(message.slot, pid))
        send_handle(self.connection, ours.fileno(), os.getppid())
        ours.close()

    def _be_child(
        self, message: Fork, parent: int, connection: Connection, records: int, output: int
    ) -> None:
        """Be a worker or the clerk."""
        die_with_parent(parent)
        os.setpgid(0, 0)  # what a strategy starts is of this group, and ends with it
        _log_to(records, f"{message.role}-{message.slot}")
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        redirect_output(output)
        _close_all_but({0, 1, 2, connection.fileno(), records, output, *_output_descriptors()})
        if message.role == "clerk":
            from sim.runner import clerk

            assert self.schedule is not None
            clerk.serve(self.folder, self.schedule, connection)
            return
        import numpy as np

        from sim.runner import worker

        assert self.workshop is not None
        slots = np.frombuffer(self.memory, worker.SLOT_DTYPE, SLOTS)
        keep_from_children(self.memory)
        worker.serve(self.workshop, connection, slots[message.slot : message.slot + 1])

    def _drain(self, reader: RecordReader | OutputReader) -> None:
        if not reader.read():
            self.selector.unregister(reader.descriptor)
            os.close(reader.descriptor)

    def _reap(self, woken: int) -> None:
        with contextlib.suppress(BlockingIOError):
            os.read(woken, 4096)
        for child in list(self.children.values()):
            pid, status = os.waitpid(child.pid, os.WNOHANG)
            if pid:
                del self.children[pid]
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(pid, signal.SIGKILL)
                code = os.waitstatus_to_exitcode(status)
                self.connection.send(Died(child.slot, pid, code))

    def _end(self) -> None:
        """Kill all children, log what they still had to say, and let the log flush."""
        for child in self.children.values():
            for kill in (os.kill, os.killpg):  # a newborn has no group of its own yet
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    kill(child.pid, signal.SIGKILL)
        for child in self.children.values():
            with contextlib.suppress(ChildProcessError):
                os.waitpid(child.pid, 0)
        for key in list(self.selector.get_map().values()):
            reader = getattr(key.data, "__defaults__", None)
            if reader and isinstance(reader[0], RecordReader | OutputReader):
                os.set_blocking(reader[0].descriptor, False)
                with contextlib.suppress(BlockingIOError):
                    while reader[0].read():
                        pass
        for handler in LOGGER.handlers:
            queue: Any = getattr(handler, "queue", None)
            if queue is not None:
                queue.close()
                queue.join_thread()


def _log_to(descriptor: int, name: str) -> None:
    """Let this process log into its own pipe, and into nothing else."""
    import multiprocessing

    for handler in list(LOGGER.handlers):
        LOGGER.removeHandler(handler)
    LOGGER.addHandler(PipeHandler(descriptor))
    LOGGER.propagate = False
    multiprocessing.current_process().name = name
    logging.raiseExceptions = False


def _output_descriptors() -> list[int]:
    return [sys.stdout.fileno(), sys.stderr.fileno(), sys.stdin.fileno()]


def _close_all_but(kept: set[int]) -> None:
    """Close what the nursery has open: a pipe counts as closed only when nobody holds it."""
    for path in list(Path("/proc/self/fd").iterdir()):
        if int(path.name) not in kept:
            with contextlib.suppress(OSError):
                os.close(int(path.name))
