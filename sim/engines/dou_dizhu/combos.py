"""Combinations as people write them: what cards are, what beats them, what a hand may play.

Cards are text (notation.py), in any order; what comes back is written from low to high. The work
is done by the compiled functions of packed.py, the same that play the games.
"""

from dataclasses import dataclass

import numpy as np

from sim.engines.dou_dizhu import packed
from sim.engines.dou_dizhu.notation import RANKS, cards_text, parse_cards
from sim.engines.dou_dizhu.shapes import Kind, class_shape
from sim.errors import NotationError


@dataclass(frozen=True, slots=True)
class Combination:
    """Cards that may be played together, read by `classify`."""

    kind: Kind
    length: int
    """Ranks in the core: 1, or the length of a run."""
    rank: str
    """Highest rank of the core, as its letter: what decides strength (rule D10)."""
    cards: str
    """All cards, kickers included, from low to high."""

    def __str__(self) -> str:
        """Write the cards."""
        return self.cards


def classify(cards: str) -> Combination | None:
    """Read cards as the one combination that they are; None if they are none.

    >>> classify("43334")
    Combination(kind=<Kind.TRIO_PAIR: 'trio + pair'>, length=1, rank='3', cards='33344')
    >>> classify("334") is None
    True
    """
    play = parse_cards(cards)
    code = packed.classify(play)
    if code == 0:
        return None
    shape = class_shape(code)
    return Combination(shape.kind, shape.length, RANKS[code & 15], cards_text(play))


def beats(a: str | Combination, b: str | Combination) -> bool:
    """Tell whether `a` may be played on `b` (rule D5).

    >>> beats("4443", "333A"), beats("4443", "33355"), beats("3333", "4443"), beats("BR", "2222")
    (True, False, True, True)
    """
    return packed.beats(_class_of(a), _class_of(b))


def legal_plays(hand: str, to_beat: str | Combination | None = None) -> list[str]:
    """List every distinct play of a hand: what it may lead, or what beats `to_beat`.

    The pass is not listed. In the order of the compiled core: when leading singles first, then
    pairs, trios, trios with a kicker, and so on (leads.py); when following by rank, bombs last.

    >>> legal_plays("33345")
    ['3', '4', '5', '33', '333', '3334', '3335']
    >>> legal_plays("44555BR", to_beat="3")
    ['4', '5', 'B', 'R', 'BR']
    >>> legal_plays("44555BR", to_beat="34")
    Traceback (most recent call last):
    sim.errors.NotationError: '34' is no combination
    """
    cards = parse_cards(hand)
    target = 0 if to_beat is None else _class_of(to_beat)
    plays = np.zeros(packed.count_plays(cards, target), np.int64)
    packed.list_plays(cards, target, plays)
    return [cards_text(play) for play in plays.tolist()]


def _class_of(cards: str | Combination) -> int:
    code = packed.classify(parse_cards(str(cards)))
    if code == 0:
        raise NotationError(f"{str(cards)!r} is no combination")
    return code
