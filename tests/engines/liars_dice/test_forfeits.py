"""Forfeits: one game is lost and no other touched, and what happened can be played again."""

from itertools import permutations
from typing import Any, Final

import numpy as np
import pytest
from numpy.typing import NDArray

from sim.engines.base import CONSTRUCTOR_CALL, FAULT_CATEGORIES
from sim.engines.events import ACT, GAME_OVER, ROUND_OVER
from sim.engines.liars_dice.rules import Rules
from sim.engines.liars_dice.state import State
from sim.engines.liars_dice.view import CHALLENGE, View
from sim.engines.table import SeatedBot, TableFault
from tests.reference import liars_dice as slow
from tests.reference.liars_dice import Call, Forfeit

from .bots import brisk, faulty, faulty_twin, uniform
from .drawn import LEAST, MOST
from .tables import (
    EXCEPTION,
    ILLEGAL,
    LISTENING,
    OUTSIDE,
    SEED,
    TIMEOUT,
    Match,
    Row,
    Verdict,
    make_tasks,
    play,
    play_out,
    same_results,
    seat_compiled,
)
from .twins import Twins

THREE: Final = Rules(seats=3, dice=(3, 2, 3))
ALL_SEATINGS: Final = list(permutations(range(3)))


def key_of(fault: TableFault) -> tuple[Any, ...]:
    """Give all of a fault but the error itself."""
    return (
        fault.task,
        fault.seat,
        fault.call,
        fault.category,
        fault.event,
        fault.action,
        fault.position,
    )


def keys_of(match: Match) -> list[tuple[Any, ...]]:
    """Give the faults of a match, sorted by task and seat."""
    return sorted(map(key_of, match.faults))


def inject(tasks: NDArray[np.void], faults: list[TableFault]) -> NDArray[np.void]:
    """Give the tasks with the calls marked that are to fail."""
    marked = tasks.copy()
    for fault in faults:
        marked["inject_call"][fault.task, fault.seat] = fault.call
        marked["inject_category"][fault.task, fault.seat] = fault.category
    return marked


def faulty_bots(raises: float, garbage: float) -> list[SeatedBot]:
    """Give a player that fails, one that does not, and one that fails and hears of nothing."""
    return [
        seat_compiled(faulty, raises, garbage, trusted=False, hears=True),
        seat_compiled(brisk, hears=True),
        seat_compiled(faulty, raises, garbage, trusted=False),
    ]


@pytest.mark.parametrize(("raises", "garbage"), [(0.02, 0.0), (0.0, 0.05), (0.05, 0.05)])
def test_compiled_players_that_fail_do_as_their_twins(raises: float, garbage: float) -> None:
    """An exception leaves the kernel and comes back as a forfeit at its very call.

    The twins are answered in Python: results, faults, calls and positions are the same.
    """
    tasks = make_tasks(ALL_SEATINGS, range(60))
    compiled = play(THREE, faulty_bots(raises, garbage), tasks, in_flight=50)
    twin = faulty_twin(raises, garbage)
    pump = Twins({0: twin, 2: twin})
    seated = [LISTENING, seat_compiled(brisk, hears=True), OUTSIDE]
    plain = play_out(pump.seat_at(THREE, seated, tasks), pump)

    assert same_results(compiled.results, plain.results)
    assert keys_of(compiled) == keys_of(plain)
    assert len(compiled.faults) > 100
    for fault in compiled.faults:
        if fault.category == EXCEPTION:
            assert isinstance(fault.error, ValueError)
            assert str(fault.error) == "on purpose"
        else:
            assert fault.error is None


def test_games_beside_a_failing_player_are_untouched() -> None:
    """Games without it are the same whether or not it fails in the slots beside them."""
    bots = [seat_compiled(brisk, hears=True), seat_compiled(faulty, 0.3, 0.3, trusted=False)]
    tasks = make_tasks([[0, 0], [0, 1], [1, 0], [1, 1]], range(150))
    match = play(Rules(seats=2), bots, tasks, in_flight=16)
    alone = play(Rules(seats=2), bots[:1], tasks[::4]).results

    assert same_results(match.results[::4], alone)
    assert {fault.task % 4 for fault in match.faults} == {1, 2, 3}
    assert (alone["fault"] == 0).all()


