"""Games a second of uniform random players in Dou Dizhu: `sim` beside its peers, in one run.

    pip install -e '.[peers]'
    python benchmarks/peers_dou_dizhu.py [--seconds 1.0] [--rounds 5]

OpenSpiel's `dou_dizhu` has the same auction; three passes end its game, it has no four + two, and
it allows a trio among the wings (docs/games/dou-dizhu.md), so games compare, not moves. RLCard's
environment has no auction; it is measured where it is installed. `sim` plays through `Arena.play`,
auction on, all but storing. The sides take turns, so that a busy machine slows all of them; median
ratios are printed.
"""

import argparse
import platform
import random
import statistics
import time
from collections.abc import Callable

import numpy as np
import pyspiel

from sim.engines.cache import use_cache_folder

use_cache_folder()

from sim.engines.dou_dizhu.listing import list_leads  # noqa: E402  (the cache folder comes first)
from sim.engines.dou_dizhu.notation import pack_counts  # noqa: E402
from sim.runner.arena import Arena  # noqa: E402
from sim.runner.request import request  # noqa: E402
from sim.runner.speed import bench_spec  # noqa: E402

BLOCKS = 300
"""Deals of one call of `Arena.play`: six games each."""


def open_spiel_python() -> Callable[[], int]:
    """Give a function that plays one game from Python."""
    game = pyspiel.load_game("dou_dizhu")
    rng = random.Random(1)

    def play() -> int:
        state = game.new_initial_state()
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[int(rng.random() * len(actions))])
        return 1

    return play


def open_spiel_native() -> Callable[[], int]:
    """Give a function that plays one game in C++."""
    game = pyspiel.load_game("dou_dizhu")
    bots = [pyspiel.make_uniform_random_bot(seat, seat + 1) for seat in range(3)]
    seeds = iter(range(1 << 30))

    def play() -> int:
        pyspiel.evaluate_bots(game.new_initial_state(), bots, next(seeds))
        return 1

    return play


def rlcard_environment() -> Callable[[], int] | None:
    """Give a function that plays one game of RLCard's environment; None if it is not there."""
    try:
        import rlcard
        from rlcard.agents import RandomAgent
    except ImportError:
        return None
    env = rlcard.make("doudizhu", config={"seed": 1})
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(3)])

    def play() -> int:
        env.run(is_training=False)
        return 1

    return play


def sim_blocks() -> Callable[[], int]:
    """Give a function that plays a range of blocks and returns its games."""
    arena = Arena(bench_spec("dou-dizhu"))
    starts = iter(range(0, 1 << 30, BLOCKS))

    def play() -> int:
        first = next(starts)
        return len(arena.play(first, first + BLOCKS).games)

    return play


def partition_decisions() -> Callable[[], int]:
    """Give a function that plays `partition` against itself and returns its decisions."""
    flags = {
        "game": "dou-dizhu",
        "players": ["a=partition", "b=partition", "c=partition"],
        "deals": "1000000",
        "seed": "1",
    }
    arena = Arena(request(flags).spec)
    starts = iter(range(0, 1 << 20, 2))

    def play() -> int:
        first = next(starts)
        return int(arena.play(first, first + 2).games["decisions"].sum())

    return play


def leads_of_hands() -> Callable[[], int]:
    """Give a function that lists all leads of random hands of 20 cards and returns their number."""
    rng = np.random.Generator(np.random.PCG64(1))
    pack = np.repeat(np.arange(15), [4] * 13 + [1, 1])
    hands = [
        pack_counts(np.bincount(rng.permutation(pack)[:20], minlength=15).tolist())
        for _ in range(2_000)
    ]
    out = np.zeros(2_000, np.int64)

    def play() -> int:
        for hand in hands:
            list_leads(hand, out)
        return len(hands)

    return play


def rate(play: Callable[[], int], seconds: float) -> float:
    """Give what `play` returns, added up, a second."""
    made = 0
    began = time.perf_counter()
    while (spent := time.perf_counter() - began) < seconds:
        made += play()
    return made / spent


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=1.0, help="of each, each turn")
    parser.add_argument("--rounds", type=int, default=5, help="turns of each")
    asked = parser.parse_args()

    sides = {
        "OpenSpiel, Python loop": open_spiel_python(),
        "OpenSpiel, native loop": open_spiel_native(),
        "RLCard environment": rlcard_environment(),
        "sim": sim_blocks(),
    }
    playing = {name: play for name, play in sides.items() if play is not None}
    for play in playing.values():
        play()  # warm
    turns = [
        {name: rate(play, asked.seconds) for name, play in playing.items()}
        for _ in range(asked.rounds)
    ]
    print(f"{platform.processor() or platform.machine()}, Python {platform.python_version()}")
    for name in playing:
        print(f"{name:24} {statistics.median(turn[name] for turn in turns):12,.0f} games/s")
    for name in playing:
        if name != "sim":
            ratios = sorted(turn["sim"] / turn[name] for turn in turns)
            print(
                f"sim / {name}: {statistics.median(ratios):.1f} "
                f"({ratios[0]:.1f} .. {ratios[-1]:.1f} over {len(ratios)} turns)"
            )
    for name, play in (
        ("leads of 20-card hands", leads_of_hands()),
        ("partition decisions", partition_decisions()),
    ):
        play()
        print(f"{name:24} {rate(play, asked.seconds):12,.0f} /s")


if __name__ == "__main__":
    main()
