"""Decisions a second of uniform random players in Liar's Dice: `sim` beside OpenSpiel, in one run.

    pip install -e '.[peers]'
    python benchmarks/peers_liars_dice.py [--seconds 1.0] [--rounds 7]

OpenSpiel's `liars_dice(numdice=5)` is a single round of two players; decisions a second compare.
Its *Python loop* asks for the legal actions, picks one and applies it; its *native loop* is
`pyspiel.evaluate_bots` with two C++ bots of `make_uniform_random_bot`, the chance nodes included in
both. `sim` plays whole two-player games through `Arena.play`, all but storing.

The three take turns, so that a busy machine slows all of them; the median ratio is printed.
"""

import argparse
import platform
import random
import statistics
import time
from collections.abc import Callable

import pyspiel

from sim.engines.cache import use_cache_folder

use_cache_folder()

from sim.runner.arena import Arena  # noqa: E402  (the cache folder comes first)
from sim.runner.speed import bench_spec  # noqa: E402

BLOCKS = 5_000
"""Deals of one call of `Arena.play`: two games each."""


def open_spiel_python() -> Callable[[], int]:
    """Give a function that plays one round from Python and returns its decisions."""
    game = pyspiel.load_game("liars_dice(numdice=5)")
    rng = random.Random(1)

    def play() -> int:
        state = game.new_initial_state()
        decisions = 0
        while not state.is_terminal():
            actions = state.legal_actions()
            decisions += not state.is_chance_node()
            state.apply_action(actions[int(rng.random() * len(actions))])
        return decisions

    return play


def open_spiel_native(decisions_per_round: float) -> Callable[[], float]:
    """Give a function that plays one round in C++; it counts the mean, as the loop tells none."""
    game = pyspiel.load_game("liars_dice(numdice=5)")
    bots = [pyspiel.make_uniform_random_bot(seat, seat + 1) for seat in (0, 1)]
    seeds = iter(range(1 << 30))

    def play() -> float:
        pyspiel.evaluate_bots(game.new_initial_state(), bots, next(seeds))
        return decisions_per_round

    return play


def sim_blocks() -> Callable[[], int]:
    """Give a function that plays a range of blocks and returns its decisions."""
    arena = Arena(bench_spec("liars-dice", seats="2"))
    starts = iter(range(0, 1 << 30, BLOCKS))

    def play() -> int:
        first = next(starts)
        return int(arena.play(first, first + BLOCKS).games["decisions"].sum())

    return play


def rate(play: Callable[[], float], seconds: float) -> float:
    """Give what `play` returns, added up, a second."""
    made = 0.0
    began = time.perf_counter()
    while (spent := time.perf_counter() - began) < seconds:
        made += play()
    return made / spent


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=1.0, help="of each, each turn")
    parser.add_argument("--rounds", type=int, default=7, help="turns of each")
    asked = parser.parse_args()

    python = open_spiel_python()
    mean = statistics.fmean(python() for _ in range(20_000))
    native, ours = open_spiel_native(mean), sim_blocks()
    ours()  # warm
    turns = [
        (rate(python, asked.seconds), rate(native, asked.seconds), rate(ours, asked.seconds))
        for _ in range(asked.rounds)
    ]
    print(f"{platform.processor() or platform.machine()}, Python {platform.python_version()}")
    print(f"OpenSpiel rounds have {mean:.3f} decisions")
    for name, column in (("OpenSpiel, Python loop", 0), ("OpenSpiel, native loop", 1), ("sim", 2)):
        print(f"{name:24} {statistics.median(t[column] for t in turns) / 1e6:9.3f} M decisions/s")
    for name, column in (("Python", 0), ("native", 1)):
        ratios = sorted(t[2] / t[column] for t in turns)
        print(
            f"sim / OpenSpiel {name} loop: {statistics.median(ratios):.1f} "
            f"({ratios[0]:.1f} .. {ratios[-1]:.1f} over {len(ratios)} turns)"
        )


if __name__ == "__main__":
    main()
