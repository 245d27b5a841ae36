"""my_bot: a batched bot for Liar's Dice. It plays legally as it stands; change what you like.

    sim check my_bot.py
    sim run --game liars-dice -p my_bot.py -p honest -p random --deals 1000

One call decides for thousands of games at once: for neural networks and vectorised NumPy.
What a seat sees, field by field: docs/views.md.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.engines.liars_dice import CHALLENGE
from sim.strategies.api import BatchStrategy, Param


class MyBot(BatchStrategy):
    """Make the raise it has most reason for; challenge when it has reason for none."""

    game = "liars-dice"

    # Parameters: name, default, range, what it does. Set them with -p my_bot.py:hope=0.5
    parameters = (
        Param("hope", 0.0, low=-5, high=5, help="dice it believes in beyond expectation"),
    )
    hope: float  # each parameter is an attribute of its name

    # Load a model in __init__: it runs once in each worker.
    # def __init__(self, **parameters: float) -> None:
    #     super().__init__(**parameters)
    #     self.weights = np.load(Path(__file__).with_name("weights.npy"))

    def act_batch(self, views: NDArray[Any]) -> NDArray[np.int64]:
        """Choose an action for each row: the number of a bid, or CHALLENGE.

        A row is one game that waits for this bot; views["bid"] is that field of all rows. Rows
        where views["seats"] is 0 wait for nobody: what is answered there does not count.

        One object plays all games, so keep nothing in `self` from call to call: what a game needs
        later goes to its row of self.memory (32 whole numbers). For random numbers use self.rng
        (random(), below(n); `where=` draws in some rows only). An action must follow from its own
        row alone.
        """
        bid = views["bid"].astype(np.int64)  # the fields are small integers: sums would overflow
        own = views["own"].astype(np.int64)
        in_play = views["dice_in_play"].astype(np.int64)
        unseen = in_play - views["own_dice"]
        rows = np.arange(len(views))

        best = np.full(len(views), CHALLENGE)
        best_margin = np.full(len(views), -1000.0)
        for number in (bid + step for step in range(1, 7)):  # the lowest raises on the six faces
            count, rank = number // 6 + 1, number % 6
            face = np.where(views["ones_high"] == 1, (rank + 1) % 6 + 1, rank + 1)
            wild = (face != 1) & (views["locked"] == 0)

            # in sixths of a die: own dice of that face, and what the others may be expected to hold
            expected = 6 * (own[rows, face] + wild * own[:, 1]) + unseen * (1 + wild)
            margin = expected + 6 * self.hope - 6 * count
            better = (margin > best_margin) & (number < 6 * in_play)
            best = np.where(better, number, best)
            best_margin = np.where(better, margin, best_margin)

        # who opens a round has nothing to challenge
        return np.where((views["bids_made"] > 0) & (best_margin < 0), CHALLENGE, best)
