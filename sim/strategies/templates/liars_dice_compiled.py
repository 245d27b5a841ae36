"""my_bot: a compiled bot for Liar's Dice. It plays legally as it stands; change what you like.

    sim check my_bot.py
    sim run --game liars-dice -p my_bot.py -p honest -p random --deals 1000

Numba compiles the function, so it plays millions of decisions a second. Inside, use numbers,
tuples, arrays, loops and functions under numba.njit; no lists of objects, dictionaries, classes,
f-strings or imports. What your seat sees, field by field: docs/views.md.
"""

from typing import Any

from sim.engines.liars_dice import CHALLENGE, View
from sim.strategies.api import Param, compiled
from sim.strategies.liars_dice.odds import bid_count, bid_face, expected

# Parameters: name, default, range, what it does. Set them with -p my_bot.py:hope=0.5
PARAMETERS = (Param("hope", 0.0, low=-5, high=5, help="dice it believes in beyond expectation"),)


@compiled(game="liars-dice", parameters=PARAMETERS)
def my_bot(event: Any, view: View, params: Any, memory: Any, rng: Any) -> int:
    """Make the raise it has most reason for; challenge when it has reason for none.

    A higher bid is a higher number, so you may make view.bid + 1, view.bid + 2, ... below
    6 * view.dice_in_play. The next six numbers are the lowest raises on the six faces.

    `params` are the parameters in the order above, as floats. `memory` is 32 whole numbers of your
    own, zero at the start of a game. For random numbers use below(rng, n) and random(rng) of
    sim.engines.keyed: the same seed then plays the same game. `event` is ACT, unless you ask for
    more with @compiled(..., wants=("round_over",)): see docs/writing-a-bot.md.
    """
    hope = params[0]
    best = CHALLENGE
    best_margin = -1000.0
    for number in range(view.bid + 1, min(view.bid + 7, 6 * view.dice_in_play)):
        # in sixths of a die: own dice of that face, and what the others may be expected to hold
        margin = expected(view, bid_face(view, number)) + 6 * hope - 6 * bid_count(number)
        if margin > best_margin:
            best = number
            best_margin = margin
    if view.bids_made and best_margin < 0:  # who opens a round has nothing to challenge
        return CHALLENGE
    return best
