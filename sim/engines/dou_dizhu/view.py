"""What a seat may see in Dou Dizhu: its own cards, and what is public.

Cards are packed (notation.py): the number of cards of rank i in bits 4i .. 4i + 3, rank 0 a three,
14 the red joker. `cards_text` writes them, `own[rank]` counts yours.

An action is a whole number. In the auction: 0 passes, 1 to 3 bids. In the play: 0 passes, anything
else are the packed cards to play.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from sim.engines.dou_dizhu.notation import PACK, cards_text, parse_cards
from sim.engines.dou_dizhu.rules import HIGHEST_BID, MOST_ACTIONS, MOST_CALLS, SEATS

AUCTION: Final = 0
PLAY: Final = 1
"""Values of `View.phase`."""

LANDLORD: Final = 0
FARMER: Final = 1
"""Roles: the landlord against the two farmers. As sides too: who won."""

NOBODY: Final = -1
PASS: Final = 0

NO_SPRING: Final = 0
SPRING: Final = 1
ANTI_SPRING: Final = 2
"""How a deal ended (D13)."""

RANK_SLOTS: Final = 16
"""Bytes kept for the counts by rank: the rank is the index; place 15 stays zero."""

WORD: Final = 8
"""Bytes of packed cards in `View.actions`, the lowest first."""


class View(NamedTuple):
    """One seat's view. `bytes` fields index and iterate as small integers."""

    seat: int
    """Your seat, 0 first; seat + 1 acts after you, and after seat 2 comes seat 0."""
    seats: int
    """Seats at the table: 3."""
    phase: int
    """AUCTION (0) or PLAY (1)."""
    role: int
    """Your role: LANDLORD (0), FARMER (1), or -1 during the auction."""
    landlord: int
    """Seat of the landlord, -1 during the auction."""
    hand: int
    """Your cards, packed."""
    own: bytes
    """own[rank]: how many cards of that rank you hold (0 a three .. 14 the red joker)."""
    cards_left: bytes
    """cards_left[seat]: how many cards that seat holds."""
    bottom: int
    """The three bottom cards that the landlord took, packed; 0 until the auction has ended."""
    first_bidder: int
    """Seat that calls first in this auction; -1 if the rules have no auction."""
    bid: int
    """Highest bid so far, 0 before any; in the play the landlord's."""
    bidder: int
    """Seat that made it, -1 before any."""
    calls_made: int
    """Calls so far in this auction."""
    calls: bytes
    """calls[k]: call number k of this auction, 0 a pass, else the bid; the rest is zero."""
    redeals: int
    """How often the cards were dealt again because all passed; those calls are not shown."""
    max_redeals: int
    """Rule: if all pass once more after so many redeals, the game is void; 0 without an auction."""
    target: int
    """Class code of the play to beat (shapes.py), 0 if you lead, and in the auction."""
    to_beat: int
    """That play, packed, 0 if you lead, and in the auction."""
    to_beat_seat: int
    """Seat that made it, -1 if you lead, and in the auction."""
    passes: int
    """Passes since that play, 0 or 1; 0 if you lead, and in the auction."""
    played_0: int
    """All cards that seat 0 has played, packed."""
    played_1: int
    """All cards that seat 1 has played, packed."""
    played_2: int
    """All cards that seat 2 has played, packed."""
    multiplier: int
    """1, doubled for each bomb and rocket played so far (at the end also for a spring)."""
    actions_made: int
    """Plays and passes since the auction."""
    actions: bytes
    """Packed cards of each play and pass since the auction, 8 bytes each, the lowest byte first;
    the landlord acts first, then the seats in turn. The rest is zero. `history` reads it."""
    winner: int
    """Side that won, LANDLORD (0) or FARMER (1); -1 until GAME_OVER, and if there were none."""
    won: int
    """1 if you have won; 0 until GAME_OVER."""
    spring: int
    """0, or how the deal ended: 1 by a spring, 2 by an anti-spring; 0 until GAME_OVER."""
    score: int
    """Your score; 0 until GAME_OVER."""

    @property
    def cards(self) -> str:
        """Your cards as text, from low to high."""
        return cards_text(self.hand)

    @property
    def played(self) -> tuple[int, int, int]:
        """All cards that each seat has played, packed."""
        return self.played_0, self.played_1, self.played_2

    @property
    def unseen(self) -> int:
        """Cards that you have not seen, packed: those of the others and, before the play, the
        bottom ones. Which bottom cards the landlord still holds is known: see `landlord_holds`.
        """
        return PACK - self.hand - sum(self.played)

    @property
    def landlord_holds(self) -> int:
        """Cards of the bottom that the landlord cannot have played yet, packed.

        Of a rank the landlord is sure to hold as many as the bottom had beyond those played.
        """
        if self.phase == AUCTION:
            return 0
        played = self.played[self.landlord]
        return sum(
            max(0, (self.bottom >> shift & 15) - (played >> shift & 15)) << shift
            for shift in range(0, 60, 4)
        )

    @property
    def call_history(self) -> tuple[tuple[int, int], ...]:
        """All calls of this auction as (seat, call), oldest first; a pass is 0."""
        made = self.calls[: self.calls_made]
        return tuple(((self.first_bidder + k) % SEATS, call) for k, call in enumerate(made))

    @property
    def history(self) -> tuple[tuple[int, int], ...]:
        """All plays and passes since the auction as (seat, packed cards), oldest first."""
        words = (self.actions[WORD * k : WORD * k + WORD] for k in range(self.actions_made))
        return tuple(
            ((self.landlord + k) % SEATS, int.from_bytes(word, "little"))
            for k, word in enumerate(words)
        )

    def legal(self) -> list[int]:
        """List your legal actions: the pass if you may, then bids or plays.

        This lists every play: hundreds for a full hand. `packed.count_plays` and `nth_play` draw
        one without a list.
        """
        if self.phase == AUCTION:
            return [PASS, *range(self.bid + 1, HIGHEST_BID + 1)]
        from sim.engines.dou_dizhu.combos import legal_plays

        target = cards_text(self.to_beat) if self.to_beat else None
        plays = [parse_cards(play) for play in legal_plays(self.cards, target)]
        return plays if target is None else [PASS, *plays]

    def text(self, action: int) -> str:
        """Write an action as people do: `pass`, a bid as its number, or cards."""
        if action == PASS:
            return "pass"
        return str(action) if self.phase == AUCTION else cards_text(action)


_ARRAYS: Final = {
    "own": RANK_SLOTS,
    "cards_left": SEATS,
    "calls": MOST_CALLS,
    "actions": WORD * MOST_ACTIONS,
}
_CARDS: Final = {"hand", "bottom", "to_beat", "played_0", "played_1", "played_2"}
_WIDE: Final = {"target", "actions_made", "redeals", "max_redeals"}
_LONG: Final = {"multiplier", "score"}


def _field(name: str) -> tuple[Any, ...]:
    if name in _ARRAYS:
        return (name, "u1", (_ARRAYS[name],))
    if name in _CARDS:
        return (name, "i8")
    if name in _LONG:
        return (name, "i4")
    return (name, "i2" if name in _WIDE else "i1")


VIEW_DTYPE: Final = np.dtype([_field(name) for name in View._fields])
"""The same fields as a packed record."""
