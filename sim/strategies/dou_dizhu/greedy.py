"""Gets rid of its lowest cards, as many at a time as it can: a plain measure to beat.

A greedy bot that leads so wins about .60 of the games against RLCard's rule bot, one that plays as
few cards as it can .26 (300 decks, +- .02): of the two plain measures this is the harder one.
"""

from typing import Any

from sim.engines.dou_dizhu.bits import count_cards, popcount
from sim.engines.dou_dizhu.follows import bombs_over
from sim.engines.dou_dizhu.packed import count_plays, nth_play
from sim.engines.dou_dizhu.shapes import BOMB_SHAPE
from sim.engines.dou_dizhu.view import AUCTION, PASS, View
from sim.strategies.api import compiled
from sim.strategies.dou_dizhu.cards import fewest_enemy_cards

FEW = 2
"""It bombs once an opponent holds so few cards or fewer."""


@compiled(game="dou-dizhu", name="greedy")
def greedy(event: Any, view: View, params: Any, memory: Any, rng: Any) -> int:
    """Lead its lowest card among as many as it can, follow as low as it can.

    Leads the play with most cards of those that contain its lowest card, bombs too; of several the
    first in the fixed order of plays. Follows anybody, its partner too, with the lowest play of the
    same kind; with a bomb or the rocket (on a bomb, too) only once an opponent holds two cards or
    fewer. Bids 1 when it may, else passes.
    """
    if view.phase == AUCTION:
        return 1 if view.bid == 0 else PASS
    hand = view.hand
    target = view.target
    plays = count_plays(hand, target)
    if target:
        bombs = popcount(bombs_over(hand, target >> 4))
        if target >> 4 >= BOMB_SHAPE:
            bombs = plays
        if plays > bombs or (plays > 0 and fewest_enemy_cards(view) <= FEW):
            return nth_play(hand, target, 0)
        return PASS
    lowest = hand & -hand  # a bit of the lowest rank's count
    ranks = 15
    while lowest & ranks == 0:
        ranks <<= 4
    best = 0
    most = 0
    for n in range(plays):
        play = nth_play(hand, 0, n)
        if play & ranks and count_cards(play) > most:
            best = play
            most = count_cards(play)
    return best
