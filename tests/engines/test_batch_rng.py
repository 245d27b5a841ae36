"""Vectorised draws are those of SeatRng, row by row."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.engines.batch_rng import BatchRng, multiply
from sim.engines.rng import SeatRng, deal_key, pack_word

U64 = st.integers(0, 2**64 - 1)

ROWS = 5


def twins(seed: int) -> tuple[BatchRng, list[SeatRng]]:
    """Give the same streams twice: of five seats in five deals."""
    plain = [SeatRng(deal_key(seed, deal), seat=deal, epoch=deal + 1) for deal in range(ROWS)]
    keys = np.array([deal_key(seed, deal) for deal in range(ROWS)], np.uint64)
    words = [pack_word(stream=1, seat=deal, epoch=deal + 1) for deal in range(ROWS)]
    return BatchRng(keys, np.array(words, np.uint64)), plain


MASKS = st.lists(st.booleans(), min_size=ROWS, max_size=ROWS)
BOUNDS = st.lists(
    st.one_of(st.integers(1, 100), st.integers(1, 2**63 - 1)), min_size=ROWS, max_size=ROWS
)


@given(st.integers(0, 2**64 - 1), st.lists(st.tuples(MASKS, BOUNDS), min_size=1, max_size=8))
def test_draws_are_those_of_single_seats(
    seed: int, draws: list[tuple[list[bool], list[int]]]
) -> None:
    """Whoever draws gets the number that it would get alone; who does not stays where it is.

    Bounds near 2**63 are rejected up to half of the time, so rows draw again one by one.
    """
    batch, plain = twins(seed)
    for mask, bounds in draws:
        numbers = batch.below(np.array(bounds, np.int64), where=np.array(mask))
        floats = batch.random(where=np.array(mask))
        for row, (draws_here, bound) in enumerate(zip(mask, bounds, strict=True)):
            expected = (plain[row].below(bound), plain[row].random()) if draws_here else (0, 0.0)
            assert (numbers[row], floats[row]) == expected
    assert batch.random().tolist() == [rng.random() for rng in plain]
    assert batch.below(6).tolist() == [rng.below(6) for rng in plain]
    assert batch.bits64().tolist() == [rng.bits64() for rng in plain]


@given(U64, U64)
def test_products_have_128_bits(a: int, b: int) -> None:
    """The two halves together are the product."""
    high, low = multiply(np.array([a], np.uint64), np.array([b], np.uint64))

    assert (int(high[0]) << 64) + int(low[0]) == a * b


@pytest.mark.parametrize(
    ("n", "where", "why"),
    [
        (0, None, r"below\(0\) in row 0: n must be 1 or more"),
        ([3, 1, -2, 5, 5], None, r"below\(-2\) in row 2: n must be 1 or more"),
        (6.0, None, "n must be a whole number, or 5 of them, not an array of float64"),
        ([1, 2], None, r"not an array of int64 of the shape \(2,\)"),
        (6, [True, False], r"where must be 5 booleans, one for each row, .* shape \(2,\)"),
        (6, [1, 0, 1, 0, 1], "where must be 5 booleans, one for each row, not an array of int64"),
    ],
)
def test_refuses_what_would_be_misunderstood(n: object, where: object, why: str) -> None:
    """A bound of nothing, a list of another length, or row numbers for a mask."""
    batch, _ = twins(1)

    with pytest.raises(ValueError, match=why):
        batch.below(n, where=where)  # type: ignore[arg-type]


def test_bounds_of_rows_that_do_not_draw_may_be_anything() -> None:
    """A mask keeps rows out, so their bounds need not be made up."""
    batch, plain = twins(1)
    drawn = batch.below([6, 0, 6, -1, 6], where=[True, False, True, False, True])

    assert drawn.tolist() == [plain[0].below(6), 0, plain[2].below(6), 0, plain[4].below(6)]
