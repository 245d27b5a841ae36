"""Many draws at once, by the compiled functions of `keyed`, for the tests of random numbers."""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from sim.engines import keyed
from sim.engines.rng import RNG_DTYPE, STREAM_SHIFT


@njit(cache=True)
def _bits64(rngs: Any, out: Any) -> None:
    for k in range(len(out)):
        out[k] = keyed.bits64(rngs[k])


@njit(cache=True)
def _below(rngs: Any, n: int, out: Any) -> None:
    for k in range(len(out)):
        out[k] = keyed.below(rngs[k], n)


@njit(cache=True)
def _random(rngs: Any, out: Any) -> None:
    for k in range(len(out)):
        out[k] = keyed.random(rngs[k])


@njit(cache=True)
def _keys(seeds: Any, deals: Any, out: Any) -> None:
    for k in range(len(out)):
        out[k] = keyed.deal_key(seeds[k], deals[k])


@njit(cache=True)
def _seat_keys(seeds: Any, deals: Any, out: Any) -> None:
    for k in range(len(out)):
        out[k] = keyed.seat_key(seeds[k], deals[k])


@njit(cache=True)
def _words(streams: Any, seats: Any, epochs: Any, out: Any) -> None:
    for k in range(len(out)):
        out[k] = keyed.pack_word(streams[k], seats[k], epochs[k])


@njit(cache=True)
def _salts(players: Any, out: Any) -> None:
    for k in range(len(out)):
        out[k] = keyed.player_salt(players[k])


def make_rngs(keys: Any, words: Any) -> NDArray[Any]:
    """Give one stream for each key and word."""
    rngs = np.zeros(np.broadcast(keys, words).size, RNG_DTYPE)
    rngs["key"] = keys
    rngs["word"] = words
    return rngs


def bits64(rngs: NDArray[Any]) -> NDArray[np.uint64]:
    """Draw once from each stream."""
    out = np.zeros(len(rngs), np.uint64)
    _bits64(rngs, out)
    return out


def below(rngs: NDArray[Any], n: int) -> NDArray[np.int64]:
    """Draw an integer from each stream."""
    out = np.zeros(len(rngs), np.int64)
    _below(rngs, n, out)
    return out


def random(rngs: NDArray[Any]) -> NDArray[np.float64]:
    """Draw a float from each stream."""
    out = np.zeros(len(rngs))
    _random(rngs, out)
    return out


def deal_keys(seeds: Any, deals: Any) -> NDArray[np.uint64]:
    """Give the key of the luck of each seed and deal."""
    return _each(_keys, seeds, deals)


def seat_keys(seeds: Any, deals: Any) -> NDArray[np.uint64]:
    """Give the key of the strategies of each seed and deal."""
    return _each(_seat_keys, seeds, deals)


def _each(keys: Any, seeds: Any, deals: Any) -> NDArray[np.uint64]:
    seeds, deals = np.broadcast_arrays(np.asarray(seeds, np.uint64), np.asarray(deals, np.uint64))
    out = np.zeros(seeds.shape, np.uint64)
    keys(seeds.ravel(), deals.ravel(), out.reshape(-1))
    return out


def player_salts(players: Any) -> NDArray[np.uint64]:
    """Give the salt of each player."""
    out = np.zeros(len(players), np.uint64)
    _salts(np.asarray(players, np.uint64), out)
    return out


def pack_words(stream: int, seats: Any, epochs: Any) -> NDArray[np.uint64]:
    """Give the first word of each seat and epoch."""
    seats, epochs = np.broadcast_arrays(np.asarray(seats, np.int64), np.asarray(epochs, np.int64))
    streams = np.full(seats.shape, stream << STREAM_SHIFT, np.uint64)
    out = np.zeros(seats.shape, np.uint64)
    _words(streams.ravel(), seats.ravel(), epochs.ravel(), out.reshape(-1))
    return out
