"""The same strategy in another process: what it answers there, as JSON on stdout.

    python -m sim.runner.checking.twin < order.json

The order says what to load and which situations to ask in; they follow from the seed.
"""

import json
import os
import subprocess
import sys
from dataclasses import asdict, dataclass
from typing import Any, Final

from sim.engines.base import load_game
from sim.errors import SimError
from sim.runner.checking.asking import Asker
from sim.runner.checking.situations import situations
from sim.strategies.loading import load_bot
from sim.strategies.parameters import Value

MARK: Final = "answers: "
"""Before the answers, since a strategy may print, too."""

REFUSED: Final = "refused: "
"""Before the reason why there are none."""


@dataclass(frozen=True, slots=True)
class Order:
    """What the other process is to do."""

    bot: str
    game: str
    parameters: dict[str, Value]
    count: int
    seed: int


def ask_elsewhere(order: Order) -> list[str]:
    """Ask in a new process, with another seed of Python's hashes; RuntimeError if that fails."""
    done = subprocess.run(
        [sys.executable, "-m", __name__],
        input=json.dumps(asdict(order)),
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONHASHSEED": "4242"},
        check=False,
    )
    for line in done.stdout.splitlines():
        if line.startswith(MARK):
            answers: list[str] = json.loads(line[len(MARK) :])
            return answers
        if line.startswith(REFUSED):
            raise RuntimeError(json.loads(line[len(REFUSED) :]))
    said = done.stderr.strip().splitlines()
    raise RuntimeError(said[-1] if said else f"its process ended with {done.returncode}")


def main() -> None:
    """Answer one order."""
    order: Any = json.load(sys.stdin)
    try:
        bound = load_bot(order["bot"], order["game"]).bind(order["parameters"])
        asker = Asker(bound)
    except SimError as error:
        print(REFUSED + json.dumps(str(error).partition("\n")[0]))
        return
    asked = situations(load_game(order["game"]), order["count"], seed=order["seed"])
    answers = asker.ask_all(asked)
    print(MARK + json.dumps([answer.shown for answer in answers]))


if __name__ == "__main__":
    main()
