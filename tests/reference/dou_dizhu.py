"""The combinations of Dou Dizhu by the book: all 24,639, each written down once.

Nothing is shared with sim/: cards are text from low to high, a combination is a tuple, and the
legal plays of a hand are those among all combinations whose cards it holds.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

RANKS = "3456789TJQKA2BR"
FOURS = RANKS[:13]
"""Ranks with four cards."""
RUN = RANKS[:12]
"""Ranks that runs are made of: no 2, no joker (rule D7)."""
MOST_CARDS = 20


class Combination(NamedTuple):
    """Cards with the one reading that they have."""

    kind: str
    length: int
    rank: str
    cards: str


def in_order(cards: str) -> str:
    """Write cards from low to high."""
    return "".join(sorted(cards, key=RANKS.index))


def runs(kind: str, copies: int, shortest: int) -> Iterator[Combination]:
    """All runs of singles, pairs or trios (rule D7) that a hand can hold."""
    for length in range(shortest, 13):
        for start in range(13 - length):
            core = RUN[start : start + length]
            if length * copies <= MOST_CARDS:
                yield Combination(kind, length, core[-1], "".join(c * copies for c in core))


def single_wings(core: str, number: int) -> Iterator[str]:
    """Choose single kickers (rules D8, D9): pairs may form, but no trio, and not both jokers."""
    others = [rank for rank in RANKS if rank not in core]
    for wings in combinations_with_replacement(others, number):
        fits = all(wings.count(rank) <= (2 if rank in FOURS else 1) for rank in wings)
        if fits and not {"B", "R"} <= set(wings):
            yield "".join(wings)


def pair_wings(core: str, number: int) -> Iterator[str]:
    """Choose pair kickers of distinct ranks (rules D8, D9)."""
    others = [rank for rank in FOURS if rank not in core]
    for wings in combinations(others, number):
        yield "".join(rank * 2 for rank in wings)


def with_wings(core: Combination, number: int, *, fours: bool) -> Iterator[Combination]:
    """The core with `number` single kickers, and with as many pairs."""
    for wings in single_wings(core.cards, number):
        yield core._replace(
            kind="four + two singles" if fours else f"{core.kind} + single{'s' * (number > 1)}",
            cards=in_order(core.cards + wings),
        )
    for wings in pair_wings(core.cards, number):
        yield core._replace(
            kind="four + two pairs" if fours else f"{core.kind} + pair{'s' * (number > 1)}",
            cards=in_order(core.cards + wings),
        )


def written_down() -> Iterator[Combination]:
    """Every combination of rules D6 to D9 and D11."""
    for rank in RANKS:
        yield Combination("single", 1, rank, rank)
    for rank in FOURS:
        trio = Combination("trio", 1, rank, rank * 3)
        four = Combination("bomb", 1, rank, rank * 4)
        yield Combination("pair", 1, rank, rank * 2)
        yield trio
        yield from with_wings(trio, 1, fours=False)
        yield four
        yield from with_wings(four, 2, fours=True)
    yield from runs("straight", 1, 5)
    yield from runs("pair run", 2, 3)
    for airplane in runs("airplane", 3, 2):
        yield airplane
        for winged in with_wings(airplane, airplane.length, fours=False):
            if len(winged.cards) <= MOST_CARDS:
                yield winged
    yield Combination("rocket", 1, "R", "BR")


ALL = tuple(written_down())
"""All combinations."""

BY_CARDS = {combination.cards: combination for combination in ALL}


def counts(cards: str) -> list[int]:
    """Count the cards of each rank."""
    return [cards.count(rank) for rank in RANKS]


@cache
def all_counts() -> NDArray[np.int8]:
    """The counts of all combinations, one row each."""
    return np.array([counts(combination.cards) for combination in ALL], np.int8)


def leads(hand: str) -> list[Combination]:
    """List what a hand may lead."""
    held = (all_counts() <= np.array(counts(hand))).all(axis=1)
    return [ALL[i] for i in np.flatnonzero(held)]


def beats(a: Combination, b: Combination) -> bool:
    """Tell whether `a` may be played on `b` (rules D5, D10, D11)."""
    if a.kind == "rocket" or b.kind == "rocket":
        return b.kind != "rocket"
    if a.kind == "bomb" and b.kind != "bomb":
        return True
    higher = RANKS.index(a.rank) > RANKS.index(b.rank)
    return (a.kind, a.length) == (b.kind, b.length) and higher


def legal_plays(hand: str, to_beat: Combination | None = None) -> list[Combination]:
    """List what a hand may lead, or may play on `to_beat`; no pass."""
    return [play for play in leads(hand) if to_beat is None or beats(play, to_beat)]
