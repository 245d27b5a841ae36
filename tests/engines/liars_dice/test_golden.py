"""Recorded games, in tests/golden/liars_dice: both engines still play them as they were written."""

from pathlib import Path

import pytest

from sim.engines.liars_dice.state import State
from sim.engines.liars_dice.view import CHALLENGE, View
from tests.golden import liars_dice_games
from tests.golden.liars_dice_games import Golden, read_game
from tests.golden.write import FOLDER

from .tables import ILLEGAL, OUTSIDE, Row, Verdict, make_tasks, play

FILES = sorted((FOLDER / "liars_dice").glob("*.txt"))


@pytest.fixture(params=FILES, ids=lambda path: path.stem)
def golden(request: pytest.FixtureRequest) -> Golden:
    """Give a recorded game."""
    path: Path = request.param
    return read_game(path.read_text(encoding="utf-8"))


def test_files_are_what_would_be_written_now() -> None:
    """Dice, rules, notation and counters are as they were; else see `tests.golden.write`."""
    written = {path.name: path.read_text(encoding="utf-8") for path in FILES}

    assert liars_dice_games.files() == written


def test_the_readable_state_replays_the_game(golden: Golden) -> None:
    """Each round follows from the one before: dice, opener, who is out, and who wins."""
    state = State.deal(golden.rules, seed=golden.seed, deal=golden.deal)
    for number, text in enumerate(golden.rounds):
        end = State.from_text(text)
        if number:
            state = state.next_deal(seed=golden.seed, deal=golden.deal)
        for action in end.actions:
            state = state.after_forfeit() if action < CHALLENGE else state.after(action)
        assert str(state) == text
    assert state.places == golden.result["place"]
    assert state.scores == golden.result["score"]


def test_the_compiled_engine_replays_the_game(golden: Golden) -> None:
    """Answered with the recorded actions it rolls the same dice and gives the same result."""
    ends = [State.from_text(text) for text in golden.rounds]

    def answer(row: Row, view: View) -> int | Verdict:
        end = ends[view.round - 1]
        assert view.dice == end.hands[view.seat]
        assert view.opener == end.opener
        action = end.actions[view.bids_made]
        return Verdict(ILLEGAL) if action < CHALLENGE else action

    tasks = make_tasks([[0] * golden.rules.seats], [golden.deal])
    match = play(golden.rules, [OUTSIDE], tasks, answer, seed=golden.seed)
    row = match.results[0]
    for name, values in golden.result.items():
        played = row[name].tolist()
        assert played == values[0] if len(values) == 1 else tuple(played[: len(values)]) == values
    offences = [end for end in ends if end.forfeited]
    assert [fault.position for fault in match.faults] == [
        str(end).replace(",forfeit", "").replace(" bids=forfeit", "") for end in offences
    ]
