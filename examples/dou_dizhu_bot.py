"""A first bot for Dou Dizhu: get rid of low cards, keep the high ones, help your partner.

Play it:

    sim run --game dou-dizhu -p examples/dou_dizhu_bot.py -p random -p greedy --deals 200

With another parameter, under a label of its own:

    -p "bold=examples/dou_dizhu_bot.py:caution=0"
"""

from sim.engines.dou_dizhu.view import AUCTION, FARMER, PASS, View
from sim.strategies.api import Param, Strategy
from sim.strategies.dou_dizhu.cards import (
    BLACK_JOKER,
    RED_JOKER,
    TWO,
    card_count,
    count_of,
    fewest_enemy_cards,
)


def highest_rank(play: int) -> int:
    """Give the rank of the highest card of a play: 0 for a three .. 14 for the red joker."""
    return max(rank for rank in range(15) if count_of(play, rank))


class DouDizhuBot(Strategy):
    """Lead many low cards, follow low, keep 2s, jokers and bombs for later."""

    game = "dou-dizhu"

    # Every parameter once: name, default, range, what it does.
    parameters = (Param("caution", 1, low=0, high=6, help="top cards it wants before it bids one"),)
    caution: int  # before `act` is called each parameter is an attribute of its name

    def act(self, view: View) -> int:
        """Choose an action: 0 passes; a bid is 1 to 3; a play is its cards, packed.

        `view` holds what your seat may know: docs/views.md. `view.cards` is your hand as text and
        `view.text(play)` a play, for print().
        """
        if view.phase == AUCTION:
            return self.bid(view)

        # 1. Everything that may be done. The pass is among them, unless you lead.
        plays = [play for play in view.legal() if play != PASS]
        if not plays:
            return PASS

        # 2. All cards at once: the deal is won.
        if view.hand in plays:
            return view.hand

        # 3. Lead: as many cards as possible, of those plays the lowest.
        if view.target == 0:
            return min(plays, key=lambda play: (self.is_dear(play), -card_count(play), play))

        # 4. Your partner's play stands: leave it.
        if view.role == FARMER and view.to_beat_seat != view.landlord:
            return PASS

        # 5. Follow as low as possible. What is dear is kept until somebody is nearly out.
        play = min(plays, key=lambda play: (self.is_dear(play), highest_rank(play), play))
        return PASS if self.is_dear(play) and fewest_enemy_cards(view) > 6 else play

    def bid(self, view: View) -> int:
        """Bid one for the first top card beyond `caution`, two for the second, and so on."""
        top = view.own[TWO] + view.own[BLACK_JOKER] + view.own[RED_JOKER]
        wanted = min(3, top - self.caution)
        return wanted if wanted > view.bid else PASS

    def is_dear(self, play: int) -> bool:
        """Tell whether a play has a 2 or a joker, or is a bomb."""
        bomb = card_count(play) == 4 and any(count_of(play, rank) == 4 for rank in range(13))
        return bomb or highest_rank(play) >= TWO
