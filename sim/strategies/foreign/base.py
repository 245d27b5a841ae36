"""What adapters of foreign strategies have in common: a class to derive from, and forfeits."""

import re
from typing import Any, ClassVar, Protocol


class Foreign:
    """A strategy that lives elsewhere, as a plain-Python one. One class is made for each player."""

    @classmethod
    def enter(cls, rules: Any, move_timeout: float | None) -> None:
        """Hear under which rules and limit a run is played; UsageError if it cannot play so."""


def plain_name(text: str) -> str:
    """Name a strategy after a file; what no name can hold becomes `-`.

    >>> plain_name("my bot"), plain_name("-")
    ('my-bot', 'foreign')
    """
    return re.sub(r"[^\w.+-]", "-", text).lstrip("-.+") or "foreign"


class _Made(Protocol):
    @property
    def made(self) -> object: ...


def enter(bot: _Made, rules: Any, move_timeout: float | None) -> None:
    """Tell a strategy that lives elsewhere under which rules and limit it will play."""
    if isinstance(bot.made, type) and issubclass(bot.made, Foreign):
        bot.made.enter(rules, move_timeout)


class Forfeit(Exception):
    """A foreign strategy gave no action; the message is the fault's detail, without a traceback."""

    category: ClassVar[str]
    """One of `FAULT_CATEGORIES`."""


class Illegal(Forfeit):
    """It answered, and the answer is no action."""

    category = "illegal"


class TimedOut(Forfeit):
    """It did not answer in time."""

    category = "timeout"


class Crashed(Forfeit):
    """Its program ended."""

    category = "crash"
