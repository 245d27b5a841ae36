"""A program that plays the fake game, to be killed: `python -m tests.runner.program CASE FOLDER`.

CASE is JSON: {"spec": {...}, "resume": bool, "deals": N or null, and what `carry_out` takes}.
"""

import json
import sys
from pathlib import Path
from typing import Any

from sim.errors import SimError
from sim.runner import manifest as manifests
from sim.runner import parts
from sim.runner.nursery import Nursery
from sim.runner.run import Outcome, carry_out, extended, reopen
from sim.runner.spec import RunSpec
from sim.runner.store import Store
from tests.runner.fake_arena import FakeWorkshop


def play(case: dict[str, Any], folder: Path) -> Outcome:
    """Play or resume a run of the fake game."""
    nursery = Nursery.start()
    again, deals = case.pop("resume", False), case.pop("deals", None)
    spec = RunSpec.model_validate(case.pop("spec"))
    if again:
        spec = extended(manifests.read(folder), deals)
    workshop = FakeWorkshop(spec)
    arena = workshop.arena()

    def open_store() -> Store:
        if again:
            return reopen(folder, arena)
        return Store.create(folder, arena.schedule, arena.bound)

    return carry_out(workshop, arena, open_store, nursery=nursery, **case)


def main() -> None:
    """Run, and end with the exit code that the outcome has."""
    parts.GAMES_PER_PART = 100  # type: ignore[misc]
    try:
        outcome = play(json.loads(sys.argv[1]), Path(sys.argv[2]))
    except SimError as error:
        print(f"sim: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
    print(outcome.status, outcome.faults, outcome.given_up)
    sys.exit(outcome.exit_code)


if __name__ == "__main__":
    main()
