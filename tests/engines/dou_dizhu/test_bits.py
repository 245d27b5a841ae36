"""Rank masks against counting by hand."""

from hypothesis import given, settings
from hypothesis import strategies as st

from sim.engines.dou_dizhu.bits import at_least, gather, lowest_bit, nth_shift, popcount, run_starts
from sim.engines.dou_dizhu.notation import parse_cards

from .hands import hands

MASKS = st.lists(st.booleans(), min_size=15, max_size=15)


def ranks_of(mask: int) -> list[int]:
    """The ranks that a rank mask names."""
    assert mask & ~0x111111111111111 == 0
    return [rank for rank in range(15) if mask >> 4 * rank & 1]


@given(st.integers(-(2**63), 2**63 - 1))
@settings(deadline=None)
def test_single_bits(x: int) -> None:
    """As Python counts them."""
    bits = [place for place in range(64) if x >> place & 1]

    assert len(bits) == popcount(x)
    assert min(bits, default=64) == lowest_bit(x)


@given(hands(), st.integers(1, 4))
@settings(deadline=None)
def test_at_least_finds_the_ranks_with_enough_cards(hand: str, copies: int) -> None:
    """For one to four cards, jokers too."""
    enough = [i for i, letter in enumerate("3456789TJQKA2BR") if hand.count(letter) >= copies]

    assert enough == ranks_of(at_least(parse_cards(hand), copies))


@given(MASKS)
@settings(deadline=None)
def test_nth_shift_finds_every_bit(held: list[bool]) -> None:
    """All fifteen ranks may be held; past the last there is none."""
    ranks = [rank for rank in range(15) if held[rank]]
    mask = sum(1 << 4 * rank for rank in ranks)

    assert [4 * r for r in ranks] + [64] == [nth_shift(mask, n) for n in range(len(ranks) + 1)]


@given(MASKS, st.integers(1, 12))
@settings(deadline=None)
def test_run_starts(held: list[bool], length: int) -> None:
    """A run starts where that many neighbours are held."""
    mask = sum(held[rank] << 4 * rank for rank in range(15))
    starts = [start for start in range(16 - length) if all(held[start : start + length])]

    assert starts == ranks_of(run_starts(mask, length))


@given(MASKS)
@settings(deadline=None)
def test_gather_keeps_order(held: list[bool]) -> None:
    """Bit 4i becomes bit i, for the twelve ranks of runs."""
    mask = sum(held[rank] << 4 * rank for rank in range(12))

    assert sum(held[rank] << rank for rank in range(12)) == gather(mask)
