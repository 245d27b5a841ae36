"""Combinations in compiled code: what a play is, what beats it, what a hand may play.

    hand, play   packed cards (notation.py): 15 nibbles in an int64; as a play 0 is the pass
    class code   16 * shape + rank of the core (shapes.py): 0 none, 16 single 3 ... 606 rocket
    target       the class code of the play to beat; 0: the hand leads

`count_plays` and `nth_play` never list: a uniform random play is `nth_play(hand, target,
below(count_plays(hand, target)))`. For a follower `nth_play` gives the pass for the number
`count_plays`, so `below(count + 1)` draws among all its legal actions. The order is fixed: see
leads.py and follows.py. No function checks its arguments but `holds`, which takes any int64 for a
play; `classify` needs a play that some hand holds.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from sim.engines.dou_dizhu.bits import ALL_RANKS, RUN_RANKS, at_least, lowest_bit, popcount
from sim.engines.dou_dizhu.follows import count_follows, nth_follow
from sim.engines.dou_dizhu.leads import count_leads, nth_lead
from sim.engines.dou_dizhu.listing import list_follows, list_leads
from sim.engines.dou_dizhu.notation import ROCKET
from sim.engines.dou_dizhu.shapes import BOMB_SHAPE, MAX_CARDS, ROCKET_CLASS
from sim.engines.dou_dizhu.tables import RUN_MASK, SHAPE_OF

_GUARDS = 8 * ALL_RANKS
_NO_COUNTS = ~(7 * ALL_RANKS)
"""The bits that are 0 in packed cards: the top of each nibble, and all above the fifteenth."""


@njit(cache=True, nogil=True, forceinline=True)
def holds(hand: int, play: int) -> bool:
    """Tell whether all cards of `play` are in `hand`; any integer may be asked about.

    A guard bit over each nibble of the hand is borrowed from where the play has more cards.

    >>> holds(0x23, 0x12), holds(0x23, 0x30), holds(0x23, -1)
    (True, False, False)
    """
    if play & _NO_COUNTS:
        return False
    return ((hand | _GUARDS) - play) & _GUARDS == _GUARDS


@njit(cache=True, nogil=True, forceinline=True)
def classify(play: int) -> int:
    """Give the class code of a play; 0 if it is no combination.

    How many ranks have at least 1, 2, 3 and 4 cards leaves one shape at most. The ranks with most
    cards are its core, so it is left to see that they are neighbours, and that both jokers are
    together in the rocket alone.

    >>> classify(0x13) == 16 * 4 + 0, classify(0x11), classify(0)  # 3334, 34, the pass
    (True, 0, 0)
    """
    once = at_least(play, 1)
    twice = at_least(play, 2)
    trios = at_least(play, 3)
    fours = at_least(play, 4)
    core = once
    if twice:
        core = twice
    if trios:
        core = trios
    if fours:
        core = fours
    if play & ROCKET == ROCKET:
        return ROCKET_CLASS if play == ROCKET else 0
    n1, n2, n3, n4 = popcount(once), popcount(twice), popcount(trios), popcount(fours)
    if n1 + n2 + n3 + n4 > MAX_CARDS:
        return 0
    start = lowest_bit(core)
    length = popcount(core)
    together = core == RUN_MASK[length] << (start & 63)
    in_run = (length == 1) | (core & ~RUN_RANKS == 0)
    shape = SHAPE_OF[n1, n2, n3, n4] * (together & in_run)
    return int((16 * shape + (start >> 2) + length - 1) * (shape > 0))


@njit(cache=True, nogil=True, forceinline=True)
def beats(code: int, target: int) -> bool:
    """Tell whether a play of class `code` may be played on one of class `target` (rule D5).

    Anything but 0 beats the target 0, the lead.

    >>> beats(17, 16), beats(16, 17), beats(33, 16), beats(606, 17), beats(16, 0)
    (True, False, False, True, True)
    """
    same = (code >> 4 == target >> 4) | (target == 0) | (code >= 16 * BOMB_SHAPE)
    return bool((code > target) & same)


@njit(cache=True, nogil=True, forceinline=True)
def legal_class(hand: int, target: int, play: int) -> int:
    """Give the class code of `play` if `hand` may play it on `target`, else 0; no pass here.

    >>> legal_class(0x23, 0, 0x2), legal_class(0x23, 33, 0x2), legal_class(0x23, 0, 0x4)
    (32, 0, 0)
    """
    if not holds(hand, play):
        return 0
    code = classify(play)
    return code if beats(code, target) else 0


@njit(cache=True, nogil=True, forceinline=True)
def count_plays(hand: int, target: int) -> int:
    """Count the plays of `hand` that may be led (target 0) or beat `target`; no pass."""
    return count_follows(hand, target) if target else count_leads(hand)


@njit(cache=True, nogil=True, forceinline=True)
def nth_play(hand: int, target: int, n: int) -> int:
    """Give play number n, from 0, in the fixed order; for a follower the pass at the count."""
    return nth_follow(hand, target, n) if target else nth_lead(hand, n)


@njit(cache=True, nogil=True)
def list_plays(hand: int, target: int, out: NDArray[np.int64]) -> int:
    """Write all plays to `out` in the order of `nth_play` and count them."""
    return list_follows(hand, target, out) if target else list_leads(hand, out)
