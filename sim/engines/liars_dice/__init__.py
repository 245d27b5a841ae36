"""Liar's Dice: bid on all dice of the table, or challenge the last bid."""

from sim.engines.liars_dice.game import GAME
from sim.engines.liars_dice.rules import Rules
from sim.engines.liars_dice.view import CHALLENGE, View

__all__ = ["CHALLENGE", "GAME", "Rules", "View"]
