"""The compiled engine against the slow twin: the same cards, the same answers, the same games."""

from typing import Any, Final

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.engines.base import MAX_SEATS
from sim.engines.dou_dizhu.notation import parse_cards
from sim.engines.dou_dizhu.rules import Rules
from sim.engines.dou_dizhu.state import State
from sim.engines.events import GAME_OVER
from sim.engines.table import SeatedBot
from tests.engines.liars_dice.tables import SEED, Match, make_tasks
from tests.reference import dou_dizhu_game as slow
from tests.reference.dou_dizhu_game import Call, Played

from .drawn import answer_call, recording, rules
from .tables import play

SEATINGS: Final = ((0, 1, 2), (1, 2, 0))


def outside(*, hears: bool) -> SeatedBot:
    """Give a player that is asked in Python; `hears`: it is told of the end of the game."""
    return SeatedBot(compiled=False, params=np.zeros(0), wants_game=hears)


def expected_row(game: Played) -> dict[str, Any]:
    """Give the row of results that the kernel must write for a game of the twin."""
    state = game.state
    fault = [0, 0, 0]
    for noted in game.faults:
        fault[noted.seat] = noted.category
    per_seat = {
        "score": state.scores,
        "place": state.places,
        "won": state.won,
        "fault": fault,
        **game.counters,
    }
    padding = [0] * (MAX_SEATS - 3)
    return {
        **{name: [*map(int, values), *padding] for name, values in per_seat.items()},
        "decisions": game.decisions,
        "void": int(state.is_void),
        "landlord": state.landlord,
        "final_bid": state.bid if state.landlord >= 0 else 0,
        "multiplier": state.multiplier,
        "spring": state.spring,
        "redeals": state.redeals,
    }


def check_match(match: Match, games: list[Played]) -> None:
    """Hold results and faults of a table against the games of the twin."""
    names = match.results.dtype.names
    assert names is not None
    for task, game in enumerate(games):
        row = {name: match.results[task][name].tolist() for name in names}
        assert {**expected_row(game)} == row
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
    hears: list[bool],
    *,
    first_deal: int,
    deals: int,
    boldness: float,
    faults: float,
    in_flight: int = 128,
) -> list[Played]:
    """Play games both ways and compare all there is to see."""
    tasks = make_tasks(SEATINGS, range(first_deal, first_deal + deals))
    keys = list(range(len(tasks)))
    calls: list[list[Call]] = [[] for _ in tasks]
    answer = recording(calls, keys, boldness=boldness, faults=faults)
    bots = [outside(hears=heard) for heard in hears]
    match = play(table_rules, bots, tasks, answer, in_flight=in_flight)
    games = [
        slow.play(
            table_rules,
            lambda call, key=key: answer_call(  # type: ignore[misc]
                key, call, boldness=boldness, faults=faults
            ),
            seed=SEED,
            deal=int(task["deal"]),
            wants=[(GAME_OVER,) if hears[player] else () for player in task["player"][:3]],
        )
        for key, task in zip(keys, tasks, strict=True)
    ]
    for game, seen in zip(games, calls, strict=True):
        assert game.calls == seen
    check_match(match, games)
    return games


@given(
    rules(),
    st.lists(st.booleans(), min_size=3, max_size=3),
    st.integers(0, 2**40),
    st.sampled_from((0.1, 0.5, 0.9)),
    st.sampled_from((0.0, 0.01, 0.1, 0.4)),
)
@settings(max_examples=60)
def test_kernel_and_twin_play_the_same_games(
    table_rules: Rules, hears: list[bool], first_deal: int, boldness: float, faults: float
) -> None:
    """Every view of every call, every result and every fault, under any rules."""
    compare(table_rules, hears, first_deal=first_deal, deals=1, boldness=boldness, faults=faults)


def test_the_games_compared_hold_everything() -> None:
    """A fixed set of games, few in flight, in which each thing that can happen does happen."""
    games = [
        game
        for table_rules, boldness, faults in (
            (Rules(max_redeals=1), 0.15, 0.0),
            (Rules(), 0.5, 0.02),
            (Rules(auction=False), 0.9, 0.0),
        )
        for game in compare(
            table_rules,
            [True, False, True],
            first_deal=0,
            deals=40,
            boldness=boldness,
            faults=faults,
            in_flight=7,
        )
    ]
    states = [game.state for game in games]

    assert {state.bid for state in states} == {0, 1, 2, 3}
    assert {state.landlord for state in states} == {-1, 0, 1, 2}
    assert {state.redeals for state in states} >= {0, 1}
    assert {state.spring for state in states} == {0, 1, 2}
    assert {state.winner for state in states} == {-1, 0, 1}
    assert any(state.is_void for state in states)
    assert max(state.multiplier for state in states) >= 4
    offences = [
        (state.phase, state.to_move == state.landlord) for state in states if state.forfeited
    ]
    assert set(offences) == {(0, False), (1, False), (1, True)}
    assert any(parse_cards("BR") in state.actions for state in states)
