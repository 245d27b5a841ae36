"""The Game protocol: all that the rest of the program may ask of a game.

The runner, the analysis and the command line know no game. They ask an object of this protocol
for its rules, line-ups, seatings, counters and columns, and play through `Table` (table.py).
A game is found by its entry point in the group `sim.games`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from sim.errors import PluginError, UsageError, unknown

MAX_SEATS: Final = 6
"""Most seats that a task record has room for."""

NO_FAULT: Final = 0
FAULT_CATEGORIES: Final = ("none", "illegal", "exception", "timeout", "crash", "memory")
"""Why a strategy forfeited; the number stored is the place in this tuple."""

CONSTRUCTOR_CALL: Final = 0
"""Number of a seat's call that makes the strategy; every act and event after it counts one on."""

NO_CALL: Final = -1

TASK_DTYPE: Final = np.dtype(
    [
        ("deal", "i8"),
        ("line_up", "i4"),
        ("seating", "i2"),
        ("player", "i2", (MAX_SEATS,)),
        ("inject_call", "i4", (MAX_SEATS,)),
        ("inject_category", "i1", (MAX_SEATS,)),
    ]
)
"""One game to play. `player` holds indices into the players; `inject_call` is the call at which a
seat forfeits with `inject_category` without being asked, or NO_CALL."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleOption:
    """One rule that a user may change: `--rule name=value`."""

    name: str
    default: str
    choices: str
    """What is accepted, as text for people: `low | high`, `1..5`, `true | false`."""
    help: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Counter:
    """An integer counted while playing, one column of the stored games (one a seat if per seat)."""

    name: str
    label: str
    """What it counts, in words, for tables and plots."""
    scope: Literal["seat", "game"]
    dtype: Literal["i1", "i2", "i4"] = "i4"
    kind: Literal["sum", "category"] = "sum"
    """`sum`: totals and means are shown; `category`: the share of games with each value."""
    categories: Mapping[int, str] = field(default_factory=dict)
    """Names of the values of a category, e.g. {0: "none", 1: "spring"}; others print as numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Behaviour:
    """A figure of how a player plays: a ratio of two sums over its appearances (game, seat)."""

    name: str
    """Column name, e.g. `challenge_right_rate`."""
    label: str
    numerator: str
    """A per-seat counter."""
    denominator: str
    """A per-seat counter, `appearances`, or a column of the games (`rounds`, `decisions`)."""
    scale: float = 1.0
    """The ratio is multiplied by this (0.01 for a counter kept in hundredths)."""
    unit: str = ""
    proportion: bool = False
    """True where the ratio cannot leave 0..1, so that 0 % and 100 % need an interval too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    """How results of a game, under given rules, are judged (statistics.md)."""

    headline: Literal["win_rate", "score"]
    """The figure that ranks the players."""
    win_baseline: float | None
    """Win rate of equally good players: 1/n, 1/2; None where a win rate has no baseline."""
    rating: Literal["luce", "bradley-terry-roles"] | None
    places: bool
    """True where finishing places mean something (column `place_mean`)."""
    one_winner: bool
    """True where wins sum to games (one winner a game)."""
    clip: int | None = None
    """Heavy tails: `score_clipped` clips a game's score at +-clip; None: no such columns."""


class Table(Protocol):
    """Games in flight. Implemented once, in table.py; here is what the pump uses."""


class Game(Protocol):
    """One game: declared in `sim/engines/<game>/game.py`, registered in group `sim.games`.

    Reading a declaration must not import numba: only `kernel()` may.
    """

    name: str
    """As users type it: `liars-dice`."""
    title: str
    """As a heading: `Liar's Dice`."""
    rules_version: int
    """Raised when the same luck and actions could end differently; never for a speed-up."""
    seat_counts: range
    default_seats: int
    has_rounds: bool
    """True where the stored games have a column `rounds`."""
    rule_options: tuple[RuleOption, ...]
    counters: tuple[Counter, ...]
    behaviours: tuple[Behaviour, ...]
    roles: tuple[str, ...]
    """Names of roles, e.g. ("landlord", "farmer"); the per-seat counter `role` then holds the
    place in this tuple, or -1 where the game was over before there were roles. Empty: no roles."""

    def rules(self, seats: int, options: Mapping[str, str]) -> Any:
        """Give the validated, frozen rules; UsageError names what is wrong and what would be right.

        The result has `seats: int` and `options() -> dict[str, str]`: every option, resolved.
        """

    def rules_text(self) -> str:
        """Give the rules played here as Markdown, for `sim rules`."""

    def scoring(self, rules: Any) -> Scoring:
        """Say how results are judged under these rules."""

    def line_ups(
        self, players: int, rules: Any, *, mixed: bool = False
    ) -> Sequence[tuple[int, ...]]:
        """Give all line-ups of players 0 .. players-1, each ascending, lazily where many."""

    def seatings(self, line_up: tuple[int, ...], rules: Any) -> tuple[tuple[int, ...], ...]:
        """Give all seatings of a line-up: for each, the player at seat 0, 1, ..."""

    def kernel(self, rules: Any) -> "GameKernel":
        """Give the compiled side. Imports numba; compiles nothing by itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameKernel:
    """The compiled side of a game, as table.py drives it."""

    advance: Any
    """The compiled function that moves every game in flight; its arguments are in table.py."""
    state_dtype: np.dtype[Any]
    view_dtype: np.dtype[Any]
    view_class: Any
    """NamedTuple with one field for each field of `view_dtype`, in that order (see views.py)."""
    result_dtype: np.dtype[Any]
    """Fields `score place won fault` (nested, MAX_SEATS), `decisions`, `void`, `rounds` where the
    game has rounds, and one field for each counter (nested where per seat)."""
    rules: NDArray[Any]
    """One record: the rules as `advance` reads them."""
    position_text: Any
    """`(state row) -> str`: the position of a game in flight, as people read it."""


def installed_games() -> dict[str, EntryPoint]:
    """Give the installed games by name, without importing them."""
    return {point.name: point for point in entry_points(group="sim.games")}


def load_game(name: str) -> Game:
    """Load an installed game by the name users type.

    >>> load_game("liars-dice").title
    "Liar's Dice"
    """
    games = installed_games()
    if name not in games:
        raise UsageError(unknown("game", name, games))
    try:
        game: Game = games[name].load()
    except Exception as error:
        raise PluginError(
            f"game {name!r} does not load: {type(error).__name__}: {error}"
        ) from error
    return game
