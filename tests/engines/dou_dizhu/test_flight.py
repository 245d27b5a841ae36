"""Many games in flight: who plays where, and how many at once, changes no game."""

from typing import Any, Final

import numpy as np
import pytest

from sim.engines.dou_dizhu.rules import Rules
from sim.engines.dou_dizhu.state import State
from sim.engines.dou_dizhu.view import View
from sim.engines.rng import SeatRng
from tests.engines.liars_dice.tables import OUTSIDE, Row, make_tasks, same_results

from .bots import restless, uniform, uniform_twin
from .tables import make_table, play, play_out, seat_compiled

BOTH: Final = pytest.mark.parametrize(
    "rules", [Rules(), Rules(auction=False)], ids=["auction", "sides"]
)


@BOTH
def test_a_compiled_player_and_its_twin_play_identical_games(rules: Rules) -> None:
    """The uniform player, compiled and in plain Python, draws and does the same, redeals too."""
    tasks = make_tasks([[0, 0, 0]], range(60))
    table = make_table(rules, [OUTSIDE], tasks)
    streams: dict[tuple[int, int], tuple[int, SeatRng]] = {}

    def answer(row: Row, view: View) -> int:
        key = (row.task, row.seat)
        epoch, rng = streams.get(key, (-1, None))
        if rng is None:
            rng = SeatRng(table.stream_key(row.slot, row.seat), row.seat, row.epoch)
        elif epoch != row.epoch:
            rng.restart(row.epoch)
        streams[key] = (row.epoch, rng)
        return uniform_twin(view, rng)

    plain = play_out(table, answer).results
    compiled = play(rules, [seat_compiled(uniform)], tasks).results

    assert same_results(compiled, plain)
    assert len(np.unique(compiled["decisions"])) > 20


@pytest.mark.parametrize("in_flight", [1, 2, 7, 128, 1000])
def test_number_of_games_in_flight_changes_nothing(in_flight: int) -> None:
    """One game after the other or all at once: the same results, in the order of the tasks."""
    bots = [seat_compiled(restless, hears=True), seat_compiled(uniform)]
    tasks = make_tasks([[0, 1, 0], [1, 0, 1]], range(60))
    some = play(Rules(), bots, tasks, in_flight=64).results

    assert same_results(some, play(Rules(), bots, tasks, in_flight=in_flight).results)


@pytest.mark.parametrize("cut", [1, 17, 89])
def test_games_may_be_played_in_pieces(cut: int) -> None:
    """A game depends on its task alone, not on those before it in the batch (slots are reused)."""
    bots = [seat_compiled(restless, hears=True), seat_compiled(uniform)]
    tasks = make_tasks([[0, 1, 0], [1, 0, 1]], range(60))
    whole = play(Rules(), bots, tasks, in_flight=4).results
    parts = [play(Rules(), bots, part, in_flight=4).results for part in (tasks[:cut], tasks[cut:])]

    assert same_results(whole, np.concatenate(parts))


@BOTH
def test_a_slot_shows_nothing_of_the_game_before(rules: Rules) -> None:
    """The first view of a game in a used slot is that of a new one, every byte of it."""
    seen: dict[int, View] = {}

    def answer(row: Row, view: View) -> int:
        seen.setdefault(row.task, view)
        return view.legal()[-1]

    play(rules, [OUTSIDE], make_tasks([[0, 0, 0]], range(12)), answer, in_flight=1)

    for deal, view in seen.items():
        state = State.deal(rules, seed=20_260_101, deal=deal)
        assert view == state.view(state.to_move)


def test_equal_players_score_exactly_alike_over_all_seatings() -> None:
    """Streams are keyed by seat: every arrangement of equal players is the same game."""
    tasks = make_tasks([[0, 1, 2], [1, 2, 0], [2, 0, 1]], range(200))
    results = play(Rules(), [seat_compiled(uniform)] * 3, tasks).results
    scores = results["score"][:, :3].reshape(200, 3, 3)

    assert (scores == scores[:, :1]).all()


def test_the_number_of_the_redeal_moves_every_stream() -> None:
    """After a redeal a seat draws other numbers than before it."""
    drawn: dict[int, list[int]] = {}

    def answer(row: Row, view: View) -> int:
        rng = SeatRng(table.stream_key(row.slot, row.seat), row.seat, row.epoch)
        drawn.setdefault(view.redeals, []).append(rng.bits64())
        assert row.epoch == view.redeals
        return 0

    table = make_table(Rules(max_redeals=3), [OUTSIDE], make_tasks([[0, 0, 0]]))
    play_out(table, answer)

    assert sorted(drawn) == [0, 1, 2, 3]
    assert len({number for numbers in drawn.values() for number in numbers}) == 12


def hidden(view: View) -> Any:
    """Give a view without what only its seat may know."""
    return view._replace(seat=0, role=0, hand=0, own=b"")


@BOTH
def test_a_view_shows_its_own_cards_and_what_is_public(rules: Rules) -> None:
    """All three seats see the same but for their hands; the bottom only once it is taken."""
    state = State.deal(rules, seed=1, deal=2)
    rng = SeatRng(5, 0)
    while not state.is_over:
        views = [state.view(seat) for seat in range(3)]
        assert len({hidden(view) for view in views}) == 1
        assert [view.hand for view in views] == list(state.held)
        actions = [action for action in state.legal() if action]
        state = state.after(rng.choice(actions) if actions else 0)
