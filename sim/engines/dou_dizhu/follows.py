"""What beats a play: counted, drawn by number and listed.

`target` is the class code of the play to beat (shapes.py), never 0 here. Numbered first are the
plays of the target's own shape, by the rank of the core and then by kickers (wings.py), then
the bombs by rank, then the rocket; number n of n plays is the pass, 0.

All the plays of one shape need the same three numbers: which cores are held above the target (a
rank mask), how many sets of kickers each takes, and which bombs beat it. In uniform play most
targets are singles and pairs and most answers a pass, so this is the path without a jump.
"""

from numba import njit

from sim.engines.dou_dizhu.bits import at_least, nth_shift, popcount, run_starts
from sim.engines.dou_dizhu.notation import ROCKET
from sim.engines.dou_dizhu.tables import (
    COPIES,
    CORE,
    LENGTH,
    OTHER_BOMBS,
    ROCKET_BEATS,
    RUN_MASK,
    STARTS_ABOVE,
    WINGS,
)
from sim.engines.dou_dizhu.wings import count_wings, nth_wings

ROCKET_SHIFT = 60
"""Where `bombs_over` notes the rocket: one place above the red joker's rank."""


@njit(cache=True, nogil=True, forceinline=True)
def cores_over(hand: int, target: int) -> int:
    """Give the lowest ranks of the cores in `hand` that beat `target` in its own shape."""
    shape = target >> 4
    starts = at_least(hand, COPIES[shape])
    if LENGTH[shape] > 1:
        starts = run_starts(starts, LENGTH[shape])
    return int(starts & STARTS_ABOVE[target])


@njit(cache=True, nogil=True, forceinline=True)
def bombs_over(hand: int, shape: int) -> int:
    """Give the bombs in `hand` that beat another shape, as a rank mask, the rocket as bit 60."""
    rocket = (hand & hand >> 4 & ROCKET_BEATS[shape]) << 8
    return int(at_least(hand, 4) & OTHER_BOMBS[shape] | rocket)


@njit(cache=True, nogil=True, forceinline=True)
def count_follows(hand: int, target: int) -> int:
    """Count the plays of `hand` that beat `target`; the pass is not counted.

    >>> count_follows(0x4010, 16)  # 4 and 6666 over a single 3: both, and the bomb
    3
    """
    shape = target >> 4
    plays = popcount(cores_over(hand, target))
    if plays * WINGS[shape]:
        plays *= count_wings(hand, LENGTH[shape], shape)
    return plays + popcount(bombs_over(hand, shape))


@njit(cache=True, nogil=True, forceinline=True)
def nth_follow(hand: int, target: int, n: int) -> int:
    """Give play number n of those that beat `target`; 0, the pass, if n is their count.

    >>> [hex(nth_follow(0x4010, 16, n)) for n in range(4)]
    ['0x10', '0x1000', '0x4000', '0x0']
    """
    shape = target >> 4
    cores = cores_over(hand, target)
    bombs = bombs_over(hand, shape)
    plays = popcount(cores)
    own = (n - plays) >> 63  # all ones if n is a play of the target's own shape, else 0
    if plays * WINGS[shape] | bombs & ~own:
        return _nth_rare(hand, target, n)
    return int(CORE[shape] << (nth_shift(cores, n) & 63) & own)


@njit(cache=True, nogil=True)
def _nth_rare(hand: int, target: int, n: int) -> int:
    """Give play number n where there are kickers or bombs."""
    shape = target >> 4
    cores = cores_over(hand, target)
    if cores:
        each = count_wings(hand, LENGTH[shape], shape)
        if n < popcount(cores) * each:
            shift = nth_shift(cores, n // each)
            play = CORE[shape] << shift
            if WINGS[shape]:
                core = RUN_MASK[LENGTH[shape]] << shift
                play += nth_wings(hand, core, shape, n % each)
            return int(play)
        n -= popcount(cores) * each
    return bomb_at(nth_shift(bombs_over(hand, shape), n))


@njit(cache=True, nogil=True)
def bomb_at(shift: int) -> int:
    """Give the bomb or rocket that `bombs_over` notes at `shift`; the pass for 64."""
    if shift < ROCKET_SHIFT:
        return 4 << shift
    return ROCKET if shift == ROCKET_SHIFT else 0
