"""Records of a Dou Dizhu game in flight and of its result."""

from typing import Final

import numpy as np

from sim.engines.base import MAX_SEATS
from sim.engines.dou_dizhu.dealing import PACK_SIZE
from sim.engines.dou_dizhu.rules import MOST_ACTIONS, MOST_CALLS, SEATS
from sim.engines.flight import SLOT_FIELDS

STATE_DTYPE: Final = np.dtype(
    [
        *SLOT_FIELDS,
        # packed cards by seat: held now, and taken in all (17 dealt, and 3 more by the landlord)
        ("hands", "i8", (SEATS,)),
        ("taken", "i8", (SEATS,)),
        # the play to beat, its class code and its seat; passes in a row (in the auction too)
        ("to_beat", "i8"),
        ("target", "i4"),
        ("to_beat_seat", "i4"),
        ("passes", "i4"),
        ("actions_made", "i4"),
        # AUCTION or PLAY
        ("stage", "i4"),
        ("landlord", "i4"),
        ("passes_able", "i4", (SEATS,)),
        ("multiplier", "i4"),
        ("bid", "i4"),
        ("bidder", "i4"),
        ("first", "i4"),
        ("calls_made", "i4"),
        # set when the game is over
        ("winner", "i4"),
        ("spring", "i4"),
        ("void", "i4"),
        ("score", "i4", (SEATS,)),
        ("won", "i4", (SEATS,)),
        ("bombs", "i4", (SEATS,)),
        # highest bid of the seat
        ("bids", "i4", (SEATS,)),
        ("bottom", "i8"),
        ("auction", "u1", (MOST_CALLS,)),
        # ranks of the cards not yet dealt
        ("deck", "u1", (PACK_SIZE,)),
        # packed cards of each play since the auction, 0 a pass
        ("actions", "i8", (MOST_ACTIONS,)),
    ],
    align=True,  # so that no word lies across two cache lines
)

RESULT_DTYPE: Final = np.dtype(
    [
        ("score", "i4", (MAX_SEATS,)),
        ("place", "i1", (MAX_SEATS,)),
        ("won", "i1", (MAX_SEATS,)),
        ("fault", "i1", (MAX_SEATS,)),
        ("decisions", "i4"),
        ("void", "i1"),
        ("role", "i1", (MAX_SEATS,)),
        ("bid", "i1", (MAX_SEATS,)),
        ("bid_won", "i1", (MAX_SEATS,)),
        ("passes_able", "i2", (MAX_SEATS,)),
        ("bombs", "i1", (MAX_SEATS,)),
        ("landlord", "i1"),
        ("final_bid", "i1"),
        ("multiplier", "i4"),
        ("spring", "i1"),
        ("redeals", "i2"),
    ]
)

RULES_DTYPE: Final = np.dtype([("auction", "i8"), ("max_redeals", "i8")])
"""The rules as the kernel reads them."""

WORD_DTYPE: Final = np.dtype([("word", "i8")])
"""Packed cards somewhere in a view: written eight bytes at a time."""
