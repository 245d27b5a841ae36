"""High Card, a third game in about a hundred lines: nothing outside knows that it exists.

Each seat gets a card 1..13 and, in seat order, stakes 0..3. The highest card (the lower seat if
level) takes all stakes. A forfeit stakes 3 and cannot win; the others play on.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from sim.engines.base import MAX_SEATS, Behaviour, Counter, GameKernel, Scoring
from sim.engines.flight import SLOT_FIELDS
from sim.engines.tabling import Combinations, seat_players
from sim.errors import UsageError, unknown

MOST = 3


class View(NamedTuple):
    """What a seat may know."""

    seat: int
    seats: int
    card: int
    staked: bytes


VIEW_DTYPE = np.dtype(
    [("seat", "i1"), ("seats", "i1"), ("card", "i1"), ("staked", "u1", (MAX_SEATS,))]
)
STATE_DTYPE = np.dtype([*SLOT_FIELDS, ("card", "i4", (MAX_SEATS,)), ("stake", "i4", (MAX_SEATS,))])
RESULT_DTYPE = np.dtype(
    [
        *((name, "i4", (MAX_SEATS,)) for name in ("score", "place", "won", "fault", "stake")),
        ("decisions", "i4"),
        ("void", "i1"),
        ("pot", "i4"),
    ]
)
RULES_DTYPE = np.dtype([("seats", "i8")])


@dataclass(frozen=True, slots=True)
class Rules:
    """How many play."""

    seats: int

    def options(self) -> dict[str, str]:
        """There are none."""
        return {}


class HighCard:
    """The declaration."""

    name = "high-card"
    title = "High Card"
    rules_version = 1
    seat_counts = range(2, 5)
    default_seats = 2
    has_rounds = False
    rule_options = ()
    roles = ()
    counters = (
        Counter(name="stake", label="staked", scope="seat", dtype="i1"),
        Counter(name="pot", label="all stakes", scope="game", dtype="i1", kind="category"),
    )
    behaviours = (
        Behaviour(name="stake_mean", label="stake", numerator="stake", denominator="appearances"),
    )

    def rules(self, seats: int, options: Mapping[str, str]) -> Rules:
        """Refuse every option."""
        for name in options:
            raise UsageError(unknown("rule of high-card", name, ()))
        return Rules(seats)

    def rules_text(self) -> str:
        """Give the rules."""
        return __doc__ or ""

    def scoring(self, rules: Rules) -> Scoring:
        """Points rank the players."""
        return Scoring(
            headline="score",
            win_baseline=1 / rules.seats,
            rating=None,
            places=False,
            one_winner=False,
        )

    def line_ups(
        self, players: int, rules: Rules, *, mixed: bool = False
    ) -> Sequence[tuple[int, ...]]:
        """All combinations."""
        return Combinations(players, rules.seats)

    def seatings(self, line_up: tuple[int, ...], rules: Rules) -> tuple[tuple[int, ...], ...]:
        """All orders."""
        return seat_players(line_up)

    def kernel(self, rules: Rules) -> GameKernel:
        """Give the compiled side."""
        from toygame.kernel import advance

        record = np.zeros(1, RULES_DTYPE)
        record["seats"] = rules.seats
        return GameKernel(
            advance=advance,
            state_dtype=STATE_DTYPE,
            view_dtype=VIEW_DTYPE,
            view_class=View,
            result_dtype=RESULT_DTYPE,
            rules=record,
            position_text=lambda row: f"cards {row['card'][: rules.seats].tolist()}",
        )


GAME: Any = HighCard()
