"""Main's part while a run is on: hands out blocks, takes games, and sees that nobody hangs.

At most `jobs` processes compute at a time: while the clerk folds a part, a worker rests.
"""

import contextlib
import logging
import selectors
import shlex
import signal
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from time import monotonic, monotonic_ns
from typing import Final

import numpy as np

from sim.errors import PluginError, RunError
from sim.runner.clerk import Fold, Folded, Unfit
from sim.runner.early import EarlyStop
from sim.runner.feed import Feed
from sim.runner.hazards import Hazards
from sim.runner.interrupt import Interrupt
from sim.runner.lifeline import resident_bytes
from sim.runner.nursery import CLERK, SLOTS, Born, Died, Fork, Kill, Nursery, Prepare, Prepared
from sim.runner.store import Store
from sim.runner.worker import SLOT_DTYPE, Failed, Play, Played, Ready, Workshop, timeout_detail

LOGGER: Final = logging.getLogger("sim.supervisor")

LOOK_SECONDS: Final = 0.05
"""How often workers are looked at."""

GRACE_SECONDS: Final = 1.0
"""A strategy that is told to break off gets this long before its worker is killed."""

STOP_SECONDS: Final = 0.7
"""After Ctrl-C, running chunks get this long to end: all must be over within two seconds."""

MOST_DEATHS: Final = 20
"""Deaths in a row that no strategy can be blamed for, before a run is given up."""

Progress = Callable[[int, int], None]
"""Called with the games played and the games there are."""


@dataclass(slots=True)
class _Worker:
    slot: int
    pid: int
    connection: Connection
    ready: bool = False
    plays: deque[tuple[Play, int]] = field(default_factory=deque)
    """What it has been given and has not sent back, and the regime (hazards.py) of each."""
    call: tuple[int, ...] = ()
    """The call it was last seen in, and when it was first seen there."""
    call_seen: float = 0.0
    told: float | None = None
    """When its strategy was told to break off."""
    doomed: bool = False
    """It is being killed."""
    blamed: bool = False
    """A strategy forfeits for that."""


