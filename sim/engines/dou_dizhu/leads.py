"""What a hand may lead: counted, drawn by number and listed.

Numbered in this order; within a line by rank, and runs by length first:

    1  single, pair, trio
    2  trio + single and trio + pair: for each trio all single kickers, then all pairs
    3  straight
    4  pair run
    5  for each four: the bomb, four + two singles, four + two pairs
    6  for each airplane: bare, with singles, with pairs
    7  the rocket

In uniform play 84 of 100 leads are of the first line, so it is drawn without a jump;
lines 4 to 6 are possible in one lead of nine.
"""

from numba import njit

from sim.engines.dou_dizhu.bits import (
    BLACK_JOKER,
    RUN_RANKS,
    at_least,
    gather,
    nth_shift,
    popcount,
    run_starts,
)
from sim.engines.dou_dizhu.notation import ROCKET
from sim.engines.dou_dizhu.shapes import (
    LONGEST_AIRPLANE,
    LONGEST_PAIR_RUN,
    LONGEST_WITH_PAIRS,
    LONGEST_WITH_SINGLES,
)
from sim.engines.dou_dizhu.tables import RUN_MASK, STRAIGHTS
from sim.engines.dou_dizhu.wings import (
    count_pair_wings,
    count_single_wings,
    nth_pair_wings,
    nth_single_wings,
)


@njit(cache=True, nogil=True, forceinline=True)
def count_leads(hand: int) -> int:
    """Count the plays that `hand` may lead.

    >>> count_leads(0x111111111111111)  # one card of each rank
    52
    """
    once = at_least(hand, 1)
    twice = at_least(hand, 2)
    trios = at_least(hand, 3)
    singles, pairs = popcount(once), popcount(twice)
    rocket = (hand & hand >> 4 & BLACK_JOKER) // BLACK_JOKER
    plays = singles + pairs + popcount(trios) * (singles + pairs - 1)  # - 2 kickers, + 1 bare
    plays += STRAIGHTS[gather(once & RUN_RANKS)] + rocket
    pair_runs = run_starts(twice, 3) & RUN_RANKS >> 8
    airplanes = run_starts(trios, 2) & RUN_RANKS >> 4
    if pair_runs | airplanes | at_least(hand, 4):
        plays += _count_rare(hand)
    return int(plays)


@njit(cache=True, nogil=True)
def _count_rare(hand: int) -> int:
    """Count lines 4 to 6."""
    plays = popcount(at_least(hand, 4)) * _count_with_four(hand) if at_least(hand, 4) else 0
    starts = run_starts(at_least(hand, 2) & RUN_RANKS, 3)
    length = 3
    while starts and length <= LONGEST_PAIR_RUN:
        plays += popcount(starts)
        starts &= starts >> 4
        length += 1
    starts = run_starts(at_least(hand, 3) & RUN_RANKS, 2)
    length = 2
    while starts and length <= LONGEST_AIRPLANE:
        singles, pairs = _count_with_airplane(hand, length)
        plays += popcount(starts) * (1 + singles + pairs)
        starts &= starts >> 4
        length += 1
    return plays


@njit(cache=True, nogil=True)
def _count_with_four(hand: int) -> int:
    """Count the plays with one four of a hand that has one: the bomb, and with kickers."""
    return 1 + count_single_wings(hand, 1, 2) + count_pair_wings(hand, 1, 2)


@njit(cache=True, nogil=True)
def _count_with_airplane(hand: int, length: int) -> tuple[int, int]:
    """Count the sets of single and of pair kickers that one airplane of a hand takes."""
    singles = count_single_wings(hand, length, length) if length <= LONGEST_WITH_SINGLES else 0
    pairs = count_pair_wings(hand, length, length) if length <= LONGEST_WITH_PAIRS else 0
    return singles, pairs


