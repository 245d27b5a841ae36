"""Records of a Liar's Dice game in flight and of its result."""

from typing import Final

import numpy as np

from sim.engines.base import MAX_SEATS
from sim.engines.flight import SLOT_FIELDS
from sim.engines.liars_dice.rules import MAX_BIDS

STATE_DTYPE: Final = np.dtype(
    [
        *SLOT_FIELDS,
        # hands[seat]: byte f of the integer is the number of dice that show face f
        ("hands", "i8", (MAX_SEATS,)),
        ("bid", "i8"),
        ("bids_made", "i8"),
        ("locked", "i8"),
        ("in_play", "i8"),
        ("opener", "i8"),
        ("bidder", "i8"),
        ("loser", "i8"),
        ("remaining", "i8"),
        ("dice", "i4", (MAX_SEATS,)),
        ("place", "i4", (MAX_SEATS,)),
        # the next seat that holds dice, by seat
        ("follower", "u4", (MAX_SEATS,)),
        # three counters of 16 bits in one: bids, bids_unsupported, bids_on_ones
        ("tally", "i8", (MAX_SEATS,)),
        ("challenges", "i4", (MAX_SEATS,)),
        ("challenges_right", "i4", (MAX_SEATS,)),
        # bid minus own minus expected, in sixths of a die, so that it stays exact
        ("excess_sixths", "i4", (MAX_SEATS,)),
        # numbers of the bids of this round, for the position as text
        ("history", "u1", (MAX_BIDS,)),
    ]
)

RESULT_DTYPE: Final = np.dtype(
    [
        ("score", "i4", (MAX_SEATS,)),
        ("place", "i1", (MAX_SEATS,)),
        ("won", "i1", (MAX_SEATS,)),
        ("fault", "i1", (MAX_SEATS,)),
        ("decisions", "i4"),
        ("rounds", "i4"),
        ("void", "i1"),
        ("bids", "i4", (MAX_SEATS,)),
        ("challenges", "i4", (MAX_SEATS,)),
        ("challenges_right", "i4", (MAX_SEATS,)),
        ("bids_unsupported", "i4", (MAX_SEATS,)),
        ("bid_excess", "i4", (MAX_SEATS,)),
        ("bids_on_ones", "i4", (MAX_SEATS,)),
    ]
)

RULES_DTYPE: Final = np.dtype(
    [
        ("seats", "i8"),
        ("ones_wild", "i8"),
        ("ones_lock", "i8"),
        ("ones_high", "i8"),
        ("single_round", "i8"),
        ("dice", "i8", (MAX_SEATS,)),
    ]
)
"""The rules as the kernel reads them."""
