"""The schedule: what is played, in which order, without ever listing it."""

import tracemalloc
from itertools import islice, pairwise
from typing import Any

import numpy as np
import pytest

from sim.engines.base import NO_CALL, TASK_DTYPE
from sim.engines.tabling import Combinations
from sim.errors import UsageError
from sim.runner.schedule import Schedule, WithPlayer, line_up_rows
from sim.runner.spec import RunSpec
from tests.runner.fake_game import GAME, fake_spec


def schedule_of(spec: RunSpec) -> Schedule:
    """Schedule a spec of the fake game."""
    return Schedule(spec, GAME, GAME.rules(spec.seats, {}))


def slow_rows(schedule: Schedule) -> list[tuple[int, ...]]:
    """List deal, line-up, seating, players by three plain loops."""
    return [
        (deal, line_up, seating, *players)
        for deal in range(schedule.first_deal, schedule.first_deal + schedule.deals)
        for line_up in range(len(schedule.line_ups))
        for seating, players in enumerate(schedule.seatings(line_up))
    ]


def fast_rows(tasks: np.ndarray[Any, Any], seats: int) -> list[tuple[int, ...]]:
    """List the same of tasks."""
    return [
        (int(t["deal"]), int(t["line_up"]), int(t["seating"]), *t["player"][:seats].tolist())
        for t in tasks
    ]


