"""Rank masks: the words that compiled code asks about packed cards.

A *rank mask* says one thing of every rank: bit 4i belongs to rank i, the other bits are 0. So it
lines up with packed cards (notation.py): `3 << shift` is a trio of the rank whose bit is
`1 << shift`, and a run is found by and-ing a mask with itself shifted by 4.

Everything is int64 and stays below 2**60. Numba compiles sums and products of signed integers as
if they never overflowed (LLVM's `nsw`), and wrong results follow where they do; the one product
that wraps on purpose, in `nth_shift`, is unsigned.
"""

from typing import Any, Final

import numpy as np
from numba import njit, types
from numba.extending import intrinsic

ALL_RANKS: Final = 0x111111111111111
"""Rank mask of all 15 ranks."""

FOUR_RANKS: Final = 0x1111111111111
"""The 13 ranks that have four cards: all but the jokers."""

RUN_RANKS: Final = 0x111111111111
"""The 12 ranks that runs are made of: 3 to A."""

BLACK_JOKER: Final = 1 << 52

_EVERY_NIBBLE = np.uint64(0x1111111111111111)
_EVERY_BYTE = np.uint64(0x0101010101010101)
_LOW_NIBBLES = np.uint64(0x0F0F0F0F0F0F0F0F)
_GUARDS = np.uint64(0x1010101010101010)
_1 = np.uint64(1)
_4 = np.uint64(4)
_56 = np.uint64(56)


def _population(typing_context: Any, x: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


_ctpop: Any = intrinsic(_population)  # Any: mypy counts the typing context as an argument


@njit(cache=True, nogil=True, forceinline=True)
def popcount(x: int) -> int:
    """Count the bits of an int64.

    >>> popcount(0x111), popcount(-1)
    (3, 64)
    """
    return int(_ctpop(x))


@njit(cache=True, nogil=True, forceinline=True)
def lowest_bit(x: int) -> int:
    """Give the place of the lowest bit of an int64; 64 if there is none.

    >>> lowest_bit(0x110), lowest_bit(0)
    (4, 64)
    """
    return popcount(~x & (x - 1))  # LLVM makes one instruction of it


@njit(cache=True, nogil=True, forceinline=True)
def at_least(cards: int, copies: int) -> int:
    """Give the rank mask of the ranks with at least `copies` (1 to 4) cards.

    A nibble is at most 4: adding 8 - copies sets its highest bit just when there are enough.

    >>> hex(at_least(0x1240, 2))
    '0x110'
    """
    return ((cards + (8 - copies) * ALL_RANKS) >> 3) & ALL_RANKS


@njit(cache=True, nogil=True, forceinline=True)
def nth_shift(mask: int, n: int) -> int:
    """Give the shift (4 x rank) of bit number n, from 0, of a rank mask; 64 if it has no more.

    The product holds in nibble i how many bits are at rank i or below, at most 15. As many
    ranks have a sum of n or less as lie below the one wanted. They are counted in two rows of
    bytes, even and odd ranks, so that a guard bit fits above each sum.

    >>> nth_shift(0x10110, 0), nth_shift(0x10110, 2), nth_shift(0x10110, 3)
    (4, 16, 64)
    """
    sums = np.uint64(mask) * _EVERY_NIBBLE
    limit = np.uint64(n) * _EVERY_BYTE + _GUARDS
    even = (limit - (sums & _LOW_NIBBLES)) & _GUARDS
    odd = (limit - ((sums >> _4) & _LOW_NIBBLES)) & _GUARDS
    return 4 * popcount(int(np.int64(even | (odd << _1))))


@njit(cache=True, nogil=True, forceinline=True)
def run_starts(mask: int, length: int) -> int:
    """Give the lowest ranks of all runs of `length` ranks in a rank mask.

    >>> hex(run_starts(0x11101110, 3)), hex(run_starts(0x1111, 3))
    ('0x100010', '0x11')
    """
    starts = mask
    for _ in range(1, length):
        starts = mask & (starts >> 4)
    return starts


@njit(cache=True, nogil=True, forceinline=True)
def gather(mask: int) -> int:
    """Squeeze a rank mask of the 12 run ranks into 12 neighbouring bits.

    >>> bin(gather(0x100000001011))
    '0b100000001011'
    """
    mask = (mask | mask >> 3) & 0x030303030303
    mask = (mask | mask >> 6) & 0x000F000F000F
    return (mask | mask >> 12 | mask >> 24) & 0xFFF


@njit(cache=True, nogil=True, forceinline=True)
def count_cards(cards: int) -> int:
    """Count packed cards: nibbles are added up to bytes, and the bytes by a product.

    >>> count_cards(0x11431), count_cards(4 * FOUR_RANKS)
    (10, 52)
    """
    pairs = np.uint64(cards) & _LOW_NIBBLES
    pairs += np.uint64(cards >> 4) & _LOW_NIBBLES
    return int(np.int64((pairs * _EVERY_BYTE) >> _56))


@njit(cache=True, nogil=True, forceinline=True)
def nibbles_to_bytes(nibbles: int) -> int:
    """Spread the lower eight nibbles of an int64 to bytes.

    >>> hex(nibbles_to_bytes(0x4321))
    '0x4030201'
    """
    half = nibbles & 0xFFFFFFFF
    half = (half | half << 16) & 0x0000FFFF0000FFFF
    half = (half | half << 8) & 0x00FF00FF00FF00FF
    return (half | half << 4) & 0x0F0F0F0F0F0F0F0F
