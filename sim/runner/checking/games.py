"""Whole games of a strategy against uniform ones, at every table size."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from sim.engines.base import Game
from sim.runner.arena import Arena
from sim.runner.checking.situations import UNIFORM
from sim.runner.records import Chunk
from sim.runner.spec import PlayerSpec, RunSpec
from sim.strategies.loading import BoundBot, load_bot

CHECKED = "checked"

BATCH_GAMES = 256
"""Rows of a batch: small, as few games are played."""


def arenas(bound: BoundBot, game: Game, *, games: int, seed: int) -> Iterator[Arena]:
    """Set up a tournament of about `games` games for each table size."""
    uniform = load_bot(UNIFORM, game.name).bind({})
    for seats in game.seat_counts:
        rules = game.rules(seats, {})
        players = [PlayerSpec(label=CHECKED, bot=bound.bot.text, parameters=bound.parameters)]
        players += [PlayerSpec(label=f"uniform-{k}", bot=UNIFORM) for k in range(1, seats)]
        spec = RunSpec(
            game=game.name,
            rules=rules.options(),
            seats=seats,
            deals=1,
            seed=seed,
            players=tuple(players),
            batch_games=BATCH_GAMES,
        )
        seatings = len(Arena(spec, bound=[bound, *[uniform] * (seats - 1)]).schedule.seatings(0))
        spec = spec.model_copy(update={"deals": max(2, games // seatings)})
        yield Arena(spec, bound=[bound, *[uniform] * (seats - 1)])


def play(arena: Arena) -> Chunk:
    """Play it all in one go."""
    return arena.play(0, arena.schedule.blocks)


def play_backwards(arena: Arena) -> NDArray[np.void]:
    """Play block by block, the last first; give the games in schedule order."""
    blocks = range(arena.schedule.blocks)
    pieces = {block: arena.play(block, block + 1).games for block in reversed(blocks)}
    return np.concatenate([pieces[block] for block in blocks])


def first_difference(games: NDArray[np.void], others: NDArray[np.void]) -> str:
    """Say which game came out otherwise first; empty if none did."""
    for one, other in zip(games, others, strict=True):
        if one != other:
            names = [name for name in games.dtype.names or () if one[name] != other[name]]
            return f"deal {one['deal']}, seating {one['seating']} ({', '.join(names[:3])} differ)"
    return ""
