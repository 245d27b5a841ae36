"""Keyed random numbers: the compiled functions and plain Python draw the same, as documented."""

from typing import Any, Final

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.engines.rng import (
    LUCK,
    MASK,
    MULTIPLIER_1,
    MULTIPLIER_2,
    STRATEGY,
    SeatRng,
    deal_key,
    mix,
    pack_word,
    player_salt,
    seat_key,
)

from . import draws

UINT64: Final = st.integers(0, MASK)
AWKWARD: Final = (
    *(1, 2, 3, 5, 6, 7, 10, 6**5, 255, 256, 257, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**32 + 1),
    *(2**62 - 1, 2**62, 2**62 + 1, 3 * 2**61, 2**63 - 25, 2**63 - 1),
)
"""Bounds at which an integer draw may go wrong."""


def sample(count: int, seed: int) -> Any:
    """Give 64-bit numbers that do not come from what is tested, the ends of the range first."""
    ends = np.array([0, 1, MASK, MASK - 1, 1 << 63, (1 << 63) - 1, 1 << 32], np.uint64)
    rest = np.random.default_rng(seed).integers(0, MASK, count - len(ends), np.uint64, True)
    return np.concatenate([ends, rest])


def unmix(x: int) -> int:
    """Undo `mix`."""
    x ^= x >> 27 ^ x >> 54
    x = x * pow(MULTIPLIER_2, -1, 1 << 64) & MASK
    x ^= x >> 33
    x = x * pow(MULTIPLIER_1, -1, 1 << 64) & MASK
    return x ^ x >> 27 ^ x >> 54


@given(UINT64)
def test_mix_loses_nothing(x: int) -> None:
    """It can be undone, so different words give different numbers."""
    assert unmix(mix(x)) == x


@pytest.mark.parametrize(
    ("seed", "deal", "seat", "numbers"),
    [
        (0, 0, 0, [3030902485093595971, 9008601353928084777, 4363598802756452606]),
        (7, 3, 2, [6819558440498347067, 1864245769452012074, 5605384756774834075]),
        (MASK, 2**63 - 1, 5, [3841664923459626463, 5727076249656351338, 9409599080565467902]),
    ],
)
def test_numbers_are_those_of_every_release(
    seed: int, deal: int, seat: int, numbers: list[int]
) -> None:
    """A seed printed in an old report still plays the same games: never change these."""
    rng = SeatRng(seat_key(seed, deal), seat, epoch=1)

    assert [rng.bits64() for _ in range(3)] == numbers


def test_a_million_numbers_are_the_same_in_both() -> None:
    """Any key and any word."""
    keys, words = sample(1_000_000, 1), sample(1_000_000, 2)[::-1]
    compiled = draws.bits64(draws.make_rngs(keys, words)).tolist()

    assert compiled == [
        mix(key ^ mix(word)) for key, word in zip(keys.tolist(), words.tolist(), strict=True)
    ]


def test_keys_are_the_same_in_both() -> None:
    """Any seed and any deal; and the salts of players."""
    seeds, deals = sample(50_000, 3), sample(50_000, 4)[::-1]

    pairs = list(zip(seeds.tolist(), deals.tolist(), strict=True))
    assert draws.deal_keys(seeds, deals).tolist() == [deal_key(*pair) for pair in pairs]
    assert draws.seat_keys(seeds, deals).tolist() == [seat_key(*pair) for pair in pairs]
    assert draws.player_salts(range(1000)).tolist() == [player_salt(k) for k in range(1000)]


@pytest.mark.parametrize("n", AWKWARD)
def test_integers_are_the_same_in_both(n: int) -> None:
    """With all rejections: the streams stand at the same word afterwards."""
    rngs = draws.make_rngs(sample(3000, n), draws.pack_words(STRATEGY, 3, 17))
    plain = [SeatRng(key, seat=3, epoch=17) for key in rngs["key"].tolist()]
    for _ in range(3):
        assert draws.below(rngs, n).tolist() == [rng.below(n) for rng in plain]
    assert rngs["word"].tolist() == [rng._word for rng in plain]


