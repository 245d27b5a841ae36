"""What a hand may play and which cards are out: the questions that every strategy asks.

Each function works in all kinds of strategies: plain Python calls it as it is, compiled ones
compile it in, and the two ending in `_each` answer for a whole batch. Cards, plays and targets are
whole numbers (sim/engines/dou_dizhu/view.py); a strategy has them as `view.hand`, `view.to_beat`
and `view.target`.

    count_plays(hand, target)     how many plays may be made; the pass does not count
    nth_play(hand, target, n)     play number n, in a fixed order: low before high, bombs last
    classify(play)                its class code, which `beats(code, target)` compares
    holds(hand, play)             whether all its cards are in the hand
"""

from typing import Any, Final

import numpy as np
from numba import njit
from numba.extending import register_jitable
from numpy.typing import NDArray

from sim.engines.dou_dizhu.notation import PACK
from sim.engines.dou_dizhu.packed import beats, classify, count_plays, holds, nth_play
from sim.engines.dou_dizhu.view import LANDLORD, View

__all__ = [
    "BLACK_JOKER",
    "RED_JOKER",
    "TWO",
    "beats",
    "card_count",
    "classify",
    "count_of",
    "count_plays",
    "count_plays_each",
    "fewest_enemy_cards",
    "holds",
    "nth_play",
    "nth_play_each",
    "unseen",
]

TWO: Final = 12
BLACK_JOKER: Final = 13
RED_JOKER: Final = 14
"""Ranks; a three is 0, an ace 11."""


@register_jitable
def count_of(cards: int, rank: int) -> int:
    """Count the cards of a rank, 0 (a three) to 14 (the red joker).

    >>> count_of(0x23, 0), count_of(0x23, 1), count_of(0x23, TWO)
    (3, 2, 0)
    """
    return cards >> 4 * rank & 15


@register_jitable
def card_count(cards: int) -> int:
    """Count all cards.

    >>> card_count(0x23)
    5
    """
    total = 0
    for rank in range(15):
        total += cards >> 4 * rank & 15
    return total


@register_jitable
def unseen(view: View) -> int:
    """Give the cards that you have not seen, packed: those of the others, and the bottom ones
    before the play.
    """
    return PACK - view.hand - view.played_0 - view.played_1 - view.played_2


@register_jitable
def fewest_enemy_cards(view: View) -> int:
    """Give how many cards your opponent with the fewest holds; not in the auction.

    A farmer's only opponent is the landlord.
    """
    if view.role != LANDLORD:
        return int(view.cards_left[view.landlord])
    return int(min(view.cards_left[(view.seat + 1) % 3], view.cards_left[(view.seat + 2) % 3]))


@njit(cache=True, nogil=True)
def count_plays_each(hands: NDArray[np.int64], targets: NDArray[Any]) -> NDArray[np.int64]:
    """Give `count_plays` of each row, for batched strategies.

    >>> count_plays_each(np.array([0x13, 0]), np.array([0, 0]))
    array([5, 0])
    """
    counts = np.zeros(len(hands), np.int64)
    for row in range(len(hands)):
        if hands[row]:  # a row of a batch that waits for nobody holds no card
            counts[row] = count_plays(hands[row], int(targets[row]))
    return counts


@njit(cache=True, nogil=True)
def nth_play_each(
    hands: NDArray[np.int64], targets: NDArray[Any], numbers: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Give play number `numbers` of each row, for batched strategies; the pass at the count.

    >>> nth_play_each(np.array([0x13, 0]), np.array([0, 0]), np.array([1, 0]))
    array([16,  0])
    """
    plays = np.zeros(len(hands), np.int64)
    for row in range(len(hands)):
        if hands[row]:
            plays[row] = nth_play(hands[row], int(targets[row]), numbers[row])
    return plays
