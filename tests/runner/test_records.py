"""Stored games: every column from the right place."""

import numpy as np

from sim.engines.base import MAX_SEATS
from sim.runner.packing import is_stored
from sim.runner.records import READ_AT_ONCE, Chunk, games_dtype
from sim.runner.schedule import Schedule
from tests.runner.fake_game import GAME, fake_spec

RESULT_DTYPE = np.dtype(
    [
        ("score", "i8", (MAX_SEATS,)),
        ("place", "i8", (MAX_SEATS,)),
        ("won", "?", (MAX_SEATS,)),
        ("fault", "i8", (MAX_SEATS,)),
        ("decisions", "i8"),
        ("void", "?"),
        ("rounds", "i8"),
        ("bids", "i8", (MAX_SEATS,)),
        ("final", "i8"),
    ]
)


def test_the_columns_are_those_of_the_design() -> None:
    """Names, order and widths: what is on disk."""
    assert games_dtype(GAME, 2).descr == [
        ("deal", "<i8"),
        ("line_up", "<i4"),
        ("seating", "<i2"),
        ("player_0", "<i2"),
        ("player_1", "<i2"),
        ("score_0", "<i4"),
        ("score_1", "<i4"),
        ("place_0", "|i1"),
        ("place_1", "|i1"),
        ("won_0", "|b1"),
        ("won_1", "|b1"),
        ("fault_0", "|i1"),
        ("fault_1", "|i1"),
        ("decisions", "<i4"),
        ("rounds", "<i2"),
        ("void", "|b1"),
        ("bids_0", "<i4"),
        ("bids_1", "<i4"),
        ("final", "|i1"),
    ]


def test_packing_puts_every_value_into_its_column() -> None:
    """Distinct values in, the same out, over more games than are packed at once."""
    schedule = Schedule(fake_spec(3, deals=READ_AT_ONCE), GAME, GAME.rules(2, {}))
    tasks = schedule.tasks(0, schedule.blocks)
    rng = np.random.default_rng(7)
    results = np.zeros(len(tasks), RESULT_DTYPE)
    for name in RESULT_DTYPE.names or ():
        high = 2 if RESULT_DTYPE[name].base == np.bool_ or name == "won" else 100
        results[name] = rng.integers(0, high, results[name].shape)

    chunk = Chunk(first=0, stop=1, game=GAME, seats=2, tasks=tasks, results=results, faults=[])
    games, columns = chunk.games, chunk.columns()

    for name in games.dtype.names or ():
        stem, _, seat = name.rpartition("_")
        if name in ("deal", "line_up", "seating"):
            expected = tasks[name]
        elif stem == "player":
            expected = tasks["player"][:, int(seat)]
        elif seat.isdigit():
            expected = results[stem][:, int(seat)]
        else:
            expected = results[name]
        np.testing.assert_array_equal(expected, games[name], err_msg=name)
        if is_stored(name):
            np.testing.assert_array_equal(expected, columns.pop(name), err_msg=name)
    assert columns == {}
