"""Every play of a hand, written to an array in the order of `nth_lead` and `nth_follow`.

`out` must be long enough: `count_leads` or `count_follows`. A hand of 20 cards allows some
hundreds of plays, the whole pack 24,639.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from sim.engines.dou_dizhu.bits import RUN_RANKS, at_least, lowest_bit, popcount, run_starts
from sim.engines.dou_dizhu.follows import bomb_at, bombs_over, cores_over
from sim.engines.dou_dizhu.notation import ROCKET
from sim.engines.dou_dizhu.shapes import (
    LONGEST_AIRPLANE,
    LONGEST_PAIR_RUN,
    LONGEST_WITH_PAIRS,
    LONGEST_WITH_SINGLES,
)
from sim.engines.dou_dizhu.tables import CORE, LENGTH, RUN_MASK, WING_SIZE, WINGS
from sim.engines.dou_dizhu.wings import (
    count_pair_wings,
    count_single_wings,
    nth_pair_wings,
    nth_single_wings,
)


@njit(cache=True, nogil=True)
def list_leads(hand: int, out: NDArray[np.int64]) -> int:
    """Write all plays that `hand` may lead to `out` and count them.

    >>> out = np.zeros(5, np.int64)
    >>> list_leads(0x13, out), out.tolist() == [0x1, 0x10, 0x2, 0x3, 0x13]
    (5, True)
    """
    once, twice, trios = at_least(hand, 1), at_least(hand, 2), at_least(hand, 3)
    n = _write_each(out, 0, once, 1, 0)
    n = _write_each(out, n, twice, 2, 0)
    n = _write_each(out, n, trios, 3, 0)
    ranks = trios
    while ranks:
        core = ranks & -ranks
        ranks ^= core
        n = _write_kickers(out, n, hand, core, 3 * core, 1, 1)
        n = _write_kickers(out, n, hand, core, 3 * core, 1, 2)
    n = _write_runs(out, n, run_starts(once & RUN_RANKS, 5), 5, 12, 1)
    n = _write_runs(out, n, run_starts(twice & RUN_RANKS, 3), 3, LONGEST_PAIR_RUN, 2)
    ranks = at_least(hand, 4)
    while ranks:
        core = ranks & -ranks
        ranks ^= core
        out[n] = 4 * core
        n = _write_kickers(out, n + 1, hand, core, 4 * core, 2, 1)
        n = _write_kickers(out, n, hand, core, 4 * core, 2, 2)
    n = _write_airplanes(out, n, hand)
    if hand & ROCKET == ROCKET:
        out[n] = ROCKET
        n += 1
    return n


@njit(cache=True, nogil=True)
def list_follows(hand: int, target: int, out: NDArray[np.int64]) -> int:
    """Write all plays of `hand` that beat `target` to `out` and count them.

    >>> out = np.zeros(3, np.int64)
    >>> list_follows(0x4010, 16, out), out.tolist() == [0x10, 0x1000, 0x4000]
    (3, True)
    """
    shape = target >> 4
    starts = cores_over(hand, target)
    n = 0
    if WINGS[shape] == 0:
        n = _write_each(out, 0, starts, CORE[shape], 0)
        starts = 0
    while starts:
        shift = lowest_bit(starts)
        starts &= starts - 1
        core = RUN_MASK[LENGTH[shape]] << shift
        base = CORE[shape] << shift
        n = _write_kickers(out, n, hand, core, base, WINGS[shape], WING_SIZE[shape])
    bombs = bombs_over(hand, shape)
    while bombs:
        out[n] = bomb_at(lowest_bit(bombs))
        bombs &= bombs - 1
        n += 1
    return n


@njit(cache=True, nogil=True)
def _write_each(out: NDArray[np.int64], n: int, ranks: int, cards: int, base: int) -> int:
    """Write, from place n of `out` on, `base` with `cards` moved to each of `ranks`."""
    while ranks:
        out[n] = base + (cards << lowest_bit(ranks))
        ranks &= ranks - 1
        n += 1
    return n


@njit(cache=True, nogil=True)
def _write_runs(
    out: NDArray[np.int64], n: int, starts: int, length: int, longest: int, copies: int
) -> int:
    """Write the runs that start so at their shortest, and all longer ones."""
    while starts and length <= longest:
        n = _write_each(out, n, starts, copies * RUN_MASK[length], 0)
        starts &= starts >> 4
        length += 1
    return n


@njit(cache=True, nogil=True)
def _write_airplanes(out: NDArray[np.int64], n: int, hand: int) -> int:
    """Write each airplane bare, with singles and with pairs."""
    starts = run_starts(at_least(hand, 3) & RUN_RANKS, 2)
    length = 2
    while starts and length <= LONGEST_AIRPLANE:
        ranks = starts
        while ranks:
            core = RUN_MASK[length] << lowest_bit(ranks)
            ranks &= ranks - 1
            out[n] = 3 * core
            n += 1
            if length <= LONGEST_WITH_SINGLES:
                n = _write_kickers(out, n, hand, core, 3 * core, length, 1)
            if length <= LONGEST_WITH_PAIRS:
                n = _write_kickers(out, n, hand, core, 3 * core, length, 2)
        starts &= starts >> 4
        length += 1
    return n


@njit(cache=True, nogil=True)
def _write_kickers(
    out: NDArray[np.int64], n: int, hand: int, core: int, base: int, wings: int, size: int
) -> int:
    """Write `base` with each set of kickers beside `core` (a rank mask) that `hand` has."""
    if wings == 1:
        return _write_each(out, n, at_least(hand, size) & ~core, size, base)
    length = popcount(core)
    if size == 1:
        for k in range(count_single_wings(hand, length, wings)):
            out[n] = base + nth_single_wings(hand, core, wings, k)
            n += 1
    else:
        for k in range(count_pair_wings(hand, length, wings)):
            out[n] = base + nth_pair_wings(hand, core, wings, k)
            n += 1
    return n