class Supervisor:
    """Plays what a store lacks."""

    def __init__(
        self,
        nursery: Nursery,
        store: Store,
        hazards: Hazards,
        early: EarlyStop,
        *,
        jobs: int,
        interrupt: Interrupt,
        chunk: int | None = None,
        unit: int | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.nursery = nursery
        self.store = store
        self.hazards = hazards
        self.early = early
        self.jobs = jobs
        self.interrupt = interrupt
        self.feed = Feed(store.schedule, store.covered, chunk=chunk, unit=unit)
        self._progress = progress
        self._workers: dict[int, _Worker] = {}
        self._clerk: _Worker | None = None
        self._folding: int | None = None
        self._fold_counts = True
        """False: what the clerk is writing has been overtaken."""
        self._to_fold: deque[int] = deque()
        self._births = 0
        self._deaths = 0
        self._played = store.games_covered()
        self._slots = np.frombuffer(nursery.memory, SLOT_DTYPE, SLOTS)
        self._selector = selectors.DefaultSelector()
        self._looked = 0.0

    def run(self, workshop: Workshop) -> None:
        """Play and fold until all is stored, or the interrupt says stop."""
        if self._is_done():
            return
        self._selector.register(self.interrupt.descriptor, selectors.EVENT_READ)
        self._selector.register(self.nursery.connection, selectors.EVENT_READ)
        try:
            self._tell_nursery(Prepare(workshop, self.store.folder))
            self._receive_from_nursery()  # Prepared: nothing else can come first
            for slot in range(self.jobs):
                self._fork(slot)
            self._fork(CLERK)
            self._to_fold.extend(self.store.complete_parts(self.hazards.limit))
            while not self._is_done():
                if self.interrupt.count:
                    self._stop_soon()
                    return
                self._hand_out()
                self._turn()
        finally:
            self._selector.close()

    def _is_done(self) -> bool:
        return not self.store.lacks(self.hazards.limit)

    def _stop_soon(self) -> None:
        """Wait a little for the chunks in play; a second signal ends that."""
        in_play = {w.slot: w.plays[0][0].first for w in self._workers.values() if w.plays}
        until = monotonic() + STOP_SECONDS
        while in_play and monotonic() < until and self.interrupt.count < 2:
            self._turn()
            for slot, first in list(in_play.items()):
                worker = self._workers.get(slot)
                if worker is None or all(play.first != first for play, _ in worker.plays):
                    del in_play[slot]

    # ---- work

    def _hand_out(self) -> None:
        """Fill idle hands."""
        clerk_waits = bool(self._to_fold) and self._folding is None
        capacity = self.jobs - (self._folding is not None or clerk_waits)
        busy = [worker for worker in self._workers.values() if worker.plays]
        depth = 2 if self.feed.may_queue else 1
        for worker in sorted(self._workers.values(), key=lambda worker: len(worker.plays)):
            while worker.ready and not worker.doomed and len(worker.plays) < depth:
                if not worker.plays and len(busy) >= capacity:
                    break
                if worker.plays and len(busy) > capacity:
                    break
                place = self.feed.take()
                if place is None:
                    break
                if not worker.plays:
                    busy.append(worker)
                self._give(worker, *place)
        if clerk_waits and len(busy) < self.jobs and self._clerk is not None:
            self._fold_next(self._clerk)

    def _give(self, worker: _Worker, first: int, stop: int) -> None:
        play = self.hazards.play(first, stop)
        worker.plays.append((play, self.hazards.regime))
        with contextlib.suppress(ConnectionError):  # it died: the nursery will say so
            worker.connection.send(play)

    def _fold_next(self, clerk: _Worker) -> None:
        number = self._to_fold.popleft()
        if number not in self.store.complete_parts(self.hazards.limit):
            return  # taken apart since
        first, stop = self.store.blocks_to_fold(number, self.hazards.limit)
        self.store.journal.commit()
        self._folding, self._fold_counts = number, True
        with contextlib.suppress(ConnectionError):
            clerk.connection.send(Fold(number, first, stop))

    # ---- events

    def _turn(self) -> None:
        """Wait for something to happen, and act on it."""
        for key, _ in self._selector.select(LOOK_SECONDS):
            if key.fileobj is self.nursery.connection:
                self._receive_from_nursery()
            elif isinstance(key.data, _Worker) and not key.data.connection.closed:
                self._receive(key.data)
        if monotonic() - self._looked >= LOOK_SECONDS:
            self._looked = monotonic()
            for worker in self._workers.values():
                self._look_at(worker)
            if self._progress is not None:
                self._progress(self._played, self.store.games_in(0, self.hazards.limit))
        self.store.journal.commit_if_due()

    def _tell_nursery(self, message: Prepare | Fork | Kill) -> None:
        try:
            self.nursery.send(message)
        except ConnectionError:
            self._mourn_nursery()

    def _receive_from_nursery(self) -> None:
        try:
            message, connection = self.nursery.receive()
        except (EOFError, ConnectionError):
            self._mourn_nursery()
            return
        if isinstance(message, Prepared):
            if message.error is not None:
                LOGGER.error("the nursery could not prepare\n%s", message.error)
                raise RunError(f"the engine does not load: {message.error.splitlines()[-1]}")
        elif isinstance(message, Born):
            assert connection is not None
            self._welcome(_Worker(message.slot, message.pid, connection))
        else:
            self._bury(message)

    def _mourn_nursery(self) -> None:
        """Store what has arrived; without the nursery nothing can go on."""
        self.nursery.log.give_up_sharing()
        for worker in list(self._workers.values()):
            self._drain(worker)
        command = shlex.join(["sim", "resume", str(self.store.folder)])
        raise RunError(f"the process that starts the workers died; go on with: {command}")

    def _fork(self, slot: int) -> None:
        self._births += 1
        self._tell_nursery(Fork(slot, "clerk" if slot == CLERK else "worker"))

    def _welcome(self, newborn: _Worker) -> None:
        if newborn.slot == CLERK:
            self._clerk = newborn
        else:
            self._workers[newborn.slot] = newborn
        self._selector.register(newborn.connection, selectors.EVENT_READ, newborn)

    def _receive(self, worker: _Worker) -> bool:
        """Take one message; False at the end of all messages."""
        try:
            message = worker.connection.recv()
        except (EOFError, ConnectionError):
            with contextlib.suppress(KeyError, ValueError):
                self._selector.unregister(worker.connection)
            return False
        if isinstance(message, Played):
            self._store(worker, message)
        elif isinstance(message, Ready):
            worker.ready = True
        elif isinstance(message, Folded):
            self._folding = None
            if self._fold_counts:
                self.store.list_part(message.number, message.part)
        elif isinstance(message, Unfit):
            self._folding = None
            self._replay(*self.store.damaged(message.number, message.damaged))
        else:
            self._fail(message)
        return True

    def _drain(self, worker: _Worker) -> None:
        with contextlib.suppress(OSError):
            while worker.connection.poll() and self._receive(worker):
                pass

    def _fail(self, failed: Failed) -> None:
        LOGGER.error("%s\n%s", failed.message, failed.trace)
        error = PluginError if failed.exit_code == PluginError.exit_code else RunError
        raise error(failed.message)

    def _store(self, worker: _Worker, played: Played) -> None:
        self._deaths = 0
        regime = next(
            r for p, r in worker.plays if (p.first, p.stop) == (played.first, played.stop)
        )
        worker.plays = deque(x for x in worker.plays if x[0].first != played.first)
        self.feed.learn(played.stop - played.first, played.seconds)
        if not self.hazards.accepts(played.first, played.stop, regime):
            self.feed.put_back(played.first, played.stop)
            return
        complete = self.store.add(played.first, played.stop, played.data, played.faults)
        self._played += self.store.games_in(played.first, played.stop)
        if complete is not None:
            self._to_fold.append(complete)
        self._heed(self.hazards.replaced(played.first, played.stop, played.faults))
        self._heed(self.early.look())

    def _heed(self, again: tuple[int, int] | None) -> None:
        """Play again what a fault puts into question; hand out no more than is wanted."""
        if again is None:
            return
        self.feed.limit = self.hazards.limit
        self._replay(*again)
        for number in self.store.complete_parts(self.hazards.limit):
            if number not in self._to_fold and number != self._folding:
                self._to_fold.append(number)

    def _replay(self, first: int, stop: int) -> None:
        if self._folding is not None:
            begin, end = self.store.partition.blocks_of(self._folding)
            self._fold_counts = self._fold_counts and not (begin < stop and first < end)
        for begin, end in self.store.forget(first, stop):
            self._played -= self.store.games_in(begin, end)
            self.feed.put_back(begin, end)

    # ---- trouble

    def _look_at(self, worker: _Worker) -> None:
        """Break off a strategy that thinks too long or takes too much."""
        if worker.doomed or not worker.plays:
            worker.call = ()
            return
        slot = self._slots[worker.slot]
        limit = self.hazards.memory_limit
        if limit is not None and (resident_bytes(worker.pid) or 0) > limit:
            self._end(worker, "memory", f"held more than {limit} bytes")
            return
        pulse = slot["pulse"]
        call = (int(slot["first"]), *(int(pulse[n]) for n in ("task", "seat", "call", "player")))
        call = (*call, int(pulse["since"]))
        if call != worker.call:
            worker.call, worker.call_seen, worker.told = call, monotonic(), None
        self._look_at_clock(worker, player=call[4], since=call[5])

    def _look_at_clock(self, worker: _Worker, *, player: int, since: int) -> None:
        seconds = self.hazards.time_limit(player, outside=since != 0)
        if seconds is None:
            return
        thought = (monotonic_ns() - since) / 1e9 if since else monotonic() - worker.call_seen
        if thought < seconds:
            return
        if since and worker.told is None:
            worker.told = monotonic()
            self._slots[worker.slot]["overdue"] = since
            self._tell_nursery(Kill(worker.slot, signal.SIGALRM))
        elif not since or monotonic() - (worker.told or 0) > GRACE_SECONDS:
            self._end(worker, "timeout", timeout_detail(seconds))

    def _end(self, worker: _Worker, category: str, detail: str) -> None:
        """Kill a worker for what its strategy does."""
        worker.doomed, worker.blamed = True, self._blame(worker, category, detail)
        self._tell_nursery(Kill(worker.slot, signal.SIGKILL))

    def _blame(self, worker: _Worker, category: str, detail: str) -> bool:
        """Let the strategy that was thinking forfeit; False if none was that could be at fault."""
        fault = self.hazards.blame(self._slots[worker.slot], category, detail)
        if fault is None:
            return False
        LOGGER.warning("%s: %s forfeits (%s)", detail, fault.player, category)
        self.store.journal.add_faults([fault])
        self._heed(self.hazards.add([fault]))
        return True

    def _bury(self, died: Died) -> None:
        """Replace a process that died; what it was playing is played again."""
        worker = self._clerk if died.slot == CLERK else self._workers.pop(died.slot, None)
        if worker is None or worker.pid != died.pid:
            return
        self._drain(worker)
        with contextlib.suppress(KeyError, ValueError):
            self._selector.unregister(worker.connection)
        worker.connection.close()
        ended = f"signal {-died.code}" if died.code < 0 else f"exit code {died.code}"
        LOGGER.warning("process %d ended with %s", died.pid, ended)
        if worker is self._clerk:
            self._clerk = None
            if self._folding is not None:
                self._to_fold.appendleft(self._folding)
                self._folding = None
        blamed = worker.blamed
        if worker.plays and not worker.doomed:
            blamed = self._blame(worker, "crash", f"its process ended with {ended}")
        for play, _ in worker.plays:
            self.feed.put_back(play.first, play.stop)
        self._deaths = 0 if blamed else self._deaths + 1
        if self._deaths >= MOST_DEATHS:
            raise RunError(f"{MOST_DEATHS} workers died in a row, the last with {ended}")
        self._fork(died.slot)
