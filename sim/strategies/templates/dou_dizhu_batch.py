"""my_bot: a batched bot for Dou Dizhu. It plays legally as it stands; change what you like.

    sim check my_bot.py
    sim run --game dou-dizhu -p my_bot.py -p random --deals 1000

One call decides for thousands of games at once: for neural networks and vectorised NumPy.
What a seat sees, field by field: docs/views.md.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.engines.dou_dizhu.view import AUCTION, PASS
from sim.strategies.api import BatchStrategy, Param
from sim.strategies.dou_dizhu.cards import (
    BLACK_JOKER,
    RED_JOKER,
    TWO,
    count_plays_each,
    nth_play_each,
)


class MyBot(BatchStrategy):
    """Bid by twos and jokers, play as low as it can."""

    game = "dou-dizhu"

    # Parameters: name, default, range, what it does. Set them with -p my_bot.py:caution=1
    parameters = (Param("caution", 1, low=0, high=6, help="top cards it wants before it bids one"),)
    caution: int  # each parameter is an attribute of its name

    # Load a model in __init__: it runs once in each worker.
    # def __init__(self, **parameters: int) -> None:
    #     super().__init__(**parameters)
    #     self.weights = np.load(Path(__file__).with_name("weights.npy"))

    def act_batch(self, views: NDArray[Any]) -> NDArray[np.int64]:
        """Choose an action for each row: 0 passes; a bid is 1 to 3; a play is its cards, packed.

        A row is one game that waits for this bot; views["hand"] is that field of all rows. Rows
        where views["seats"] is 0 wait for nobody: what is answered there does not count.

        One object plays all games, so keep nothing in `self` from call to call: what a game needs
        later goes to its row of self.memory (32 whole numbers). For random numbers use self.rng
        (random(), below(n); `where=` draws in some rows only). An action must follow from its own
        row alone.
        """
        hands = np.ascontiguousarray(views["hand"])
        targets = np.ascontiguousarray(views["target"])

        own = views["own"].astype(np.int64)
        top = own[:, TWO] + own[:, BLACK_JOKER] + own[:, RED_JOKER]
        bid = np.minimum(3, top - self.caution)
        bid = np.where(bid > views["bid"], bid, PASS)

        # Play number 0, 1, ... count - 1 of all that each row may play. They go from low to high,
        # bombs last; nth_play_each gives the pass where there is none.
        count = count_plays_each(hands, targets)
        play = nth_play_each(hands, targets, np.zeros(len(views), np.int64))
        return np.where(views["phase"] == AUCTION, bid, np.where(count > 0, play, PASS))
