"""Recorded games, in tests/golden/dou_dizhu: both engines still play them as they were written."""

from pathlib import Path

import pytest

from sim.engines.dou_dizhu.state import FORFEIT, State
from sim.engines.dou_dizhu.view import AUCTION, View
from tests.engines.liars_dice.tables import ILLEGAL, OUTSIDE, Row, Verdict, make_tasks
from tests.golden import dou_dizhu_games
from tests.golden.dou_dizhu_games import Golden, read_game
from tests.golden.write import FOLDER

from .tables import play
from .test_bounds import replay

FILES = sorted((FOLDER / "dou_dizhu").glob("*.txt"))


@pytest.fixture(params=FILES, ids=lambda path: path.stem)
def golden(request: pytest.FixtureRequest) -> Golden:
    """Give a recorded game."""
    path: Path = request.param
    return read_game(path.read_text(encoding="utf-8"))


def test_files_are_what_would_be_written_now() -> None:
    """Cards, rules, notation and counters are as they were; else see `tests.golden.write`."""
    written = {path.name: path.read_text(encoding="utf-8") for path in FILES}

    assert dou_dizhu_games.files() == written


def test_the_readable_state_replays_the_game(golden: Golden) -> None:
    """Every action is legal, the cards are dealt by the key, and the game ends as written."""
    ends = [State.from_text(text) for text in golden.deals]
    end = ends[-1]

    assert [str(end) for end in ends] == list(golden.deals)
    assert [deal.passed_out for deal in ends[:-1]] == [True] * (len(ends) - 1)
    assert end.is_over
    assert dou_dizhu_games.result_of(end).items() <= golden.result.items()
    if golden.key:
        seed, deal = golden.key
        state = State.deal(end.rules, seed=seed, deal=deal)
        for played in ends:
            assert (state.hands, state.bottom) == (played.hands, played.bottom)
            assert (state.first, state.redeals) == (played.first, played.redeals)
            if played is not end:
                state = played.next_deal(seed=seed, deal=deal)


def test_the_compiled_engine_replays_the_game(golden: Golden) -> None:
    """Answered with the recorded actions it gives the same result."""
    ends = [State.from_text(text) for text in golden.deals]

    def answer(row: Row, view: View) -> int | Verdict:
        end = ends[view.redeals]
        if view.phase == AUCTION:
            assert view.hand == end.hands[view.seat]
            done = end.calls[view.calls_made]
        else:
            done = end.plays[view.actions_made]
        return Verdict(ILLEGAL) if done == FORFEIT else done

    if golden.key:
        seed, deal = golden.key
        tasks = make_tasks([[0] * 3], [deal])
        match = play(ends[-1].rules, [OUTSIDE], tasks, answer, seed=seed)
    else:
        match = replay(ends[-1])
    row = match.results[0]
    for name, values in golden.result.items():
        played = row[name].tolist()
        assert played == values[0] if len(values) == 1 else tuple(played[:3]) == values
    assert len(match.faults) == ends[-1].forfeited
