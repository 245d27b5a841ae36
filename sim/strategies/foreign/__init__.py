"""Strategies that live elsewhere, each behind an adapter: programs, and agents of other packages.

    cmd:COMMAND             a program that speaks one JSON object a line     program.py
    rlcard:NAME             an agent of RLCard, for Dou Dizhu                rlcard_agents.py
    openspiel:uniform|FILE  a policy of OpenSpiel, for Liar's Dice           openspiel_policies.py
    douzero:FOLDER          networks in DouZero's form, for Dou Dizhu        douzero_models.py

To the rest of the program they are plain-Python strategies. An adapter never replaces an action
that it cannot translate: the strategy forfeits, and the fault says what it was.
"""

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from sim.strategies.bot import Bot

ADAPTERS: Final = {
    "cmd": "program",
    "rlcard": "rlcard_agents",
    "openspiel": "openspiel_policies",
    "douzero": "douzero_models",
}
"""Module of each adapter, by what stands before the first `:` of a strategy's text."""


def is_foreign(text: str) -> bool:
    """Tell whether a strategy lives elsewhere.

    >>> [is_foreign(text) for text in ("cmd:./mybot", "honest", "my_bots.careful:Careful")]
    [True, False, False]
    """
    prefix, colon, _ = text.partition(":")
    return bool(colon) and prefix in ADAPTERS


def locate_foreign(text: str, base: Path) -> str:
    """Make the files that a strategy's text names absolute, counted from the folder `base`."""
    prefix, _, rest = text.partition(":")
    adapter = import_module(f"{__name__}.{ADAPTERS[prefix]}")
    located: str = adapter.locate(rest, base)
    return f"{prefix}:{located}"


def load_foreign(text: str, game: str) -> "Bot":
    """Load the strategy; UsageError or PluginError if it cannot play `game` here."""
    prefix, _, rest = text.partition(":")
    adapter = import_module(f"{__name__}.{ADAPTERS[prefix]}")
    bot: Bot = adapter.load(rest, game)
    return bot
