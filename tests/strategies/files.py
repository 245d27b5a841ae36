"""Strategies in files, for tests of loading."""

from pathlib import Path
from textwrap import dedent

import pytest

from sim.errors import SimError
from sim.strategies.loading import load_bot
from tests.strategies.tables import LIARS_DICE

PLAIN = """
class Opener:
    game = "liars-dice"

    def act(self, view):
        return -1 if view.bids_made else 0
"""


def write(folder: Path, name: str, text: str) -> Path:
    """Write a Python file, with the folders around it."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(dedent(text), encoding="utf-8")
    return path


def refusal(kind: type[SimError], text: str | Path) -> str:
    """Give the sentence that refuses a strategy; the error is exactly of this kind."""
    with pytest.raises(kind) as caught:
        load_bot(str(text), LIARS_DICE)
    assert type(caught.value) is kind
    return str(caught.value)
