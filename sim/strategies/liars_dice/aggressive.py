"""One dial from timid to reckless: how high it bids, and how much it believes."""

from collections.abc import Sequence
from typing import Any

from sim.engines.keyed import random
from sim.engines.liars_dice.view import CHALLENGE, View
from sim.strategies.api import Param, compiled
from sim.strategies.liars_dice.odds import bid_count, bid_face, chance, chance_table, expected

PARAMETERS = (
    Param(
        "aggressiveness",
        0.5,
        low=0,
        high=1,
        help="0 bids low and never bluffs; 1 bids two dice too many and believes nearly all",
    ),
)


def prepare(*, aggressiveness: float) -> Sequence[float]:
    """Give the table of chances."""
    return chance_table()


@compiled(game="liars-dice", name="aggressive", parameters=PARAMETERS, prepare=prepare)
def aggressive(event: Any, view: View, params: Any, memory: Any, rng: Any) -> int:
    """Bid up to `2 * aggressiveness` dice more than it has reason to expect.

    It challenges a bid that is true with less than `0.5 - 0.4 * aggressiveness`, or when no raise
    stays within its limit. Else it takes the face with most room between the lowest raise and the
    limit; with chance `aggressiveness` it jumps to the limit, else it makes the lowest raise.
    """
    aggressiveness = params[0]
    table = params[1:]
    bid = view.bid
    if bid >= 0:
        believed = chance(view, bid_count(bid), bid_face(view, bid), table)
        if believed < 0.5 - 0.4 * aggressiveness:
            return CHALLENGE
    extra = int(12 * aggressiveness)
    best = CHALLENGE
    best_room = -1
    for number in range(bid + 1, min(bid + 7, 6 * view.dice_in_play)):
        room = expected(view, bid_face(view, number)) + extra - 6 * bid_count(number)
        if room > best_room:
            best = number
            best_room = room
    if best != CHALLENGE and random(rng) < aggressiveness:
        highest = min(bid_count(best) + best_room // 6, view.dice_in_play)
        best += 6 * (highest - bid_count(best))
    return best
