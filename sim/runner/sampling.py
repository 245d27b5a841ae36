"""A balanced, seeded sample of line-ups, for when playing all of them would be too much.

Every player sits in as many of the sampled line-ups as any other, give or take one, and every two
players meet about as often as any other two. The sample follows from the seed and the number of
players alone. A sample of any size exists (Baranyai's theorem: the line-ups of n players can be
split into parts of any sizes in each of which the appearances differ by at most one).
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from math import comb
from operator import add
from typing import Final

from sim.engines.rng import SeatRng, deal_key

SAMPLE_DEAL: Final = (1 << 64) - 1
"""Key of the sample's random numbers: above every deal (deals are below 2**63)."""

LOOKS: Final = 64
"""Other line-ups looked at before one that is taken already is left for `_Design.part`."""

SWAPS_PER_LINE_UP: Final = 20
MOST_SWAPS: Final = 20_000
"""Swaps tried to even out the meetings: of many line-ups they are even enough as they are."""

CANDIDATES: Final = 200
"""Line-ups compared for each one taken where they are of several shapes."""

LineUp = tuple[int, ...]


def sample_rng(seed: int) -> SeatRng:
    """Give the random numbers of the sample of a run with this seed."""
    return SeatRng(deal_key(seed, SAMPLE_DEAL), seat=0)


def sample_choices(players: int, size: int, count: int, rng: SeatRng) -> list[LineUp]:
    """Pick `count` different choices of `size` players out of 0 .. players-1, in balance.

    >>> sample = sample_choices(6, 3, 4, sample_rng(7))
    >>> len(set(sample)), sorted(Counter(p for line_up in sample for p in line_up).values())
    (4, [2, 2, 2, 2, 2, 2])
    """
    total = comb(players, size)
    if count > total:
        raise ValueError(f"{count} of {total} line-ups")
    if 2 * count > total:  # all of them are in balance, so what is left out must be
        left_out = set(sample_choices(players, size, total - count, rng))
        return [c for c in combinations(range(players), size) if c not in left_out]
    design = _Design(players, size, rng)
    for _ in range(count):
        design.add()
    design.part()
    design.even_out()
    return sorted(tuple(sorted(line_up)) for line_up in design.line_ups)


