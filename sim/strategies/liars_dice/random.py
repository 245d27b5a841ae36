"""Picks any legal action, all equally often: the weakest measure, and the benchmark."""

from typing import Any

from sim.engines.keyed import below
from sim.engines.liars_dice.view import CHALLENGE, View
from sim.strategies.api import compiled


@compiled(game="liars-dice", name="random")
def random(event: Any, view: View, params: Any, memory: Any, rng: Any) -> int:
    """Pick any legal action, all equally often."""
    top = 6 * view.dice_in_play
    bid = view.bid
    action = bid + 1 + below(rng, top - bid - 1 + (bid >= 0))
    return action if action < top else CHALLENGE
