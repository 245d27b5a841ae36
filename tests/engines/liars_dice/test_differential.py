"""The compiled engine against the slow twin: the same dice, the same answers, the same games."""

from typing import Any, Final

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.engines.base import MAX_SEATS
from sim.engines.events import GAME_OVER, ROUND_OVER
from sim.engines.liars_dice.rules import Rules
from sim.engines.liars_dice.state import State
from sim.engines.table import SeatedBot
from tests.reference import liars_dice as slow
from tests.reference.liars_dice import Call, Played

from .drawn import answer_call, recording, rules
from .tables import SEED, Match, make_tasks, play

PER_SEAT: Final = ("score", "place", "won", "fault", *slow.COUNTERS)

WANTS: Final = ((), (ROUND_OVER,), (GAME_OVER,), (ROUND_OVER, GAME_OVER))


def outside(wants: tuple[int, ...]) -> SeatedBot:
    """Give a player that is asked in Python and hears of these events."""
    return SeatedBot(
        compiled=False,
        params=np.zeros(0),
        wants_round=ROUND_OVER in wants,
        wants_game=GAME_OVER in wants,
    )


def expected_row(game: Played, seats: int) -> dict[str, Any]:
    """Give the row of results that the kernel must write for a game of the twin."""
    fault = [0] * seats
    for noted in game.faults:
        fault[noted.seat] = noted.category
    values = {
        "score": list(game.scores),
        "place": list(game.places),
        "won": [int(place == 1) for place in game.places],
        "fault": fault,
        **game.counters,
    }
    row: dict[str, Any] = {
        name: value + [0] * (MAX_SEATS - seats) for name, value in values.items()
    }
    return {**row, "decisions": game.decisions, "rounds": game.rounds, "void": 0}


def check_match(match: Match, games: list[Played], seats: int) -> None:
    """Hold results and faults of a table against the games of the twin."""
    assert match.results.dtype.names is not None
    for task, game in enumerate(games):
        row = match.results[task]
        names = match.results.dtype.names
        assert expected_row(game, seats) == {name: row[name].tolist() for name in names}
        noted = [
            slow.Fault(f.event, f.seat, f.call, f.category, f.action, f.position)
            for f in match.faults
            if f.task == task
        ]
        assert game.faults == noted
        for fault in noted:
            assert str(State.from_text(fault.position)) == fault.position


def compare(
    table_rules: Rules,
    wants: list[tuple[int, ...]],
    *,
    first_deal: int,
    deals: int,
    faults: float,
    in_flight: int = 128,
) -> list[Played]:
    """Play games both ways, every player in every seat, and compare all there is to see."""
    seats = range(table_rules.seats)
    seatings = [[(seat + shift) % len(seats) for seat in seats] for shift in seats]
    tasks = make_tasks(seatings, range(first_deal, first_deal + deals))
    keys = list(range(len(tasks)))
    calls: list[list[Call]] = [[] for _ in tasks]
    answer = recording(calls, keys, faults=faults)
    bots = [outside(heard) for heard in wants]
    match = play(table_rules, bots, tasks, answer, in_flight=in_flight)
    games = [
        slow.play(
            table_rules,
            lambda call, key=key: answer_call(key, call, faults=faults),  # type: ignore[misc]
            seed=SEED,
            deal=int(task["deal"]),
            wants=[wants[player] for player in task["player"][: len(seats)]],
        )
        for key, task in zip(keys, tasks, strict=True)
    ]
    for game, seen in zip(games, calls, strict=True):
        assert game.calls == seen
    check_match(match, games, len(seats))
    return games


@given(
    rules(),
    st.lists(st.sampled_from(WANTS), min_size=6, max_size=6),
    st.integers(0, 2**40),
    st.sampled_from((0.0, 0.01, 0.1, 0.4)),
)
@settings(max_examples=60)
def test_kernel_and_twin_play_the_same_games(
    table_rules: Rules, wants: list[tuple[int, ...]], first_deal: int, faults: float
) -> None:
    """Every view of every call, every result and every fault, under any rules."""
    compare(table_rules, wants[: table_rules.seats], first_deal=first_deal, deals=1, faults=faults)
