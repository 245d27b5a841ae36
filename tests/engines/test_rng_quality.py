"""Quality of the keyed random numbers where games use them: dice by seat, round and draw.

Everything is drawn from fixed seeds, so nothing fails by chance. Where many tests are made at once
the smallest p-value must not be smaller than chance makes it: Bonferroni at one in a thousand.
"""

from typing import Any, Final

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import chi2, kstest

from sim.engines.rng import LUCK, STRATEGY

from . import draws

SEED: Final = 7
SEATS: Final = 6
ROUNDS: Final = 29
DICE: Final = 5
LEVEL: Final = 1e-3


def rolls(seeds: Any, deals: Any, seats: Any, rounds: Any) -> NDArray[np.int64]:
    """Roll five dice for each key as the engines do: one draw below 6**5; shape (..., 5)."""
    keys, words = draws.deal_keys(seeds, deals), draws.pack_words(LUCK, seats, rounds)
    keys, words = np.broadcast_arrays(keys, words)
    drawn = draws.below(draws.make_rngs(keys.ravel(), words.ravel()), 6**DICE)
    return drawn.reshape(*keys.shape, 1) // 6 ** np.arange(DICE) % 6


def uniform_p(counts: NDArray[Any]) -> NDArray[np.float64]:
    """Give the p-value of a chi-square test that the last axis counts equally likely things."""
    expected = counts.sum(axis=-1, keepdims=True) / counts.shape[-1]
    statistic = ((counts - expected) ** 2 / expected).sum(axis=-1)
    p: NDArray[np.float64] = chi2.sf(statistic, counts.shape[-1] - 1)
    return p


def count_last(values: NDArray[np.int64], kinds: int) -> NDArray[np.int64]:
    """Count each kind along the first axis; the kinds become the last axis."""
    return np.stack([(values == kind).sum(axis=0) for kind in range(kinds)], axis=-1)


def check_all(p: NDArray[np.float64]) -> None:
    """None of many p-values is too small, and all together they are spread evenly."""
    assert p.min() > LEVEL / p.size
    if p.size >= 50:
        assert kstest(p.ravel(), "uniform").pvalue > LEVEL


def test_faces_by_seat_round_and_die() -> None:
    """Each of 6 x 29 x 5 dice shows each face equally often over 20,000 deals."""
    deals = np.arange(20_000)[:, None, None]
    dice = rolls(SEED, deals, np.arange(SEATS)[:, None], np.arange(1, ROUNDS + 1))

    check_all(uniform_p(count_last(dice, 6)))


@pytest.mark.parametrize("seed", [0, 1, 2**32, 2**63, 2**64 - 1])
def test_whole_rolls(seed: int) -> None:
    """All 7,776 rolls of five dice are equally likely, for extreme seeds too."""
    dice = rolls(seed, np.arange(400_000), 0, 1)
    counts = np.bincount(dice @ 6 ** np.arange(DICE), minlength=6**DICE)

    check_all(uniform_p(counts))


@pytest.mark.parametrize(
    ("seed", "bit", "step", "seat", "round_"),
    [
        (SEED, 0, 1, 0, 1),
        (SEED + 1, 0, 0, 0, 1),
        (SEED ^ 1 << 63, 0, 0, 0, 1),
        (SEED, 1 << 40, 0, 0, 1),
        (SEED, 0, 0, 1, 1),
        (SEED, 0, 0, 2, 1),
        (SEED, 0, 0, 0, 2),
        (SEED, 0, 0, 1, 0),
    ],
    ids=["deal", "seed", "seed bit", "deal bit", "seat", "2 seats on", "round", "seat and round"],
)
def test_neighbouring_dice_are_independent(
    seed: int, bit: int, step: int, seat: int, round_: int
) -> None:
    """Each die of a hand against each die of one whose key is near: all pairs of faces alike."""
    deals = np.arange(100_000)
    here = rolls(SEED, deals, 0, 1)
    there = rolls(seed, (deals ^ bit) + step, seat, round_)

    check_all(uniform_p(count_last(here[:, :, None] * 6 + there[:, None, :], 36)))


def test_dice_of_one_hand_are_independent() -> None:
    """Two dice of one draw show all 36 pairs equally often."""
    dice = rolls(SEED, np.arange(200_000), 3, 4)
    first, second = np.triu_indices(DICE, 1)

    check_all(uniform_p(count_last(dice[:, first] * 6 + dice[:, second], 36)))


def test_draws_of_a_strategy_by_number() -> None:
    """The first forty draws of a seat in a round: uniform, each independent of the next."""
    keys = draws.seat_keys(SEED, np.arange(50_000))
    rngs = draws.make_rngs(keys, draws.pack_words(STRATEGY, 1, 1))
    drawn = np.stack([draws.below(rngs, 6) for _ in range(40)], axis=1)

    check_all(uniform_p(count_last(drawn, 6)))
    check_all(uniform_p(count_last(drawn[:, :-1] * 6 + drawn[:, 1:], 36)))