class _Design:
    """Line-ups in which appearances never differ by more than one; swaps keep it so."""

    def __init__(self, players: int, size: int, rng: SeatRng) -> None:
        self.players = players
        self.size = size
        self.rng = rng
        self.line_ups: list[set[int]] = []
        self.taken: Counter[frozenset[int]] = Counter()
        self.appearances = [0] * players
        self.met = [[0] * players for _ in range(players)]

    def add(self) -> None:
        """Add the line-up of those who sat least, preferring those who met least."""
        for _ in range(LOOKS):
            line_up = self._those_who_sat_least()
            if not self.taken[frozenset(line_up)]:
                break
        self.line_ups.append(line_up)
        self.taken[frozenset(line_up)] += 1
        for player in line_up:
            self.appearances[player] += 1
        self._count_meetings(line_up, 1)

    def _those_who_sat_least(self) -> set[int]:
        lowest = min(self.appearances)
        behind = [p for p in range(self.players) if self.appearances[p] == lowest]
        ahead = [p for p in range(self.players) if self.appearances[p] > lowest]
        if len(behind) > self.size:
            return set(self._fill([], behind))
        return set(self._fill(behind, ahead))

    def _fill(self, seated: list[int], pool: list[int]) -> list[int]:
        """Fill the table from `pool`: each time somebody who has met the seated least."""
        seated = list(seated)
        turn = self.rng.below(len(pool)) if pool else 0  # level players take turns at being first
        pool = pool[turn:] + pool[:turn]
        meetings = [0] * self.players
        for player in seated:
            meetings = list(map(add, meetings, self.met[player]))
        while len(seated) < self.size:
            best = min(pool, key=meetings.__getitem__)
            pool.remove(best)
            seated.append(best)
            meetings = list(map(add, meetings, self.met[best]))
        return seated

    def _count_meetings(self, line_up: Iterable[int], change: int) -> None:
        for a, b in combinations(line_up, 2):
            self.met[a][b] += change
            self.met[b][a] += change

    def part(self) -> None:
        """Swap players between line-ups until no two are the same."""
        index = 0
        while index < len(self.line_ups):
            if self.taken[frozenset(self.line_ups[index])] > 1:
                self._swap(index, must_improve=False)
            else:
                index += 1

    def even_out(self) -> None:
        """Swap players between line-ups while that makes the meetings more even."""
        if len(self.line_ups) < 2:
            return
        for step in range(min(SWAPS_PER_LINE_UP * len(self.line_ups), MOST_SWAPS)):
            if step % 1000 == 0 and self._is_even():
                return
            self._swap(self.rng.below(len(self.line_ups)), must_improve=True)

    def _is_even(self) -> bool:
        counts = [self.met[a][b] for a, b in combinations(range(self.players), 2)]
        return not counts or max(counts) - min(counts) <= 1

    def _swap(self, first: int, *, must_improve: bool) -> None:
        """Let a player of line-up `first` change places with one of a random other line-up."""
        second = self.rng.below(len(self.line_ups))
        one, other = self.line_ups[first], self.line_ups[second]
        ours, theirs = sorted(one - other), sorted(other - one)
        if not ours:
            return
        a, b = self.rng.choice(ours), self.rng.choice(theirs)
        one_after, other_after = one - {a} | {b}, other - {b} | {a}
        if self.taken[frozenset(one_after)] or self.taken[frozenset(other_after)]:
            return
        if one_after == other_after or (must_improve and self._change(one, other, a, b) > 0):
            return
        for index, before, after in ((first, one, one_after), (second, other, other_after)):
            self.taken[frozenset(before)] -= 1
            self.taken[frozenset(after)] += 1
            self._count_meetings(before, -1)
            self._count_meetings(after, 1)
            self.line_ups[index] = after

    def _change(self, one: set[int], other: set[int], a: int, b: int) -> int:
        """Say how the sum of squares of the meetings would change, halved."""
        met_a, met_b = self.met[a], self.met[b]
        change = 0
        for p in one - {a} - other:
            change += met_b[p] - met_a[p] + 1
        for p in other - {b} - one:
            change += met_a[p] - met_b[p] + 1
        return change


def sample_listed(line_ups: Sequence[LineUp], count: int, rng: SeatRng) -> list[LineUp]:
    """Pick `count` of line-ups of several shapes (AAB beside ABC), in balance as far as it goes.

    Seats are counted: in AAB player A appears twice. Each pick is, of some random candidates, the
    one whose players appeared least and, among those, met least.

    >>> tables = [(0, 0, 1), (0, 1, 1), (0, 0, 2), (0, 2, 2), (1, 1, 2), (1, 2, 2)]
    >>> sample = sample_listed(tables, 3, sample_rng(0))
    >>> sorted(Counter(p for line_up in sample for p in line_up).values())
    [2, 3, 4]
    """
    remaining = list(range(len(line_ups)))
    appearances: Counter[int] = Counter()
    met: Counter[LineUp] = Counter()
    picked = []
    for _ in range(count):
        start = max(0, len(remaining) - CANDIDATES)
        for i in range(len(remaining) - 1, start - 1, -1):  # the end of a Fisher-Yates shuffle
            j = rng.below(i + 1)
            remaining[i], remaining[j] = remaining[j], remaining[i]

        def cost(place: int) -> tuple[int, int]:
            line_up = line_ups[remaining[place]]
            again = Counter(line_up)
            seats = sum(2 * appearances[p] * n + n * n for p, n in again.items())
            return seats, sum(met[pair] for pair in combinations(line_up, 2))

        best = min(range(start, len(remaining)), key=cost)
        index = remaining.pop(best)
        picked.append(index)
        appearances.update(line_ups[index])
        met.update(combinations(line_ups[index], 2))
    return [line_ups[index] for index in sorted(picked)]
