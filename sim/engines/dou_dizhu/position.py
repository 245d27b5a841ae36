"""Reading the text of a position (state.py): its words, numbers and cards."""

from typing import Final

from sim.engines.dou_dizhu.notation import PACK, RANKS, card_count, cards_text, counts_of
from sim.engines.dou_dizhu.rules import BOTTOM, HAND, SEATS
from sim.errors import NotationError

KEYS: Final = ("rules", "hands", "bottom", "first", "redeals", "calls", "plays")
"""The words of a position, in the order in which they are written."""


def read_words(text: str) -> dict[str, str]:
    """Split `key=value` words; refuse unknown, repeated and missing keys."""
    words: dict[str, str] = {}
    for word in text.split():
        key, equals, value = word.partition("=")
        if not equals or key not in KEYS:
            raise NotationError(f"{word!r} is no part of a position: use {'=, '.join(KEYS)}=")
        if key in words:
            raise NotationError(f"{key}= stands twice in {text!r}")
        words[key] = value
    for key in ("hands", "bottom"):
        if key not in words:
            raise NotationError(f"no {key}= in {text!r}")
    return words


def read_number(text: str, key: str, *, most: int) -> int:
    if not (text.isascii() and text.isdigit()) or len(text) > 9 or int(text) > most:
        raise NotationError(f"{key}={text}: must be a whole number from 0 to {most}")
    return int(text)


def verify_cards(hands: list[int], bottom: int) -> None:
    """Refuse cards that nobody deals."""
    if len(hands) != SEATS:
        raise NotationError(f"hands= names {len(hands)} hands: {SEATS} are dealt")
    for seat, hand in enumerate(hands):
        if card_count(hand) != HAND:
            raise NotationError(
                f"seat {seat} has {card_count(hand)} cards ({cards_text(hand)}): {HAND} are dealt"
            )
    if card_count(bottom) != BOTTOM:
        raise NotationError(
            f"bottom={cards_text(bottom)} has {card_count(bottom)} cards: {BOTTOM} are dealt"
        )
    together = [sum(counts) for counts in zip(*map(counts_of, (*hands, bottom)), strict=True)]
    for letter, count, copies in zip(RANKS, together, counts_of(PACK), strict=True):
        if count != copies:
            raise NotationError(f"hands= and bottom= have {count} cards {letter!r}, not {copies}")
