"""my_bot: a compiled bot for Dou Dizhu. It plays legally as it stands; change what you like.

    sim check my_bot.py
    sim run --game dou-dizhu -p my_bot.py -p random --deals 1000

Numba compiles the function, so it plays millions of decisions a second. Inside, use numbers,
tuples, arrays, loops and functions under numba.njit; no lists of objects, dictionaries, classes,
f-strings or imports. What your seat sees, field by field: docs/views.md.
"""

from typing import Any

from sim.engines.dou_dizhu.view import AUCTION, PASS, View
from sim.strategies.api import Param, compiled
from sim.strategies.dou_dizhu.cards import (
    BLACK_JOKER,
    RED_JOKER,
    TWO,
    card_count,
    count_plays,
    nth_play,
)

# Parameters: name, default, range, what it does. Set them with -p my_bot.py:caution=1
PARAMETERS = (Param("caution", 1, low=0, high=6, help="top cards it wants before it bids one"),)


@compiled(game="dou-dizhu", parameters=PARAMETERS)
def my_bot(event: Any, view: View, params: Any, memory: Any, rng: Any) -> int:
    """Bid by twos and jokers, lead as many cards as it can, follow as low as it can.

    An action: 0 passes; a bid is 1 to 3; a play is its cards, packed.

    `params` are the parameters in the order above, as floats. `memory` is 32 whole numbers of your
    own, zero at the start of a game. For random numbers use below(rng, n) and random(rng) of
    sim.engines.keyed: the same seed then plays the same game.
    """
    if view.phase == AUCTION:
        top = view.own[TWO] + view.own[BLACK_JOKER] + view.own[RED_JOKER]
        bid = min(3, top - int(params[0]))
        return bid if bid > view.bid else PASS

    # play number 0, 1, ... of all that you may play; they go from low to high, bombs last
    hand = view.hand
    count = count_plays(hand, view.target)
    if count == 0:
        return PASS
    if view.target:  # somebody else's play is to be beaten
        return nth_play(hand, view.target, 0)
    best = nth_play(hand, 0, 0)
    for n in range(1, count):
        play = nth_play(hand, 0, n)
        if card_count(play) > card_count(best):
            best = play
    return best
