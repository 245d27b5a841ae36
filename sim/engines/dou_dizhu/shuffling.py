"""The deal compiled: the same cards as dealing.py deals in plain Python."""

from typing import Any, Final

import numpy as np

from sim.engines import keyed
from sim.engines.compiling import inner
from sim.engines.dou_dizhu.dealing import BATCHES, PACK_SIZE, PRODUCTS, SORTED_PACK
from sim.engines.dou_dizhu.notation import PACK
from sim.engines.dou_dizhu.rules import SEATS
from sim.engines.rng import LUCK, STREAM_SHIFT

_LUCK_BITS: Final = np.uint64(LUCK << STREAM_SHIFT)
_SORTED: Final = np.array(SORTED_PACK, np.uint8)
_STARTS: Final = np.array(BATCHES, np.int64)
_PRODUCTS: Final = np.array(PRODUCTS, np.uint64)
_BIASED: Final = np.array([(1 << 64) % product for product in PRODUCTS], np.uint64)
"""By batch: with less than this left over of its word it would be biased."""
_SEATS: Final = np.uint64(SEATS)


@inner
def take_batch(state: Any, luck: Any, batch: int, count: int) -> Any:
    """Take `count` cards from the deck, at places drawn from one word.

    Give the cards, packed, and what is left of the word. What would be left after all the draws of
    the batch is the product of the word and all bounds, so a biased word is known beforehand.
    """
    word = keyed.bits64(luck)
    while word * _PRODUCTS[batch] < _BIASED[batch]:
        word = keyed.bits64(luck)
    left = np.uint64(PACK_SIZE - _STARTS[batch])
    cards = np.int64(0)
    for _ in range(count):
        place = keyed.multiply_high(word, left)
        word *= left
        left -= np.uint64(1)
        cards += np.int64(1) << (4 * np.int64(state.deck[place]))
        state.deck[place] = state.deck[left]
    return cards, word


@inner
def shuffle(state: Any, luck: Any) -> None:
    """Deal `hands` and `bottom`, and draw who calls `first`, for the redeal `epoch`."""
    luck.word = keyed.pack_word(_LUCK_BITS, 0, state.epoch)
    for k in range(PACK_SIZE):
        state.deck[k] = _SORTED[k]
    for seat in range(SEATS - 1):
        cards: Any = np.int64(0)
        for batch in range(2 * seat, 2 * seat + 2):
            cards += take_batch(state, luck, batch, _STARTS[batch + 1] - _STARTS[batch])[0]
        state.hands[seat] = cards
    cards, word = take_batch(state, luck, 4, 3)
    state.bottom = cards
    state.hands[SEATS - 1] = PACK - cards - state.hands[0] - state.hands[1]
    state.first = np.int64(keyed.multiply_high(word, _SEATS))
