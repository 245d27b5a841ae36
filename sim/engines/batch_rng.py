"""The random numbers of many seats at once, for batched strategies: the draws of `SeatRng`.

Row i draws from the stream of the seat that waits in row i, so a row's numbers do not depend on
which other rows there are. `where` draws in some rows only: the others stay where they are in
their streams, as a plain-Python strategy does that returns before it draws.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim.engines.rng import DOUBLE_STEP, MULTIPLIER_1, MULTIPLIER_2

_M1: Final = np.uint64(MULTIPLIER_1)
_M2: Final = np.uint64(MULTIPLIER_2)
_11: Final = np.uint64(11)
_27: Final = np.uint64(27)
_32: Final = np.uint64(32)
_33: Final = np.uint64(33)
_LOW: Final = np.uint64(0xFFFFFFFF)

Mask = NDArray[np.bool_]


class BatchRng:
    """One random stream a row.

    >>> from sim.engines.rng import SeatRng, deal_key, pack_word
    >>> keys = np.array([deal_key(seed=7, deal=deal) for deal in range(3)], np.uint64)
    >>> words = np.full(3, pack_word(stream=1, seat=1, epoch=0), np.uint64)
    >>> rng = BatchRng(keys, words)
    >>> rng.below(6).tolist(), rng.below(6, where=[True, False, False]).tolist()
    ([4, 2, 0], [3, 0, 0])
    >>> [SeatRng(int(key), seat=1).below(6) for key in keys]
    [4, 2, 0]
    """

    __slots__ = ("keys", "words")

    def __init__(self, keys: NDArray[np.uint64], words: NDArray[np.uint64]) -> None:
        self.keys = keys
        self.words = words
        """The word of each row's next draw; drawing moves it on."""

    def bits64(self, *, where: ArrayLike | None = None) -> NDArray[np.uint64]:
        """Draw uniform integers of 64 bits; 0 in rows that are not in `where`."""
        drawn = mix(self.keys ^ mix(self.words))
        if where is None:
            self.words += np.uint64(1)
            return drawn
        mask = self._mask(where)
        self.words += mask
        return np.where(mask, drawn, np.uint64(0))

    def random(self, *, where: ArrayLike | None = None) -> NDArray[np.float64]:
        """Draw floats in [0, 1) with 53 random bits; 0 in rows that are not in `where`."""
        bits: NDArray[np.uint64] = self.bits64(where=where) >> _11
        return bits.astype(np.float64) * DOUBLE_STEP

    def below(self, n: ArrayLike, *, where: ArrayLike | None = None) -> NDArray[np.int64]:
        """Draw unbiased integers in 0 .. n - 1; `n` is one number, or one for each row.

        n must be 1 .. 2**63 - 1 in the rows that draw; the others, not in `where`, get 0.
        """
        bounds = self._bounds(n)
        mask = np.ones(len(self.keys), np.bool_) if where is None else self._mask(where)
        wrong = mask & (bounds < 1)
        if wrong.any():
            row = int(np.flatnonzero(wrong)[0])
            raise ValueError(f"below({int(bounds[row])}) in row {row}: n must be 1 or more")
        spans = bounds.astype(np.uint64)
        high, low = multiply(self.bits64(where=mask), spans)
        again = mask & (low < spans)
        if again.any():  # reject what would make the first numbers likelier (Lemire 2019)
            spans[~mask] = 1
            thresholds = (np.uint64(0) - spans) % spans
            again &= low < thresholds
            while again.any():
                new_high, low = multiply(self.bits64(where=again), spans)
                high = np.where(again, new_high, high)
                again &= low < thresholds
        drawn: NDArray[np.int64] = np.where(mask, high, np.uint64(0)).astype(np.int64)
        return drawn

    def _mask(self, where: ArrayLike) -> Mask:
        mask = np.asarray(where)
        if mask.dtype != np.bool_ or mask.shape != self.keys.shape:
            raise ValueError(
                f"where must be {len(self.keys)} booleans, one for each row, not an array of "
                f"{mask.dtype} of the shape {mask.shape}"
            )
        return mask

    def _bounds(self, n: ArrayLike) -> NDArray[np.int64]:
        bounds: NDArray[Any] = np.asarray(n)
        if bounds.dtype.kind not in "iu" or bounds.shape not in ((), self.keys.shape):
            raise ValueError(
                f"below(n): n must be a whole number, or {len(self.keys)} of them, not an array "
                f"of {bounds.dtype} of the shape {bounds.shape}"
            )
        if bounds.dtype.kind == "u":  # a uint64 above 2**63 - 1 turns negative and is refused
            bounds = bounds.astype(np.int64)
        return np.broadcast_to(bounds, self.keys.shape).astype(np.int64)


def mix(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Scramble 64 bits in each row, one to one: the `mix` of rng.py."""
    x = (x ^ (x >> _27)) * _M1
    x = (x ^ (x >> _33)) * _M2
    mixed: NDArray[np.uint64] = x ^ (x >> _27)
    return mixed


def multiply(
    a: NDArray[np.uint64], b: NDArray[np.uint64]
) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Give the upper and lower 64 bits of the 128-bit products.

    >>> [int(x[0]) for x in multiply(np.array([2**63], np.uint64), np.array([6], np.uint64))]
    [3, 0]
    """
    a_high, a_low, b_high, b_low = a >> _32, a & _LOW, b >> _32, b & _LOW
    middle = a_high * b_low + (a_low * b_low >> _32)
    other = a_low * b_high + (middle & _LOW)
    return a_high * b_high + (middle >> _32) + (other >> _32), a * b
