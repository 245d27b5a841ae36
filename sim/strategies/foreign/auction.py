"""The auction of Dou Dizhu, for agents of programs that have none.

They pass, unless the player's parameter `bid_from` says from which hand on they bid the highest bid
at once. Hands are judged by the score that RLCard defines for this purpose and does not use itself
(`get_landlord_score` in rlcard/games/doudizhu/utils.py): an ace is 1, a two 2, the black joker 3,
the red one 4, a bomb 6 and the rocket 8.
"""

from typing import Final

from sim.engines.dou_dizhu.notation import RANKS, ROCKET, counts_of
from sim.engines.dou_dizhu.rules import HIGHEST_BID
from sim.engines.dou_dizhu.view import PASS, View
from sim.strategies.parameters import Param

BID_FROM: Final = Param(
    "bid_from",
    0,
    low=0,
    high=100,
    help="landlord score of RLCard from which it bids 3; 0: passes in every auction",
)

_SCORES: Final = {"A": 1, "2": 2, "B": 3, "R": 4}
_BOMB: Final = 6
_ROCKET: Final = 8


def landlord_score(hand: int) -> int:
    """Judge packed cards as RLCard would, to bid for the landlord.

    >>> from sim.engines.dou_dizhu.notation import parse_cards
    >>> landlord_score(parse_cards("56888TTQKKKAA222R"))
    12
    """
    rocket = hand & ROCKET == ROCKET
    score = _ROCKET if rocket else 0
    for rank, count in zip(RANKS, counts_of(hand), strict=True):
        if count == 4:
            score += _BOMB
        elif not (rocket and rank in "BR"):
            score += count * _SCORES.get(rank, 0)
    return score


def call(view: View, bid_from: int) -> int:
    """Choose a call in the auction."""
    bids = bid_from > 0 and view.bid < HIGHEST_BID and landlord_score(view.hand) >= bid_from
    return HIGHEST_BID if bids else PASS
