"""Play a run into a folder, with worker processes or in this one."""

import logging
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np

from sim.errors import RunError, UsageError
from sim.runner import manifest as manifests
from sim.runner.clerk import Fold, Folded, do
from sim.runner.early import EarlyStop, Rule
from sim.runner.feed import Feed
from sim.runner.hazards import Hazards
from sim.runner.interrupt import Interrupt
from sim.runner.logs import RunLog
from sim.runner.nursery import SLOTS, Nursery
from sim.runner.spec import RunSpec
from sim.runner.store import Store
from sim.runner.supervisor import Progress, Supervisor
from sim.runner.units import unit_blocks
from sim.runner.worker import SLOT_DTYPE, Player, Workshop, play

LOGGER: Final = logging.getLogger("sim.run")

MOST_JOBS: Final = SLOTS - 1


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended."""

    status: Literal["done", "interrupted"]
    exit_code: int
    """0; 1: more faults than allowed, or a player given up; 130, 143: interrupted."""
    faults: dict[str, dict[str, int]] = field(default_factory=dict)
    """Recorded faults by player and category."""
    given_up: tuple[str, ...] = ()
    stopped_early: dict[str, Any] | None = None


def execute(
    spec: RunSpec,
    *,
    out: Path,
    jobs: int = 1,
    in_process: bool = False,
    force: bool = False,
    progress: Progress | None = None,
    chunk: int | None = None,
    rule: Rule | None = None,
    bound: Sequence[Any] | None = None,
    nursery: Nursery | None = None,
    log_to: Sequence[logging.Handler] = (),
) -> Outcome:
    """Play a run and store it in `out`. Errors meant for people are SimErrors.

    `bound` are the strategies of `spec.players` if they are loaded already. `nursery` is one that
    was started before user code was loaded (`Nursery.start`); it is stopped here. `chunk` blocks
    are handed out at a time, if given. `rule` may end the run early (early.py). What goes to
    `run.log` goes to `log_to`, too.
    """
    workshop = Workshop(spec)
    arena = workshop.arena(bound=bound)  # compiles: workers find it in the cache
    return carry_out(
        workshop,
        arena,
        lambda: Store.create(out, arena.schedule, arena.bound, force=force),
        jobs=jobs,
        in_process=in_process,
        progress=progress,
        chunk=chunk,
        rule=rule,
        nursery=nursery,
        log_to=log_to,
    )


def resume(
    folder: Path,
    *,
    deals: int | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
    chunk: int | None = None,
    rule: Rule | None = None,
    nursery: Nursery | None = None,
    log_to: Sequence[logging.Handler] = (),
) -> Outcome:
    """Go on with the run in `folder` where it stopped, to `deals` deals in all if given.

    Refused if it would now be played otherwise than it was begun.
    """
    spec = extended(manifests.read(folder), deals)
    workshop = Workshop(spec)
    arena = workshop.arena()
    return carry_out(
        workshop,
        arena,
        lambda: reopen(folder, arena),
        jobs=jobs,
        progress=progress,
        chunk=chunk,
        rule=rule,
        nursery=nursery,
        log_to=log_to,
    )


def extended(manifest: dict[str, Any], deals: int | None) -> RunSpec:
    """Give the spec of a stored run, with more deals if that is asked for."""
    try:
        spec = RunSpec.model_validate(manifest["spec"])
    except ValueError as error:
        raise UsageError(f"the spec of the run is not one of this program: {error}") from None
    if deals is None or deals == spec.deals:
        return spec
    if spec.stop is not None:
        raise UsageError("a run with a stopping rule cannot be extended: its end is the rule's")
    if manifest["stopped_early"]:
        reason = manifest["stopped_early"]["reason"]
        raise UsageError(f"a run that stopped early ({reason}) cannot be extended")
    if deals < spec.deals:
        raise UsageError(f"the run has {spec.deals} deals already, which {deals} would cut short")
    return spec.model_copy(update={"deals": deals})


def reopen(folder: Path, arena: Player) -> Store:
    """Open the store of a run to go on with it, if it is still the same run."""
    manifests.check_same(manifests.read(folder), arena.schedule.game, arena.bound)
    return Store.reopen(folder, arena.schedule)


def carry_out(
    workshop: Workshop,
    arena: Player,
    open_store: Callable[[], Store],
    *,
    jobs: int = 1,
    in_process: bool = False,
    progress: Progress | None = None,
    chunk: int | None = None,
    rule: Rule | None = None,
    nursery: Nursery | None = None,
    log_to: Sequence[logging.Handler] = (),
) -> Outcome:
    """Play what the store that `open_store` gives lacks."""
    if not 1 <= jobs <= MOST_JOBS:
        raise UsageError(f"jobs must be 1 to {MOST_JOBS}, not {jobs}")
    if in_process:
        _refuse_limits(workshop.spec)
    with _log(nursery, in_process=in_process) as (log, started), _stored(open_store) as store:
        log.write_to(store.folder / manifests.LOG, *log_to)
        LOGGER.info("%d games, %d of them to play", store.schedule.games, _missing(store))
        hazards = Hazards(store, arena.bound)
        hazards.take_up()
        early = EarlyStop(store, hazards, rule)
        early.look()
        with Interrupt(abrupt=started is None) as interrupt:
            if started is None:
                _play_here(store, hazards, early, arena, interrupt, chunk=chunk, progress=progress)
            else:
                Supervisor(
                    started,
                    store,
                    hazards,
                    early,
                    jobs=jobs,
                    interrupt=interrupt,
                    chunk=chunk,
                    unit=unit_blocks(store.schedule, arena.bound),
                    progress=progress,
                ).run(workshop)
        outcome = _outcome(store, hazards, early, interrupt)
        LOGGER.info("%s", outcome.status)
        return outcome


def _missing(store: Store) -> int:
    return store.schedule.games - store.games_covered()


def _refuse_limits(spec: RunSpec) -> None:
    """Refuse limits that need another process to keep them."""
    asked = RunSpec.model_fields["limits"].default
    for name, flag in (("move_timeout", "--move-timeout"), ("max_memory", "--max-memory")):
        value = getattr(spec.limits, name)
        if value not in (None, getattr(asked, name)):
            raise UsageError(f"{flag} {value} needs worker processes: leave out --in-process")


@contextmanager
def _log(nursery: Nursery | None, *, in_process: bool) -> Iterator[tuple[RunLog, Nursery | None]]:
    """Give the log, and the nursery unless the run is played here; end both at the end."""
    if in_process and nursery is None:
        log = RunLog()
        try:
            yield log, None
        finally:
            log.close()
        return
    started = nursery or Nursery.start()
    try:
        yield started.log, None if in_process else started
    finally:
        started.stop()


@contextmanager
def _stored(open_store: Callable[[], Store]) -> Iterator[Store]:
    """Give the store; if the run breaks off, leave it so that the run can be resumed."""
    store = open_store()
    try:
        yield store
    except BaseException:
        try:
            store.interrupt()
        except RunError as error:  # the disk that made the run break off
            LOGGER.error("%s", error)
        raise
    finally:
        store.close()


def _play_here(
    store: Store,
    hazards: Hazards,
    early: EarlyStop,
    arena: Player,
    interrupt: Interrupt,
    *,
    chunk: int | None,
    progress: Progress | None,
) -> None:
    """Play and fold in this process."""
    unit = unit_blocks(store.schedule, arena.bound)
    feed = Feed(store.schedule, store.covered, chunk=chunk, unit=unit)
    slot = np.zeros(1, SLOT_DTYPE)
    traces: Counter[str] = Counter()
    played = store.games_covered()
    while not interrupt.count:
        feed.limit = hazards.limit
        place = feed.take()
        if place is not None:
            result = play(arena, hazards.play(*place), slot, traces)  # Ctrl-C waits for it
            feed.learn(place[1] - place[0], result.seconds)
            store.add(result.first, result.stop, result.data, result.faults)
            played += store.games_in(*place)
            for again in (
                hazards.replaced(result.first, result.stop, result.faults),
                early.look(),
            ):
                for first, stop in store.forget(*again) if again else ():
                    feed.put_back(first, stop)
                    played -= store.games_in(first, stop)
            if progress is not None:
                progress(played, store.games_in(0, hazards.limit))
            store.journal.commit_if_due()
        for number in store.complete_parts(hazards.limit):
            store.journal.commit()
            begin, end = store.blocks_to_fold(number, hazards.limit)
            folded = do(store.folder, store.schedule, Fold(number, begin, end))
            if isinstance(folded, Folded):
                store.list_part(number, folded.part)
                continue
            for first, stop in store.forget(*store.damaged(number, folded.damaged)):
                feed.put_back(first, stop)
        if not store.lacks(hazards.limit):
            return


def _outcome(store: Store, hazards: Hazards, early: EarlyStop, interrupt: Interrupt) -> Outcome:
    """End the store's work and say how the run went."""
    if store.lacks(hazards.limit):
        store.interrupt()
        return Outcome("interrupted", interrupt.exit_code)
    limits = store.schedule.spec.limits
    given_up = tuple(sorted(hazards.retired))
    stopped: dict[str, Any] | None = None
    line_ups = len(store.schedule.line_ups)
    by_rule = early.stop is not None and early.stop.deals * line_ups == hazards.limit
    if early.stop is not None and by_rule:
        stopped = {"reason": early.stop.reason, "blocks": hazards.limit}
    elif hazards.limit < store.schedule.blocks:
        stopped = {"reason": "strict", "blocks": hazards.limit}
    faults = store.finish(hazards.limit, given_up=given_up, stopped_early=stopped)
    total = sum(sum(counts.values()) for counts in faults.values())
    too_many = limits.max_faults is not None and total > limits.max_faults
    code = 1 if too_many or given_up or (stopped and not by_rule) else 0
    return Outcome("done", code, faults, given_up, stopped)
