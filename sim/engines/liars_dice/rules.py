"""The rules of Liar's Dice as a frozen, validated object (rules L1-L10, D-L1 to D-L5).

Not supported, on purpose: challenges out of turn, "exact" calls, regaining dice, palifico rounds,
faces other than 1..6.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from sim.engines.base import RuleOption
from sim.errors import UsageError, unknown

RULES_VERSION: Final = 1
"""Raised when the same dice and actions could end differently; never for a speed-up."""

FACES: Final = 6
"""Faces of a die."""

MAX_DICE: Final = 5
"""Most dice a player starts with (L1, D-L3)."""

SEATS: Final = range(2, 7)
"""Table sizes (L1)."""

MAX_BIDS: Final = FACES * MAX_DICE * SEATS[-1]
"""Most bids in one round: with N dice in play there are 6N bids, each higher than the last."""

OPTIONS: Final = (
    RuleOption(
        name="ones_rank",
        default="low",
        choices="low | high",
        help="How ones rank at the same count: below twos, or above sixes.",
    ),
    RuleOption(
        name="ones_lock",
        default="any",
        choices="any | off",
        help="Whether a bid on ones ends their being wild for the rest of the round.",
    ),
    RuleOption(
        name="ones_wild",
        default="true",
        choices="true | false",
        help="Whether ones count as every face.",
    ),
    RuleOption(
        name="dice",
        default="5",
        choices="1..5, or one number a seat: 2,1",
        help="Dice a player starts with.",
    ),
    RuleOption(
        name="rounds",
        default="all",
        choices="all | 1",
        help="1: a single round decides the game (two seats only).",
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The rules of one table.

    >>> Rules(seats=3)
    Rules(seats=3, dice=(5, 5, 5), ones_rank='low', ones_lock='any', ones_wild=True, rounds='all')
    >>> Rules.from_options(2, {"dice": "2,1", "ones_rank": "high"}).dice
    (2, 1)
    """

    seats: int = 2
    dice: tuple[int, ...] = field(default=())
    """Dice that each seat starts with; empty means five each."""
    ones_rank: Literal["low", "high"] = "low"
    ones_lock: Literal["any", "off"] = "any"
    ones_wild: bool = True
    rounds: Literal["all", "1"] = "all"

    def __post_init__(self) -> None:
        """Refuse what cannot be played, in a sentence."""
        if self.seats not in SEATS:
            raise UsageError(
                f"seats={self.seats}: liars-dice is played by {SEATS[0]} to {SEATS[-1]} seats"
            )
        if not self.dice:
            object.__setattr__(self, "dice", (MAX_DICE,) * self.seats)
        if len(self.dice) != self.seats:
            text = ",".join(map(str, self.dice))
            raise UsageError(
                f"rule dice={text}: {len(self.dice)} numbers for {self.seats} seats; give one "
                "number for all or one a seat"
            )
        for count in self.dice:
            if not 1 <= count <= MAX_DICE:
                raise UsageError(f"rule dice={count}: a player starts with 1 to {MAX_DICE} dice")
        if not self.ones_wild and self.ones_lock == "off":
            raise UsageError(
                "rule ones_lock contradicts ones_wild=false: ones that are never wild cannot be "
                "locked; leave ones_lock out"
            )
        if self.rounds == "1" and self.seats != 2:
            raise UsageError(
                f"rule rounds=1: a single round is played by 2 seats, not {self.seats}"
            )

    @classmethod
    def from_options(cls, seats: int, options: Mapping[str, str]) -> "Rules":
        """Read `--rule` options; whatever is not given keeps its default."""
        known = {option.name: option for option in OPTIONS}
        for name in options:
            if name not in known:
                raise UsageError(unknown("rule of liars-dice", name, known))
        given = {name: str(value).strip() for name, value in options.items()}
        for name in ("ones_rank", "ones_lock", "ones_wild", "rounds"):
            choices = known[name].choices.split(" | ")
            if name in given and given[name] not in choices:
                raise UsageError(f"rule {name}={given[name]}: must be {' or '.join(choices)}")
        ones_wild = given.get("ones_wild", "true") == "true"
        if not ones_wild and "ones_lock" in given:
            raise UsageError(
                f"rule ones_lock={given['ones_lock']} contradicts ones_wild=false: ones that are "
                "never wild cannot be locked; leave ones_lock out"
            )
        return cls(
            seats=seats,
            dice=_read_dice(given.get("dice", ""), seats=seats),
            ones_rank="high" if given.get("ones_rank") == "high" else "low",
            ones_lock="off" if given.get("ones_lock") == "off" else "any",
            ones_wild=ones_wild,
            rounds="1" if given.get("rounds") == "1" else "all",
        )

    def options(self) -> dict[str, str]:
        """Give every option as text; `from_options` reads it back.

        >>> Rules(seats=2, dice=(2, 1), ones_wild=False).options()
        {'ones_rank': 'low', 'ones_wild': 'false', 'dice': '2,1', 'rounds': 'all'}
        """
        same = len(set(self.dice)) == 1
        options = {
            "ones_rank": self.ones_rank,
            "ones_lock": self.ones_lock,
            "ones_wild": "true" if self.ones_wild else "false",
            "dice": str(self.dice[0]) if same else ",".join(map(str, self.dice)),
            "rounds": self.rounds,
        }
        if not self.ones_wild:
            del options["ones_lock"]
        return options


def _read_dice(text: str, *, seats: int) -> tuple[int, ...]:
    """Read `5` or `2,1`; empty gives the default."""
    if not text:
        return ()
    try:
        numbers = tuple(int(part) for part in text.split(","))
    except ValueError:
        raise UsageError(
            f"rule dice={text}: must be a whole number from 1 to {MAX_DICE}, or one a seat "
            "such as 2,1"
        ) from None
    return numbers * seats if len(numbers) == 1 else numbers


def face_of(bid: int, *, ones_rank: str) -> int:
    """Give the face of a bid's number.

    >>> [face_of(bid, ones_rank="high") for bid in range(6)]
    [2, 3, 4, 5, 6, 1]
    """
    rank = bid % FACES
    return rank + 1 if ones_rank == "low" else (rank + 1) % FACES + 1


def count_of(bid: int) -> int:
    """Give the count of a bid's number.

    >>> count_of(0), count_of(5), count_of(6)
    (1, 1, 2)
    """
    return bid // FACES + 1


def bid_number(count: int, face: int, *, ones_rank: str) -> int:
    """Give the number of a bid: numbers rise as bids do (L4, D-L1).

    >>> bid_number(3, 4, ones_rank="low") < bid_number(4, 2, ones_rank="low")
    True
    >>> bid_number(2, 1, ones_rank="high") - bid_number(2, 6, ones_rank="high")
    1
    """
    rank = face - 1 if ones_rank == "low" else (face + 4) % FACES
    return FACES * (count - 1) + rank
