"""Picks any legal action, all equally often: the weakest measure, and the benchmark."""

from typing import Any

from sim.engines.dou_dizhu.packed import count_plays, nth_play
from sim.engines.dou_dizhu.view import AUCTION, View
from sim.engines.keyed import below
from sim.strategies.api import compiled


@compiled(game="dou-dizhu", name="random")
def random(event: Any, view: View, params: Any, memory: Any, rng: Any) -> int:
    """Pick any legal action, all equally often: a call, or a play without listing them."""
    if view.phase == AUCTION:
        step = below(rng, 4 - view.bid)
        return view.bid + step if step else 0
    hand = view.hand
    target = view.target
    plays = count_plays(hand, target)
    return nth_play(hand, target, below(rng, plays + (target != 0)))
