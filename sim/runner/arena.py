"""The arena: plays ranges of blocks with the strategies of one run, in this process.

Compiled strategies play inside the engine. Games that wait for a plain-Python strategy come back
here; whatever it does (raise anything, return garbage) is a forfeit of that one game.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from operator import index
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from sim.engines.base import (
    CONSTRUCTOR_CALL,
    FAULT_CATEGORIES,
    MAX_SEATS,
    Game,
    load_game,
)
from sim.engines.events import ACT
from sim.engines.rng import EPOCH_SHIFT, STRATEGY, SeatRng, pack_word
from sim.engines.table import SeatedBot, Table, TableFault
from sim.engines.views import struct_of
from sim.runner.batch import BatchPump
from sim.runner.describe import DETAIL_LENGTH, describe
from sim.runner.records import Chunk, Fault
from sim.runner.schedule import Schedule
from sim.runner.spec import RunSpec
from sim.runner.units import split, unit_blocks
from sim.runner.watch import Overdue, Watch
from sim.strategies.foreign.base import Forfeit, enter
from sim.strategies.loading import BoundBot, load_bot

ILLEGAL: Final = FAULT_CATEGORIES.index("illegal")
EXCEPTION: Final = FAULT_CATEGORIES.index("exception")
TIMEOUT: Final = FAULT_CATEGORIES.index("timeout")

COMPILED_IN_FLIGHT: Final = 128
"""Games in flight where all strategies are compiled: enough to hide the latency of each."""

PYTHON_IN_FLIGHT: Final = 64
"""Games in flight with plain-Python strategies: more gain nothing and blur the attribution."""

INT64: Final = 1 << 63

BREAKS: Final = ("timeout", "crash", "memory")
"""Categories of faults that ended a call from outside."""


def bind_players(spec: RunSpec) -> list[BoundBot]:
    """Load and bind the strategy of each player of a spec, in its order."""
    return [load_bot(player.bot, spec.game).bind(player.parameters) for player in spec.players]


class Arena:
    """What a worker, a benchmark or `--in-process` plays with; made once, used for many ranges."""

    def __init__(
        self,
        spec: RunSpec,
        *,
        bound: Sequence[BoundBot] | None = None,
        pulse: NDArray[np.void] | None = None,
    ) -> None:
        self.spec = spec
        self.game: Game = load_game(spec.game)
        self.rules = self.game.rules(spec.seats, spec.rules)
        self.schedule = Schedule(spec, self.game, self.rules)
        self.bound = list(bind_players(spec) if bound is None else bound)
        for entered in self.bound:
            enter(entered.bot, self.rules, spec.limits.move_timeout)
        self.kernel = self.game.kernel(self.rules)
        self.seated = [self._seat(bot) for bot in self.bound]
        self.batched = {
            player: bot.create_batched()
            for player, bot in enumerate(self.bound)
            if bot.kind == "batch"
        }
        """The strategies that are asked for many games at once, by player."""
        self.unit = unit_blocks(self.schedule, self.bound)
        self._pulse = pulse
        self.watch = Watch(pulse, spec.limits)
        self._compile()

    def _seat(self, bot: BoundBot) -> SeatedBot:
        compiled = bot.kind == "compiled"
        return SeatedBot(
            compiled=compiled,
            address=bot.address(self.kernel.view_dtype) if compiled else 0,
            params=bot.params,
            wants_round=bot.wants_round,
            wants_game=bot.wants_game,
            trusted=bot.trusted,
        )

    def _compile(self) -> None:
        """Compile the kernel now (or load it), so that no game waits for it: play nothing."""
        self._table(self.schedule.tasks(0, 0)).advance()

    def _table(self, tasks: NDArray[np.void]) -> Table:
        compiled = all(bot.compiled for bot in self.seated)
        in_flight = COMPILED_IN_FLIGHT if compiled else PYTHON_IN_FLIGHT
        return Table(
            self.kernel,
            bots=self.seated,
            tasks=tasks,
            seed=self.spec.seed,
            salted=self.spec.salted,
            in_flight=len(tasks) if self.batched else in_flight,
            pulse=self._pulse,
        )

    def play(self, first_block: int, stop_block: int, injected: Iterable[Fault] = ()) -> Chunk:
        """Play blocks first_block .. stop_block - 1.

        At the keys of `injected` the strategy is not asked: it forfeits as it did before.
        """
        known = list(injected)
        pieces = [
            self._play(first, stop, known)
            for first, stop in split(first_block, stop_block, self.unit)
        ]
        if len(pieces) == 1:
            return pieces[0]
        return Chunk(
            first=first_block,
            stop=stop_block,
            game=self.game,
            seats=self.rules.seats,
            tasks=np.concatenate([piece.tasks for piece in pieces]),
            results=np.concatenate([piece.results for piece in pieces]),
            faults=[fault for piece in pieces for fault in piece.faults],
        )

    def _play(self, first_block: int, stop_block: int, injected: Sequence[Fault]) -> Chunk:
        """Play blocks that lie in one unit."""
        tasks = self.schedule.tasks(first_block, stop_block)
        known = _inject(tasks, injected)
        table = self._table(tasks)
        pump = _Pump(self, table)
        batches = self._batches(table, pump, first_block, known)
        faults: list[Fault] = []
        while not table.done:
            waits, noted = table.advance()
            faults += [self._fault(tasks, fault, pump, known) for fault in noted]
            waiting = table.waiting[:waits]
            pump.answer(waiting if batches is None else batches.answer(waiting))
        faults.sort(key=lambda fault: fault.key)
        return Chunk(
            first=first_block,
            stop=stop_block,
            game=self.game,
            seats=self.rules.seats,
            tasks=tasks,
            results=table.results,
            faults=faults,
        )

    def _batches(
        self, table: Table, pump: "_Pump", first_block: int, known: dict[tuple[int, int], Fault]
    ) -> BatchPump | None:
        """Make what asks the batched strategies; None if there are none."""
        if self.unit is None:
            return None
        begin = first_block - first_block % self.unit
        labels = {fault.player for fault in known.values() if fault.category in BREAKS}
        return BatchPump(
            self.batched,
            table,
            count=self.unit * self.schedule.most_seatings,
            first_row=self.schedule.games_before(first_block) - self.schedule.games_before(begin),
            watch=self.watch,
            details=pump.details,
            one_by_one=[n for n, player in enumerate(self.spec.players) if player.label in labels],
        )

    def _fault(
        self,
        tasks: NDArray[np.void],
        noted: TableFault,
        pump: "_Pump",
        known: dict[tuple[int, int], Fault],
    ) -> Fault:
        """Put together what the engine and the pump know of a forfeit."""
        if (noted.task, noted.seat) in known:
            fault = known[noted.task, noted.seat]
            return replace(fault, position=fault.position or noted.position)
        task = tasks[noted.task]
        call = noted.call
        if noted.error is not None:
            detail, trace = describe(noted.error)
        else:
            default = (call, f"action {noted.action} is not legal here", "")
            call, detail, trace = pump.details.pop((noted.task, noted.seat), default)
        return Fault(
            deal=int(task["deal"]),
            line_up=int(task["line_up"]),
            seating=int(task["seating"]),
            seat=noted.seat,
            call=call,
            player=self.spec.players[int(task["player"][noted.seat])].label,
            category=FAULT_CATEGORIES[noted.category],
            position=noted.position,
            detail=detail,
            traceback=trace,
        )


def _inject(tasks: NDArray[np.void], injected: Iterable[Fault]) -> dict[tuple[int, int], Fault]:
    """Mark the calls that are to fail in `tasks`; give the faults by (task, seat)."""
    wanted = list(injected)
    if not wanted:
        return {}
    names = ("deal", "line_up", "seating")
    rows = {
        key: row for row, key in enumerate(zip(*(tasks[n].tolist() for n in names), strict=True))
    }
    known = {}
    for fault in wanted:
        row = rows.get((fault.deal, fault.line_up, fault.seating))
        if row is None:
            continue  # of another range
        tasks["inject_call"][row, fault.seat] = fault.call
        tasks["inject_category"][row, fault.seat] = FAULT_CATEGORIES.index(fault.category)
        known[row, fault.seat] = fault
    return known


class _Seated:
    """A plain-Python strategy in its game."""

    __slots__ = ("calls", "epoch", "first_word", "rng", "spent", "task")

    calls: tuple[Callable[[Any], Any], ...] | None
    """What to call for each event; None if the constructor failed."""
    spent: int
    """Nanoseconds of thinking in this game; kept only where there is a limit."""

    def __init__(self, task: int, rng: SeatRng, seat: int, epoch: int) -> None:
        self.task = task
        self.rng = rng
        self.epoch = epoch
        self.first_word = pack_word(stream=STRATEGY, seat=seat, epoch=0)
        self.calls = None
        self.spent = 0


class _Pump:
    """Answers the positions of one table that wait for strategies outside the kernel."""

    def __init__(self, arena: Arena, table: Table) -> None:
        dtype = arena.kernel.view_dtype
        self._bound = arena.bound
        self._table = table
        self._watch = arena.watch
        self._view_class = arena.kernel.view_class
        self._unpack = struct_of(dtype).unpack_from
        self._views = table.views.view(np.uint8).data
        self._view_size = dtype.itemsize
        self._seated: list[_Seated | None] = [None] * (len(table.states) * MAX_SEATS)
        self._broken: dict[tuple[int, int], int] = {}
        """Category of a constructor's failure by (task, seat), until the seat is in turn."""
        self.details: dict[tuple[int, int], tuple[int, str, str]] = {}
        """(call, detail, traceback) of a forfeit by (task, seat), until the engine notes it."""

    def answer(self, waiting: NDArray[np.void]) -> None:
        """Ask the strategies of positions (WAITING_DTYPE), and write down the answers.

        The loop does as little as it can: it runs once for each decision of a plain-Python bot.
        """
        answers, verdicts = [0] * len(waiting), [0] * len(waiting)
        seated, watch, watches = self._seated, self._watch, self._watch.watches
        new, view_class, unpack = tuple.__new__, self._view_class, self._unpack
        views, size = self._views, self._view_size
        rows = waiting.tolist()
        for row, (slot, seat, player, event, epoch, call, task) in enumerate(rows):
            entry = seated[slot * MAX_SEATS + seat]
            if entry is None or entry.task != task:
                entry = self._begin(slot, seat, player, epoch, task)
                seated[slot * MAX_SEATS + seat] = entry
            if entry.calls is None:  # its failure counts when it is in turn; events go nowhere
                verdicts[row] = self._broken.pop((task, seat)) if event == ACT else 0
                continue
            if entry.epoch != epoch:
                entry.epoch = epoch
                entry.rng._word = entry.first_word | epoch << EPOCH_SHIFT
            try:
                if watches:
                    watch.begin(task, seat, call, player)
                action = entry.calls[event](new(view_class, unpack(views, slot * size)))
                if watch.limits:
                    watch.end(entry)
            except BaseException as error:
                verdicts[row] = self._raised(error, task, seat, call)
                continue
            if event == ACT:
                if type(action) is int and -INT64 <= action < INT64:
                    answers[row] = action
                else:
                    answers[row], verdicts[row] = self._odd(action, task, seat, call)
        watch.rest()
        slots = waiting["slot"]
        self._table.states["answer"][slots] = answers
        self._table.states["verdict"][slots] = verdicts

    def _begin(self, slot: int, seat: int, player: int, epoch: int, task: int) -> _Seated:
        """Make the strategy of a seat for a new game."""
        rng = SeatRng(self._table.stream_key(slot, seat), seat, epoch)
        entry = _Seated(task, rng, seat, epoch)
        try:
            self._watch.begin(task, seat, CONSTRUCTOR_CALL, player)
            bot = self._bound[player].create(rng)
            on_round = getattr(bot, "round_over", _ignore)
            on_game = getattr(bot, "game_over", _ignore)
            entry.calls = (bot.act, on_round, on_game)
            if self._watch.limits:
                self._watch.end(entry)
        except BaseException as error:
            entry.calls = None
            self._broken[task, seat] = self._raised(error, task, seat, CONSTRUCTOR_CALL)
        return entry

    def _raised(self, error: BaseException, task: int, seat: int, call: int) -> int:
        """Note what was raised; give its category."""
        detail, trace = describe(error)
        if isinstance(error, Forfeit):  # nothing went wrong in Python
            self.details[task, seat] = (call, str(error)[:DETAIL_LENGTH], "")
            return FAULT_CATEGORIES.index(error.category)
        overdue = isinstance(error, Overdue)
        self.details[task, seat] = (call, str(error) if overdue else detail, trace)
        return TIMEOUT if overdue else EXCEPTION

    def _odd(self, action: Any, task: int, seat: int, call: int) -> tuple[int, int]:
        """Take a whole number of another type (NumPy's); anything else is illegal."""
        try:
            number = index(action)
            if not isinstance(action, bool) and -INT64 <= number < INT64:
                return number, 0
        except Exception:
            pass
        try:
            text = repr(action)
        except Exception:
            text = f"a {type(action).__name__}"
        self.details[task, seat] = (
            call,
            f"returned {text}, which is no action"[:DETAIL_LENGTH],
            "",
        )
        return 0, ILLEGAL


def _ignore(view: Any) -> None:
    """Stand in for an event method that a strategy does not have."""
