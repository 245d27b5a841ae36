"""Every error that this package raises on purpose, and the exit code each one ends with.

SimError                 2
├── IllegalAction        2   somebody tried what the rules of the game forbid
├── NotationError        2   a text that is no position, bid, card or play
├── UsageError           2   the person asked for something that cannot be run
├── PluginError          4   a strategy exists but does not load
└── RunError             3   the run itself could not go on (storage, processes)
"""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import ClassVar


class SimError(Exception):
    """Base of all errors meant for a person: the message is enough, no traceback needed."""

    exit_code: ClassVar[int] = 2


class IllegalAction(SimError, ValueError):
    """An action that the rules do not allow in this state."""


class NotationError(SimError, ValueError):
    """A text that cannot be read as what it should be."""


class UsageError(SimError, ValueError):
    """A request that cannot be carried out as it stands."""


class PluginError(SimError):
    """A strategy that exists but cannot be loaded or breaks the contract of strategies."""

    exit_code = 4


class RunError(SimError):
    """A run that could not go on although the request was fine."""

    exit_code = 3


def unknown(kind: str, value: str, known: Iterable[str]) -> str:
    """Say that `value` is no known `kind`, with the nearest known one and the full list.

    >>> unknown("game", "liar-dice", ["liars-dice", "dou-dizhu"])
    "unknown game 'liar-dice': did you mean 'liars-dice'? (known: dou-dizhu, liars-dice)"
    >>> unknown("key", "x", [])
    "unknown key 'x': there are none"
    """
    names = sorted(known)
    if not names:
        return f"unknown {kind} {value!r}: there are none"
    close = get_close_matches(value, names, n=1, cutoff=0.5)
    hint = f" did you mean {close[0]!r}?" if close else ""
    return f"unknown {kind} {value!r}:{hint} (known: {', '.join(names)})"
