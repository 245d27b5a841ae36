"""Dou Dizhu (fight the landlord): three players, one pack, the landlord against two farmers.

Importing this package is cheap; what needs compiled code is imported when first asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sim.engines.dou_dizhu.combos import Combination, beats, classify, legal_plays
    from sim.engines.dou_dizhu.game import GAME
    from sim.engines.dou_dizhu.rules import Rules
    from sim.engines.dou_dizhu.shapes import Kind
    from sim.engines.dou_dizhu.view import View

__all__ = [
    "GAME",
    "Combination",
    "Kind",
    "Rules",
    "View",
    "beats",
    "classify",
    "legal_plays",
]

_HOMES = {"GAME": "game", "Kind": "shapes", "Rules": "rules", "View": "view"} | dict.fromkeys(
    ("Combination", "beats", "classify", "legal_plays"), "combos"
)


def __getattr__(name: str) -> object:
    """Import the module that holds a public name."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    """List the public names too."""
    return sorted([*globals(), *__all__])
