"""The compiled twin of `rng.py`: the same draws, for kernels and compiled strategies.

Here `rng` is a record of `rng.RNG_DTYPE`; drawing moves its word on by one. Nothing is checked:
`below(rng, n)` needs 1 <= n < 2**63.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

from sim.engines.rng import DOUBLE_STEP, EPOCH_SHIFT, MULTIPLIER_1, MULTIPLIER_2, SEAT_SHIFT

_M1 = np.uint64(MULTIPLIER_1)
_M2 = np.uint64(MULTIPLIER_2)
_27 = np.uint64(27)
_33 = np.uint64(33)
_11 = np.uint64(11)
_1 = np.uint64(1)
_SEED_OFFSET = np.uint64(0x9E3779B97F4A7C15)
_DEAL_OFFSET = np.uint64(0xD1B54A32D192ED03)
_SEAT_SEED_OFFSET = np.uint64(0x8CB92BA72F3D8DD7)
_SEAT_DEAL_OFFSET = np.uint64(0x589965CC75374CC3)
_SALT_OFFSET = np.uint64(0xA0761D6478BD642F)


def _multiply_high(typing_context: Any, a: Any, b: Any) -> Any:
    """Give the upper 64 bits of the 128-bit product of two uint64."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        wide = ir.IntType(128)
        product = builder.mul(*(builder.zext(x, wide) for x in arguments))
        return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), generate


# `Any`: numba's own annotations count the typing context among the arguments of a call
multiply_high: Any = intrinsic(_multiply_high)


@njit(cache=True, nogil=True, forceinline=True)
def mix(x: np.uint64) -> np.uint64:
    """Scramble 64 bits, one to one."""
    x = (x ^ (x >> _27)) * _M1
    x = (x ^ (x >> _33)) * _M2
    return x ^ (x >> _27)


@njit(cache=True, nogil=True)
def deal_key(seed: np.uint64, deal: np.uint64) -> np.uint64:
    """Give the key of the luck of `deal`."""
    return mix(mix(seed + _SEED_OFFSET) ^ mix(deal + _DEAL_OFFSET))


@njit(cache=True, nogil=True)
def seat_key(seed: np.uint64, deal: np.uint64) -> np.uint64:
    """Give the key of the strategies' streams in `deal`; the key of its luck does not follow."""
    return mix(mix(seed + _SEAT_SEED_OFFSET) ^ mix(deal + _SEAT_DEAL_OFFSET))


@njit(cache=True, nogil=True)
def player_salt(player: np.uint64) -> np.uint64:
    """Give what a test xors into a key so that equal bots under two labels draw differently."""
    return mix(player + _SALT_OFFSET)


@njit(cache=True, nogil=True, forceinline=True)
def pack_word(stream_bits: np.uint64, seat: int, epoch: int) -> np.uint64:
    """Pack the first word of a stream; `stream_bits` is the stream << STREAM_SHIFT."""
    return (
        stream_bits
        | (np.uint64(seat) << np.uint64(SEAT_SHIFT))
        | (np.uint64(epoch) << np.uint64(EPOCH_SHIFT))
    )


@njit(cache=True, nogil=True, forceinline=True)
def bits64(rng: Any) -> np.uint64:
    """Draw a uniform integer of 64 bits."""
    word = rng.word
    rng.word = word + _1
    return mix(rng.key ^ mix(word))


@njit(cache=True, nogil=True, forceinline=True)
def below(rng: Any, n: int) -> Any:
    """Draw an unbiased integer in 0 .. n - 1."""
    bound = np.uint64(n)
    draw = bits64(rng)
    low = draw * bound
    if low < bound:
        threshold = (np.uint64(0) - bound) % bound
        while low < threshold:
            draw = bits64(rng)
            low = draw * bound
    return np.int64(multiply_high(draw, bound))


@njit(cache=True, nogil=True, forceinline=True)
def random(rng: Any) -> float:
    """Draw a float in [0, 1) with 53 random bits."""
    return np.float64(bits64(rng) >> _11) * DOUBLE_STEP
