"""Hold one strategy to what the engine needs of it: each promise one finding.

A strategy is asked in random situations, which are the same for a seed, and plays games against
uniform ones at every table size. A promise that is broken names the first position where it was.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any, Final

import numpy as np

from sim.engines.base import Game, installed_games, load_game
from sim.errors import PluginError, UsageError
from sim.runner.checking import games as whole_games
from sim.runner.checking.asking import Answer, Asker
from sim.runner.checking.situations import Judge, Situation, situations
from sim.runner.checking.twin import Order, ask_elsewhere
from sim.runner.entrants import read_entrant
from sim.strategies.loading import Bot, BoundBot, load_bot
from sim.strategies.parameters import Param, Value

SITUATIONS: Final = 1000
GAMES: Final = 300

EXTREME_SITUATIONS: Final = 100
"""Situations in which each end of a parameter's range is tried."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A promise, and whether it was kept."""

    promise: str
    kept: bool
    text: str
    """What was looked at, or the first position where the promise was broken."""

    @property
    def line(self) -> str:
        """Give the finding as one line.

        >>> Finding("legal actions only", True, "300 games").line
        'ok    legal actions only: 300 games'
        """
        return f"{'ok  ' if self.kept else 'FAIL'}  {self.promise}: {self.text}"

    def to_json(self) -> dict[str, Any]:
        """Give the finding as JSON."""
        return asdict(self)


def check(
    spec: str,
    game: str | None = None,
    *,
    situations: int = SITUATIONS,
    games: int = GAMES,
    seed: int = 1,
) -> Iterator[Finding]:
    """Check a strategy as it is written after -p; give the findings as they come.

    `games` are played at each table size. UsageError and PluginError if it does not even load.

    >>> all(finding.kept for finding in check("honest", situations=50, games=10))
    True
    """
    entrant = read_entrant(spec, flag="SPEC", base=Path.cwd())
    bot = find(entrant.bot, game)
    examination = Examination(
        bot.bind(entrant.parameters), load_game(bot.game), count=situations, games=games, seed=seed
    )
    return examination.findings()


def find(text: str, game: str | None) -> Bot:
    """Load a strategy, of whichever game it plays if none is named."""
    if game is not None:
        return load_bot(text, load_game(game).name)
    found: list[Bot] = []
    refused: list[UsageError] = []
    for name in sorted(installed_games()):
        try:
            found.append(load_bot(text, name))
        except UsageError as error:
            refused.append(error)
    if not found:
        raise refused[-1]
    if len(found) > 1:
        ways = " or ".join(f"--game {bot.game}" for bot in found)
        raise UsageError(f"strategy {text!r} is there for several games: add {ways}")
    return found[0]


