"""Strategies of Liar's Dice that play alike, and misbehave in their own ways where it is due."""

import contextlib
import ctypes
import os
import random
import signal
import sys
import threading
import time
from typing import Any

import numpy as np

from sim.strategies.api import compiled


class Calm:
    """Opens with the lowest bid, and challenges every other."""

    game = "liars-dice"
    name = "calm"

    def act(self, view: Any) -> Any:
        """Misbehave in round 2 with a six in hand; then choose."""
        if view.round == 2 and view.own[6]:
            odd = self.misbehave(view)
            if odd is not None:
                return odd[0]
        return 0 if view.bid < 0 else -1

    def misbehave(self, view: Any) -> tuple[Any] | None:
        """Behave; or give what is to be returned instead of an action."""
        return None


class Nothing(Calm):
    """Returns None."""

    name = "nothing"

    def misbehave(self, view: Any) -> tuple[Any]:
        """Do so."""
        return (None,)


class Illegal(Calm):
    """Bids more than there is."""

    name = "illegal"

    def misbehave(self, view: Any) -> tuple[Any]:
        """Do so."""
        return (10_000,)


class Raises(Calm):
    """Raises."""

    name = "raises"

    def misbehave(self, view: Any) -> None:
        """Do so."""
        raise ValueError("no idea")


class Exits(Calm):
    """Wants the program to end."""

    name = "exits"

    def misbehave(self, view: Any) -> None:
        """Do so."""
        sys.exit(0)


class Interrupts(Calm):
    """Pretends that Ctrl-C was pressed."""

    name = "interrupts"

    def misbehave(self, view: Any) -> None:
        """Do so."""
        raise KeyboardInterrupt


class Recurses(Calm):
    """Calls itself for ever."""

    name = "recurses"

    def misbehave(self, view: Any) -> None:
        """Do so."""
        self.misbehave(view)


class Sleeps(Calm):
    """Sleeps."""

    name = "sleeps"

    def misbehave(self, view: Any) -> None:
        """Do so."""
        time.sleep(1000)


class Loops(Calm):
    """Loops, and catches what would end it."""

    name = "loops"

    def misbehave(self, view: Any) -> None:
        """Do so."""
        while True:
            with contextlib.suppress(Exception):
                sum(range(1000))


class Quits(Calm):
    """Ends its process."""

    name = "quits"

    def misbehave(self, view: Any) -> None:
        """Do so."""
        os._exit(0)


class Segfaults(Calm):
    """Reads what is not there."""

    name = "segfaults"

    def misbehave(self, view: Any) -> None:
        """Do so."""
        ctypes.string_at(0)


class Hoards(Calm):
    """Takes all memory it can get."""

    name = "hoards"

    def misbehave(self, view: Any) -> None:
        """Do so."""
        hoard = []
        while True:
            hoard.append(np.ones(1 << 20))


class Prints(Calm):
    """Prints 10 MB a time."""

    name = "prints"

    def misbehave(self, view: Any) -> None:
        """Do so."""
        for _ in range(100):
            print("x" * 99_999)
        print("y" * 99_999, file=sys.stderr)


class Closes(Calm):
    """Closes standard input and output, in every way, then prints."""

    name = "closes"

    def misbehave(self, view: Any) -> None:
        """Do so."""
        print("hello")
        for stream in (sys.stdout, sys.stderr, sys.stdin):
            stream.close()
        for descriptor in (0, 1, 2):
            with contextlib.suppress(OSError):
                os.close(descriptor)
        print("still here")


class Threads(Calm):
    """Starts a thread that never ends."""

    name = "threads"

    def misbehave(self, view: Any) -> None:
        """Do so."""
        if threading.active_count() < 5:
            threading.Thread(target=time.sleep, args=(1000,)).start()


class Handles(Calm):
    """Replaces signal handlers."""

    name = "handles"

    def misbehave(self, view: Any) -> None:
        """Do so."""
        for number in (signal.SIGALRM, signal.SIGINT, signal.SIGTERM, signal.SIGCHLD):
            signal.signal(number, lambda *_: None)


class Moves(Calm):
    """Changes the working directory."""

    name = "moves"

    def misbehave(self, view: Any) -> None:
        """Do so."""
        os.chdir("/")


class Writes(Calm):
    """Tries to give itself more dice."""

    name = "writes"

    def misbehave(self, view: Any) -> None:
        """Do so."""
        for attempt in (
            lambda: setattr(view, "own_dice", 5),
            lambda: view.own.__setitem__(1, 5),
            lambda: view.dice_counts.__setitem__(0, 5),
        ):
            with contextlib.suppress(AttributeError, TypeError):
                attempt()


class Seeds(Calm):
    """Seeds global random generators and draws from them."""

    name = "seeds"

    def misbehave(self, view: Any) -> None:
        """Do so."""
        random.seed(1)
        np.random.seed(1)  # noqa: NPY002  that is what it does
        random.random()


class Forks(Calm):
    """Forks; the child comes back as if it were the worker."""

    name = "forks"

    def misbehave(self, view: Any) -> None:
        """Do so."""
        os.fork()


@compiled(game="liars-dice", name="spins")
def spins(event: int, view: Any, params: Any, memory: Any, rng: Any) -> int:
    """Loop for ever in compiled code."""
    if view.round == 2 and view.own[6]:
        memory[0] = 1
        while memory[0] != 0:
            memory[0] += 2
    return 0 if view.bid < 0 else -1


@compiled(game="liars-dice", name="overruns")
def overruns(event: int, view: Any, params: Any, memory: Any, rng: Any) -> int:
    """Write past the end of its memory, in compiled code."""
    if view.round == 2 and view.own[6]:
        memory[32 + view.own_dice] = 1
    return 0 if view.bid < 0 else -1