SHAPES = [
    {"players": 2},
    {"players": 4, "seats": 3, "first_deal": 5},
    {"players": 4, "seats": 3, "mixed": True},
    {"players": 6, "seats": 4, "line_ups": 5},
    {"players": 6, "seats": 4, "focus": "p02"},
    {"players": 6, "seats": 4, "focus": "p02", "line_ups": 4},
    {"players": 1, "seats": 4, "fill": True},
    {"players": 6, "seats": 5, "deals": 3},
]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("template_games", [0, 1 << 16])
def test_tasks_are_the_three_loops_however_they_are_cut(
    shape: dict[str, Any], template_games: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Deal by deal, line-up by line-up, seating by seating, for every way to cut the range."""
    monkeypatch.setattr("sim.runner.schedule.TEMPLATE_GAMES", template_games)
    schedule = schedule_of(fake_spec(**shape))
    expected = slow_rows(schedule)

    for step in (1, 3, 7, schedule.blocks):
        cuts = [*range(0, schedule.blocks, step), schedule.blocks]
        pieces = [schedule.tasks(a, b) for a, b in pairwise(cuts)]
        tasks = np.concatenate(pieces)
        assert tasks.dtype == TASK_DTYPE
        assert expected == fast_rows(tasks, schedule.spec.seats)
        assert np.all(tasks["inject_call"] == NO_CALL)
        assert [schedule.games_before(b) for b in cuts[1:]] == np.cumsum(
            [len(piece) for piece in pieces]
        ).tolist()
    assert len(expected) == schedule.games == schedule.deals * schedule.games_per_deal


@pytest.mark.parametrize("shape", SHAPES)
def test_every_game_knows_its_block(shape: dict[str, Any]) -> None:
    """`block_of_game` and `block_of` agree with the tasks."""
    schedule = schedule_of(fake_spec(**shape))

    for number, (deal, line_up, *_) in enumerate(slow_rows(schedule)):
        block = schedule.block_of(deal=deal, line_up=line_up)
        assert block == schedule.block_of_game(number)
        assert schedule.games_before(block) <= number < schedule.games_before(block + 1)


def test_pieces_handed_out_are_independent() -> None:
    """Injecting a forfeit into one piece of schedule changes no other."""
    schedule = schedule_of(fake_spec(3))
    for first, stop in ((0, 1), (0, schedule.blocks)):
        schedule.tasks(first, stop)["inject_call"] = 3

        assert np.all(schedule.tasks(first, stop)["inject_call"] == NO_CALL)


def test_the_schedule_is_lazy() -> None:
    """Ten million games are scheduled in the memory of one piece, and 27,405 line-ups in none."""
    big = schedule_of(fake_spec(30, seats=4, deals=16))
    assert (len(big.line_ups), big.games) == (27_405, 10_523_520)

    tracemalloc.start()
    try:
        games = sum(
            len(big.tasks(first, min(first + 2_000, big.blocks)))
            for first in range(0, big.blocks, 2_000)
        )
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert big.games == games
    assert peak < 20e6  # a piece of 2,000 blocks is 2.7 MB, made in some steps


@pytest.mark.parametrize(("players", "size"), [(6, 1), (7, 3), (9, 6)])
def test_line_ups_in_bulk_are_the_line_ups(players: int, size: int) -> None:
    """Unranking many choices at once gives what unranking one by one gives."""
    choices = Combinations(players, size)
    with_player = WithPlayer(2, choices)

    for some in (choices, with_player, list(choices)):
        expected = [list(line_up) for line_up in some]
        assert expected == line_up_rows(some, 0, len(some)).tolist()
        assert expected[3:5] == line_up_rows(some, 3, 5).tolist()


def test_focus_keeps_the_line_ups_with_that_player_in_order() -> None:
    """A gauntlet is the full list with the others' line-ups left out."""
    everything = schedule_of(fake_spec(6, seats=3))
    focused = schedule_of(fake_spec(6, seats=3, focus="p04"))

    assert [x for x in everything.line_ups if 4 in x] == list(focused.line_ups)


def test_the_fill_player_takes_all_empty_seats_of_one_line_up() -> None:
    """Two entrants and four seats: the others are `fill`, in every distinct arrangement."""
    schedule = schedule_of(fake_spec(2, seats=4, fill=True))

    assert list(schedule.line_ups) == [(0, 1, 2, 2)]
    assert len(schedule.seatings(0)) == 12  # 4!/2!


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        ({"players": 3, "seats": 4}, "3 players cannot fill 4 seats"),
        ({"players": 1, "seats": 2}, "1 player cannot fill 2 seats"),
        ({"players": 3, "seats": 3, "fill": True}, "nothing to fill: 3 players and 3 seats"),
        ({"players": 4, "seats": 3, "line_ups": 5}, "5 line-ups asked for, but there are only 4"),
        ({"players": 2, "focus": "p1"}, "unknown player to focus on 'p1': did you mean 'p01'"),
        ({"players": 1, "fill": True, "focus": "fill"}, "focus 'fill'"),
        ({"players": 400, "seats": 6}, "sample of N with --line-ups N"),
        ({"players": 2, "first_deal": 2**63 - 5}, "too many"),
    ],
)
def test_what_cannot_be_scheduled_is_refused_with_a_sentence(
    shape: dict[str, Any], message: str
) -> None:
    """The message says what was asked for and what would be right."""
    with pytest.raises(UsageError) as refusal:
        schedule_of(fake_spec(**shape))

    assert message in str(refusal.value)


def test_a_sample_of_all_line_ups_is_all_line_ups() -> None:
    """`--line-ups 4` of 4 samples nothing."""
    assert [*Combinations(4, 3)] == list(schedule_of(fake_spec(4, seats=3, line_ups=4)).line_ups)


def test_huge_line_up_counts_cost_nothing_until_used() -> None:
    """593,775 line-ups of six: the first blocks of the last deal come at once."""
    schedule = schedule_of(fake_spec(30, seats=6, deals=1000))
    last = schedule.blocks - 2

    tasks = schedule.tasks(last, last + 2)

    assert (len(tasks), int(tasks["deal"][0])) == (120, 999)
    assert sorted(tasks["player"][0].tolist()) == [23, 25, 26, 27, 28, 29]
    assert list(islice(schedule.line_ups, 2)) == [(0, 1, 2, 3, 4, 5), (0, 1, 2, 3, 4, 6)]
