"""Random numbers by key: every draw is a hash of (seed, deal, stream, epoch, seat, draw).

No draw depends on how many were made before it elsewhere, so a strategy that draws more cannot
move the dice or anybody else's luck, and any game can be played anywhere, in any order.

Packing (injective, 64 bits each):

    key   mix(mix(seed) ^ mix(deal)): for one seed, different deals have different keys. The luck
          of a deal and its strategies have keys of their own (`deal_key`, `seat_key`): whoever
          holds a strategy's stream cannot roll the dice with it
    word  bits 60..63 stream (LUCK or STRATEGY), 52..59 seat, 32..51 epoch (the round of a game
          of Liar's Dice, the redeal of Dou Dizhu), 0..31 draw

    draw  mix(key ^ mix(word)): for one deal, different words give different numbers

`mix` is a bijection of 64 bits (Pelle Evensen's "moremur" constants,
https://mostlymangling.blogspot.com/2019/12/stronger-better-morer-moremur-better.html).
Bounded integers are unbiased (Lemire 2019, "Fast random integer generation in an interval",
https://doi.org/10.1145/3230636): multiply and reject.

The compiled functions and the class `SeatRng` for plain Python draw the same numbers.
"""

from collections.abc import MutableSequence, Sequence
from typing import Any, Final, TypeVar

import numpy as np

LUCK: Final = 0
"""Stream of the deal: dice, deck, first bidder."""

STRATEGY: Final = 1
"""Stream of the strategy that sits at a seat."""

STREAM_SHIFT: Final = 60
SEAT_SHIFT: Final = 52
EPOCH_SHIFT: Final = 32

RNG_DTYPE: Final = np.dtype([("key", "u8"), ("word", "u8")])
"""One stream: its key, and the word of the next draw."""

MASK: Final = (1 << 64) - 1
MULTIPLIER_1: Final = 0x3C79AC492BA7B653
MULTIPLIER_2: Final = 0x1C69B3F74AC4AE35

DOUBLE_STEP: Final = 1.0 / (1 << 53)
"""Spacing of `random()`: 53 bits, as in NumPy and Python."""

T = TypeVar("T")


def mix(x: int) -> int:
    """Scramble 64 bits, one to one.

    >>> hex(mix(1))
    '0x3c02aa47758292bd'
    """
    x &= MASK
    x = ((x ^ (x >> 27)) * MULTIPLIER_1) & MASK
    x = ((x ^ (x >> 33)) * MULTIPLIER_2) & MASK
    return x ^ (x >> 27)


def deal_key(seed: int, deal: int) -> int:
    """Give the key of the luck of `deal` (both 0 .. 2**64 - 1).

    The offsets keep seed 0 and deal 0 away from the fixed point mix(0) = 0.
    """
    return mix(mix(seed + 0x9E3779B97F4A7C15) ^ mix(deal + 0xD1B54A32D192ED03))


def seat_key(seed: int, deal: int) -> int:
    """Give the key of the strategies' streams in `deal`; the key of its luck does not follow.

    >>> seat_key(seed=7, deal=0) != deal_key(seed=7, deal=0)
    True
    """
    return mix(mix(seed + 0x8CB92BA72F3D8DD7) ^ mix(deal + 0x589965CC75374CC3))


def player_salt(player: int) -> int:
    """Give what a test xors into a key so that equal bots under two labels draw differently."""
    return mix(player + 0xA0761D6478BD642F)


def pack_word(*, stream: int, seat: int, epoch: int, draw: int = 0) -> int:
    """Pack the place of a draw in its deal into 64 bits.

    >>> hex(pack_word(stream=STRATEGY, seat=2, epoch=5))
    '0x1020000500000000'
    """
    return stream << STREAM_SHIFT | seat << SEAT_SHIFT | epoch << EPOCH_SHIFT | draw


class SeatRng:
    """The random numbers of one seat in one game, for plain-Python strategies.

    >>> rng = SeatRng(seat_key(seed=7, deal=0), seat=1)
    >>> rng.below(6), rng.random() < 1, rng.choice("abc") in "abc"
    (2, True, True)
    """

    __slots__ = ("_epoch", "_key", "_seat", "_word")

    def __init__(self, key: int, seat: int, epoch: int = 0) -> None:
        self._key = key
        self._seat = seat
        self.restart(epoch)

    def restart(self, epoch: int) -> None:
        """Go to the first draw of `epoch`: the engine does so when a round begins."""
        self._epoch = epoch
        self._word = pack_word(stream=STRATEGY, seat=self._seat, epoch=epoch)

    def bits64(self) -> int:
        """Draw a uniform integer of 64 bits."""
        word = self._word
        self._word = word + 1
        return mix(self._key ^ mix(word))

    def random(self) -> float:
        """Draw a float in [0, 1) with 53 random bits."""
        return (self.bits64() >> 11) * DOUBLE_STEP

    def below(self, n: int) -> int:
        """Draw an unbiased integer in 0 .. n - 1; n from 1 to 2**63 - 1."""
        if not 0 < n < 1 << 63:
            raise ValueError(f"below({n!r}): n must be 1 or more, and less than 2**63")
        product = self.bits64() * n
        low = product & MASK
        if low < n:
            threshold = ((1 << 64) - n) % n
            while low < threshold:
                product = self.bits64() * n
                low = product & MASK
        return product >> 64

    def choice(self, sequence: Sequence[T]) -> T:
        """Pick one item of a sequence that is not empty."""
        if not len(sequence):
            raise IndexError("choice() from an empty sequence")
        return sequence[self.below(len(sequence))]

    def shuffle(self, sequence: MutableSequence[Any]) -> None:
        """Shuffle a list in place (Fisher-Yates, from the end)."""
        for i in range(len(sequence) - 1, 0, -1):
            j = self.below(i + 1)
            sequence[i], sequence[j] = sequence[j], sequence[i]
