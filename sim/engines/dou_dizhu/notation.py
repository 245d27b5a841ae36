"""Cards as text, and packed into one integer: a hand, a play or a whole pack alike.

Text: one letter a card, `3456789TJQKA2BR` from low to high; T is a ten, B the black (small)
joker, R the red (big) one. Suits never matter and are not written. Letters are read in any order
and written from low to high; capitals only, so that the same cards are always the same text.

Packed: the number of cards of rank i (its place in the letters above) in bits 4i .. 4i + 3. Sixty
bits are used, so a packed hand is a positive int64. Cards add and subtract as integers, equal
cards are equal integers, and 0 is no card: as an action, the pass.

    bits   0..3  4..7  ...  44..47  48..51  52..55  56..59
    rank   3     4          A       2       B       R
"""

from typing import Final

from sim.errors import NotationError

RANKS: Final = "3456789TJQKA2BR"
"""Every rank, low to high: a rank's number is its place here."""

COPIES: Final = (4,) * 13 + (1, 1)
"""How many cards of each rank the pack has."""

PACK: Final = sum(copies << 4 * rank for rank, copies in enumerate(COPIES))
"""All 54 cards, packed."""

ROCKET: Final = 0x11 << 52
"""Both jokers, packed."""

_NAMES: Final = {"B": "black joker", "R": "red joker"}
_NUMBERS: Final = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight"}


def parse_cards(text: str) -> int:
    """Read cards in any order, packed; refuse what no pack holds. No card at all is 0.

    >>> hex(parse_cards("34433"))
    '0x23'
    >>> parse_cards("R3B") == parse_cards("3BR")
    True
    >>> parse_cards("3X")
    Traceback (most recent call last):
    sim.errors.NotationError: 'X' is no card: cards are 3456789TJQKA2BR
    """
    counts = [0] * len(RANKS)
    for letter in text:
        rank = RANKS.find(letter)
        if rank < 0:
            capitals = ", in capitals" if letter.upper() in RANKS else ""
            raise NotationError(f"{letter!r} is no card: cards are {RANKS}{capitals}")
        counts[rank] += 1
    for letter, count, copies in zip(RANKS, counts, COPIES, strict=True):
        if count > copies:
            raise NotationError(f"{_too_many(letter, count)} in {text!r}: the pack has {copies}")
    return pack_counts(counts)


def _too_many(letter: str, count: int) -> str:
    number = _NUMBERS.get(count, str(count))
    if letter in _NAMES:
        return f"{number} {_NAMES[letter]}s"
    return f"{number} cards {letter!r}"


def cards_text(cards: int) -> str:
    """Write packed cards from low to high: the inverse of `parse_cards`.

    >>> cards_text(parse_cards("R22A3"))
    '3A22R'
    """
    return "".join(letter * count for letter, count in zip(RANKS, counts_of(cards), strict=True))


def pack_counts(counts: list[int] | tuple[int, ...]) -> int:
    """Pack the number of cards of each of the 15 ranks, low to high.

    >>> hex(pack_counts([0, 4] + [0] * 13))
    '0x40'
    """
    return sum(count << 4 * rank for rank, count in enumerate(counts))


def counts_of(cards: int) -> tuple[int, ...]:
    """Give the number of cards of each of the 15 ranks, low to high.

    >>> counts_of(parse_cards("333R"))
    (3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)
    """
    return tuple(cards >> 4 * rank & 15 for rank in range(len(RANKS)))


def card_count(cards: int) -> int:
    """Count packed cards.

    >>> card_count(PACK), card_count(0)
    (54, 0)
    """
    return sum(counts_of(cards))
