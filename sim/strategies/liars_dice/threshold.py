"""Two chances decide: below the one it challenges, above the other it raises.

`examples/threshold_bot.py` is the same strategy in plain Python, and plays the same games.
"""

from collections.abc import Sequence
from typing import Any

from sim.engines.keyed import below, random
from sim.engines.liars_dice.view import CHALLENGE, View
from sim.strategies.api import Param, compiled
from sim.strategies.liars_dice.odds import bid_count, bid_face, chance, chance_table

# Defaults from the best region of a sweep of 60 settings against six of the built-in strategies at
# 2, 3 and 4 seats: below 0.1 or 0.2, above 0.15 or 0.3; without bluffs a little better still.
# Others found the same: challenge far later than at one half, since a raise passes the risk on.
PARAMETERS = (
    Param(
        "challenge_below",
        0.2,
        low=0,
        high=1,
        help="challenge a bid that is true with less than this chance",
    ),
    Param(
        "raise_above",
        0.3,
        low=0,
        high=1,
        help="raise to the likeliest bid if it is true with at least this chance",
    ),
    Param(
        "bluff_rate",
        0.02,
        low=0,
        high=1,
        help="chance to bid a face drawn at random instead",
    ),
)


def prepare(**parameters: float) -> Sequence[float]:
    """Give the table of chances; it is the same for all parameters."""
    return chance_table()


@compiled(game="liars-dice", name="threshold", parameters=PARAMETERS, prepare=prepare)
def threshold(event: Any, view: View, params: Any, memory: Any, rng: Any) -> int:
    """Challenge what is unlikely, else raise to the likeliest bid, else challenge.

    In this order: challenge if the last bid is true with less than `challenge_below`; with chance
    `bluff_rate` make the lowest raise on a face drawn at random; raise to the likeliest of the
    lowest raises if it is true with at least `raise_above`, or if there is nothing to challenge;
    challenge.
    """
    table = params[3:]
    bid = view.bid
    last = bid_count(bid)
    if bid >= 0 and chance(view, last, bid_face(view, bid), table) < params[0]:
        return CHALLENGE
    raises = min(6, 6 * view.dice_in_play - 1 - bid)
    if raises == 0:
        return CHALLENGE
    if random(rng) < params[2]:
        bluff: int = bid + 1 + below(rng, raises)
        return bluff
    best = bid
    best_chance = -1.0
    for number in range(bid + 1, bid + 1 + raises):
        likely = chance(view, bid_count(number), bid_face(view, number), table)
        if likely > best_chance:
            best = number
            best_chance = likely
    if bid >= 0 and best_chance < params[1]:
        return CHALLENGE
    return best
