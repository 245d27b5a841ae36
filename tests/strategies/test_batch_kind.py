"""Batched strategies: the same games as the other kinds, whatever shares the batch."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sim.errors import PluginError
from sim.runner.arena import Arena
from sim.runner.records import Chunk
from sim.strategies.loading import load_bot
from tests.strategies.files import refusal, write
from tests.strategies.tables import LIARS_DICE, VARIANTS, arena, bind, play_against_random
from tests.strategies.test_examples import EXAMPLES, SETTINGS, TWIN

THIRD = str(EXAMPLES / "threshold_batch.py")
NETWORK = str(EXAMPLES / "batch_network.py")

HEAD = """
import numpy as np
from sim.strategies.api import BatchStrategy

class Bot(BatchStrategy):
    game = "liars-dice"

    def act_batch(self, views):
        bid = views["bid"].astype(np.int64)
        may_raise = (views["bids_made"] < 3) & (bid + 1 < 6 * views["dice_in_play"].astype(int))
        lowest = np.where(may_raise, bid + 1, -1)
"""


def bot(folder: Path, body: str) -> str:
    """Write a batched bot that has `lowest`, an action for each row, when `body` begins."""
    return str(write(folder, "bot.py", HEAD + "".join(f"        {x}\n" for x in body.split("\n"))))


def shrink(table: Arena, *, batch_games: int = 32) -> Arena:
    """Give the same tournament with small batches, so that a few games fill several."""
    return Arena(table.spec.model_copy(update={"batch_games": batch_games}), bound=table.bound)


def small(players: dict[str, str], **settings: Any) -> Arena:
    """Set up a tournament of players by label, with small batches."""
    bound = {label: bind(text) for label, text in players.items()}
    return shrink(arena(bound, **{"deals": 40, **settings}))


def whole(table: Arena) -> Chunk:
    """Play all blocks at once."""
    return table.play(0, table.schedule.blocks)


def test_third_declares_the_same() -> None:
    """The batched kind is found and has the parameters, defaults and ranges of the others."""
    built_in, third = load_bot("threshold", LIARS_DICE), load_bot(THIRD, LIARS_DICE)

    declared = [
        [(p.name, p.default, p.low, p.high) for p in one.parameters] for one in (built_in, third)
    ]
    assert declared[0] == declared[1]
    assert third.kind == "batch"


@pytest.mark.parametrize("given", SETTINGS)
@pytest.mark.parametrize(("seats", "rules"), VARIANTS)
def test_third_plays_identical_games(
    given: dict[str, float], seats: int, rules: dict[str, str]
) -> None:
    """Every number of every game is the same, compiled or batched."""
    others = {f"r{i}": bind("random") for i in range(seats - 2)}
    built_in, third = (
        whole(shrink(arena({"a": bot, "b": bot, **others}, rules=rules, deals=5)))
        for bot in (bind("threshold", given), bind(THIRD, given))
    )

    assert third.faults == []
    assert np.array_equal(built_in.games, third.games)


def test_three_kinds_at_one_table() -> None:
    """Mixed in one game they play what one of them plays against itself."""
    mixed, alone = (
        whole(small({"a": "threshold", "b": second, "c": third}, deals=20))
        for second, third in ((TWIN, THIRD), ("threshold", "threshold"))
    )

    assert np.array_equal(mixed.games, alone.games)


@pytest.mark.parametrize("path", [THIRD, NETWORK])
@pytest.mark.parametrize(("seats", "rules"), VARIANTS)
def test_examples_play_legally(path: str, seats: int, rules: dict[str, str]) -> None:
    """What users copy makes no illegal action under any rules."""
    assert play_against_random(bind(path), seats, rules, deals=20).faults == []


@pytest.mark.parametrize("step", [1, 3, 16, 17])
def test_a_network_plays_the_same_however_the_blocks_are_cut(step: int) -> None:
    """Floating-point actions do not depend on which blocks a worker was given together."""
    table = small({"a": NETWORK, "b": "honest"})
    blocks = table.schedule.blocks
    pieces = [table.play(k, min(k + step, blocks)).games for k in range(0, blocks, step)]

    assert np.array_equal(whole(table).games, np.concatenate(pieces))


def test_a_game_keeps_its_row(tmp_path: Path) -> None:
    """All calls about a game are about one row, also where the range begins inside a unit."""
    text = bot(
        tmp_path,
        "rows = np.arange(len(views))\n"
        "assert len(views) == 32, len(views)\n"
        "waits = views['seats'] > 0\n"
        "seen = self.memory[:, 0]\n"
        "assert ((seen == 0) | (seen == rows + 1))[waits].all()\n"
        "assert (views[~waits] == np.zeros((), views.dtype)).all()\n"
        "seen[:] = rows + 1\n"
        "return lowest",
    )
    table = small({"a": text, "b": "random"})

    assert table.play(0, 40).faults == table.play(5, 23).faults == []


def test_memory_is_of_a_seat_in_a_game(tmp_path: Path) -> None:
    """It is zero at the start, and the two seats of one player do not share it."""
    text = bot(
        tmp_path,
        "waits = views['seats'] > 0\n"
        "kept = self.memory[:, 31]\n"
        "assert (kept == np.where(kept == 0, 0, views['seat'] + 1))[waits].all()\n"
        "assert (kept[waits & (views['round'] == 1) & (views['bids_made'] < 2)] == 0).all()\n"
        "kept[:] = views['seat'] + 1\n"
        "return lowest",
    )

    assert whole(small({"a": text, "b": text})).faults == []


@pytest.mark.parametrize(
    ("body", "category", "detail"),
    [
        ("assert not bad.any()\nreturn lowest", "exception", "AssertionError"),
        ("return lowest[1:] if bad.any() else lowest", "illegal", "returned the shape (31,)"),
        ("return lowest * 1.0 if bad.any() else lowest", "illegal", "returned float64"),
        ("return np.where(bad, 999, lowest)", "illegal", "action 999 is not legal here"),
    ],
)
def test_only_the_games_that_fail_are_lost(
    tmp_path: Path, body: str, category: str, detail: str
) -> None:
    """A batch that fails is asked about again, until the positions that make it fail are alone."""
    body = f"bad = (views['own'][:, 6] == 3) & (views['seats'] > 0)\n{body}"
    failed = whole(small({"a": bot(tmp_path, body), "b": "honest"}))
    sound = whole(small({"a": bot(tmp_path / "sound", "return lowest"), "b": "honest"}))

    assert failed.faults
    assert len(failed.faults) < len(failed.games)
    assert {fault.category for fault in failed.faults} == {category}
    assert all(detail in fault.detail for fault in failed.faults)
    assert all("666" in fault.position for fault in failed.faults)
    spared = failed.games["fault_0"] + failed.games["fault_1"] == 0
    assert np.array_equal(failed.games[spared], sound.games[spared])


def test_a_failed_call_leaves_no_trace(tmp_path: Path) -> None:
    """What a call drew and wrote before it raised is as if it had not been."""
    body = (
        "self.memory[:, 0] += 1\n"
        "assert (self.memory[:, 0] == self.memory[:, 1] + 1).all()\n"
        "drawn = self.rng.below(1000)\n"
        "assert not ((views['own'][:, 6] == 3) & (views['seats'] > 0)).any(), 'three sixes'\n"
        "self.memory[:, 1] += 1\n"
        "return np.where((drawn < 500) & (views['bids_made'] > 0), -1, lowest)"
    )
    table = small({"a": bot(tmp_path, body), "b": "honest"})
    chunk = whole(table)
    alone = [table.play(block, block + 1) for block in range(table.schedule.blocks)]

    assert {fault.detail for fault in chunk.faults} == {"AssertionError: three sixes"}
    assert np.array_equal(chunk.games, np.concatenate([piece.games for piece in alone]))


def test_views_cannot_be_written(tmp_path: Path) -> None:
    """A batched strategy only reads its views."""
    text = bot(tmp_path, "views['own'] = 5\nreturn lowest")
    chunk = whole(small({"a": text, "b": "honest"}))

    assert {fault.detail for fault in chunk.faults} == {
        "ValueError: assignment destination is read-only"
    }


def test_must_derive_from_the_base(tmp_path: Path) -> None:
    """act_batch alone is not enough: memory and random numbers come from the base class."""
    path = write(
        tmp_path, "bare.py", "class Bare:\n    game = 'liars-dice'\n    def act_batch(self, v): ..."
    )

    assert refusal(PluginError, path) == (
        "bare.py:Bare: class Bare has act_batch: derive it from sim.strategies.api.BatchStrategy"
    )


def test_a_constructor_that_fails_is_a_broken_plugin(tmp_path: Path) -> None:
    """There is one object a worker, so without it no game can be played."""
    path = write(
        tmp_path,
        "bot.py",
        HEAD + "        return lowest\n\n    def __init__(self):\n"
        "        raise OSError('no model')\n",
    )
    with pytest.raises(PluginError, match="its constructor failed: OSError: no model"):
        small({"a": str(path), "b": "honest"})