@pytest.mark.parametrize("in_flight", [1, 7, 128])
def test_injected_forfeits_give_the_same_games_again(in_flight: int) -> None:
    """At the keys of recorded faults nobody is asked; all else is played as before."""
    tasks = make_tasks(ALL_SEATINGS, range(40))
    bots = faulty_bots(0.04, 0.03)
    first = play(THREE, bots, tasks)
    again = play(THREE, bots, inject(tasks, first.faults), in_flight=in_flight)

    assert {fault.event for fault in first.faults} == {ACT, ROUND_OVER, GAME_OVER}
    assert same_results(first.results, again.results)
    # an injected fault has no action and no error: the runner keeps those of the record
    assert keys_of(again) == sorted((*key[:5], 0, key[6]) for key in map(key_of, first.faults))
    assert all(fault.error is None for fault in again.faults)


def test_injected_forfeits_stand_for_players_that_behave_now() -> None:
    """A replay does not depend on the strategy failing again: here it would not."""
    tasks = make_tasks(ALL_SEATINGS, range(40))
    bots = faulty_bots(0.04, 0.0)
    first = play(THREE, bots, tasks)
    tame = faulty_twin(0.0, 0.0)  # draws as the faulty one does, and never fails
    pump = Twins({0: tame, 2: tame})
    seated = [LISTENING, bots[1], OUTSIDE]
    again = play_out(pump.seat_at(THREE, seated, inject(tasks, first.faults)), pump)

    assert same_results(first.results, again.results)


@pytest.mark.parametrize("event", [ACT, ROUND_OVER, GAME_OVER])
def test_injected_calls_are_never_made(event: int) -> None:
    """The strategy is not even called: neither for a turn nor for an event."""
    asked: list[tuple[int, int]] = []

    def answer(row: Row, view: View) -> int:
        asked.append((row.seat, row.call))
        return view.bid + 1 if view.bids_made < 2 else CHALLENGE

    tasks = make_tasks([[0, 0]])
    calls = log_of_calls(tasks)
    seat, call = next((seat, number) for kind, seat, number in calls if kind == event)
    tasks["inject_call"][0, seat] = call
    tasks["inject_category"][0, seat] = TIMEOUT
    match = play(Rules(seats=2, dice=(1, 1)), [LISTENING], tasks, answer)

    assert (seat, call) not in asked
    (fault,) = match.faults
    assert (fault.seat, fault.call, fault.event, fault.category) == (seat, call, event, TIMEOUT)


def log_of_calls(tasks: NDArray[np.void]) -> list[tuple[int, int, int]]:
    """Give (event, seat, call) of a short game in which nothing fails."""
    calls = []

    def answer(row: Row, view: View) -> int:
        calls.append((row.event, row.seat, row.call))
        return view.bid + 1 if view.bids_made < 2 else CHALLENGE

    play(Rules(seats=2, dice=(1, 1)), [LISTENING], tasks, answer)
    return calls


@pytest.mark.parametrize("compiled", [False, True])
def test_a_constructor_that_failed_counts_at_the_first_turn(compiled: bool) -> None:
    """Until then the seat is in; it gets no event, and at its turn it is out."""
    bot = seat_compiled(brisk, hears=True) if compiled else LISTENING
    asked: list[tuple[int, int]] = []

    def answer(row: Row, view: View) -> int:
        asked.append((row.seat, row.event))
        if row.epoch == 1:  # a round that ends before seat 2 is in turn
            return view.bid + 1 if not view.bids_made else CHALLENGE
        return view.bid + 1 if view.bids_made < 3 else CHALLENGE

    tasks = make_tasks([[0, 0, 1]])
    tasks["inject_call"][0, 2] = CONSTRUCTOR_CALL
    tasks["inject_category"][0, 2] = EXCEPTION
    match = play(Rules(seats=3, dice=(2, 2, 2)), [LISTENING, bot], tasks, answer)

    (fault,) = match.faults
    assert (fault.seat, fault.event, fault.category) == (2, ACT, EXCEPTION)
    assert "round=2" in fault.position
    assert all(seat != 2 for seat, _ in asked)
    assert match.results["fault"][0, :3].tolist() == [0, 0, EXCEPTION]
    assert match.results["place"][0, 2] == 3


def test_a_constructor_that_failed_may_win() -> None:
    """If the others are gone before its first turn it wins, and no fault is noted."""

    def answer(row: Row, view: View) -> int | Verdict:
        return Verdict(EXCEPTION)

    tasks = make_tasks([[0, 1]])
    tasks["inject_call"][0, 1] = CONSTRUCTOR_CALL
    tasks["inject_category"][0, 1] = EXCEPTION
    match = play(Rules(seats=2), [OUTSIDE, LISTENING], tasks, answer)

    assert match.results["won"][0].tolist()[:2] == [0, 1]
    assert match.results["fault"][0].tolist()[:2] == [EXCEPTION, 0]


