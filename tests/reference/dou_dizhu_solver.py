"""Two small exact solvers for Dou Dizhu with open hands.

The caller lists the plays that a hand may lead, so that the code under test can be asked; a hand
that has shrunk may lead those whose cards it still holds. Cards are packed here, 4 bits a
rank, only so that hands subtract quickly.
"""

from collections.abc import Callable, Iterable
from functools import cache

from tests.reference.dou_dizhu import BY_CARDS, RANKS, Combination, beats, counts

GUARDS = sum(8 << 4 * rank for rank in range(15))


def pack(cards: str) -> int:
    """Pack the counts of the ranks into one integer."""
    return sum(count << 4 * rank for rank, count in enumerate(counts(cards)))


def holds(hand: int, play: int) -> bool:
    """Tell whether a packed hand has all cards of a packed play."""
    return ((hand | GUARDS) - play) & GUARDS == GUARDS


def fewest_plays(hand: str, leads: Iterable[str]) -> int:
    """Count the fewest plays that empty a hand nobody opposes.

    Some play takes a card of the lowest rank, and plays may be made in any order: so only
    those with that card are tried.
    """
    by_lowest: dict[int, list[int]] = {rank: [] for rank in range(len(RANKS))}
    for cards in leads:
        by_lowest[RANKS.index(cards[0])].append(pack(cards))

    @cache
    def fewest(cards: int) -> int:
        if cards == 0:
            return 0
        lowest = ((cards & -cards).bit_length() - 1) // 4
        return 1 + min(fewest(cards - play) for play in by_lowest[lowest] if holds(cards, play))

    return fewest(pack(hand))


def first_wins(first: str, second: str, leads: Callable[[str], Iterable[str]]) -> bool:
    """Tell whether the hand that leads wins, one against one with open hands."""
    own = [
        sorted(((pack(cards), BY_CARDS[cards]) for cards in leads(hand)), reverse=True)
        for hand in (first, second)
    ]

    @cache
    def wins(mover: int, hand: int, other: int, target: Combination | None) -> bool:
        for cards, play in own[mover]:
            if not holds(hand, cards) or (target is not None and not beats(play, target)):
                continue
            if cards == hand or not wins(1 - mover, other, hand - cards, play._replace(cards="")):
                return True
        return target is not None and not wins(1 - mover, other, hand, None)

    return wins(0, pack(first), pack(second), None)
