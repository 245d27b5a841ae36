"""The best set of plays that a hand splits into: what `partition` thinks with.

Every play has a value by kind and rank, in tenths of a point (VALUE), and costs the price of the
turn it takes. *Controls*, the plays that nothing unseen beats in their own kind, give the turn
back, and so do 2s. The worth of a plan is the sum of its values less what its turns cost: at equal
values it has the fewest turns that need somebody else to let go of the lead.

A plan takes a set of runs (airplanes, pair runs, straights) out of the hand and reads the rest rank
by rank: the rocket, bombs, trios, pairs, singles. Each trio carries off one loose single or pair,
where that gains. `plan` tries every set of up to four runs, in one fixed order so that none comes
twice: a few dozen for a full hand. What it does not try: breaking a rank up other than by runs.

`memory`, the strategy's 32 whole numbers, is scratch paper:

    0         how many runs the plan found last has
    1 .. 4    runs taken at the moment, as marks
    5 .. 8    runs of the plan, packed
    9 .. 31   its plays, packed, once `write_plan` has written them

Values are those of two published rule-based bots: RHCP, and RuleBasedModelV2, which plays about as
well as DouZero's public networks (it wins .549 of the games, and .06 points a game fewer). The
search and the controls are our own.
"""

from typing import Any, Final

import numpy as np
from numba import njit
from numpy.typing import NDArray

from sim.engines.dou_dizhu.bits import (
    ALL_RANKS,
    RUN_RANKS,
    at_least,
    lowest_bit,
    popcount,
    run_starts,
)
from sim.engines.dou_dizhu.follows import cores_over
from sim.engines.dou_dizhu.notation import ROCKET
from sim.engines.dou_dizhu.shapes import (
    BOMB_SHAPE,
    LONGEST_AIRPLANE,
    LONGEST_PAIR_RUN,
    RANKS_IN_RUNS,
    ROCKET_CLASS,
    SHAPES,
    Kind,
    Shape,
    core_ranks,
)
from sim.engines.dou_dizhu.tables import RUN_MASK

RUNS: Final = 0
TAKEN: Final = 1
KEPT: Final = 5
PLAYS: Final = 9
"""Places in `memory`."""

MOST_RUNS: Final = 4
"""Runs that 20 cards can hold: four straights of five."""

TWO: Final = 1 << 48
THROWAWAY: Final = 0x11111111111
"""Rank mask of 3 to K: what may be given away as a kicker."""

SINGLES: Final = 16
PAIRS: Final = 32
TRIOS: Final = 48
BOMBS: Final = 16 * BOMB_SHAPE
"""Class codes of a single, a pair, a trio, a bomb of threes."""

_FACTORS: Final = {
    Kind.PAIR: (1.4, 1.3, 1.2),
    Kind.TRIO: (1.8, 1.5, 1.0),
    Kind.TRIO_SINGLE: (1.5, 1.5, 1.0),
    Kind.TRIO_PAIR: (1.5, 1.5, 1.0),
    Kind.FOUR_SINGLES: (1.5, 1.5, 1.5),
    Kind.FOUR_PAIRS: (1.5, 1.5, 1.5),
}
"""What ranks above a ten count more: J to K, A, 2 (RuleBasedModelV2)."""

_ACE: Final = 11
_TWO: Final = 12
_TEN: Final = 7


def play_value(shape: Shape, rank: int) -> float:
    """Give the value of a play in points, by the rank of its core (0 is a three).

    >>> [play_value(SHAPES[0], rank) for rank in (0, 7, 14)]  # single 3, T, red joker
    [-7.0, 0.0, 7.0]
    """
    if shape.kind is Kind.ROCKET:
        return 12.0
    if shape.kind is Kind.BOMB:
        return 7.0 if rank == _TWO else 9.0
    above = float(rank - _TEN)
    if shape.length > 1:
        return max(0.0, above / 2)
    if above > 0 and shape.kind in _FACTORS:
        above *= _FACTORS[shape.kind][max(0, rank - _ACE + 1)]
    return above


def _values() -> NDArray[np.int64]:
    values = np.zeros(16 * (len(SHAPES) + 1), np.int64)
    for number, shape in enumerate(SHAPES, 1):
        for rank in core_ranks(shape):
            values[16 * number + rank] = round(10 * play_value(shape, rank))
    return values


VALUE: Final = _values()
"""Value of a play in tenths of a point, by class code."""

_RUN_KINDS: Final = (Kind.STRAIGHT, Kind.PAIR_RUN, Kind.AIRPLANE)


def _run_codes() -> NDArray[np.int64]:
    codes = np.zeros((4, RANKS_IN_RUNS + 1), np.int64)
    for number, shape in enumerate(SHAPES, 1):
        if shape.kind in _RUN_KINDS:
            codes[shape.copies, shape.length] = 16 * number
    return codes