class Examination:
    """One strategy, its situations, and what it answered in them."""

    def __init__(self, bound: BoundBot, game: Game, *, count: int, games: int, seed: int) -> None:
        self.bound = bound
        self.game = game
        self.games = games
        self.seed = seed
        self.asker = Asker(bound)
        self.situations = situations(game, count, seed=seed)
        self.judge = Judge()
        self.answers: list[Answer] = []

    def findings(self) -> Iterator[Finding]:
        """Check promise by promise."""
        before = _global_randomness()
        touched: Situation | None = None
        for situation in self.situations:
            self.answers.append(self.asker.ask(situation, timed=True))
            if touched is None and _global_randomness() != before:
                touched = situation
        yield self._loads()
        yield self._documented()
        played = list(whole_games.arenas(self.bound, self.game, games=self.games, seed=self.seed))
        chunks = [whole_games.play(arena) for arena in played]
        yield self._legal(chunks)
        yield self._in_range()
        yield self._same_again(played, chunks)
        yield self._same_elsewhere()
        yield self._no_memory(played, chunks)
        yield self._reads_only()
        text = "" if touched is None else f"it drew from Python's or NumPy's own in {touched.text}"
        yield _finding("own random source only", text, "it draws from its own stream, or not")
        yield self._time()

    def _loads(self) -> Finding:
        """A worker finds it by the text that a run stores."""
        where = f"{self.bound.bot.origin}, {self.bound.kind}"
        try:
            again = load_bot(self.bound.bot.text, self.game.name)
            again.bind(self.bound.parameters)
        except (PluginError, UsageError) as error:
            return Finding("loads in a worker", False, str(error).partition("\n")[0])
        return Finding("loads in a worker", True, where)

    def _documented(self) -> Finding:
        bot = self.bound.bot
        lacks = [] if bot.summary else ["it has no docstring"]
        for parameter in bot.parameters:
            if not parameter.help:
                lacks.append(f"{parameter.name} says not what it does: Param(..., help=...)")
            if parameter.type in (int, float) and not parameter.has_range:
                lacks.append(f"{parameter.name} has no range: Param(..., low=, high=)")
        shown = ", ".join(parameter.name for parameter in bot.parameters) or "no parameters"
        return _finding("documented parameters", "; ".join(lacks), shown)

    def _legal(self, chunks: Sequence[Any]) -> Finding:
        fault = self._first_illegal(self.asker, self.situations, self.answers)
        for chunk in chunks:
            for found in chunk.faults:
                fault = fault or f"{found.detail}, in {found.position}"
        tables = f"{self.game.seat_counts[0]} to {self.game.seat_counts[-1]} seats"
        if len(self.game.seat_counts) == 1:
            tables = f"{self.game.seat_counts[0]} seats"
        count = sum(len(chunk.results) for chunk in chunks)
        shown = f"{len(self.situations)} situations, {count} games at {tables}"
        return _finding("legal actions only", fault, shown)

    def _first_illegal(
        self, asker: Asker, asked: Sequence[Situation], answers: Sequence[Answer]
    ) -> str:
        for situation, answer in zip(asked, answers, strict=True):
            if answer.action is None:
                return f"{answer.problem}, in {situation.text}"
            small = -(1 << 63) <= answer.action < 1 << 63
            if not small or not self.judge.is_legal(situation, answer.action):
                return f"action {answer.action} is not legal, in {situation.text}"
        return ""

    def _in_range(self) -> Finding:
        """Try the ends of each parameter's range, one at a time."""
        asked, tried = self.situations[:EXTREME_SITUATIONS], 0
        for parameter in self.bound.bot.parameters:
            for value in extremes(parameter):
                bound = self.bound.bot.bind({**self.bound.parameters, parameter.name: value})
                asker = Asker(bound)
                fault = self._first_illegal(asker, asked, asker.ask_all(asked))
                tried += 1
                if fault:
                    shown = f"with {parameter.name}={value}: {fault}"
                    return Finding("plays with parameters in range", False, shown)
        return Finding("plays with parameters in range", True, f"{tried} settings")

    def _same_again(self, played: Sequence[Any], chunks: Sequence[Any]) -> Finding:
        fault = self._first_other(self.asker.ask_all(self.situations))
        for arena, chunk in zip(played, chunks, strict=True):
            again = whole_games.play(arena)
            where = whole_games.first_difference(chunk.games, again.games)
            fault = fault or (where and f"{where} came out otherwise the second time")
        return _finding("same seed, same play", fault, "asked twice, played twice")

    def _same_elsewhere(self) -> Finding:
        promise = "same seed, same play in another process"
        order = Order(
            bot=self.bound.bot.text,
            game=self.game.name,
            parameters=self.bound.parameters,
            count=len(self.situations),
            seed=self.seed,
        )
        try:
            answers = ask_elsewhere(order)
        except RuntimeError as error:
            return Finding(promise, False, f"it does not play there: {error}")
        for situation, answer, other in zip(self.situations, self.answers, answers, strict=True):
            if answer.shown != other:
                shown = f"{answer.shown} here and {other} there, in {situation.text}"
                return Finding(promise, False, shown)
        return Finding(promise, True, f"{len(answers)} situations")

    def _no_memory(self, played: Sequence[Any], chunks: Sequence[Any]) -> Finding:
        backwards = self.asker.ask_all(self.situations[::-1])[::-1]
        fault = self._first_other(backwards)
        for arena, chunk in zip(played, chunks, strict=True):
            where = whole_games.first_difference(chunk.games, whole_games.play_backwards(arena))
            fault = fault or (where and f"{where} comes out otherwise after other games")
        return _finding("no memory between games", fault, "asked and played in another order")

    def _first_other(self, answers: Sequence[Answer]) -> str:
        for situation, answer, other in zip(self.situations, self.answers, answers, strict=True):
            if answer.shown != other.shown:
                return f"{answer.shown} at first, then {other.shown}, in {situation.text}"
        return ""

    def _reads_only(self) -> Finding:
        wrote = [s for s, answer in zip(self.situations, self.answers, strict=True) if answer.wrote]
        fault = f"it changed its view in {wrote[0].text}" if wrote else ""
        return _finding("does not write to its view", fault, "unchanged")

    def _time(self) -> Finding:
        times = [answer.nanoseconds / 1000 for answer in self.answers if answer.action is not None]
        if not times:
            return Finding("time per decision", True, "it made none")
        p99 = float(np.percentile(times, 99))
        shown = f"median {median(times):.3g} us, p99 {p99:.3g} us"
        return Finding("time per decision", True, shown)


def extremes(parameter: Param) -> list[Value]:
    """Give the values at the ends of a parameter's range.

    >>> extremes(Param("hope", 0.5, low=0, high=2)), extremes(Param("open", True))
    ([0.0, 2.0], [False, True])
    """
    if parameter.type is bool:
        return [False, True]
    ends = [end for end in (parameter.low, parameter.high) if end is not None]
    return [int(end) if parameter.type is int else float(end) for end in ends]


def _finding(promise: str, fault: str, kept: str) -> Finding:
    return Finding(promise, not fault, fault or kept)


def _global_randomness() -> tuple[Any, ...]:
    """Give the state of the random numbers that all code of a process shares."""
    state: Any = np.random.get_state()  # noqa: NPY002
    name, keys, *rest = state
    return random.getstate(), name, keys.tobytes(), *rest