def test_draws_of_a_strategy_know_nothing_of_the_dice() -> None:
    """A seat's draws against its own dice, the dice of the others, and the draws of the others."""
    deals = np.arange(100_000)
    keys = draws.seat_keys(SEED, deals)
    own = draws.below(draws.make_rngs(keys, draws.pack_words(STRATEGY, 0, 1)), 6)[:, None]
    next_ = draws.below(draws.make_rngs(keys, draws.pack_words(STRATEGY, 1, 1)), 6)[:, None]
    for other in (rolls(SEED, deals, 0, 1), rolls(SEED, deals, 1, 1), next_):
        check_all(uniform_p(count_last(own * 6 + other, 36)))


@pytest.mark.parametrize("n", [3, 6, 7, 10, 255, 3 * 2**61, 2**62 + 1, 2**63 - 1])
def test_integers_are_unbiased(n: int) -> None:
    """Thirds of the range, and remainders by small numbers, come equally often.

    Without rejection, below(3 * 2**61) would give remainders by 3 as 3 : 3 : 2.
    """
    rngs = draws.make_rngs(draws.deal_keys(SEED, np.arange(300_000)), draws.pack_words(0, 0, 0))
    drawn = draws.below(rngs, n)
    for parts in (2, 3, 5, 7):
        if n % parts == 0 or n > 1 << 32:  # else the classes are not equally likely
            counts = np.bincount(drawn % parts, minlength=parts)
            check_all(uniform_p(counts))
    small = min(n, 255)
    if n == small or n > 1 << 32:
        slices = (drawn.astype(np.float64) / n * small).astype(np.int64)
        check_all(uniform_p(np.bincount(slices, minlength=small)))
    assert drawn.min() >= 0
    assert drawn.max() < n


def test_rejections_are_as_many_as_they_must_be() -> None:
    """For 3 * 2**61 a quarter of all numbers is rejected, so 4/3 draws are made on average."""
    rngs = draws.make_rngs(draws.deal_keys(SEED, np.arange(100_000)), draws.pack_words(1, 0, 0))
    before = rngs["word"].copy()
    draws.below(rngs, 3 * 2**61)
    made = (rngs["word"] - before).astype(np.float64)

    assert abs(made.mean() - 4 / 3) < 4 * made.std() / np.sqrt(len(made))


def test_floats_are_uniform() -> None:
    """A Kolmogorov-Smirnov test over a million floats, and the lowest of their 53 bits."""
    rngs = draws.make_rngs(draws.deal_keys(SEED, np.arange(1_000_000)), draws.pack_words(1, 0, 0))
    drawn = draws.random(rngs)
    lowest = (drawn * 2**53).astype(np.int64) & 1

    assert kstest(drawn, "uniform").pvalue > LEVEL
    check_all(uniform_p(np.bincount(lowest)))


@pytest.mark.parametrize("part", ["word", "seed", "deal"])
def test_every_bit_moves_every_bit(part: str) -> None:
    """One bit of a word, seed or deal changed: each of 64 bits of the number changes half the time.

    Over 20,000 places, for the 64 x 64 pairs of bits.
    """
    count = 20_000
    base = np.arange(count, dtype=np.uint64)
    seeds, words = np.full(count, SEED, np.uint64), draws.pack_words(LUCK, base % 6, base % 29 + 1)
    plain = draws.bits64(draws.make_rngs(draws.deal_keys(seeds, base), words))
    worst = 0.0
    for bit in range(64):
        flip = np.uint64(1 << bit)
        parts = {"seed": seeds, "deal": base, "word": words}
        parts[part] = parts[part] ^ flip
        keys = draws.deal_keys(parts["seed"], parts["deal"])
        moved = plain ^ draws.bits64(draws.make_rngs(keys, parts["word"]))
        bits = np.unpackbits(moved.view(np.uint8).reshape(count, 8), axis=1)
        worst = max(worst, float(np.abs(bits.mean(axis=0) - 0.5).max()))

    assert worst < 5.5 * 0.5 / np.sqrt(count)  # 4,096 normal values: beyond 5.5 once in 6,000


def test_no_number_comes_twice() -> None:
    """Of a million numbers of neighbouring deals, seats and rounds: a repeat has chance 3e-8."""
    deals = np.arange(6_250)[:, None]
    places = np.arange(160)
    keys = np.broadcast_to(draws.deal_keys(SEED, deals), (6_250, 160)).ravel()
    words = draws.pack_words(LUCK, places % 6, places // 6)
    drawn = draws.bits64(draws.make_rngs(keys, np.tile(words, 6_250)))

    assert len(np.unique(drawn)) == drawn.size