def failing_events(failing: set[int], event: int) -> Match:
    """Play one game of four in which these seats fail at the first event of a kind."""

    def answer(row: Row, view: View) -> int | Verdict:
        if row.event == event and view.round == 1 and row.seat in failing:
            return Verdict(EXCEPTION)
        return view.bid + 1 if view.bids_made < 4 else CHALLENGE

    rules = Rules(seats=4, dice=(2, 2, 2, 2))
    return play(rules, [LISTENING], make_tasks([[0] * 4]), answer)


def test_several_faults_in_one_round_event() -> None:
    """All of them are out before the next round, in seat order, whoever lost the die."""
    match = failing_events({0, 2, 3}, ROUND_OVER)

    assert [fault.seat for fault in match.faults] == [0, 2, 3]
    assert match.results["place"][0].tolist()[:4] == [4, 1, 3, 2]
    assert match.results["rounds"][0] == 1
    assert match.results["fault"][0].tolist()[:4] == [EXCEPTION, 0, EXCEPTION, EXCEPTION]


def test_the_last_player_left_wins_even_if_it_failed_too() -> None:
    """Somebody must win: with one player left the game is over."""
    match = failing_events({0, 1, 2, 3}, ROUND_OVER)

    assert match.results["place"][0].tolist()[:4] == [4, 3, 2, 1]
    assert match.results["won"][0].tolist()[:4] == [0, 0, 0, 1]
    assert match.results["fault"][0].tolist()[:4] == [EXCEPTION] * 4


@pytest.mark.parametrize("failing", [{0}, {1}, {2}, {3}, {0, 1}, {2, 3}, {1, 2, 3}, {0, 2}])
def test_the_next_round_opens_without_those_that_failed(failing: set[int]) -> None:
    """The loser opens if it is left, else the next seat that is."""
    losers, second = set(), []

    def answer(row: Row, view: View) -> int | Verdict:
        if row.event == ROUND_OVER and view.round == 1:
            losers.add(view.shown_loser)
            if row.seat in failing:
                return Verdict(EXCEPTION)
        if row.event == ACT and view.round == 2:
            second.append(view)
        return view.bid + 1 if view.bids_made < 3 else CHALLENGE

    play(Rules(seats=4, dice=(2,) * 4), [LISTENING], make_tasks([[0] * 4]), answer)
    (loser,) = losers
    left = [seat for seat in range(4) if seat not in failing]

    if len(left) > 1:
        opener = next(seat for seat in ((loser + k) % 4 for k in range(4)) if seat in left)
        assert second[0].opener == second[0].seat == opener
        assert [seat for seat in range(4) if second[0].dice_counts[seat]] == left
    else:
        assert not second


def test_a_fault_in_the_game_event_changes_no_result() -> None:
    """The game is over; only the fault is noted."""
    calm = failing_events(set(), GAME_OVER).results[0]

    def answer(row: Row, view: View) -> int | Verdict:
        if row.event == GAME_OVER:
            return Verdict(EXCEPTION)
        return view.bid + 1 if view.bids_made < 4 else CHALLENGE

    match = play(Rules(seats=4, dice=(2,) * 4), [LISTENING], make_tasks([[0] * 4]), answer)
    row = match.results[0]

    assert row["fault"].tolist()[:4] == [EXCEPTION] * 4
    names = [name for name in (match.results.dtype.names or ()) if name != "fault"]
    assert [row[name].tolist() for name in names] == [calm[name].tolist() for name in names]
    for fault in match.faults:
        assert str(State.from_text(fault.position)) == fault.position


def test_whoever_forfeited_hears_nothing_more() -> None:
    """Neither of rounds nor of the end; the others do, those that went out as well."""
    heard: list[tuple[int, int]] = []

    def answer(row: Row, view: View) -> int | Verdict:
        heard.append((row.event, row.seat))
        if row.event == ACT and row.seat == 1:
            return Verdict(TIMEOUT)
        return view.bid + 1 if not view.bids_made else CHALLENGE

    play(Rules(seats=3, dice=(1, 1, 1)), [LISTENING], make_tasks([[0] * 3]), answer)

    assert [seat for event, seat in heard if event == ROUND_OVER] == [0, 2]
    assert [seat for event, seat in heard if event == GAME_OVER] == [0, 2]


