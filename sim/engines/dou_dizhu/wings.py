"""Kickers, counted and drawn by number: the part of a combination that never decides strength.

Every function is given the whole hand, the core as a rank mask (or its length) and the number of
kickers. How many sets of kickers there are does not depend on which core they go with: a core
of n trios always takes n ranks out of those held twice or more.

Sets are numbered with the lowest cards changing fastest (for pairs 33 44 55, two kickers:
3344, 3355, 4455), so that a set is found by asking of each rank, from the highest down, how many
sets do without it.
"""

from numba import njit

from sim.engines.dou_dizhu.bits import BLACK_JOKER, FOUR_RANKS, at_least, nth_shift, popcount
from sim.engines.dou_dizhu.tables import PAIR_WINGS, SINGLE_WINGS, WING_SIZE, WINGS


@njit(cache=True, nogil=True)
def count_single_wings(hand: int, length: int, wings: int) -> int:
    """Count the sets of single kickers beside a core of `length` ranks that the hand holds.

    >>> count_single_wings(0x1120003, 1, 2)  # 33399TJ: 99, 9T, 9J, TJ
    4
    """
    held = at_least(hand, 1)
    twice = popcount(at_least(hand, 2))
    once = popcount(held & FOUR_RANKS) - twice
    return int(SINGLE_WINGS[popcount(held) - once - twice, once, twice - length, wings])


@njit(cache=True, nogil=True)
def count_pair_wings(hand: int, length: int, wings: int) -> int:
    """Count the sets of pair kickers beside a core of `length` ranks that the hand holds.

    >>> count_pair_wings(0x2222033, 2, 2)
    6
    """
    return int(PAIR_WINGS[popcount(at_least(hand, 2)) - length, wings])


@njit(cache=True, nogil=True)
def count_wings(hand: int, length: int, shape: int) -> int:
    """Count the sets of kickers of a shape beside a core that the hand holds; 1 if it has none."""
    if WINGS[shape] == 0:
        return 1
    if WING_SIZE[shape] == 2:
        return count_pair_wings(hand, length, WINGS[shape])
    return count_single_wings(hand, length, WINGS[shape])


@njit(cache=True, nogil=True)
def nth_single_wings(hand: int, core: int, wings: int, n: int) -> int:
    """Give set number n of the single kickers beside a core, packed.

    The black joker never joins the red one: the numbers left by then are those of sets without it.
    """
    free = at_least(hand, 1) & ~core
    if wings == 1:
        return 1 << nth_shift(free, n)
    twos = at_least(hand, 2) & ~core
    twice = popcount(twos)
    once = popcount(free & FOUR_RANKS) - twice
    jokers = popcount(free) - once - twice
    chosen = 0
    while wings > 0:
        card = 1 << nth_shift(free, once + twice + jokers - 1)
        free ^= card
        if card >= BLACK_JOKER:
            jokers -= 1
        elif card & twos:
            twice -= 1
        else:
            once -= 1
        without = SINGLE_WINGS[jokers, once, twice, wings]
        if n < without:
            continue
        n -= without
        wings -= 1
        chosen += card
        without = SINGLE_WINGS[jokers, once, twice, wings]
        if card & twos and n >= without:
            n -= without
            wings -= 1
            chosen += card
    return chosen


@njit(cache=True, nogil=True)
def nth_pair_wings(hand: int, core: int, wings: int, n: int) -> int:
    """Give set number n of the pair kickers beside a core, packed."""
    free = at_least(hand, 2) & ~core
    if wings == 1:
        return 2 << nth_shift(free, n)
    pairs = popcount(free)
    chosen = 0
    while wings > 0:
        pairs -= 1
        without = PAIR_WINGS[pairs, wings]
        if n >= without:
            n -= without
            wings -= 1
            chosen += 2 << nth_shift(free, pairs)
    return chosen


@njit(cache=True, nogil=True)
def nth_wings(hand: int, core: int, shape: int, n: int) -> int:
    """Give set number n of the kickers of a shape beside a core, packed."""
    if WING_SIZE[shape] == 2:
        return nth_pair_wings(hand, core, WINGS[shape], n)
    return nth_single_wings(hand, core, WINGS[shape], n)
