"""A first bot for Liar's Dice: believe a third of the hidden dice, raise by one, else challenge.

Play it: sim run --game liars-dice -p examples/my_bot.py -p random -p honest --seats 3
"""

from sim.engines.liars_dice import CHALLENGE, View


class MyBot:
    """Bid its most frequent face while that is believable; else challenge."""

    game = "liars-dice"

    # A parameter: -p "bold=examples/my_bot.py:hope=1.5"
    def __init__(self, hope: float = 0.0) -> None:
        self.hope = hope  # dice it believes in beyond what is to be expected

    def act(self, view: View) -> int:
        """Choose a bid or CHALLENGE."""
        face = max(range(1, 7), key=lambda face: view.own[face])
        hidden = view.dice_in_play - view.own_dice
        believed = view.own[face] + hidden / 3 + self.hope

        # the lowest bid on that face that is higher than the last one
        count = max(view.bid_count, 1)
        if view.number(count, face) <= view.bid:
            count += 1

        if view.bids_made and count > min(believed, view.dice_in_play):
            return CHALLENGE
        return view.number(count, face)