@njit(cache=True, nogil=True, forceinline=True)
def nth_lead(hand: int, n: int) -> int:
    """Give play number n of those that `hand` may lead.

    >>> [hex(nth_lead(0x13, n)) for n in range(count_leads(0x13))]  # 3334
    ['0x1', '0x10', '0x2', '0x3', '0x13']
    """
    once = at_least(hand, 1)
    twice = at_least(hand, 2)
    trios = at_least(hand, 3)
    singles, pairs = popcount(once), popcount(twice)
    if n >= singles + pairs + popcount(trios):
        return _nth_longer(hand, n - singles - pairs - popcount(trios))
    # all ones from the first pair on, and from the first trio on, else 0: picks without a jump
    not_single = (singles - 1 - n) >> 63
    trio = (singles + pairs - 1 - n) >> 63
    ranks = once ^ ((once ^ twice) & not_single) ^ ((twice ^ trios) & trio)
    copies = 1 - not_single - trio
    return copies << nth_shift(ranks, n - (singles & not_single) - (pairs & trio))


@njit(cache=True, nogil=True)
def _nth_longer(hand: int, n: int) -> int:
    """Give play number n from line 2 on."""
    trios = at_least(hand, 3)
    if trios:
        singles, pairs = popcount(at_least(hand, 1)) - 1, popcount(at_least(hand, 2)) - 1
        each = singles + pairs
        if n < popcount(trios) * each:
            shift = nth_shift(trios, n // each)
            return (3 << shift) + _nth_kickers(hand, 1 << shift, n % each, singles, 1)
        n -= popcount(trios) * each
    play, n = _nth_run(run_starts(at_least(hand, 1) & RUN_RANKS, 5), 5, 12, 1, n)
    if play:
        return play
    play, n = _nth_run(run_starts(at_least(hand, 2) & RUN_RANKS, 3), 3, LONGEST_PAIR_RUN, 2, n)
    if play:
        return play
    play, n = _nth_four(hand, n)
    if play:
        return play
    play, n = _nth_airplane(hand, n)
    return play if play else ROCKET


@njit(cache=True, nogil=True)
def _nth_kickers(hand: int, core: int, n: int, singles: int, wings: int) -> int:
    """Give set number n of the kickers: `singles` sets of single ones, then those of pairs."""
    if n < singles:
        return nth_single_wings(hand, core, wings, n)
    return nth_pair_wings(hand, core, wings, n - singles)


@njit(cache=True, nogil=True)
def _nth_run(starts: int, length: int, longest: int, copies: int, n: int) -> tuple[int, int]:
    """Give run number n of runs that start so at their shortest; or 0 and what is left of n."""
    while starts and length <= longest:
        if n < popcount(starts):
            return copies * RUN_MASK[length] << nth_shift(starts, n), 0
        n -= popcount(starts)
        starts &= starts >> 4
        length += 1
    return 0, n


@njit(cache=True, nogil=True)
def _nth_four(hand: int, n: int) -> tuple[int, int]:
    """Give number n of line 5; or 0 and what is left of n."""
    fours = at_least(hand, 4)
    if not fours:
        return 0, n
    each = _count_with_four(hand)
    if n >= popcount(fours) * each:
        return 0, n - popcount(fours) * each
    shift = nth_shift(fours, n // each)
    play = 4 << shift
    n %= each
    if n > 0:
        play += _nth_kickers(hand, 1 << shift, n - 1, count_single_wings(hand, 1, 2), 2)
    return play, 0


@njit(cache=True, nogil=True)
def _nth_airplane(hand: int, n: int) -> tuple[int, int]:
    """Give number n of line 6; or 0 and what is left of n."""
    starts = run_starts(at_least(hand, 3) & RUN_RANKS, 2)
    length = 2
    while starts and length <= LONGEST_AIRPLANE:
        singles, pairs = _count_with_airplane(hand, length)
        each = 1 + singles + pairs
        if n < popcount(starts) * each:
            core = RUN_MASK[length] << nth_shift(starts, n // each)
            n %= each
            if n == 0:
                return 3 * core, 0
            return 3 * core + _nth_kickers(hand, core, n - 1, singles, length), 0
        n -= popcount(starts) * each
        starts &= starts >> 4
        length += 1
    return 0, n
