"""Who sits with whom, and where: building blocks for a game's line-ups and seatings."""

from collections.abc import Iterator, Sequence
from itertools import permutations
from math import comb
from typing import overload

FIVE_STEPS = tuple(tuple(i * k % 5 for i in range(5)) for k in range(1, 5))
"""Four cyclic orders of five in which every ordered pair of neighbours occurs exactly once."""

SIX_CYCLES = (
    (0, 1, 2, 4, 5, 3),
    (0, 1, 5, 4, 2, 3),
    (0, 2, 1, 3, 5, 4),
    (0, 2, 1, 4, 3, 5),
    (0, 3, 2, 5, 1, 4),
    (0, 3, 4, 1, 5, 2),
    (0, 4, 3, 1, 2, 5),
    (0, 4, 5, 2, 3, 1),
    (0, 5, 1, 3, 4, 2),
    (0, 5, 3, 2, 4, 1),
)
"""Ten cyclic orders of six in which every ordered pair of neighbours occurs exactly twice (no five
can cover each once)."""


class Combinations(Sequence[tuple[int, ...]]):
    """All ascending choices of `size` out of 0 .. count-1, in lexicographic order, never listed.

    >>> choices = Combinations(30, 4)
    >>> len(choices), choices[0], choices[27404]
    (27405, (0, 1, 2, 3), (26, 27, 28, 29))
    """

    def __init__(self, count: int, size: int) -> None:
        self.items = count
        self.size = size
        self._length = comb(count, size)

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> tuple[int, ...]: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[tuple[int, ...]]: ...
    def __getitem__(self, index: int | slice) -> tuple[int, ...] | Sequence[tuple[int, ...]]:
        """Unrank by the combinatorial number system."""
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(self._length))]
        if not -self._length <= index < self._length:
            raise IndexError(index)
        rest = index % self._length
        chosen: list[int] = []
        candidate = 0
        while len(chosen) < self.size:
            below = comb(self.items - candidate - 1, self.size - len(chosen) - 1)
            if rest < below:
                chosen.append(candidate)
            else:
                rest -= below
            candidate += 1
        return tuple(chosen)


def rotations(order: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Give every rotation of `order`.

    >>> list(rotations((0, 1, 2)))
    [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
    """
    for shift in range(len(order)):
        yield (*order[shift:], *order[:shift])


def balanced_orders(seats: int) -> tuple[tuple[int, ...], ...]:
    """Give seatings of 0 .. seats-1 in which seats and neighbours are balanced (statistics.md).

    >>> [len(balanced_orders(n)) for n in (2, 3, 4, 5, 6)]
    [2, 6, 24, 20, 60]
    """
    if seats <= 4:
        return tuple(permutations(range(seats)))
    cycles = FIVE_STEPS if seats == 5 else SIX_CYCLES
    return tuple(seating for cycle in cycles for seating in rotations(cycle))


def seat_players(line_up: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Seat the players of a line-up in balanced orders.

    With the same player in several seats, arrangements that look alike are played once up to four
    seats; above that the list stays as it stands, so that neighbours stay balanced.

    >>> seat_players((0, 0, 1))
    ((0, 0, 1), (0, 1, 0), (1, 0, 0))
    """
    arranged = tuple(tuple(line_up[i] for i in order) for order in balanced_orders(len(line_up)))
    return tuple(dict.fromkeys(arranged)) if len(line_up) <= 4 else arranged
