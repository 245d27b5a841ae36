"""What follows from faults does not depend on the order in which they become known."""

import random
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sim.engines.base import TASK_DTYPE
from sim.runner.feed import Feed
from sim.runner.hazards import Hazards
from sim.runner.parts import fold
from sim.runner.records import Fault
from sim.runner.schedule import Retired
from sim.runner.spec import Limits, RunSpec
from sim.runner.store import Store
from sim.runner.worker import SLOT_DTYPE, Play, play
from tests.runner.fake_arena import BEHAVIOURS, FakeArena
from tests.runner.fake_game import fake_bound, fake_spec


class Died(BaseException):
    """What a worker would have died of."""


def die() -> None:
    """Stand in for the end of a process."""
    raise Died


@pytest.fixture(autouse=True)
def _in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a crash be an exception, and parts be small."""
    monkeypatch.setitem(BEHAVIOURS, "exit", die)
    monkeypatch.setattr("sim.runner.parts.GAMES_PER_PART", 100)


class Simulated:
    """A supervisor without processes: plays are in flight, and come back in random order."""

    def __init__(self, folder: Path, spec: RunSpec, seed: int) -> None:
        self.rng = random.Random(seed)
        self.arena = FakeArena(spec)
        self.store = Store.create(folder, self.arena.schedule, fake_bound(spec))
        self.hazards = Hazards(self.store, self.arena.bound)
        self.feed = Feed(self.arena.schedule, self.store.covered, chunk=self.rng.choice([1, 2, 5]))
        self.in_flight: list[tuple[Play, int]] = []
        self.faults: list[Fault] = []

    def run(self) -> "Simulated":
        """Play to the end, and give up the folder."""
        while True:
            self.feed.limit = self.hazards.limit
            while len(self.in_flight) < 6 and (place := self.feed.take()) is not None:
                self.in_flight.append((self.hazards.play(*place), self.hazards.regime))
            if not self.in_flight:
                break
            self._complete(*self.in_flight.pop(self.rng.randrange(len(self.in_flight))))
        self.faults = self.store.recorded(0, self.hazards.limit)
        self.store.journal.commit()
        for number in self.store.complete_parts(self.hazards.limit):
            first, stop = self.store.blocks_to_fold(number, self.hazards.limit)
            part = fold(self.store.folder, self.store.schedule, first=first, stop=stop)
            self.store.list_part(number, part)
        self.store.interrupt()
        self.store.close()
        return self

    def _complete(self, order: Play, regime: int) -> None:
        slot = np.zeros(1, SLOT_DTYPE)
        self.arena.pulse = slot["pulse"]
        try:
            played = play(self.arena, order, slot, Counter())
        except Died:
            slot["pulse"]["since"] = 1  # as it was left
            fault = self.hazards.blame(slot[0], "crash", "died")
            assert fault is not None
            self.store.journal.add_faults([fault])
            self.feed.put_back(order.first, order.stop)
            again = self.hazards.add([fault])
        else:
            if not self.hazards.accepts(order.first, order.stop, regime):
                self.feed.put_back(order.first, order.stop)
                return
            self.store.add(played.first, played.stop, played.data, played.faults)
            again = self.hazards.replaced(played.first, played.stop, played.faults)
        for first, stop in self.store.forget(*again) if again else ():
            self.feed.put_back(first, stop)

    def ended(self) -> tuple[Any, ...]:
        """Give all that must not depend on the order."""
        assert not self.store.lacks(self.hazards.limit)
        hashes = [part["sha256"] for part in self.store.manifest["parts"]]
        keys = [fault.key for fault in self.faults]
        return self.hazards.limit, self.hazards.retired, keys, hashes


@pytest.mark.parametrize("limits", [Limits(), Limits(strict=True)], ids=["given up", "strict"])
def test_the_order_of_arrival_does_not_matter(tmp_path: Path, limits: Limits) -> None:
    """Two players crash often, one raises: the same faults, given up at the same games."""
    bots = {"p00": "exit", "p01": "raise", "p03": "exit"}
    spec = fake_spec(4, deals=40, bots=bots, limits=limits)

    ends = [Simulated(tmp_path / str(seed), spec, seed).run().ended() for seed in range(12)]

    assert all(end == ends[0] for end in ends)
    limit, retired, keys, _ = ends[0]
    if limits.strict:
        assert (limit, retired) == (1, {})
        assert len(keys) == 2  # both in the first block, of p00 and of p01
    else:
        assert sorted(retired) == ["p00", "p03"]
        assert limit == 240


def test_a_fault_that_did_not_recur_no_longer_counts(tmp_path: Path) -> None:
    """Played again without its twentieth fault, a player is asked again from there on."""
    spec = fake_spec(2, deals=40, bots={"p00": "exit"})
    store = Store.create(tmp_path, FakeArena(spec).schedule, fake_bound(spec))
    hazards = Hazards(store, fake_bound(spec))
    faults = [crash(deal) for deal in range(25)]

    assert hazards.add(faults[5:]) == (24, 40)
    assert hazards.add(faults[:5]) == (19, 40)
    assert hazards.replaced(3, 5, [faults[4]]) == (19, 40)
    assert hazards.retired["p00"].game == (20, 0, 0)
    assert not hazards.accepts(19, 20, regime=2)
    assert hazards.accepts(18, 19, regime=2)
    assert hazards.accepts(19, 20, regime=3)
    assert hazards.replaced(0, 10, []) == (20, 40)
    assert hazards.retired == {}
    store.interrupt()
    store.close()


def crash(deal: int) -> Fault:
    """Give a fault of p00 in the only block of `deal`."""
    return Fault(
        deal=deal,
        line_up=0,
        seating=0,
        seat=0,
        call=1,
        player="p00",
        category="crash",
        position="",
        detail="",
    )


def test_a_retired_player_forfeits_in_later_games_alone() -> None:
    """Later in deal, then line-up, then seating; in the seats that it holds."""
    tasks = np.zeros(6, TASK_DTYPE)
    tasks["deal"] = [4, 5, 5, 5, 5, 6]
    tasks["line_up"] = [9, 1, 2, 2, 3, 0]
    tasks["seating"] = [9, 9, 0, 1, 0, 0]
    tasks["player"] = -1
    tasks["player"][:, 0] = [7, 7, 7, 7, 7, 3]
    tasks["player"][:, 1] = [1, 1, 1, 1, 7, 7]
    tasks["inject_call"] = -1

    Retired(player=7, deal=5, line_up=2, seating=0, category="crash").mark(tasks)

    marked = tasks["inject_call"][:, :2] == 0
    assert marked.tolist() == [[0, 0], [0, 0], [0, 0], [1, 0], [1, 1], [0, 1]]
    assert np.all(tasks["inject_category"][:, :2][marked] == 4)
    assert np.all(tasks["inject_call"][:, 2:] == -1)
