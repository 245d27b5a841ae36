"""Tables for tests of strategies: play games by name, or ask for one decision."""

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from sim.engines.base import load_game
from sim.engines.botcall import compile_bot
from sim.engines.events import ACT, MEMORY_SIZE
from sim.engines.liars_dice.state import State
from sim.engines.liars_dice.view import VIEW_DTYPE, View
from sim.engines.rng import RNG_DTYPE, SeatRng, pack_word, seat_key
from sim.runner.arena import Arena
from sim.runner.records import Chunk
from sim.runner.spec import PlayerSpec, RunSpec
from sim.strategies.loading import Bot, BoundBot, load_bot

LIARS_DICE = "liars-dice"

VARIANTS: tuple[tuple[int, dict[str, str]], ...] = (
    (2, {}),
    (2, {"dice": "1"}),
    (2, {"dice": "2,1", "rounds": "1"}),
    (3, {"ones_rank": "high"}),
    (3, {"ones_lock": "off", "dice": "5,1,3"}),
    (4, {"ones_wild": "false"}),
    (5, {"ones_rank": "high", "ones_lock": "off"}),
    (6, {"ones_rank": "high", "ones_wild": "false", "dice": "1,2,3,4,5,5"}),
)
"""Table sizes and rules of Liar's Dice that between them use every option."""


def bind(text: str, parameters: Mapping[str, Any] | None = None) -> BoundBot:
    """Load a strategy of Liar's Dice and set its parameters."""
    return load_bot(text, LIARS_DICE).bind(parameters or {})


def arena(
    bound: Mapping[str, BoundBot],
    *,
    seats: int | None = None,
    rules: Mapping[str, str] | None = None,
    deals: int = 20,
    seed: int = 7,
) -> Arena:
    """Set up a tournament of players by label (labels must ascend)."""
    count = seats or len(bound)
    game = load_game(LIARS_DICE)
    spec = RunSpec(
        game=LIARS_DICE,
        rules=game.rules(count, rules or {}).options(),
        seats=count,
        deals=deals,
        seed=seed,
        players=tuple(
            PlayerSpec(label=label, bot=bot.bot.text, parameters=bot.parameters)
            for label, bot in bound.items()
        ),
    )
    return Arena(spec, bound=list(bound.values()))


def play(bound: Mapping[str, BoundBot], **settings: Any) -> Chunk:
    """Play all blocks of a tournament."""
    table = arena(bound, **settings)
    return table.play(0, table.schedule.blocks)


def play_against_random(bot: BoundBot, seats: int, rules: Mapping[str, str], deals: int) -> Chunk:
    """Fill the table with the strategy at two seats and uniform players at the others."""
    others = {f"r{i}": bind("random") for i in range(seats - 2)}
    return play({"a": bot, "b": bot, **others}, rules=rules, deals=deals)


@cache
def _dispatcher(bot: Bot) -> Any:
    assert not isinstance(bot.made, type)
    return compile_bot(bot.made.function, VIEW_DTYPE, trusted=bot.trusted)[0]


def record(view: View) -> Any:
    """Give a view as compiled strategies get it."""
    row = np.zeros(1, VIEW_DTYPE)[0]
    for name, value in view._asdict().items():
        row[name] = np.frombuffer(value, np.uint8) if isinstance(value, bytes) else value
    return row


def decide(bound: BoundBot, view: View, *, seed: int = 0, deal: int = 0) -> int:
    """Ask a strategy of either kind for one decision, at the start of its random stream."""
    key = seat_key(seed, deal)
    if bound.kind == "python":
        return int(bound.create(SeatRng(key, view.seat, view.round)).act(view))
    rng = np.zeros(1, RNG_DTYPE)[0]
    rng["key"] = key
    rng["word"] = pack_word(stream=1, seat=view.seat, epoch=view.round)
    memory = np.zeros(MEMORY_SIZE, np.int64)
    params = bound.params.copy()
    return int(_dispatcher(bound.bot)(ACT, record(view), params, memory, rng))


def decision(bound: BoundBot, position: str, *, seed: int = 0) -> str:
    """Ask for one decision of the seat in turn; give it as people write it."""
    state = State.from_text(position)
    action = decide(bound, state.view(state.to_move), seed=seed)
    state.verify(action)
    return state.name(action)
