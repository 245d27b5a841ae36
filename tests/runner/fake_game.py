"""A game that is only declared: what the schedule and the store ask of a game, and no kernel."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sim.engines.base import Behaviour, Counter, GameKernel, RuleOption, Scoring
from sim.engines.tabling import Combinations, seat_players
from sim.runner.spec import PlayerSpec, RunSpec


@dataclass(frozen=True, slots=True)
class FakeRules:
    """Rules that say how many sit at the table."""

    seats: int

    def options(self) -> dict[str, str]:
        """Give no options."""
        return {}


class FakeGame:
    """All choices of players in balanced seatings; with `mixed` also the tables AAB and ABB."""

    name = "fake"
    title = "Fake"
    rules_version = 1
    seat_counts = range(2, 7)
    default_seats = 2
    has_rounds = True
    rule_options: tuple[RuleOption, ...] = ()
    counters: tuple[Counter, ...] = (
        Counter(name="bids", label="bids", scope="seat"),
        Counter(name="final", label="final bid", scope="game", dtype="i1"),
    )
    behaviours: tuple[Behaviour, ...] = ()
    roles: tuple[str, ...] = ()

    def rules(self, seats: int, options: Mapping[str, str]) -> FakeRules:
        """Give the rules."""
        return FakeRules(seats)

    def rules_text(self) -> str:
        """Give no text."""
        return ""

    def scoring(self, rules: Any) -> Scoring:
        """Judge by wins."""
        return Scoring(
            headline="win_rate",
            win_baseline=1 / rules.seats,
            rating=None,
            places=True,
            one_winner=True,
        )

    def line_ups(
        self, players: int, rules: Any, *, mixed: bool = False
    ) -> Sequence[tuple[int, ...]]:
        """Give all choices; mixed tables first where asked for."""
        choices = Combinations(players, rules.seats)
        if not mixed:
            return choices
        pairs = Combinations(players, 2)
        tables = [table for a, b in pairs for table in ((a, a, b), (a, b, b))]
        return [*tables, *choices]

    def seatings(self, line_up: tuple[int, ...], rules: Any) -> tuple[tuple[int, ...], ...]:
        """Seat in balanced orders."""
        return seat_players(line_up)

    def kernel(self, rules: Any) -> GameKernel:
        """Have none."""
        raise NotImplementedError


GAME = FakeGame()


def fake_spec(players: int, *, seats: int = 2, deals: int = 10, **more: Any) -> RunSpec:
    """Give a spec of the fake game for players p00, p01, ...; `bots` by label, else `any`."""
    bots = more.pop("bots", {})
    labels = [f"p{i:02}" for i in range(players)]
    if more.pop("fill", False):
        labels.append("fill")
    specs = tuple(PlayerSpec(label=label, bot=bots.get(label, "any")) for label in labels)
    return RunSpec(game="fake", seats=seats, deals=deals, players=specs, **{"seed": 7, **more})


@dataclass(frozen=True, slots=True)
class FakeBound:
    """A strategy of a kind; of one that does not ship with the program no sources are known."""

    kind: str = "compiled"
    trusted: bool = True
    sources: tuple[Path, ...] = ()
    version: str = "1"

    @property
    def bot(self) -> "FakeBound":
        """Give what has `sources`."""
        return self


def fake_bound(spec: RunSpec) -> list[FakeBound]:
    """Give a strategy for each player: those called `any` ship with the program."""
    return [
        FakeBound(
            kind="compiled" if p.bot in ("any", "spin") else "python",
            trusted=p.bot in ("any", "doze"),
        )
        for p in spec.players
    ]
