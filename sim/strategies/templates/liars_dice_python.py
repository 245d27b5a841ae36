"""my_bot: a bot for Liar's Dice. It plays legally as it stands; change what you like.

    sim check my_bot.py
    sim run --game liars-dice -p my_bot.py -p honest -p random --deals 1000

What your seat sees, field by field: docs/views.md. The rules: sim rules liars-dice.
"""

from sim.engines.liars_dice import CHALLENGE, View
from sim.strategies.api import Param, Strategy
from sim.strategies.liars_dice.odds import bid_count, bid_face, expected


class MyBot(Strategy):
    """Make the raise it has most reason for; challenge when it has reason for none."""

    game = "liars-dice"

    # Parameters: name, default, range, what it does. Set them with -p my_bot.py:hope=0.5
    parameters = (
        Param("hope", 0.0, low=-5, high=5, help="dice it believes in beyond expectation"),
    )
    hope: float  # each parameter is an attribute of its name

    def act(self, view: View) -> int:
        """Choose an action: the number of a bid, or CHALLENGE.

        A higher bid is a higher number, so you may make view.bid + 1, view.bid + 2, ... below
        6 * view.dice_in_play. The next six numbers are the lowest raises on the six faces.

        A new object plays each game: keep in `self` what you like. For random numbers use
        self.rng (random(), below(n), choice(list), shuffle(list)): the same seed then plays the
        same game.
        """
        best, best_margin = CHALLENGE, -1000.0
        for number in range(view.bid + 1, min(view.bid + 7, 6 * view.dice_in_play)):
            # in sixths of a die: own dice of that face, and what the others may be expected to hold
            believed = expected(view, bid_face(view, number)) + 6 * self.hope
            margin = believed - 6 * bid_count(number)
            if margin > best_margin:
                best, best_margin = number, margin

        if view.bids_made and best_margin < 0:  # who opens a round has nothing to challenge
            return CHALLENGE
        return best

    # Called after each round with the dice that were shown; leave it out if you do not need it.
    # def round_over(self, shown: View) -> None:
    #     revealed = shown.shown  # revealed[8 * seat + face]: dice of that seat with that face
