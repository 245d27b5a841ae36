"""Makes the strongest claim that is still more likely true than not."""

from collections.abc import Sequence
from typing import Any

from sim.engines.liars_dice.view import CHALLENGE, View
from sim.strategies.api import compiled
from sim.strategies.liars_dice.odds import (
    MAX_UNSEEN,
    bid_number,
    own_support,
    sixths,
    tail,
    unseen,
)


def even_odds() -> Sequence[float]:
    """Give, by sixths and unseen dice, how many of those are there with chance 1/2 or more.

    >>> even_odds()[:8]
    (0, 0, 0, 0, 1, 1, 1, 1)
    """
    return tuple(
        max(need for need in range(dice + 1) if tail(dice, need, sixths) >= 0.5)
        for sixths in (1, 2)
        for dice in range(MAX_UNSEEN + 1)
    )


@compiled(
    game="liars-dice",
    name="dudo",
    prepare=even_odds,
    sources=("T. Neller and S. Hnath, Approximating Optimal Dudo Play with FSICFR, 2011",),
)
def dudo(event: Any, view: View, params: Any, memory: Any, rng: Any) -> int:
    """Make the strongest bid that is true with chance 1/2 or more; challenge when none is left."""
    best = CHALLENGE
    for face in range(1, 7):
        likely = int(params[(sixths(view, face) - 1) * 26 + unseen(view)])
        count = own_support(view, face) + likely
        if count > 0:
            best = max(best, bid_number(view, count, face))
    return best if best > view.bid else CHALLENGE
