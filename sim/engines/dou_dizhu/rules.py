"""The rules of Dou Dizhu as a frozen, validated object (rules D1-D13, D-D1 to D-D5).

Not supported, on purpose: doubling by the farmers, show-hand doubling, calling without numbers
(call and rob), wild ranks, two packs, unshuffled dealing, other numbers of players.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from sim.engines.base import RuleOption
from sim.errors import UsageError, unknown

RULES_VERSION: Final = 1
"""Raised when the same cards and actions could end differently; never for a speed-up."""

SEATS: Final = 3
"""Players at a table (D1)."""

HAND: Final = 17
"""Cards dealt to each player (D1)."""

BOTTOM: Final = 3
"""Cards that the landlord takes (D1, D4)."""

HIGHEST_BID: Final = 3
"""The bid that ends the auction (D3)."""

MOST_CALLS: Final = 7
"""Longest auction of one deal: pass, pass, 1, pass, 2, pass, and any call (D-D1). A third pass in
a row would end it, and so would two in a row once there is a bid, so at most two come before the
first bid and one after each of the first two; the call after the last of these ends it."""

MOST_PLAYS: Final = 52
"""Most plays in one deal: each takes a card, and two hands of at least one card are left (D12)."""

MOST_ACTIONS: Final = 152
"""Most plays and passes in one deal after the auction. After each of the first 51 plays there are
two passes at most, and then its player leads again. A play over another player's takes the place
of one pass at least, and the lead has to change hands twice if all three are to play on until two
hold one card each: 52 + 2 * 51 - 2. Fewer changes of lead leave a hand of 17 cards or more
untouched, which costs more actions than it saves."""

MOST_REDEALS: Final = 10_000
"""Largest `max_redeals`: the number of a redeal is part of the key of random numbers, 20 bits."""

DEFAULT_REDEALS: Final = 100

OPTIONS: Final = (
    RuleOption(
        name="auction",
        default="true",
        choices="true | false",
        help="Whether players bid for the landlord; if not, seat 0 is the landlord, at a bid of 1.",
    ),
    RuleOption(
        name="max_redeals",
        default=str(DEFAULT_REDEALS),
        choices=f"0..{MOST_REDEALS}",
        help="How often the cards are dealt again when all pass, before the game is void.",
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The rules of one table.

    >>> Rules()
    Rules(seats=3, auction=True, max_redeals=100)
    >>> Rules.from_options(3, {"auction": "false"}).auction
    False
    """

    seats: int = SEATS
    auction: bool = True
    max_redeals: int = DEFAULT_REDEALS
    """Deals that may follow the first one; one more pass of all three, and the game is void."""

    def __post_init__(self) -> None:
        """Refuse what cannot be played, in a sentence."""
        if self.seats != SEATS:
            raise UsageError(f"seats={self.seats}: dou-dizhu is played by {SEATS} seats")
        if not 0 <= self.max_redeals <= MOST_REDEALS:
            raise UsageError(
                f"rule max_redeals={self.max_redeals}: must be a whole number from 0 to "
                f"{MOST_REDEALS}"
            )
        if not self.auction and self.max_redeals != DEFAULT_REDEALS:
            raise UsageError(_contradiction(str(self.max_redeals)))

    @classmethod
    def from_options(cls, seats: int, options: Mapping[str, str]) -> "Rules":
        """Read `--rule` options; whatever is not given keeps its default."""
        known = {option.name: option for option in OPTIONS}
        for name in options:
            if name not in known:
                raise UsageError(unknown("rule of dou-dizhu", name, known))
        given = {name: str(value).strip() for name, value in options.items()}
        auction = given.get("auction", "true")
        if auction not in ("true", "false"):
            raise UsageError(f"rule auction={auction}: must be true or false")
        if auction == "false" and "max_redeals" in given:
            raise UsageError(_contradiction(given["max_redeals"]))
        return cls(
            seats=seats,
            auction=auction == "true",
            max_redeals=_read_redeals(given.get("max_redeals", str(DEFAULT_REDEALS))),
        )

    def options(self) -> dict[str, str]:
        """Give every option as text; `from_options` reads it back.

        >>> Rules(max_redeals=5).options(), Rules(auction=False).options()
        ({'auction': 'true', 'max_redeals': '5'}, {'auction': 'false'})
        """
        if not self.auction:
            return {"auction": "false"}
        return {"auction": "true", "max_redeals": str(self.max_redeals)}


def _read_redeals(text: str) -> int:
    """Read a whole number."""
    if not (text.isascii() and text.isdigit()) or len(text) > 9:
        raise UsageError(
            f"rule max_redeals={text}: must be a whole number from 0 to {MOST_REDEALS}"
        )
    return int(text)


def _contradiction(max_redeals: str) -> str:
    return (
        f"rule max_redeals={max_redeals} contradicts auction=false: without an auction nothing is "
        "dealt again; leave max_redeals out"
    )
