"""Bids only what its own dice and the expected rest bear, on the face it has most reason for."""

from typing import Any

from sim.engines.liars_dice.view import CHALLENGE, View
from sim.strategies.api import compiled
from sim.strategies.liars_dice.odds import bid_count, bid_face, expected


@compiled(game="liars-dice", name="honest")
def honest(event: Any, view: View, params: Any, memory: Any, rng: Any) -> int:
    """Make the lowest raise on the best supported face; challenge when none is supported.

    A bid is supported when own dice plus expectation reach its count. The six bids above the last
    one are the lowest raises on the six faces. An opener always has a supported one: a single die
    of a face it holds.
    """
    best = CHALLENGE
    best_margin = -1
    for number in range(view.bid + 1, min(view.bid + 7, 6 * view.dice_in_play)):
        margin = expected(view, bid_face(view, number)) - 6 * bid_count(number)
        if margin > best_margin:
            best = number
            best_margin = margin
    return best
