"""How fast games are played on one core: what `sim bench` measures.

Compiled uniform bots play blocks through the same `Arena.play` as a run does. Whole runs into a
temporary folder, storing included, are timed beside it.
"""

import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any, Final

from sim.runner.arena import Arena
from sim.runner.request import FIELDS, Given, game_and_rules
from sim.runner.run import carry_out
from sim.runner.spec import PlayerSpec, RunSpec
from sim.runner.store import Store
from sim.runner.worker import Workshop

BOT: Final = "random"
"""Uniform over all legal actions, compiled, in every game."""

SEED: Final = 1

REPEATS: Final = 5

STORED_REPEATS: Final = 3

RANGE_GAMES: Final = 1 << 16
"""Games of one `play`: as many as workers are handed where games are this quick."""

DEALS: Final = 1 << 40
"""More than any measurement plays."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Speed:
    """Games and decisions a second of one core; medians over `repeats`."""

    game: str
    rules: dict[str, str]
    seats: int
    games_per_s: float
    decisions_per_s: float
    games_per_s_stored: float
    """The same games as a run into a folder: played, packed, stored and folded into parts."""
    decisions_per_game: float
    repeats: int

    def to_json(self) -> dict[str, Any]:
        """Give the figures as a JSON document."""
        return {"schema": "sim.bench/1", **asdict(self)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Lap:
    """What was played in one repeat."""

    games: int
    decisions: int
    seconds: float


def bench_spec(game: str, *, seats: str | None = None, rules: Sequence[str] = ()) -> RunSpec:
    """Give a run of uniform bots, one a seat, from words; UsageError if it cannot be played.

    >>> spec = bench_spec("liars-dice", seats="3", rules=["dice=2"])
    >>> spec.seats, spec.rules["dice"], len(spec.players)
    (3, '2', 3)
    """
    flags = {"game": game, "seats": seats, "rules": list(rules) or None}
    given = {
        key: Given(where=FIELDS[key], value=value)
        for key, value in flags.items()
        if value is not None
    }
    found, resolved = game_and_rules(given)
    players = [PlayerSpec(label=f"{BOT}-{seat}", bot=BOT) for seat in range(resolved.seats)]
    return RunSpec(
        game=found.name,
        rules=resolved.options(),
        seats=resolved.seats,
        deals=DEALS,
        seed=SEED,
        players=tuple(players),
    )


def measure(spec: RunSpec, *, seconds: float) -> Speed:
    """Play a spec for about `seconds` a repeat, from its first block on; give the speed."""
    arena = Arena(spec)
    laps = [_play(arena, seconds) for _ in range(REPEATS)]
    games_per_s = median(lap.games / lap.seconds for lap in laps)
    deals = max(1, round(games_per_s * seconds / arena.schedule.games_per_deal))
    stored = spec.model_copy(update={"deals": deals})
    games = deals * arena.schedule.games_per_deal
    return Speed(
        game=spec.game,
        rules=spec.rules,
        seats=spec.seats,
        games_per_s=round(games_per_s, 1),
        decisions_per_s=round(median(lap.decisions / lap.seconds for lap in laps), 1),
        games_per_s_stored=round(games / median(_stored(stored) for _ in range(STORED_REPEATS)), 1),
        decisions_per_game=round(laps[0].decisions / laps[0].games, 4),
        repeats=REPEATS,
    )


def _play(arena: Arena, seconds: float) -> Lap:
    """Play ranges of blocks, each new, until `seconds` are over."""
    step = max(1, RANGE_GAMES * len(arena.schedule.line_ups) // arena.schedule.games_per_deal)
    games = decisions = first = 0
    begin = time.perf_counter()
    while (spent := time.perf_counter() - begin) < seconds:
        chunk = arena.play(first, first + step)
        games += len(chunk.results)
        decisions += int(chunk.results["decisions"].sum())
        first += step
    return Lap(games=games, decisions=decisions, seconds=spent)


def _stored(spec: RunSpec) -> float:
    """Give how many seconds it takes to play a run into a folder, in this process, once loaded."""
    workshop = Workshop(spec)
    arena = workshop.arena()
    with tempfile.TemporaryDirectory(prefix="sim-bench-") as scratch:
        folder = Path(scratch) / "run"
        begin = time.perf_counter()
        carry_out(
            workshop,
            arena,
            lambda: Store.create(folder, arena.schedule, arena.bound),
            in_process=True,
        )
        return time.perf_counter() - begin
