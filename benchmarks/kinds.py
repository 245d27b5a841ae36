"""What a decision costs beside the strategy's own thinking, in each of the three kinds.

    python benchmarks/kinds.py [--seconds 2]

The same bot that hardly thinks (raise by one, challenge the third bid) plays Liar's Dice against
itself: compiled as ours and as a user's (with bounds checks), as plain Python and batched. Its own
time, measured alone, is taken off. Targets: plain Python at most 1.5 us a decision, batched at
least 1 million positions/s, users' compiled within 20 % of ours. One core, CPU time, best of five.
"""

import argparse
import tempfile
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from sim.engines.liars_dice.view import VIEW_DTYPE, View
from sim.runner.arena import Arena
from sim.runner.spec import PlayerSpec, RunSpec
from sim.strategies.loading import BoundBot, load_bot

GAME = "liars-dice"

REPEATS = 5

COMPILED = """
from sim.strategies.api import compiled

@compiled(game="liars-dice")
def bot(event, view, params, memory, rng):
    lowest = view.bid + 1
    return lowest if view.bids_made < 3 and lowest < 6 * view.dice_in_play else -1
"""

PLAIN = """
class Bot:
    game = "liars-dice"

    def act(self, view):
        lowest = view.bid + 1
        return lowest if view.bids_made < 3 and lowest < 6 * view.dice_in_play else -1
"""

BATCHED = """
import numpy as np
from sim.strategies.api import BatchStrategy

class Bot(BatchStrategy):
    game = "liars-dice"

    def act_batch(self, views):
        lowest = views["bid"] + np.int16(1)
        raises = (views["bids_made"] < 3) & (lowest < 6 * views["dice_in_play"])
        return np.where(raises, lowest, -1)
"""


def bind(text: str, folder: Path, name: str) -> BoundBot:
    """Write a strategy to a file and load it."""
    path = folder / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    return load_bot(str(path), GAME).bind({})


def ours(bound: BoundBot) -> BoundBot:
    """Give a strategy the standing of a built-in one: no bounds checks, no copied view."""
    from dataclasses import replace

    source = replace(bound.bot.source, trusted=True)
    return replace(bound, bot=replace(bound.bot, source=source, _codes={}))


def microseconds(bound: BoundBot, seconds: float) -> float:
    """Give the CPU time of a decision in games of two seats, engine and strategy together."""
    players = tuple(PlayerSpec(label=label, bot=bound.bot.text) for label in "ab")
    spec = RunSpec(game=GAME, seats=2, deals=1 << 40, seed=1, players=players)
    arena = Arena(spec, bound=[bound, bound])
    step = arena.unit or 2048
    arena.play(0, step)
    best = float("inf")
    for _ in range(REPEATS):
        decisions, first, begin = 0, 0, process_time()
        while process_time() - begin < seconds / REPEATS:
            decisions += int(arena.play(first, first + step).results["decisions"].sum())
            first += step
        best = min(best, (process_time() - begin) / decisions)
    return best * 1e6


def own_time(bound: BoundBot) -> float:
    """Give the CPU time that the strategy itself takes for a decision, called in a plain loop."""
    count = 4096
    views = np.zeros(count, VIEW_DTYPE)
    views["seats"], views["dice_in_play"], views["bid"] = 2, 10, 7
    best = float("inf")
    if bound.kind == "batch":
        strategy: Any = bound.create_batched()
        for _ in range(50):
            begin = process_time()
            strategy.act_batch(views)
            best = min(best, (process_time() - begin) / count)
    elif bound.kind == "python":
        player = bound.create(None)
        fields = dict.fromkeys(View._fields, 0)
        view = View(**{**fields, "dice_in_play": 10, "bid": 7})
        for _ in range(50):
            begin = process_time()
            for _ in range(count):
                player.act(view)
            best = min(best, (process_time() - begin) / count)
    else:
        return 0.0  # a few nanoseconds: part of the figure
    return best * 1e6


def main() -> None:
    """Measure and print one line a kind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="how long each kind plays")
    seconds = parser.parse_args().seconds
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        user = bind(COMPILED, folder, "compiled_bot")
        kinds = {
            "compiled, ours": ours(user),
            "compiled, a user's": user,
            "plain Python": bind(PLAIN, folder, "plain_bot"),
            "batched": bind(BATCHED, folder, "batch_bot"),
        }
        print(f"{'kind':20} {'us/decision':>12} {'own':>8} {'overhead':>9} {'decisions/s':>14}")
        for kind, bound in kinds.items():
            total, own = microseconds(bound, seconds), own_time(bound)
            print(f"{kind:20} {total:12.4f} {own:8.4f} {total - own:9.4f} {1e6 / total:14,.0f}")


if __name__ == "__main__":
    main()
