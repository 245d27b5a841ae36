"""Real games with strategies that misbehave: one game is forfeited, or nothing happens at all."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from sim.engines.base import FAULT_CATEGORIES, load_game
from sim.runner.run import Outcome, execute
from sim.runner.spec import Limits, PlayerSpec, RunSpec
from sim.runner.store import RunFolder

BOTS = Path(__file__).with_name("bad_bots.py")

DEALS = 24


def play(folder: Path, name: str, *, deals: int = DEALS, **limits: Any) -> Outcome:
    """Play `name` of bad_bots.py, as player `x`, against `calm`."""
    rules = load_game("liars-dice").rules(2, {})
    spec = RunSpec(
        game="liars-dice",
        rules=rules.options(),
        seats=2,
        deals=deals,
        seed=7,
        players=(
            PlayerSpec(label="a", bot=f"{BOTS}:Calm"),
            PlayerSpec(label="x", bot=f"{BOTS}:{name}"),
        ),
        limits=Limits(**limits),
    )
    return execute(spec, out=folder, jobs=2)


def games(folder: Path) -> pd.DataFrame:
    """Give the stored games."""
    found: pd.DataFrame = pd.concat(RunFolder(folder).parts(), ignore_index=True)
    return found


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> pd.DataFrame:
    """Give the games without misbehaviour."""
    folder = tmp_path_factory.mktemp("calm") / "run"
    play(folder, "Calm")
    return games(folder)


@pytest.mark.parametrize(
    ("name", "category", "detail"),
    [
        ("Nothing", "illegal", "returned None, which is no action"),
        ("Illegal", "illegal", "action 10000 is not legal here"),
        ("Raises", "exception", "ValueError: no idea"),
        ("Exits", "exception", "SystemExit: 0"),
        ("Interrupts", "exception", "KeyboardInterrupt"),
        ("Recurses", "exception", "RecursionError: maximum recursion depth exceeded"),
        ("Sleeps", "timeout", "thought longer than --move-timeout, which is 0.3 s"),
        ("Loops", "timeout", "thought longer than --move-timeout, which is 0.3 s"),
        ("spins", "timeout", "thought longer than --move-timeout, which is 0.3 s"),
        ("Quits", "crash", "its process ended with exit code 0"),
        ("Segfaults", "crash", "its process ended with signal 11"),
        ("Hoards", "memory", "held more than 600000000 bytes"),
        ("overruns", "exception", "IndexError: "),
    ],
)
def test_a_forfeit_is_attributed_and_touches_no_other_game(
    tmp_path: Path, calm: pd.DataFrame, name: str, category: str, detail: str
) -> None:
    """Player, call, position as text and reason; every game without a forfeit is as it was."""
    limits = {"max_memory": 600_000_000} if name == "Hoards" else {"move_timeout": 0.3}
    deals = 6 if category in ("timeout", "crash", "memory") else DEALS
    outcome = play(tmp_path / "run", name, deals=deals, **limits)

    found = games(tmp_path / "run")
    faults = list(RunFolder(tmp_path / "run").faults())
    assert faults
    assert {f["player"] for f in faults} == {"x"}
    assert {f["category"] for f in faults} == {category}
    assert all(f["detail"].startswith(detail) for f in faults), faults[0]
    # no act of round 1 is its call of round 2, and the hand that made it misbehave is shown
    assert all(f["call"] >= 2 and "6" in f["position"] for f in faults)
    assert outcome == Outcome("done", 0, {"x": {category: len(faults)}}, (), None)
    forfeited = (found["fault_0"] != 0) | (found["fault_1"] != 0)
    assert forfeited.sum() == len(faults)
    assert found["fault_0"].max() == FAULT_CATEGORIES.index(category)
    expected = calm[: len(found)][~forfeited]
    pd.testing.assert_frame_equal(expected, found[~forfeited])


@pytest.mark.parametrize(
    "name", ["Prints", "Closes", "Threads", "Handles", "Moves", "Writes", "Seeds", "Forks"]
)
def test_what_is_harmless_changes_no_game(tmp_path: Path, calm: pd.DataFrame, name: str) -> None:
    """All games are as they were, nobody forfeits, and the log stays small."""
    outcome = play(tmp_path / "run", name)

    assert outcome == Outcome("done", 0, {}, (), None)
    pd.testing.assert_frame_equal(calm, games(tmp_path / "run"))
    log = (tmp_path / "run" / "run.log").read_text()
    assert len(log) < 500_000
    if name == "Closes":
        assert "printed: hello" in log
        assert "printed: still here" in log
    if name == "Prints":
        assert "printed more, which is not kept" in log


def promised(folder: Path) -> dict[str, str]:
    """Hash the stored games, and the faults without their tracebacks."""
    found = {path.name: path.read_bytes() for path in sorted(folder.glob("games/*"))}
    faults = [{**f, "traceback": ""} for f in RunFolder(folder).faults()]
    found["faults"] = json.dumps(faults).encode()
    return {name: hashlib.sha256(data).hexdigest() for name, data in found.items()}


def test_real_games_are_the_same_bytes_however_they_are_played(tmp_path: Path) -> None:
    """Compiled and plain-Python strategies, one that raises: any workers, any chunk, or none."""
    bots = {"a": "honest", "b": "random", "c": f"{BOTS}:Raises", "d": f"{BOTS}:overruns"}
    rules = load_game("liars-dice").rules(3, {})
    players = tuple(PlayerSpec(label=label, bot=bot) for label, bot in bots.items())
    spec = RunSpec(
        game="liars-dice", rules=rules.options(), seats=3, deals=40, seed=7, players=players
    )
    ways: list[dict[str, Any]] = [
        {"in_process": True},
        {"jobs": 1},
        {"jobs": 5},
        {"jobs": 2, "chunk": 1},
        {"jobs": 2, "chunk": 64},
    ]

    outcomes = [execute(spec, out=tmp_path / str(i), **way) for i, way in enumerate(ways)]

    assert all(outcome == outcomes[0] for outcome in outcomes)
    assert sorted(outcomes[0].faults) == ["c", "d"]
    hashes = [promised(tmp_path / str(i)) for i in range(len(ways))]
    assert all(found == hashes[0] for found in hashes)
