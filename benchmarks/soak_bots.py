"""Strategies of Liar's Dice that misbehave now and then, for soak.py.

When is drawn from the system: not from their streams, which are the same in all line-ups of a deal,
so that a game that is played again goes another way, and a forfeit has to be injected to stand.
"""

import ctypes
import os
import random
import sys
import time
from typing import Any

import numpy as np

from sim.engines.liars_dice import CHALLENGE, View

SYSTEM = random.SystemRandom()


class Moody:
    """Challenges or raises by one; misbehaves about once in `every` turns."""

    game = "liars-dice"
    every = 2_000

    def act(self, view: View) -> Any:
        """Choose."""
        rng: Any = self.rng  # type: ignore[attr-defined]
        if SYSTEM.random() * self.every < 1:
            self.misbehave()
        raised = view.bid + 1
        if view.bid >= 0 and (rng.below(3) == 0 or raised // 6 + 1 > view.dice_in_play):
            return CHALLENGE
        return raised

    def misbehave(self) -> None:
        """Behave."""


class Raiser(Moody):
    """Raises an exception."""

    def misbehave(self) -> None:
        """Do so."""
        raise RuntimeError("out of sorts")


class Printer(Moody):
    """Prints a megabyte."""

    def misbehave(self) -> None:
        """Do so."""
        sys.stdout.write("x" * 1_000_000)


class Sleeper(Moody):
    """Sleeps."""

    every = 40_000

    def misbehave(self) -> None:
        """Do so."""
        time.sleep(1000)


class Clinger(Moody):
    """Loops, and catches what would end it."""

    every = 80_000

    def misbehave(self) -> None:
        """Do so."""
        while True:
            try:
                sum(range(1000))
            except BaseException:  # that is what it does
                continue


class Quitter(Moody):
    """Ends its process."""

    every = 20_000

    def misbehave(self) -> None:
        """Do so."""
        os._exit(1)


class Crasher(Moody):
    """Reads what is not there."""

    every = 20_000

    def misbehave(self) -> None:
        """Do so."""
        ctypes.string_at(0)


class Hoarder(Moody):
    """Takes all memory it can get."""

    every = 80_000

    def misbehave(self) -> None:
        """Do so."""
        hoard = []
        while True:
            hoard.append(np.ones(1 << 20))
