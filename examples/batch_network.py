"""A neural network as a bot: one layer in plain NumPy, asked about thousands of games at once.

Play it:

    sim run --game liars-dice -p examples/batch_network.py -p random --deals 1000

Its weights are random numbers that are the same each time, so it plays legally and badly. Train
your own, save them with `np.savez`, and load them in `__init__`; the rest can stay as it is.

Floating-point sums depend on how many rows a matrix has. Here they do not change from run to run:
`views` always has the same number of rows, and a game has the same row all its life.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from sim.engines.liars_dice import CHALLENGE
from sim.strategies.api import BatchStrategy, Param

Floats = NDArray[np.float32]

CHOICES: Final = 7
"""What the network chooses among: CHALLENGE, and the lowest raise on each face."""


class BatchNetwork(BatchStrategy):
    """Take the action that a small network with random weights likes best."""

    game = "liars-dice"
    parameters = (
        Param("weights", 1, low=0, high=1000, help="which random weights"),
        Param("hidden", 32, low=1, high=1024, help="neurons of the hidden layer"),
    )
    weights: int
    hidden: int

    def __init__(self, **parameters: int) -> None:
        """Make the weights. This runs once in each worker; load a file of your own here."""
        super().__init__(**parameters)
        rng = np.random.default_rng(self.weights)  # not self.rng: that belongs to the games
        inputs = self.features(np.zeros(1, self.fields())).shape[1]
        self.first = rng.normal(0, inputs**-0.5, (inputs, self.hidden)).astype(np.float32)
        self.second = rng.normal(0, self.hidden**-0.5, (self.hidden, CHOICES)).astype(np.float32)

    @staticmethod
    def fields() -> np.dtype[Any]:
        """Give the fields of a view."""
        from sim.engines.liars_dice.view import VIEW_DTYPE

        return VIEW_DTYPE

    def features(self, views: NDArray[Any]) -> Floats:
        """Write each view as numbers of about the same size."""
        own = views["own"][:, 1:7] / np.float32(5)
        others = views["dice_counts"] / np.float32(5)
        count = views["bid_count"][:, None] / np.float32(10)
        face = views["bid_face"][:, None] == np.arange(7)
        rules = np.stack([views[name] for name in ("ones_wild", "ones_high", "locked")], axis=1)
        return np.concatenate([own, others, count, face, rules], axis=1).astype(np.float32)

    def act_batch(self, views: NDArray[Any]) -> NDArray[np.int64]:
        """Choose an action for each row."""
        hidden = np.maximum(self.features(views) @ self.first, 0)
        liking = hidden @ self.second

        # what may not be chosen: a challenge before any bid, and bids on more dice than there are
        bid = views["bid"].astype(np.int64)
        highest = 6 * views["dice_in_play"].astype(np.int64) - 1
        liking[bid < 0, 0] = -np.inf
        liking[:, 1:][bid[:, None] + np.arange(1, CHOICES) > highest[:, None]] = -np.inf

        choice = liking.argmax(axis=1)
        return np.where(choice == 0, CHALLENGE, bid + choice)
