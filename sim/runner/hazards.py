"""What faults mean for a run: who is to blame, what is played again, and who is not asked any more.

    forfeit at a key     a recorded fault is injected whenever its block is played again
    given up             after GIVE_UP_AFTER kills and time-outs of one player, counted in schedule
                         order, its strategy is not called in any later game
    strict               the run ends with the block of the first fault in schedule order

Faults arrive in any order, so the point from which a player is given up can move; what was played
past it is played again. Each move begins a new *regime*; games that come in from an older one count
only before the point.
"""

from bisect import insort
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, Protocol

import numpy as np

from sim.runner.records import Fault
from sim.runner.schedule import Retired
from sim.runner.store import Store
from sim.runner.worker import Play

GIVE_UP_AFTER: Final = 20

HARD: Final = frozenset(("timeout", "crash", "memory"))
"""Categories that count towards giving a player up."""


class Entered(Protocol):
    """What is asked of a player's strategy here."""

    @property
    def kind(self) -> str: ...

    @property
    def trusted(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class _Move:
    """From `regime` on, games from `block` on are to be played otherwise than before."""

    regime: int
    block: int


class Hazards:
    """The faults of a run so far, and what follows from them."""

    def __init__(self, store: Store, entered: Sequence[Entered]) -> None:
        self._store = store
        self._spec = store.schedule.spec
        self._entered = entered
        self._labels = [player.label for player in self._spec.players]
        self._hard: dict[str, list[tuple[tuple[int, int, int, int, int], str]]] = {}
        self._moves: list[_Move] = []
        self.retired: dict[str, Retired] = {}
        """Players given up, by label."""
        self.limit = store.schedule.blocks
        """Blocks from here on are not wanted."""
        self.regime = 0

    @property
    def memory_limit(self) -> int | None:
        """Give the resident bytes that a worker may have."""
        return self._spec.limits.max_memory

    def time_limit(self, player: int, *, outside: bool) -> float | None:
        """Give the seconds that a call may take; None: any number, or nobody is thinking.

        `outside`: the call is one of a strategy that is not compiled.
        """
        if not 0 <= player < len(self._entered):
            return None
        entered = self._entered[player]
        compiled = entered.kind == "compiled"
        if compiled == outside or (compiled and entered.trusted):
            return None
        return self._spec.limits.move_timeout

    def play(self, first: int, stop: int) -> Play:
        """Make the order to play a range of blocks, with the forfeits that are known."""
        known = [f for f in self._store.recorded(first, stop) if not self._is_past(f)]
        return Play(first, stop, tuple(known), tuple(self.retired.values()))

    def _is_past(self, fault: Fault) -> bool:
        """Tell whether a fault is of a game in which its player is not asked any more."""
        retired = self.retired.get(fault.player)
        return retired is not None and fault.key[:3] > retired.game

    def accepts(self, first: int, stop: int, regime: int) -> bool:
        """Tell whether games played under a regime still count."""
        return stop <= self.limit and all(
            move.regime <= regime or move.block >= stop for move in self._moves
        )

    def blame(self, slot: np.void, category: str, detail: str) -> Fault | None:
        """Make the fault of the strategy that was thinking, by a worker's slot.

        None if nobody was, or only one that ships with the program and so did not crash by itself.
        """
        pulse = slot["pulse"]
        player, seat, row = (int(pulse[name]) for name in ("player", "seat", "task"))
        if not 0 <= player < len(self._entered):
            return None
        entered = self._entered[player]
        thinking = pulse["since"] != 0 or entered.kind == "compiled"
        if not thinking or (entered.trusted and category != "timeout"):
            return None
        first, stop = int(slot["first"]), int(slot["stop"])
        tasks = self._store.schedule.tasks(first, stop)
        if not 0 <= row < len(tasks) or int(tasks["player"][row, seat]) != player:
            return None
        task = tasks[row]
        return Fault(
            deal=int(task["deal"]),
            line_up=int(task["line_up"]),
            seating=int(task["seating"]),
            seat=seat,
            call=int(pulse["call"]),
            player=self._labels[player],
            category=category,
            position="",
            detail=detail,
        )

    def take_up(self) -> None:
        """Take note of what the store has recorded, of a run that is resumed.

        Its games were played by what follows from that: nothing is to be played again.
        """
        faults = self._store.journal.faults()
        if self._spec.limits.strict:
            self.add(list(islice(faults, 1)))
        self.add([fault for fault in faults if fault.category in HARD])

    def replaced(self, first: int, stop: int, faults: Collection[Fault]) -> tuple[int, int] | None:
        """Take note of all faults of a range of blocks that was played.

        Give the range of blocks that must not stay as they are, if any.
        """
        begin, end = self._store.place(first), self._store.place(stop)
        for noted in self._hard.values():
            noted[:] = [entry for entry in noted if not begin <= entry[0][:2] < end]
        return self.add(faults)

    def add(self, faults: Collection[Fault]) -> tuple[int, int] | None:
        """Take note of more faults; give the range of blocks that must not stay as they are."""
        blocks = self._store.schedule.blocks
        for fault in faults:
            if fault.category in HARD:
                entry = (fault.key, fault.category)
                noted = self._hard.setdefault(fault.player, [])
                if entry not in noted:
                    insort(noted, entry)
        changed = [self._settle(label) for label in self._hard]
        if self._spec.limits.strict:
            changed += [self._stop_after(fault) for fault in faults]
        first = min(changed, default=blocks)
        return (first, blocks) if first < blocks else None

    def _settle(self, label: str) -> int:
        """Say anew from where on a player is given up; give the first block that this changes."""
        noted, before = self._hard[label], self.retired.get(label)
        now = None
        if len(noted) >= GIVE_UP_AFTER:
            key, category = noted[GIVE_UP_AFTER - 1]
            now = Retired(
                player=self._labels.index(label),
                deal=key[0],
                line_up=key[1],
                seating=key[2],
                category=category,
            )
        if now == before:
            return self._store.schedule.blocks
        if now is None:
            del self.retired[label]
        else:
            self.retired[label] = now
        points = [retired for retired in (before, now) if retired is not None]
        block = min(
            self._store.schedule.block_of(deal=point.deal, line_up=point.line_up)
            for point in points
        )
        self.regime += 1
        self._moves.append(_Move(self.regime, block))
        return block

    def _stop_after(self, fault: Fault) -> int:
        """Let the run end with the block of a fault; give the first block that this changes."""
        stop = self._store.schedule.block_of(deal=fault.deal, line_up=fault.line_up) + 1
        if stop >= self.limit:
            return self._store.schedule.blocks
        self.limit = stop
        return stop
