"""Random situations of a game, and a judge of what is answered in them: the engine itself.

Games are played by uniform strategies; every few decisions the position is kept as it stands. An
answer is judged by putting it into a copy of that position and letting the engine go on.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from sim.engines import flight
from sim.engines.base import FAULT_CATEGORIES, MAX_SEATS, NO_CALL, TASK_DTYPE, Game
from sim.engines.events import ACT, MEMORY_SIZE
from sim.engines.rng import SeatRng, deal_key
from sim.engines.table import SeatedBot, Table
from sim.errors import UsageError
from sim.strategies.loading import load_bot

UNIFORM: Final = "random"
"""The strategy that plays into the situations; every game has it."""

ILLEGAL: Final = FAULT_CATEGORIES.index("illegal")

GAMES: Final = 4
"""Games that are played side by side: few, so that the positions are not all of first turns."""

KEEP_ONE_IN: Final = 8
"""Positions of which one is kept, as neighbours are much alike."""


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """A table: seats and rules, with the compiled side of both."""

    rules: Any
    kernel: Any

    @property
    def seats(self) -> int:
        """Seats at the table."""
        seats: int = self.rules.seats
        return seats


@dataclass(frozen=True, slots=True, eq=False)
class Situation:
    """One position in which a seat is to act."""

    setting: Setting
    seat: int
    epoch: int
    state: NDArray[Any]
    """The engine's state, one record."""
    view: NDArray[Any]
    """What the seat sees, one record."""
    streams: NDArray[Any]
    """The random streams of the game."""
    text: str

    @property
    def stream(self) -> Any:
        """The seat's own random stream: (key, word)."""
        return self.streams[0, self.seat]


def settings(game: Game, seats: int) -> list[Setting]:
    """Give the default rules at a table of `seats`, and each that differs in one option."""
    given: list[dict[str, str]] = [{}]
    for option in game.rule_options:
        choices = option.choices.split(" | ")
        given += [{option.name: c} for c in choices if len(choices) > 1 and c != option.default]
    made = []
    for options in given:
        try:
            rules = game.rules(seats, options)
        except UsageError:  # not at every table
            continue
        made.append(Setting(rules, game.kernel(rules)))
    return made


def situations(game: Game, count: int, *, seed: int) -> list[Situation]:
    """Give `count` situations, spread over all table sizes and rules; the same for a seed."""
    tables = [setting for seats in game.seat_counts for setting in settings(game, seats)]
    share = -(-count // len(tables))
    found: list[list[Situation]] = []
    for number, setting in enumerate(tables):
        walk = _walk(setting, game.name, seed=seed + number)
        found.append([one for one, _ in zip(walk, range(share), strict=False)])
    together = [s for row in range(share) for some in found if row < len(some) for s in [some[row]]]
    return together[:count]


def _walk(setting: Setting, game: str, *, seed: int) -> Iterator[Situation]:
    """Play deal after deal by uniform strategies, and give some of the positions."""
    choose = _Uniform(game, setting)
    rng = SeatRng(deal_key(seed, 0), seat=MAX_SEATS)
    first = 0
    while True:
        table = _table(setting, tasks(GAMES, first_deal=first), seed=seed)
        first += GAMES
        while not table.done:
            waits, _ = table.advance()
            for row in table.waiting[:waits]:
                slot, seat = int(row["slot"]), int(row["seat"])
                situation = Situation(
                    setting=setting,
                    seat=seat,
                    epoch=int(row["epoch"]),
                    state=table.states[slot : slot + 1].copy(),
                    view=table.views[slot : slot + 1].copy(),
                    streams=table.rngs[slot : slot + 1].copy(),
                    text=setting.kernel.position_text(table.states[slot]),
                )
                if not rng.below(KEEP_ONE_IN):
                    yield situation
                table.states["answer"][slot] = choose(situation)
                table.states["verdict"][slot] = 0


def tasks(count: int, *, first_deal: int = 0) -> NDArray[Any]:
    """Give the tasks of `count` deals, with player 0 at every seat."""
    made = np.zeros(count, TASK_DTYPE)
    made["deal"] = np.arange(first_deal, first_deal + count)
    made["inject_call"] = NO_CALL
    return made


def _table(setting: Setting, games: NDArray[Any], *, seed: int) -> Table:
    outside = SeatedBot(compiled=False, params=np.zeros(0))
    return Table(setting.kernel, bots=[outside], tasks=games, seed=seed, in_flight=len(games))


class _Uniform:
    """The uniform strategy, called from here."""

    def __init__(self, game: str, setting: Setting) -> None:
        bound = load_bot(UNIFORM, game).bind({})
        self._function = bound.bot.dispatcher(setting.kernel.view_dtype)
        self._params = bound.params.copy()

    def __call__(self, situation: Situation) -> int:
        memory = np.zeros(MEMORY_SIZE, np.int64)
        stream = situation.streams[0, situation.seat : situation.seat + 1].copy()[0]
        stream["key"] ^= np.uint64(0x5DEECE66D)  # not the draws of the strategy that is checked
        return int(self._function(ACT, situation.view[0], self._params, memory, stream))


class Judge:
    """Says whether an action is legal in a situation."""

    def __init__(self) -> None:
        self._tables: dict[int, Table] = {}

    def is_legal(self, situation: Situation, action: int) -> bool:
        """Put the action into a copy of the position, and see whether the seat forfeits."""
        setting = situation.setting
        if id(setting) not in self._tables:
            self._tables[id(setting)] = _table(setting, tasks(1), seed=0)
        table = self._tables[id(setting)]
        table.restart()
        table.states[:] = situation.state
        table.views[:] = situation.view
        table.rngs[:] = situation.streams
        state = table.states
        state["task"], state["phase"] = 0, flight.WAIT_ACT
        state["answer"], state["verdict"] = action, 0
        _, noted = table.advance()
        return all(fault.category != ILLEGAL for fault in noted)
