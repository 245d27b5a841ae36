"""Whole games of Dou Dizhu that reach a bound or are known from elsewhere, as text."""

from typing import Final

from sim.engines.dou_dizhu.notation import cards_text
from sim.engines.dou_dizhu.rules import Rules
from sim.engines.dou_dizhu.state import State

MOST_BOMBS: Final = (
    "hands=44447777TTTTKKKBR/355558888JJJJAAAA/366669999QQQQ2222 bottom=33K calls=3 "
    "plays=BR,pass,pass,4444,5555,6666,7777,8888,9999,TTTT,JJJJ,QQQQ,KKKK,AAAA,2222,pass,pass,3"
)
"""The rocket and twelve bombs, then a farmer goes out: 13 doublings at a bid of 3.

There can be no more: the landlord's 20 cards hold five of them at most, each farmer's 17 four. A
spring leaves the other side without bombs, an anti-spring the landlord with one.
"""

MOST_BOMBS_LANDLORD: Final = (
    "hands=237777TTTTKKKKBR3/355558888JJJJAAAA/344446666QQQQ9999 bottom=222 calls=3 "
    "plays=BR,pass,pass,3,pass,4444,pass,5555,6666,7777,8888,9999,TTTT,JJJJ,QQQQ,KKKK,AAAA,pass,"
    "2222,pass,pass,3"
)
"""As many, and the landlord goes out."""

LONGEST_AUCTION: Final = ("pass", "pass", "1", "pass", "2", "pass", "3")

FAST: Final = "hands=33344455566677789/3456888999TTTJJJ2/7QQQKKKKAAAA222BR bottom=TJQ"
"""Cards of which seat 0 as the landlord can go out with one play, seat 1 with two once it leads."""

SPRING: Final = f"{FAST} calls=2,pass,pass plays=33344455566677789TJQ"
ANTI_SPRING: Final = f"{FAST} calls=2,pass,pass plays=8,2,pass,pass,3456888999TTTJJJ"

OPEN_SPIEL: Final = (
    "hands=345567899TJJQKKAB/34445678TQKAA222R/3566778899TTJQQKA bottom=3J2 calls=3 "
    "plays=8JJJ,3222,pass,pass,8,J,2,R,pass,pass,4445,pass,pass,6,K,B,pass,pass,55,AA,pass,pass,"
    "7,T,pass,pass,56789,pass,pass,QQ,pass,pass,6789T,pass,pass,A,pass,pass,3"
)
"""A game of OpenSpiel's playthrough of `dou_dizhu`: bid 3, returns [-6, 3, 3].

(open_spiel/integration_tests/playthroughs/dou_dizhu.txt; the file has held others since. Jokers
are written (BWJ) and (CJ) there. OpenSpiel 2.0.2 replays it to the same returns: test_peers_games.)
"""


def longest_game() -> State:
    """Give a game of 7 calls and 152 plays and passes, the most there can be.

    Each in turn plays single cards that nobody beats: the landlord 19, the farmer before the
    landlord 16, the other farmer 17 and is out. The lead changes when the second to answer beats
    the last of these, the lowest card: 52 plays, and two passes after each but those two and the
    last, which have one and none.
    """
    state = State.deal(Rules(), seed=1, deal=0)
    for call in LONGEST_AUCTION:
        state = state.after(state.parse(call))
    landlord = state.landlord
    for shift, cards in ((0, 19), (2, 16), (1, 17)):
        player = (landlord + shift) % 3
        for left in range(cards, 0, -1):
            while state.to_move != player:
                state = state.after(state.parse("pass"))
            hand = cards_text(state.held[player])
            state = state.after(state.parse(hand[0] if left == 1 else hand[-1]))
    return state
