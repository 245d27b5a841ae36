"""How likely a bid of Liar's Dice is: the questions that every strategy asks.

Each function works in both kinds of strategies: plain Python calls it as it is, and compiled ones
compile it in. `view` is the View of a seat (sim/engines/liars_dice/view.py).

An unseen die supports a face with chance 2/6 while ones are wild, else 1/6; a bid on ones is
supported by ones alone. So expectations are whole numbers of sixths, and stay exact.

Chances come from a table that `chance_table` makes in Python once a player: computed again in
compiled code, 700 of 992 binomial tails would differ in their last bits.
"""

from functools import cache
from math import comb
from typing import Any, Final

from numba.extending import register_jitable

from sim.engines.liars_dice.view import View

FACES: Final = 6
MAX_UNSEEN: Final = 25
"""Dice of five other seats with five each."""
ROW: Final = MAX_UNSEEN + 2
"""Places of a row of the table: 0 .. MAX_UNSEEN + 1 dice needed."""
HALF: Final = (MAX_UNSEEN + 1) * ROW
"""Places of the table for one chance a die."""


@register_jitable
def bid_count(number: int) -> int:
    """Give the count of a bid's number.

    >>> bid_count(0), bid_count(17)
    (1, 3)
    """
    return number // 6 + 1


@register_jitable
def bid_face(view: View, number: int) -> int:
    """Give the face of a bid's number, as ones rank in this game."""
    rank = number % 6
    if view.ones_high:
        return 1 if rank == 5 else rank + 2
    return rank + 1


@register_jitable
def bid_number(view: View, count: int, face: int) -> int:
    """Give the number of the bid "`count` dice show `face`"."""
    rank = (face + 4) % 6 if view.ones_high else face - 1
    return 6 * (count - 1) + rank


@register_jitable
def own_support(view: View, face: int) -> int:
    """Count your own dice that support a bid on `face` made now."""
    wild = 0 if face == 1 or view.locked else 1
    return wild * view.own[1] + view.own[face]


@register_jitable
def sixths(view: View, face: int) -> int:
    """Give the chance of an unseen die to support a bid on `face` made now, in sixths: 1 or 2."""
    return 1 if face == 1 or view.locked else 2


@register_jitable
def unseen(view: View) -> int:
    """Count the dice of the others."""
    return view.dice_in_play - view.own_dice


@register_jitable
def expected(view: View, face: int) -> int:
    """Give your own support for `face` plus the expected rest, in sixths of a die."""
    return 6 * own_support(view, face) + unseen(view) * sixths(view, face)


@register_jitable
def chance(view: View, count: int, face: int, table: Any) -> float:
    """Give the chance that at least `count` dice support `face`, knowing your own dice.

    `table` is what `chance_table()` gave. Nothing is read out of the others' bids.
    """
    need = count - own_support(view, face)
    rest = unseen(view)
    if need <= 0:
        return 1.0
    if need > rest:
        return 0.0
    likely: float = table[(sixths(view, face) - 1) * HALF + rest * ROW + need]
    return likely


def tail(dice: int, need: int, sixths: int) -> float:
    """Give the chance that at least `need` of `dice` dice show what `sixths` of six faces are.

    Summed in whole numbers, so that the float is the nearest one to the true value.

    >>> tail(2, 1, 1) == 11 / 36, tail(3, 0, 2), tail(1, 2, 1)
    (True, 1.0, 0.0)
    """
    ways = sum(
        comb(dice, hits) * sixths**hits * (FACES - sixths) ** (dice - hits)
        for hits in range(max(need, 0), dice + 1)
    )
    likely: float = ways / FACES**dice
    return likely


@cache
def chance_table() -> tuple[float, ...]:
    """Give all tails that `chance` looks up: by sixths, then unseen dice, then dice needed.

    >>> len(chance_table()) == 2 * HALF
    True
    """
    return tuple(
        tail(dice, need, sixths)
        for sixths in (1, 2)
        for dice in range(MAX_UNSEEN + 1)
        for need in range(ROW)
    )
