"""The deal: which cards lie where, and who calls first, from the luck of a deal and a redeal.

The pack is shuffled by Fisher-Yates from its end, as far as hands are told apart by it: the cards
drawn are those of seat 0, then those of seat 1, then the bottom; what is left over is seat 2's.
Places are drawn in batches: one random word of 64 bits gives several places below descending
bounds, each the high half of a product whose low half goes on to the next. The batch is drawn again
where the last low half is below 2**64 modulo the product of the bounds, which leaves no bias
(Brackett-Rozinsky and Lemire 2024, "Batched ranged random integer generation",
https://arxiv.org/abs/2408.06213). The first bidder is drawn last, with the last batch.

`deal_cards` is plain Python; kernel.py has the compiled twin.
"""

from itertools import pairwise
from math import prod
from typing import Final, NamedTuple

from sim.engines.dou_dizhu.notation import COPIES
from sim.engines.dou_dizhu.rules import BOTTOM, HAND, SEATS
from sim.engines.rng import LUCK, MASK, SeatRng, deal_key, pack_word

SORTED_PACK: Final = tuple(rank for rank, copies in enumerate(COPIES) for _ in range(copies))
"""The rank of each card before shuffling, low to high."""

PACK_SIZE: Final = len(SORTED_PACK)

DRAWN: Final = 2 * HAND + BOTTOM
"""Cards that are drawn: two hands and the bottom. The third hand is what is left."""

BOUNDS: Final = (*range(PACK_SIZE, PACK_SIZE - DRAWN, -1), SEATS)
"""What is drawn, in order: each place among the cards left, then the first bidder."""

BATCHES: Final = (0, 9, 17, 26, 34, len(BOUNDS))
"""Where the batches of BOUNDS begin, and the end: two a hand, one for the bottom and the bidder."""

PRODUCTS: Final = tuple(prod(BOUNDS[start:stop]) for start, stop in pairwise(BATCHES))
"""The product of the bounds of each batch: below 2**51, so that hardly any is drawn again."""


class Deal(NamedTuple):
    """Cards as they are dealt, packed, and the seat that calls first."""

    hands: tuple[int, int, int]
    bottom: int
    first: int


def deal_cards(*, seed: int, deal: int, redeal: int = 0) -> Deal:
    """Deal as the compiled engine does.

    >>> from sim.engines.dou_dizhu.notation import cards_text
    >>> [cards_text(hand) for hand in deal_cards(seed=7, deal=0).hands]
    ['44555667889TQKAAR', '334678999TTQKKA22', '334778JJJJQQKA22B']
    """
    rng = SeatRng(deal_key(seed, deal), seat=0)
    rng._word = pack_word(stream=LUCK, seat=0, epoch=redeal)
    places: list[int] = []
    for (start, stop), product in zip(pairwise(BATCHES), PRODUCTS, strict=True):
        places += _draw_batch(rng, BOUNDS[start:stop], product)
    pack = list(SORTED_PACK)
    drawn = []
    for place in places[:DRAWN]:
        drawn.append(pack[place])
        pack[place] = pack[-1]
        pack.pop()
    return Deal(
        hands=(_packed(drawn[:HAND]), _packed(drawn[HAND : 2 * HAND]), _packed(pack)),
        bottom=_packed(drawn[2 * HAND :]),
        first=places[DRAWN],
    )


def _draw_batch(rng: SeatRng, bounds: tuple[int, ...], product: int) -> list[int]:
    """Draw a number below each bound, all from one word; again while that would be biased."""
    while True:
        rest = rng.bits64()
        numbers = []
        for bound in bounds:
            rest *= bound
            numbers.append(rest >> 64)
            rest &= MASK
        if rest >= (1 << 64) % product:
            return numbers


def _packed(ranks: list[int]) -> int:
    return sum(1 << 4 * rank for rank in ranks)