@pytest.mark.parametrize("category", range(1, len(FAULT_CATEGORIES)))
def test_every_category_is_kept(category: int) -> None:
    """The number stored is the one given."""

    def answer(row: Row, view: View) -> int | Verdict:
        return Verdict(category)

    match = play(Rules(seats=2), [OUTSIDE], make_tasks([[0, 0]]), answer)

    assert match.results["fault"][0].tolist()[:2] == [category, 0]
    assert [fault.category for fault in match.faults] == [category]


@pytest.mark.parametrize("action", [LEAST, LEAST + 1, -(2**32) - 1, -2, 60, 2**32, MOST - 1, MOST])
@pytest.mark.parametrize("bids", [0, 1])
def test_any_other_number_is_illegal(action: int, bids: int) -> None:
    """The ends of the range of int64 too: nothing wraps around into a bid."""

    def answer(row: Row, view: View) -> int:
        return action if view.bids_made == bids else view.bid + 1

    match = play(Rules(seats=2), [OUTSIDE], make_tasks([[0, 0]]), answer)

    (fault,) = match.faults
    assert (fault.category, fault.action, fault.seat) == (ILLEGAL, action, bids)


def always_raise(event: Any, view: Any, params: Any, memory: Any, rng: Any) -> Any:
    """Fail at every call."""
    if view.seats:
        raise KeyError("nothing works")
    return 0


def out_of_bounds(event: Any, view: Any, params: Any, memory: Any, rng: Any) -> Any:
    """Read past the end of the parameters."""
    return int(params[len(params) + view.bids_made])


def test_more_faults_than_there_is_room_for() -> None:
    """The kernel comes back early to have them read, and none is lost."""
    tasks = make_tasks([[0, 0, 0, 0]], range(500))
    match = play(Rules(seats=4), [seat_compiled(always_raise, trusted=False)], tasks, in_flight=3)

    assert len(match.faults) == 3 * 500
    assert (match.results["place"][:, :4] == [4, 3, 2, 1]).all()
    assert {str(fault.error) for fault in match.faults} == {"'nothing works'"}


def test_illegal_answers_by_the_thousand() -> None:
    """The same without exceptions: all within the kernel."""
    tasks = make_tasks([[0] * 6], range(500))
    bot = seat_compiled(faulty, 0.0, 1.0, trusted=True)
    match = play(Rules(seats=6), [bot], tasks, in_flight=2)

    assert len(match.faults) == 5 * 500
    assert {(fault.category, fault.event) for fault in match.faults} == {(ILLEGAL, ACT)}


def test_foreign_compiled_code_is_checked_for_bounds() -> None:
    """Reading past the end of an array is an exception, not somebody else's memory."""
    bots = [seat_compiled(out_of_bounds, 1.0, trusted=False), seat_compiled(uniform)]
    match = play(Rules(seats=2), bots, make_tasks([[0, 1]]))

    (fault,) = match.faults
    assert isinstance(fault.error, IndexError)
    assert match.results["won"][0].tolist()[:2] == [0, 1]


def test_a_failure_of_the_engine_itself_is_not_blamed_on_a_player() -> None:
    """What is raised before any foreign strategy was called passes through."""
    bots = [seat_compiled(always_raise, trusted=True)]  # as if it were one of ours

    with pytest.raises(KeyError, match="nothing works"):
        play(Rules(seats=2), bots, make_tasks([[0, 0]]))


def test_the_twin_agrees_where_everybody_fails_at_once() -> None:
    """All seats fail at their first event of a round, in games of two to six."""
    for seats in range(2, 7):
        rules = Rules(seats=seats, dice=(2,) * seats)

        def table_answer(row: Row, view: View) -> int | Verdict:
            if row.event == ROUND_OVER:
                return Verdict(TIMEOUT)
            return view.bid + 1 if not view.bids_made else CHALLENGE

        def twin_answer(call: Call) -> int | Forfeit:
            if call.event == ROUND_OVER:
                return Forfeit(TIMEOUT)
            return call.view.bid + 1 if not call.view.bids_made else CHALLENGE

        match = play(rules, [LISTENING], make_tasks([[0] * seats]), table_answer)
        wants = [(ROUND_OVER, GAME_OVER)] * seats
        game = slow.play(rules, twin_answer, seed=SEED, deal=0, wants=wants)

        assert match.results["place"][0, :seats].tolist() == list(game.places)
        assert [fault.seat for fault in match.faults] == [fault.seat for fault in game.faults]