RUN_CODE: Final = _run_codes()
"""[copies, length]: class code of a run, to which the rank is to be added."""

SHORTEST: Final = (0, 5, 3, 2)
LONGEST: Final = (0, RANKS_IN_RUNS, LONGEST_PAIR_RUN, LONGEST_AIRPLANE)
"""Ranks of a run, by copies of each."""

FIRST_MARK: Final = SHORTEST[3] << 8
AIRPLANES_END: Final = 1 << 12
"""Marks below are airplanes."""


@njit(cache=True, nogil=True)
def next_run(hand: int, mark: int) -> int:
    """Give the mark of the first run in `hand` from `mark` on; 0 if there is none.

    A mark is 4096 x (3 - copies) + 256 x length + 4 x lowest rank: airplanes first, long ones last.

    >>> hex(next_run(0x11111, FIRST_MARK)), next_run(0x1111, FIRST_MARK)
    ('0x2500', 0)
    """
    copies, length, shift = 3 - (mark >> 12), mark >> 8 & 15, mark & 255
    while copies > 0:
        starts = run_starts(at_least(hand, copies) & RUN_RANKS, length)
        if starts == 0 or length > LONGEST[copies]:
            copies -= 1
            length = SHORTEST[copies]
            shift = 0
            continue
        starts &= -(1 << shift)
        if starts:
            return int((3 - copies) << 12 | length << 8 | lowest_bit(starts))
        length += 1
        shift = 0
    return 0


@njit(cache=True, nogil=True, forceinline=True)
def run_cards(mark: int) -> int:
    """Give the cards of the run with that mark.

    >>> hex(run_cards(0x2504))
    '0x111110'
    """
    return int((3 - (mark >> 12)) * RUN_MASK[mark >> 8 & 15] << (mark & 255))


@njit(cache=True, nogil=True, forceinline=True)
def _run_wings(mark: int) -> int:
    """Give how many kickers a run carries off."""
    return mark >> 8 if mark < AIRPLANES_END else 0


@njit(cache=True, nogil=True, forceinline=True)
def _run_worth(mark: int, price: int, unseen: int) -> int:
    length = mark >> 8 & 15
    code = RUN_CODE[3 - (mark >> 12), length] + ((mark & 255) >> 2) + length - 1
    return int(VALUE[code] - (price if cores_over(unseen, code) else 0))


@njit(cache=True, nogil=True)
def tops(cards: int, copies: int) -> int:
    """Give the rank mask of all ranks that no `copies` equal ones among `cards` are above.

    >>> hex(tops(0x120, 1)), hex(tops(0x120, 2))
    ('0x111111111111100', '0x111111111111110')
    """
    held = at_least(cards, copies)
    while held & (held - 1):
        held &= held - 1
    return ALL_RANKS & -held if held else ALL_RANKS


@njit(cache=True, nogil=True, forceinline=True)
def _sum_values(ranks: int, first: int) -> int:
    """Add up the values of a rank mask's plays; `first` is the class code for threes."""
    total = 0
    while ranks:
        total += VALUE[first + (lowest_bit(ranks) >> 2)]
        ranks &= ranks - 1
    return total


@njit(cache=True, nogil=True)
def loose_worth(hand: int, wings: int, price: int, top1: int, top2: int, top3: int) -> int:
    """Give the worth of a hand without runs, of which airplanes carry off `wings` kickers.

    `top1` to `top3`: the ranks at which a single, a pair, a trio is a control.
    """
    total = 0
    if hand & ROCKET == ROCKET:
        total += VALUE[ROCKET_CLASS]
        hand ^= ROCKET
    held, once, twice = at_least(hand, 1), at_least(hand, 2), at_least(hand, 3)
    fours = at_least(hand, 4)
    trios = twice ^ fours
    twice ^= once
    once ^= held
    if trios | fours:
        total += _sum_values(fours, BOMBS) + _sum_values(trios, TRIOS)
        total -= price * popcount(trios & ~top3)
        wings += popcount(trios)
    total += _sum_values(once, SINGLES) - price * popcount(once & ~top1)
    total += _sum_values(twice, PAIRS) - price * popcount(twice & ~top2)
    if held & ~top1 & TWO:
        total += price
    free = (once | twice) & THROWAWAY
    while wings > 0 and free:
        rank = free & -free
        free ^= rank
        code = (SINGLES if rank & once else PAIRS) + (lowest_bit(rank) >> 2)
        cost = 0 if rank & ((once & top1) | (twice & top2)) else price
        if cost <= VALUE[code]:
            break
        total += cost - VALUE[code]
        wings -= 1
    return total


