"""The built-in bot `threshold` a third time, batched: NumPy decides for thousands of games at once.

Play it:

    sim run --game liars-dice -p examples/threshold_batch.py -p honest --deals 1000

It plays exactly the games of the compiled built-in and of `threshold_bot.py`: it looks up the same
table and draws the same random numbers.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.engines.liars_dice import CHALLENGE
from sim.strategies.api import BatchStrategy, Param
from sim.strategies.liars_dice.odds import HALF, ROW, chance_table

Ints = NDArray[np.int64]


class ThresholdBatch(BatchStrategy):
    """Challenge what is unlikely, else raise to the likeliest bid, else challenge."""

    game = "liars-dice"
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
        """Give the table of chances. This runs once a player; `self.table` holds the result."""
        return chance_table()

    def act_batch(self, views: NDArray[Any]) -> Ints:
        """Choose an action for each row: the number of a bid, or CHALLENGE.

        A row is the view of one game that waits for this bot. Rows that wait for nobody are zero;
        what is answered there does not count, but it must not fail.
        """
        waits = views["seats"] > 0
        bid = views["bid"].astype(np.int64)  # the fields are small integers: sums would overflow
        highest = 6 * views["dice_in_play"].astype(np.int64) - 1

        # 1. The last bid, if there is one: is it too unlikely?
        decided = (
            waits & (bid >= 0) & (self.chance(views, np.maximum(bid, 0)) < self.challenge_below)
        )

        # 2. At most six raises are the lowest on their face; at the very top there is none.
        raises = np.clip(highest - bid, 0, 6)
        decided |= raises == 0

        # 3. Bluff now and then. Only the rows in `where` draw: a game that is decided already
        #    must not, or its next number would be another one.
        draws = waits & ~decided
        bluffs = self.rng.random(where=draws) < self.bluff_rate
        bluffs &= draws
        bluff = bid + 1 + self.rng.below(np.maximum(raises, 1), where=bluffs)

        # 4. Raise to the likeliest of the raises, if that is likely enough. The opener of a round
        #    may not challenge.
        best, best_chance = bid.copy(), np.full(len(views), -1.0)
        for step in range(1, 7):
            likely = np.where(step <= raises, self.chance(views, bid + step), -1.0)
            better = likely > best_chance
            best = np.where(better, bid + step, best)
            best_chance = np.where(better, likely, best_chance)
        decided |= (bid >= 0) & (best_chance < self.raise_above)
        return np.where(bluffs, bluff, np.where(decided, CHALLENGE, best))

    def chance(self, views: NDArray[Any], number: Ints) -> NDArray[np.float64]:
        """Give how likely a bid is true in each row, knowing the row's own dice."""
        count, rank = number // 6 + 1, number % 6
        face = np.where(views["ones_high"] == 1, (rank + 1) % 6 + 1, rank + 1)
        wild = (face != 1) & (views["locked"] == 0)
        own = views["own"].astype(np.int64)
        rows = np.arange(len(views))
        need = count - own[rows, face] - wild * own[:, 1]
        unseen = (views["dice_in_play"] - views["own_dice"]).astype(np.int64)
        place = wild * HALF + unseen * ROW + np.clip(need, 0, ROW - 1)
        likely: NDArray[np.float64] = np.where(need > unseen, 0.0, self.table[place])
        return likely
