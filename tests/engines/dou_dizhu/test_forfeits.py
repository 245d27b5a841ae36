"""Forfeits ("Both games" of the rules): who pays, who has won; and no other game is touched."""

from itertools import permutations
from typing import Any, Final

import numpy as np
import pytest

from sim.engines.base import CONSTRUCTOR_CALL
from sim.engines.dou_dizhu.notation import parse_cards
from sim.engines.dou_dizhu.rules import Rules
from sim.engines.dou_dizhu.state import State
from sim.engines.dou_dizhu.view import AUCTION, NO_SPRING, View
from sim.engines.events import ACT, GAME_OVER
from tests.engines.liars_dice.tables import (
    EXCEPTION,
    ILLEGAL,
    LISTENING,
    OUTSIDE,
    SEED,
    TIMEOUT,
    Row,
    Verdict,
    make_tasks,
    same_results,
)

from .bots import faulty, restless, scribbling, uniform
from .drawn import LEAST, MOST
from .positions import FAST
from .tables import play, seat_compiled

SEATINGS: Final = list(permutations(range(3)))

OFFENCES: Final = {
    # nobody has bid yet: one unit of 1 to each of the others
    "auction": ("calls=forfeit", (-2, 1, 1)),
    "auction, second": ("calls=pass,forfeit", (1, -2, 1)),
    "auction at 2": ("calls=2,forfeit", (2, -4, 2)),
    "auction, the bidder": ("calls=1,2,pass,forfeit", (-4, 2, 2)),
    # the landlord pays each farmer one unit, also as the leader of the first trick
    "landlord at once": ("calls=2,pass,pass plays=forfeit", (-4, 2, 2)),
    "landlord at 1": ("calls=1,pass,pass plays=8,pass,pass,forfeit", (-2, 1, 1)),
    "landlord after a bomb": ("calls=3 plays=8,pass,KKKK,forfeit", (-12, 6, 6)),
    # a farmer pays the landlord two units alone
    "farmer": ("calls=2,pass,pass plays=8,forfeit", (4, -4, 0)),
    "other farmer": ("calls=2,pass,pass plays=8,pass,forfeit", (4, 0, -4)),
    "farmer after bombs": ("calls=3 plays=8,pass,KKKK,pass,pass,AAAA,pass,forfeit", (24, -24, 0)),
}


@pytest.mark.parametrize("name", OFFENCES)
def test_who_pays_for_a_forfeit(name: str) -> None:
    """At the bid of that moment, at least 1, and its multiplier; the sum is zero."""
    actions, scores = OFFENCES[name]
    state = State.from_text(f"{FAST} {actions}")

    assert state.is_over
    assert state.forfeited
    assert state.scores == scores
    assert sum(scores) == 0
    assert state.won == tuple(score > 0 for score in scores)
    assert state.spring == NO_SPRING
    assert State.from_text(str(state)) == state


def test_DD5_a_forfeited_deal_has_no_spring() -> None:
    """The landlord that played once pays one unit, not two; the farmer that played nothing too."""
    once = State.from_text(f"{FAST} calls=1,pass,pass plays=8,2,pass,forfeit")
    nothing = State.from_text(f"{FAST} calls=1,pass,pass plays=8,pass,forfeit")

    assert (once.multiplier, once.scores) == (1, (-2, 1, 1))
    assert (nothing.multiplier, nothing.scores) == (1, (2, 0, -2))


def answering(state: State, moment: int, answer: int | Verdict) -> Any:
    """Play a deal by the first legal action, and do something else at one moment."""

    def act(row: Row, view: View) -> int | Verdict:
        made = view.calls_made + view.actions_made
        return answer if made == moment else view.legal()[-1]

    return act


@pytest.mark.parametrize("moment", [0, 1, 2, 5])
@pytest.mark.parametrize("answer", [Verdict(TIMEOUT), LEAST, MOST, -1, parse_cards("BR") << 4])
def test_the_compiled_engine_scores_as_the_state_does(moment: int, answer: int | Verdict) -> None:
    """Whatever comes back that is no legal action ends the game at once, in any phase."""
    rules = Rules()
    state = State.deal(rules, seed=SEED, deal=4)
    for _ in range(moment):
        state = state.after(state.legal()[-1])
    match = play(rules, [OUTSIDE], make_tasks([[0] * 3], [4]), answering(state, moment, answer))
    row, (fault,) = match.results[0], match.faults
    end = state.after_forfeit()

    assert tuple(row["score"][:3]) == end.scores
    assert tuple(row["won"][:3]) == end.won
    assert tuple(row["place"][:3]) == end.places
    assert row["decisions"] == moment
    category = answer.category if isinstance(answer, Verdict) else ILLEGAL
    assert row["fault"].tolist()[state.to_move] == category
    assert (fault.seat, fault.category, fault.event) == (state.to_move, category, ACT)
    assert fault.action == (0 if isinstance(answer, Verdict) else answer)
    assert fault.position == str(state)


def test_no_role_is_counted_where_the_auction_was_forfeited() -> None:
    """There is no landlord yet, and no final bid."""
    match = play(Rules(), [OUTSIDE], make_tasks([[0] * 3]), lambda row, view: 7)
    row = match.results[0]

    assert row["role"].tolist()[:3] == [-1, -1, -1]
    assert (row["landlord"], row["final_bid"], row["void"]) == (-1, 0, 0)
    assert sorted(row["score"][:3]) == [-2, 1, 1]


