"""The kinds of combinations (rules D6-D9, D11), their sizes, and the numbers kernels use for them.

A *shape* is a kind and a length, numbered 1 to 37 in the order of `SHAPES`. A *class* is a shape
and the rank of its core (the highest rank of a run): what decides strength, kickers never do
(D10). Its code is `16 * shape + rank`, 0 is "no combination" or "nothing to beat". There are 308.

Bombs and the rocket are the last two shapes and the rocket the very last, so that a class
beats another if its code is higher and either both have one shape or it is a bomb or the rocket.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Kind(StrEnum):
    """The kinds of combinations, as the rules call them."""

    SINGLE = "single"
    PAIR = "pair"
    TRIO = "trio"
    TRIO_SINGLE = "trio + single"
    TRIO_PAIR = "trio + pair"
    STRAIGHT = "straight"
    PAIR_RUN = "pair run"
    AIRPLANE = "airplane"
    AIRPLANE_SINGLES = "airplane + singles"
    AIRPLANE_PAIRS = "airplane + pairs"
    FOUR_SINGLES = "four + two singles"
    FOUR_PAIRS = "four + two pairs"
    BOMB = "bomb"
    ROCKET = "rocket"


MAX_CARDS: Final = 20
"""Cards in the fullest hand, a landlord's; no combination has more (rule D4)."""

RANKS_IN_RUNS: Final = 12
"""Runs are made of the twelve ranks 3 to A: no 2 and no joker (rule D7)."""


@dataclass(frozen=True, slots=True)
class Shape:
    """One kind at one length: how many copies of each core rank, and which kickers."""

    kind: Kind
    length: int
    """Ranks in the core: 1, or the length of a run."""
    copies: int
    """Cards of each core rank."""
    wings: int = 0
    """How many kickers."""
    wing_size: int = 1
    """Cards of each kicker: 1, or 2 where kickers are pairs."""

    @property
    def cards(self) -> int:
        """How many cards a combination of this shape has."""
        return self.length * self.copies + self.wings * self.wing_size


def _runs(
    kind: Kind, shortest: int, copies: int, *, wings_each: int = 0, wing_size: int = 1
) -> list[Shape]:
    """All lengths of a run that fit among twelve ranks and into the fullest hand."""
    shapes = [
        Shape(kind, length, copies, length * wings_each, wing_size)
        for length in range(shortest, RANKS_IN_RUNS + 1)
    ]
    return [shape for shape in shapes if shape.cards <= MAX_CARDS]


SHAPES: Final[tuple[Shape, ...]] = (
    Shape(Kind.SINGLE, 1, 1),
    Shape(Kind.PAIR, 1, 2),
    Shape(Kind.TRIO, 1, 3),
    Shape(Kind.TRIO_SINGLE, 1, 3, 1),
    Shape(Kind.TRIO_PAIR, 1, 3, 1, 2),
    *_runs(Kind.STRAIGHT, 5, 1),
    *_runs(Kind.PAIR_RUN, 3, 2),
    *_runs(Kind.AIRPLANE, 2, 3),
    *_runs(Kind.AIRPLANE_SINGLES, 2, 3, wings_each=1),
    *_runs(Kind.AIRPLANE_PAIRS, 2, 3, wings_each=1, wing_size=2),
    Shape(Kind.FOUR_SINGLES, 1, 4, 2),
    Shape(Kind.FOUR_PAIRS, 1, 4, 2, 2),
    Shape(Kind.BOMB, 1, 4),
    Shape(Kind.ROCKET, 1, 1),
)
"""Shape number s is `SHAPES[s - 1]`."""

SHAPE_COUNT: Final = len(SHAPES)
BOMB_SHAPE: Final = SHAPE_COUNT - 1
ROCKET_SHAPE: Final = SHAPE_COUNT
ROCKET_CLASS: Final = ROCKET_SHAPE * 16 + 14
"""The rocket's class code; its rank is the red joker's."""

LONGEST_PAIR_RUN: Final = max(s.length for s in SHAPES if s.kind is Kind.PAIR_RUN)
LONGEST_AIRPLANE: Final = max(s.length for s in SHAPES if s.kind is Kind.AIRPLANE)
LONGEST_WITH_SINGLES: Final = max(s.length for s in SHAPES if s.kind is Kind.AIRPLANE_SINGLES)
LONGEST_WITH_PAIRS: Final = max(s.length for s in SHAPES if s.kind is Kind.AIRPLANE_PAIRS)


def core_ranks(shape: Shape) -> range:
    """Give every rank that can be the highest of a core of this shape.

    >>> core_ranks(SHAPES[0]), core_ranks(Shape(Kind.STRAIGHT, 5, 1))
    (range(0, 15), range(4, 12))
    """
    if shape.kind is Kind.SINGLE:
        return range(15)
    if shape.kind is Kind.ROCKET:
        return range(14, 15)
    return range(shape.length - 1, RANKS_IN_RUNS if shape.length > 1 else 13)


def class_code(kind: Kind, length: int, rank: int) -> int:
    """Give the code of a class; `rank` is 0 (a 3) to 14 (the red joker).

    >>> class_code(Kind.SINGLE, 1, 0), class_code(Kind.ROCKET, 1, 14)
    (16, 606)
    """
    numbers = {(shape.kind, shape.length): s for s, shape in enumerate(SHAPES, 1)}
    return 16 * numbers[kind, length] + rank


def class_shape(code: int) -> Shape:
    """Give the shape of a class code other than 0.

    >>> class_shape(606).kind
    <Kind.ROCKET: 'rocket'>
    """
    return SHAPES[(code >> 4) - 1]