def test_floats_are_the_same_in_both() -> None:
    """Bit for bit, and below 1."""
    rngs = draws.make_rngs(sample(20_000, 5), draws.pack_words(STRATEGY, 0, 1))
    plain = [SeatRng(key, seat=0, epoch=1).random() for key in rngs["key"].tolist()]

    assert draws.random(rngs).tolist() == plain
    assert 0 <= min(plain) < max(plain) < 1


def test_the_largest_float_is_below_one() -> None:
    """53 bits of ones."""
    word = pack_word(stream=STRATEGY, seat=0, epoch=0)
    key = unmix(MASK) ^ mix(word)
    rng = SeatRng(key, seat=0)

    assert rng.random() == draws.random(draws.make_rngs([key], [word]))[0] == 1 - 2**-53


@given(
    st.sampled_from((LUCK, STRATEGY)),
    st.integers(0, 255),
    st.integers(0, 2**20 - 1),
    st.integers(0, 2**32 - 1),
)
def test_packing_keeps_every_part(stream: int, seat: int, epoch: int, draw: int) -> None:
    """The parts can be read back, so no two places in a deal share a word."""
    word = pack_word(stream=stream, seat=seat, epoch=epoch, draw=draw)
    parts = (word >> 60, word >> 52 & 0xFF, word >> 32 & 0xFFFFF, word & 0xFFFFFFFF)

    assert parts == (stream, seat, epoch, draw)
    assert draws.pack_words(stream, [seat], [epoch])[0] == word - draw


def test_no_two_places_of_a_game_share_a_word() -> None:
    """All streams, seats and rounds of the longest game, compiled, two hundred draws each."""
    words = [
        draws.pack_words(stream, *np.indices((7, 30))).ravel() + np.uint64(draw)
        for stream in (LUCK, STRATEGY)
        for draw in range(200)
    ]

    assert len(np.unique(words)) == 2 * 7 * 30 * 200


@pytest.mark.parametrize("n", [0, -1, 1 << 63, 1 << 64])
def test_refuses_bounds_out_of_range(n: int) -> None:
    """In plain Python, with the value."""
    with pytest.raises(ValueError, match=rf"below\({n}\): n must be 1 or more"):
        SeatRng(1, seat=0).below(n)


def test_choice_and_shuffle() -> None:
    """Both come from `below`: an item each, all orders; nothing to choose from is an error."""
    rng = SeatRng(deal_key(1, 2), seat=0)
    chosen = {rng.choice("abc") for _ in range(100)}
    orders = set()
    for _ in range(500):
        cards = [1, 2, 3, 4]
        rng.shuffle(cards)
        orders.add(tuple(cards))

    assert chosen == {"a", "b", "c"}
    assert len(orders) == 24
    with pytest.raises(IndexError, match="empty sequence"):
        rng.choice([])


def test_a_stream_starts_again_with_each_epoch() -> None:
    """What is drawn in one round moves nothing in the next."""
    first, second = SeatRng(5, seat=1, epoch=1), SeatRng(5, seat=1, epoch=1)
    for _ in range(10):
        first.bits64()
    first.restart(2)
    second.restart(2)

    assert first.bits64() == second.bits64() == SeatRng(5, seat=1, epoch=2).bits64()


@pytest.mark.parametrize("step", [1, 2**31, 2**53])
def test_no_two_seeds_and_deals_share_a_key(step: int) -> None:
    """Nor luck and strategies: 300 seeds, 300 deals, near or far from each other."""
    seeds, deals = np.arange(300)[:, None] * step, np.arange(300) * step
    keys = [draws.deal_keys(seeds, deals), draws.seat_keys(seeds, deals)]

    assert len(np.unique(keys)) == 2 * 300 * 300


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**63 - 1), st.integers(1, 2**32))
def test_deals_of_a_seed_have_keys_of_their_own(seed: int, deal: int, step: int) -> None:
    """For one seed the key is one to one in the deal, and the other way round."""
    assert deal_key(seed, deal) != deal_key(seed, (deal + step) & MASK)
    assert deal_key(seed, deal) != deal_key((seed + step) & MASK, deal)
