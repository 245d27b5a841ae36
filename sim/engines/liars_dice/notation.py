"""Liar's Dice as text: `3x4` is a bid of three fours, `13556` a hand, `-` a seat that is out."""

from collections.abc import Iterable, Sequence
from typing import Final

from sim.engines.liars_dice.rules import FACES, bid_number, count_of, face_of
from sim.engines.liars_dice.view import CHALLENGE
from sim.errors import NotationError

CHALLENGE_WORD: Final = "challenge"
FORFEIT_WORD: Final = "forfeit"
OUT_MARK: Final = "-"

MOST_DIGITS: Final = 9
"""Digits of a number in a text; Python itself refuses to read thousands of them."""


def action_text(action: int, *, ones_rank: str) -> str:
    """Write an action.

    >>> action_text(15, ones_rank="low"), action_text(CHALLENGE, ones_rank="low")
    ('3x4', 'challenge')
    """
    if action == CHALLENGE:
        return CHALLENGE_WORD
    return f"{count_of(action)}x{face_of(action, ones_rank=ones_rank)}"


def parse_action(text: str, *, ones_rank: str) -> int:
    """Read what `action_text` writes; NotationError for anything else.

    >>> parse_action("3x4", ones_rank="low"), parse_action("challenge", ones_rank="low")
    (15, -1)
    """
    if text == CHALLENGE_WORD:
        return CHALLENGE
    count, x, face = text.partition("x")
    valid = x and count.isascii() and count.isdigit() and count[0] != "0"
    if not valid or len(count) > MOST_DIGITS or face not in tuple("123456"):
        raise NotationError(
            f"{text!r} is no action: write a bid as 3x4 (three fours), or {CHALLENGE_WORD!r}"
        )
    return bid_number(int(count), int(face), ones_rank=ones_rank)


def hand_text(hand: Iterable[int]) -> str:
    """Write a hand, faces ascending; nothing left is `-`.

    >>> hand_text((5, 1, 3)), hand_text(())
    ('135', '-')
    """
    return "".join(map(str, sorted(hand))) or OUT_MARK


def parse_hand(text: str) -> tuple[int, ...]:
    """Read what `hand_text` writes, in any order.

    >>> parse_hand("531"), parse_hand("-")
    ((1, 3, 5), ())
    """
    if text == OUT_MARK:
        return ()
    for letter in text:
        if letter not in "123456":
            raise NotationError(f"{letter!r} in hand {text!r} is no die: dice show 1 to {FACES}")
    return tuple(sorted(map(int, text)))


def hand_counts(hand: Sequence[int]) -> bytes:
    """Give how many dice show each face; the index is the face (0 and 7 stay zero).

    >>> list(hand_counts((1, 3, 3)))
    [0, 1, 0, 2, 0, 0, 0, 0]
    """
    return bytes(hand.count(face) for face in range(8))
