"""What a seat may see in Liar's Dice: its own dice, and what is public."""

from typing import Any, Final, NamedTuple

import numpy as np

from sim.engines.base import MAX_SEATS
from sim.engines.liars_dice.rules import FACES, MAX_BIDS

CHALLENGE: Final = -1
"""The action that is no bid."""

NO_BID: Final = -1
NOBODY: Final = -1

FACE_SLOTS: Final = 8
"""Bytes kept for the counts by face: the face is the index; 0 and 7 stay zero."""


class View(NamedTuple):
    """One seat's view. `bytes` fields index and iterate as small integers.

    A bid's number is 6 * (count - 1) + rank, the rank in order of strength: a higher bid is a
    higher number. The action of a strategy is a bid's number, or CHALLENGE.
    """

    seat: int
    """Your seat, 0 first."""
    seats: int
    """Seats at the table, those that are out included."""
    round: int
    """Number of this round, 1 first; void rounds count."""
    opener: int
    """Seat that opens this round."""
    own_dice: int
    """How many dice you hold."""
    own: bytes
    """own[face]: how many of your dice show that face (1..6)."""
    dice_in_play: int
    """Dice of all seats together; no bid may count more (L5)."""
    dice_counts: bytes
    """dice_counts[seat]: dice that seat still holds, 0 when out."""
    ones_wild: int
    """Rule: 1 if ones count as every face."""
    ones_lock: int
    """Rule: 1 if a bid on ones ends that for the round."""
    ones_high: int
    """Rule: 1 if ones rank above sixes at the same count."""
    locked: int
    """1 if ones count only as ones now: locked in this round, or never wild by the rules."""
    bid: int
    """Number of the last bid, -1 before any."""
    bid_count: int
    """Count of the last bid, 0 before any."""
    bid_face: int
    """Face of the last bid, 0 before any."""
    bids_made: int
    """Bids so far in this round."""
    bids: bytes
    """bids[k]: number of the k-th bid of this round; the rest is zero."""
    shown: bytes
    """shown[8 * seat + face]: dice shown at the end of the last finished round; zero before any."""
    shown_bid: int
    """Number of the bid that was challenged in the last finished round, -1 before any."""
    shown_bidder: int
    """Seat that had made that bid, -1 before any."""
    shown_challenger: int
    """Seat that challenged it, -1 before any."""
    shown_actual: int
    """How many dice really supported that bid."""
    shown_loser: int
    """Seat that lost a die by it, -1 before any."""
    winner: int
    """Seat that won the game; -1 until GAME_OVER."""
    place: int
    """Your finishing place, 1 best; 0 until GAME_OVER."""
    score: int
    """Your score; 0 until GAME_OVER."""

    @property
    def dice(self) -> tuple[int, ...]:
        """Your dice as faces, ascending."""
        return tuple(face for face in range(1, FACES + 1) for _ in range(self.own[face]))

    @property
    def history(self) -> tuple[tuple[int, int, int], ...]:
        """All bids of this round as (seat, count, face), oldest first."""
        order = [(self.opener + i) % self.seats for i in range(self.seats)]
        order = [seat for seat in order if self.dice_counts[seat]]
        return tuple(
            (order[k % len(order)], self.count_of(number), self.face_of(number))
            for k, number in enumerate(self.bids[: self.bids_made])
        )

    def number(self, count: int, face: int) -> int:
        """Give the action that bids `count` of `face`."""
        rank = (face + 4) % FACES if self.ones_high else face - 1
        return FACES * (count - 1) + rank

    def count_of(self, number: int) -> int:
        """Give the count of a bid's number."""
        return number // FACES + 1

    def face_of(self, number: int) -> int:
        """Give the face of a bid's number."""
        rank = number % FACES
        return (rank + 1) % FACES + 1 if self.ones_high else rank + 1

    def legal(self) -> list[int]:
        """List your legal actions: CHALLENGE if there is a bid, then the higher bids."""
        raises = list(range(self.bid + 1, FACES * self.dice_in_play))
        return [CHALLENGE, *raises] if self.bids_made else raises


_ARRAYS: Final = {
    "own": FACE_SLOTS,
    "dice_counts": MAX_SEATS,
    "bids": MAX_BIDS,
    "shown": FACE_SLOTS * MAX_SEATS,
}
_WIDE: Final = {"round", "dice_in_play", "bid", "bids_made", "shown_bid"}


def _field(name: str) -> tuple[Any, ...]:
    if name in _ARRAYS:
        return (name, "u1", (_ARRAYS[name],))
    return (name, "i2" if name in _WIDE else "i1")


VIEW_DTYPE: Final = np.dtype([_field(name) for name in View._fields])
"""The same fields as a packed record."""
