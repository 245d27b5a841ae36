"""The built-in bot `threshold` again, written as you would write your own. Copy and change it.

Play it:

    sim run --game liars-dice -p examples/threshold_bot.py -p honest --deals 1000

With other parameters, as often as you like, each with a label of its own:

    -p "timid=examples/threshold_bot.py:challenge_below=0.45"
    -p "bold=examples/threshold_bot.py:challenge_below=0.1,bluff_rate=0.2"

It plays exactly the games of the compiled built-in: it looks up the same table and draws the same
random numbers in the same order.
"""

from collections.abc import Sequence

from sim.engines.liars_dice import CHALLENGE, View
from sim.strategies.api import Param, Strategy
from sim.strategies.liars_dice.odds import chance, chance_table


class ThresholdBot(Strategy):
    """Challenge what is unlikely, else raise to the likeliest bid, else challenge."""

    # A strategy is known by its game and its name. Without `name` it would be "threshold-bot", too:
    # the class name in lower case.
    game = "liars-dice"
    name = "threshold-bot"

    # Every parameter once: name, default, range, what it does. The type is that of the default.
    # Before `act` is called each one is an attribute of its name; the lines below say so to mypy.
    parameters = (
        Param("challenge_below", 0.2, low=0, high=1, help="challenge a bid less likely than this"),
        Param("raise_above", 0.3, low=0, high=1, help="raise to a bid at least as likely as this"),
        Param("bluff_rate", 0.02, low=0, high=1, help="chance to bid a face drawn at random"),
    )
    challenge_below: float
    raise_above: float
    bluff_rate: float

    @staticmethod
    def prepare(**parameters: float) -> Sequence[float]:
        """Give what takes long to compute. This runs once a player; `self.table` holds the result.

        A new object plays each game, so do not compute tables in `__init__`.
        """
        return chance_table()

    def act(self, view: View) -> int:
        """Choose an action: the number of a bid, or CHALLENGE.

        `view` holds what your seat may know; its fields are described in
        sim/engines/liars_dice/view.py. A higher bid is a higher number, so the bids that you may
        make are view.bid + 1, view.bid + 2, ... below 6 * view.dice_in_play.
        """
        # 1. The last bid, if there is one: is it too unlikely?
        if view.bids_made:
            believed = chance(view, view.bid_count, view.bid_face, self.table)
            if believed < self.challenge_below:
                return CHALLENGE

        # 2. The lowest raise on each face: they are the next six numbers. At the very top there may
        #    be fewer, or none, and then a challenge is all that is left.
        raises = range(view.bid + 1, min(view.bid + 7, 6 * view.dice_in_play))
        if not raises:
            return CHALLENGE

        # 3. Bluff now and then. Use self.rng and no other random source: the same seed then gives
        #    the same game, on one processor or on eight.
        if self.rng.random() < self.bluff_rate:
            return self.rng.choice(raises)

        # 4. Raise to the likeliest of them, if that is likely enough. The opener of a round may not
        #    challenge, so it bids in any case.
        best, best_chance = raises[0], -1.0
        for number in raises:
            likely = chance(view, view.count_of(number), view.face_of(number), self.table)
            if likely > best_chance:
                best, best_chance = number, likely
        if view.bids_made and best_chance < self.raise_above:
            return CHALLENGE
        return best
