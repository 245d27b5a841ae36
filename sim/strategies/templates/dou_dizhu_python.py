"""my_bot: a bot for Dou Dizhu. It plays legally as it stands; change what you like.

    sim check my_bot.py
    sim run --game dou-dizhu -p my_bot.py -p random --deals 1000

What your seat sees, field by field: docs/views.md. The rules: sim rules dou-dizhu.
"""

from sim.engines.dou_dizhu.view import AUCTION, PASS, View
from sim.strategies.api import Param, Strategy
from sim.strategies.dou_dizhu.cards import (
    BLACK_JOKER,
    RED_JOKER,
    TWO,
    card_count,
    count_plays,
    nth_play,
)


class MyBot(Strategy):
    """Bid by twos and jokers, lead as many cards as it can, follow as low as it can."""

    game = "dou-dizhu"

    # Parameters: name, default, range, what it does. Set them with -p my_bot.py:caution=1
    parameters = (Param("caution", 1, low=0, high=6, help="top cards it wants before it bids one"),)
    caution: int  # each parameter is an attribute of its name

    def act(self, view: View) -> int:
        """Choose an action: 0 passes; a bid is 1 to 3; a play is its cards, packed.

        A new object plays each game: keep in `self` what you like. For random numbers use
        self.rng (random(), below(n), choice(list), shuffle(list)): the same seed then plays the
        same game.
        """
        if view.phase == AUCTION:
            top = view.own[TWO] + view.own[BLACK_JOKER] + view.own[RED_JOKER]
            bid = min(3, top - self.caution)
            return bid if bid > view.bid else PASS

        # Play number 0, 1, ... of all that you may play. They go from low to high, bombs last.
        # view.legal() gives the same as a list; view.text(play) writes a play for people.
        count = count_plays(view.hand, view.target)
        if count == 0:
            return PASS
        if view.target:  # somebody else's play is to be beaten
            return nth_play(view.hand, view.target, 0)
        best = nth_play(view.hand, 0, 0)
        for n in range(1, count):
            play = nth_play(view.hand, 0, n)
            if card_count(play) > card_count(best):
                best = play
        return best