@njit(cache=True, nogil=True)
def plan(hand: int, wings: int, price: int, unseen: int, memory: Any) -> int:
    """Find the plan of most worth, of which `wings` kickers are carried off anyway; give its worth.

    `price` of a turn in tenths of a point; `unseen`: the cards that others may hold.

    >>> scratch = np.zeros(32, np.int64)
    >>> plan(0x11111, 0, 50, 0, scratch)  # nothing beats 34567: the turn costs nothing
    0
    >>> plan(0x11111, 0, 50, 0x111110, scratch)
    -50
    """
    top1, top2, top3 = tops(unseen, 1), tops(unseen, 2), tops(unseen, 3)
    memory[RUNS] = 0
    best = loose_worth(hand, wings, price, top1, top2, top3)
    worth = 0
    depth = 0
    mark = FIRST_MARK
    while True:
        mark = next_run(hand, mark) if depth < MOST_RUNS else 0
        if mark:
            memory[TAKEN + depth] = mark
            depth += 1
            hand -= run_cards(mark)
            worth += _run_worth(mark, price, unseen)
            wings += _run_wings(mark)
            total = worth + loose_worth(hand, wings, price, top1, top2, top3)
            if total > best:
                best = total
                memory[RUNS] = depth
                for k in range(depth):
                    memory[KEPT + k] = run_cards(memory[TAKEN + k])
        elif depth == 0:
            return best
        else:
            depth -= 1
            mark = memory[TAKEN + depth]
            hand += run_cards(mark)
            worth -= _run_worth(mark, price, unseen)
            wings -= _run_wings(mark)
            mark += 1  # go on behind it


@njit(cache=True, nogil=True)
def loose_cards(hand: int, memory: Any) -> int:
    """Give the cards of the hand that the plan found last puts into no run."""
    for k in range(memory[RUNS]):
        hand -= memory[KEPT + k]
    return hand


@njit(cache=True, nogil=True)
def airplane_wings(loose: int, core: int) -> int:
    """Choose kickers of 3 to K for an airplane: singles, else pairs, else pairs broken up; or 0.

    >>> hex(airplane_wings(0x112, 0x11000)), hex(airplane_wings(0x22, 0x11000))
    ('0x110', '0x22')
    >>> hex(airplane_wings(0x12, 0x11000)), airplane_wings(0x1, 0x11000)
    ('0x11', 0)
    """
    length = popcount(core)
    once = at_least(loose, 1) & ~at_least(loose, 2) & THROWAWAY & ~core
    twice = at_least(loose, 2) & ~at_least(loose, 3) & THROWAWAY & ~core
    singles, pairs = popcount(once), popcount(twice)
    size = 2 if singles < length <= pairs else 1
    if size == 2:
        once = twice
    elif singles + 2 * pairs < length:
        return 0
    wings = 0
    for _ in range(length):
        if once == 0:
            once = twice & -twice
            twice ^= once
            wings += once
            continue
        wings += size * (once & -once)
        once &= once - 1
    return wings


@njit(cache=True, nogil=True)
def write_plan(hand: int, memory: Any) -> int:
    """Write the plays of the plan found last to `memory`, with their kickers; give how many.

    >>> scratch = np.zeros(32, np.int64)
    >>> worth = plan(0x1100113, 0, 50, 0x1000000000, scratch)  # 3334589
    >>> [hex(play) for play in scratch[PLAYS : PLAYS + write_plan(0x1100113, scratch)]]
    ['0x13', '0x100', '0x100000', '0x1000000']
    """
    loose = loose_cards(hand, memory)
    n = PLAYS
    for k in range(memory[RUNS]):
        wings = 0
        trios = at_least(memory[KEPT + k], 3)
        if trios:
            wings = airplane_wings(loose, trios)
        loose -= wings
        memory[n] = memory[KEPT + k] + wings
        n += 1
    if loose & ROCKET == ROCKET:
        memory[n] = ROCKET
        n += 1
        loose ^= ROCKET
    trios = at_least(loose, 3) & ~at_least(loose, 4)
    while trios:
        trio = trios & -trios
        trios ^= trio
        free = at_least(loose, 1) & ~at_least(loose, 3) & THROWAWAY
        kicker = free & -free
        memory[n] = 3 * trio + _all_of(loose, kicker)
        loose -= memory[n]
        n += 1
    ranks = at_least(loose, 1)
    while ranks:
        memory[n] = _all_of(loose, ranks & -ranks)
        ranks &= ranks - 1
        n += 1
    return n - PLAYS


@njit(cache=True, nogil=True, forceinline=True)
def _all_of(cards: int, rank: int) -> int:
    """Give all cards of one rank, given as a mask of one bit or none."""
    return cards & 7 * rank