def test_a_leader_that_passes_forfeits() -> None:
    """Passing is no legal action there."""
    match = play(Rules(auction=False), [OUTSIDE], make_tasks([[0] * 3]), lambda row, view: 0)

    assert match.results["score"][0].tolist()[:3] == [-2, 1, 1]
    assert match.results["fault"][0].tolist()[:3] == [ILLEGAL, 0, 0]


@pytest.mark.parametrize("phase", ["auction", "play"])
def test_the_offender_hears_nothing_more(phase: str) -> None:
    """The others are told how the game ended."""
    heard = []

    def answer(row: Row, view: View) -> int:
        if row.event == GAME_OVER:
            heard.append(view)
            return 0
        return -5 if (view.phase == AUCTION) == (phase == "auction") else 3

    match = play(Rules(), [LISTENING], make_tasks([[0] * 3]), answer)
    (fault,) = match.faults
    score = match.results["score"][0]

    assert [view.seat for view in heard] == [seat for seat in range(3) if seat != fault.seat]
    assert [view.score for view in heard] == [score[view.seat] for view in heard]
    assert {view.won for view in heard} == {1}


def test_a_fault_in_the_event_of_the_games_end_changes_no_result() -> None:
    """It is noted with the position at the end."""

    def answer(row: Row, view: View) -> int | Verdict:
        return Verdict(TIMEOUT) if row.event == GAME_OVER else view.legal()[-1]

    tasks = make_tasks([[0, 0, 0]], range(20))
    told = play(Rules(), [LISTENING], tasks, answer)
    quiet = play(Rules(), [OUTSIDE], tasks, lambda row, view: view.legal()[-1])

    assert len(told.faults) == 60
    assert {fault.event for fault in told.faults} == {GAME_OVER}
    assert all(State.from_text(fault.position).is_over for fault in told.faults)
    assert (told.results["score"] == quiet.results["score"]).all()
    assert (told.results["won"] == quiet.results["won"]).all()


def test_a_compiled_strategy_that_raises_forfeits_its_game() -> None:
    """In its turn or in the event of the end; no other game is touched."""
    bots = [seat_compiled(faulty, 0.02, 0.02, trusted=False, hears=True), seat_compiled(uniform)]
    tasks = make_tasks([[0, 1, 1], [1, 0, 1]], range(60))
    match = play(Rules(), bots, tasks)
    games = {fault.task for fault in match.faults}
    kinds = {(fault.event, fault.category) for fault in match.faults}

    assert kinds == {(ACT, EXCEPTION), (ACT, ILLEGAL), (GAME_OVER, EXCEPTION)}
    assert all((fault.error is not None) == (fault.category == EXCEPTION) for fault in match.faults)
    for task in set(range(len(tasks))) - games:
        alone = play(Rules(), bots, tasks[task : task + 1])
        assert same_results(alone.results, match.results[task : task + 1])
    assert 20 < len(games) < 120


def test_recorded_faults_replay_to_the_same_games() -> None:
    """Injected at their keys, the strategy not being asked, every forfeit happens again."""
    bots = [
        seat_compiled(faulty, 0.01, 0.01, trusted=False),
        seat_compiled(restless),
        seat_compiled(uniform),
    ]
    tasks = make_tasks(SEATINGS, range(30))
    first = play(Rules(), bots, tasks)
    again = tasks.copy()
    for fault in first.faults:
        again["inject_call"][fault.task, fault.seat] = fault.call
        again["inject_category"][fault.task, fault.seat] = fault.category
    second = play(Rules(), bots, again)

    assert len(first.faults) > 50
    assert same_results(first.results, second.results)
    assert {fault.position for fault in first.faults} == {f.position for f in second.faults}


def test_a_constructor_that_failed_counts_at_the_first_turn() -> None:
    """Nobody has lost before it is the seat's turn."""
    tasks = make_tasks([[0, 0, 0]], range(10))
    tasks["inject_call"][:, 1] = CONSTRUCTOR_CALL
    tasks["inject_category"][:, 1] = EXCEPTION
    match = play(Rules(auction=False), [seat_compiled(uniform)], tasks)

    assert (match.results["fault"][:, 1] == EXCEPTION).all()
    assert (match.results["decisions"] == 1).all()
    assert (match.results["score"][:, :3] % 2 == 0).all()
    assert {fault.call for fault in match.faults} == {1}


def test_the_sum_of_all_scores_is_zero_whatever_happens() -> None:
    """Thousands of games with raising and garbage in every phase."""
    bots = [
        seat_compiled(faulty, 0.005, 0.01, trusted=False),
        seat_compiled(restless),
        seat_compiled(faulty, 0, 0.05),
    ]
    results = play(Rules(max_redeals=1), bots, make_tasks(SEATINGS, range(500))).results

    assert (results["score"].sum(axis=1) == 0).all()
    assert (results["won"].sum(axis=1) <= 2).all()
    assert 1000 < np.count_nonzero(results["fault"].any(axis=1)) < 3000


def test_what_a_strategy_writes_into_its_view_changes_no_game() -> None:
    """The engine keeps its own copy of all that matters."""
    tasks = make_tasks([[0, 0, 0]], range(300))
    calm = play(Rules(), [seat_compiled(uniform)], tasks)
    wild = play(Rules(), [seat_compiled(scribbling, trusted=False)], tasks)

    assert calm.faults == wild.faults == []
    assert same_results(calm.results, wild.results)
