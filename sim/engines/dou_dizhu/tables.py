"""Constant arrays of the compiled combination code, computed from the shapes and the rules."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from sim.engines.dou_dizhu.bits import ALL_RANKS, BLACK_JOKER
from sim.engines.dou_dizhu.shapes import (
    BOMB_SHAPE,
    RANKS_IN_RUNS,
    ROCKET_SHAPE,
    SHAPE_COUNT,
    SHAPES,
    Kind,
    Shape,
    core_ranks,
)

MOST_WINGS: Final = max(shape.wings for shape in SHAPES)

Longs = NDArray[np.int64]


def _by_shape(field: str) -> Longs:
    return np.array([0, *(getattr(shape, field) for shape in SHAPES)], np.int64)


COPIES: Final = _by_shape("copies")
"""Cards of each core rank, by shape number (all arrays by shape have an unused place 0)."""

LENGTH: Final = _by_shape("length")
"""Ranks in the core, by shape."""

WINGS: Final = _by_shape("wings")
"""Number of kickers, by shape."""

WING_SIZE: Final = _by_shape("wing_size")
"""Cards of each kicker, by shape."""


def run_mask(length: int) -> int:
    """Give the rank mask of the lowest `length` ranks.

    >>> hex(run_mask(3))
    '0x111'
    """
    return ALL_RANKS & ((1 << 4 * length) - 1)


RUN_MASK: Final = np.array([run_mask(length) for length in range(16)], np.int64)
"""By length."""

CORE: Final = COPIES * RUN_MASK[LENGTH]
"""The core without kickers, packed, at its lowest ranks; by shape."""

OTHER_BOMBS: Final = np.full(SHAPE_COUNT + 1, ALL_RANKS, np.int64)
"""The bombs that beat a shape because they are bombs, as a rank mask; a bomb's own
kind is looked at anyway, and nothing beats the rocket."""
OTHER_BOMBS[[0, BOMB_SHAPE, ROCKET_SHAPE]] = 0

ROCKET_BEATS: Final = np.full(SHAPE_COUNT + 1, BLACK_JOKER, np.int64)
"""The black joker's bit where the rocket beats a shape, else 0."""
ROCKET_BEATS[[0, ROCKET_SHAPE]] = 0


def _starts_above() -> Longs:
    starts = np.zeros(16 * (SHAPE_COUNT + 1), np.int64)
    for number, shape in enumerate(SHAPES, 1):
        for rank in range(15):
            above = [r - shape.length + 1 for r in core_ranks(shape) if r > rank]
            starts[16 * number + rank] = sum(1 << 4 * start for start in above)
    return starts


STARTS_ABOVE: Final = _starts_above()
"""By class code: the lowest ranks of the cores that beat it in its own shape, as a rank mask."""


def _straights() -> NDArray[np.uint8]:
    masks = np.arange(1 << RANKS_IN_RUNS)
    counts = np.zeros(1 << RANKS_IN_RUNS, np.uint8)
    for length in range(5, RANKS_IN_RUNS + 1):
        for start in range(RANKS_IN_RUNS + 1 - length):
            run = ((1 << length) - 1) << start
            counts += (masks & run) == run
    return counts


STRAIGHTS: Final = _straights()
"""How many straights the ranks held allow; by 12 neighbouring bits, 3 to A."""


def _times(ways: list[int], factor: list[int]) -> list[int]:
    """Multiply two polynomials in x, up to x to the power MOST_WINGS."""
    product = [0] * (MOST_WINGS + 1)
    for i, a in enumerate(ways):
        for j, b in enumerate(factor):
            if i + j <= MOST_WINGS:
                product[i + j] += a * b
    return product


def _powers(factor: list[int]) -> list[list[int]]:
    powers = [[1] + [0] * MOST_WINGS]
    for _ in range(13):
        powers.append(_times(powers[-1], factor))
    return powers


def _single_wings() -> NDArray[np.int16]:
    ways = np.zeros((3, 14, 14, MOST_WINGS + 1), np.int16)
    once, twice = _powers([1, 1]), _powers([1, 1, 1])
    for jokers in range(3):
        for a in range(14):
            for b in range(14 - a):
                ways[jokers, a, b] = _times(_times(once[a], twice[b]), [1, jokers])
    return ways


SINGLE_WINGS: Final = _single_wings()
"""[j, a, b, k]: ways to pick k single kickers from j jokers, a ranks held once and b ranks held
more often. A rank serves at most twice (three would be a trio, rule D8) and only one joker: the
coefficient of x**k in (1 + x)**a (1 + x + x**2)**b (1 + jx)."""

PAIR_WINGS: Final = np.array(_powers([1, 1]), np.int16)
"""[b, k]: ways to pick k of b pairs as kickers."""


def _profiles(shape: Shape) -> list[tuple[int, int, int, int]]:
    """Give what a shape can look like: how many ranks have >= 1, >= 2, >= 3, >= 4 cards."""
    profiles = []
    core = [shape.length if copies <= shape.copies else 0 for copies in range(1, 5)]
    for doubled in range(shape.wings // 2 + 1 if shape.wing_size == 1 else 1):
        ones = shape.wings - doubled
        twos = shape.wings if shape.wing_size == 2 else doubled
        profiles.append((core[0] + ones, core[1] + twos, core[2], core[3]))
    return profiles


def _shape_of() -> NDArray[np.uint8]:
    shapes = np.zeros((16, 16, 8, 8), np.uint8)
    for number, shape in enumerate(SHAPES, 1):
        if shape.kind is not Kind.ROCKET:
            for profile in _profiles(shape):
                assert shapes[profile] == 0, "no set of cards has two readings"
                shapes[profile] = number
    return shapes


SHAPE_OF: Final = _shape_of()
"""The only shape (0: none) that a play can be, by how many ranks have >= 1, 2, 3, 4 cards."""
