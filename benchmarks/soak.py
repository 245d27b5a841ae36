"""Play tournaments with strategies that misbehave, for ten minutes, and see that nothing is lost.

    python benchmarks/soak.py [--minutes 10] [-j 2]

Prints games, faults by category, lost games (must be 0), peak memory and workers replaced, after
each tournament and in all. Memory must not grow from one to the next.
"""

import argparse
import os
import re
import shutil
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

from sim.engines.base import load_game
from sim.runner.lifeline import resident_bytes
from sim.runner.run import execute
from sim.runner.spec import Limits, PlayerSpec, RunSpec
from sim.runner.store import open_run
from sim.strategies.loading import load_bot

BOTS = Path(__file__).with_name("soak_bots.py")
NAMES = ("Moody", "Raiser", "Printer", "Sleeper", "Clinger", "Quitter", "Crasher", "Hoarder")
LIMITS = Limits(move_timeout=1.0, max_memory=600_000_000)


def spec_of(seed: int, deals: int) -> RunSpec:
    """Give one tournament of the field: those that misbehave, and two compiled bots."""
    texts = {name.lower(): f"{BOTS}:{name}" for name in NAMES}
    texts |= {"honest": "honest", "random": "random"}
    players = tuple(
        PlayerSpec(
            label=label,
            bot=texts[label],
            parameters=load_bot(texts[label], "liars-dice").bind({}).parameters,
        )
        for label in sorted(texts)
    )
    rules = load_game("liars-dice").rules(3, {})
    return RunSpec(
        game="liars-dice",
        rules=rules.options(),
        seats=3,
        deals=deals,
        seed=seed,
        players=players,
        limits=LIMITS,
    )


class Memory:
    """Watches the memory of all processes below this one."""

    def __init__(self) -> None:
        self.peak = 0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def _watch(self) -> None:
        while not self._stop.wait(0.5):
            self.peak = max(self.peak, sum(resident_bytes(p) or 0 for p in self._family()))

    @staticmethod
    def _family() -> set[int]:
        """Give this process and all that descend from it."""
        parents = {}
        for path in Path("/proc").glob("[0-9]*/stat"):
            try:
                parents[int(path.parent.name)] = int(path.read_text().rpartition(")")[2].split()[1])
            except (OSError, IndexError):
                continue
        family = {os.getpid()}
        while new := {child for child, parent in parents.items() if parent in family} - family:
            family |= new
        return family

    def __enter__(self) -> "Memory":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()


def play(folder: Path, spec: RunSpec, jobs: int) -> tuple[int, int, Counter[str], int, list[str]]:
    """Play one tournament; give games, lost games, faults, workers replaced, players given up."""
    outcome = execute(spec, out=folder, jobs=jobs)
    faults: Counter[str] = Counter()
    for own in outcome.faults.values():
        faults.update(own)
    run = open_run(folder)
    stored = {
        key
        for part in run.parts(["deal", "line_up", "seating"])
        for key in part.itertuples(index=False, name=None)
    }
    log = (folder / "run.log").read_text(encoding="utf-8")
    replaced = len(re.findall(r"process \d+ ended with", log))
    games = run.schedule.games
    return games, games - len(stored), faults, replaced, list(outcome.given_up)


def main() -> None:
    """Play until the time is over."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--deals", type=int, default=150, help="deals of one tournament")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    wanted = parser.parse_args()
    until = time.monotonic() + 60 * wanted.minutes
    all_games = all_lost = all_replaced = seed = 0
    all_faults: Counter[str] = Counter()
    peak = 0
    while time.monotonic() < until:
        folder = Path(tempfile.mkdtemp(prefix="soak-"))
        try:
            with Memory() as memory:
                games, lost, faults, replaced, given_up = play(
                    folder / "run", spec_of(seed, wanted.deals), wanted.jobs
                )
        finally:
            shutil.rmtree(folder)
        main_now = (resident_bytes(os.getpid()) or 0) / 1e6
        print(
            f"seed {seed}: {games} games, {lost} lost, {dict(faults)}, {replaced} workers replaced,"
            f" peak {memory.peak / 1e6:.0f} MB, main {main_now:.0f} MB,"
            f" given up: {', '.join(given_up) or 'nobody'}",
            flush=True,
        )
        seed += 1
        all_games, all_lost = all_games + games, all_lost + lost
        all_replaced, peak = all_replaced + replaced, max(peak, memory.peak)
        all_faults.update(faults)
    print(
        f"in all: {all_games} games, {all_lost} lost, {dict(all_faults)}, {all_replaced} workers"
        f" replaced, peak {peak / 1e6:.0f} MB"
    )
    raise SystemExit(all_lost != 0)


if __name__ == "__main__":
    main()
