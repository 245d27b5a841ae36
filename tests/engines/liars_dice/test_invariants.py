"""What holds in every game of Liar's Dice, whoever plays, and the games that reach the bounds."""

from collections import defaultdict
from typing import Any, Final

import numpy as np
import pytest
from numpy.typing import NDArray

from sim.engines.events import ACT, GAME_OVER, ROUND_OVER
from sim.engines.liars_dice.rules import FACES, MAX_BIDS, Rules
from sim.engines.liars_dice.state import State
from sim.engines.liars_dice.view import CHALLENGE, View
from sim.engines.table import SeatedBot
from tests.reference import liars_dice as slow
from tests.reference.liars_dice import Call

from .bots import brisk, uniform
from .tables import LISTENING, SEED, Row, make_tasks, play, seat_compiled

GAMES: Final = 2000
HEARS_ROUNDS: Final = SeatedBot(compiled=False, params=np.zeros(0), wants_round=True)


def results_of(rules: Rules) -> NDArray[Any]:
    """Play games of two kinds of players without forfeits."""
    bots = [seat_compiled(uniform), seat_compiled(brisk, hears=True)]
    seats = range(rules.seats)
    seatings = [[(seat + shift) % 2 for seat in seats] for shift in (0, 1)]
    return play(rules, bots, make_tasks(seatings, range(GAMES // 2))).results


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("dice", [1, 2, 5])
def test_number_of_rounds(seats: int, dice: int) -> None:
    """A game of n players with d dice has between d(n-1) and nd-1 rounds, each one challenge."""
    results = results_of(Rules(seats=seats, dice=(dice,) * seats))

    assert results["rounds"].min() >= dice * (seats - 1)
    assert results["rounds"].max() <= seats * dice - 1
    assert (results["challenges"].sum(axis=1) == results["rounds"]).all()


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_sums_of_a_result(seats: int) -> None:
    """One winner, places 1 .. n, scores that sum to zero, decisions all bids or challenges."""
    results = results_of(Rules(seats=seats))
    places = np.sort(results["place"][:, :seats], axis=1)

    assert (places == np.arange(1, seats + 1)).all()
    assert (results["score"].sum(axis=1) == 0).all()
    assert (results["won"] == (results["place"] == 1)).all()
    assert (results["score"][:, :seats] == np.where(results["won"][:, :seats], seats - 1, -1)).all()
    both = results["bids"] + results["challenges"]
    assert (both.sum(axis=1) == results["decisions"]).all()
    for part, whole in (
        ("challenges_right", "challenges"),
        ("bids_unsupported", "bids"),
        ("bids_on_ones", "bids"),
    ):
        assert (results[part] <= results[whole]).all()
        assert results[part].max() > 0
    assert (results["void"] == 0).all()
    assert (results["fault"] == 0).all()


def test_dice_in_play_fall_by_one_a_round() -> None:
    """Without forfeits; seen from the views of all seats, in rounds of six seats."""
    in_play: defaultdict[int, set[tuple[int, int]]] = defaultdict(set)

    def answer(row: Row, view: View) -> int:
        assert view.dice_in_play == sum(view.dice_counts)
        assert view.own_dice == sum(view.own) == view.dice_counts[view.seat]
        in_play[row.task].add((view.round, view.dice_in_play))
        return view.bid + 1 if view.bids_made < 3 + row.task % 5 else CHALLENGE

    rules = Rules(seats=6)
    play(rules, [HEARS_ROUNDS], make_tasks([[0] * 6], range(20)), answer)
    for seen in in_play.values():
        rounds = sorted(seen)
        assert rounds == [(number, 31 - number) for number in range(1, len(rounds) + 1)]


def climb(view: View) -> int:
    """Bid one more each time, and challenge only where nothing else is left."""
    legal = view.legal()
    assert len(legal) == FACES * view.dice_in_play - 1 - view.bid + (view.bids_made > 0)
    return legal[-1] if len(legal) == 1 else legal[min(1, view.bids_made)]


@pytest.mark.parametrize(("seats", "rank"), [(2, "low"), (6, "low"), (6, "high")])
def test_longest_rounds(seats: int, rank: str) -> None:
    """All 6N bids are made in every round, 180 with six seats; only a challenge is left then.

    Every view is compared with the twin's: the history of bids is full to its last place.
    """
    rules = Rules.from_options(seats, {"ones_rank": rank})
    calls: list[Call] = []

    def answer(row: Row, view: View) -> int:
        calls.append(Call(row.event, row.seat, row.call, view))
        return climb(view) if row.event == ACT else 0

    result = play(rules, [LISTENING], make_tasks([[0] * seats]), answer).results[0]
    game = slow.play(
        rules,
        lambda call: climb(call.view) if call.event == ACT else 0,
        seed=SEED,
        deal=0,
        wants=[(ROUND_OVER, GAME_OVER)] * seats,
    )

    assert calls == game.calls
    assert max(call.view.bids_made for call in calls) == FACES * 5 * seats <= MAX_BIDS
    assert result["decisions"] == game.decisions
    assert result["bids"].tolist()[:seats] == game.counters["bids"]
    assert result["bid_excess"].tolist()[:seats] == game.counters["bid_excess"]


def boast(event: Any, view: Any, params: Any, memory: Any, rng: Any) -> Any:
    """Open with the highest bid there is, which is hardly ever true; else challenge."""
    return CHALLENGE if view.bids_made else 6 * view.dice_in_play - 1


@pytest.mark.parametrize(("seats", "shortest", "longest"), [(2, 5, 9), (4, 15, 19), (6, 25, 29)])
def test_shortest_and_longest_games(seats: int, shortest: int, longest: int) -> None:
    """Both bounds are reached: one seat after the other loses all, or all but one die are lost."""
    tasks = make_tasks([[0] * seats], range(2000))
    usual = play(Rules(seats=seats), [seat_compiled(brisk)], tasks).results
    quick = play(Rules(seats=seats), [seat_compiled(boast)], tasks[:1]).results

    assert usual["rounds"].max() == longest
    assert quick["rounds"][0] == shortest
    assert quick["place"][0, :seats].tolist() == [*range(seats, 1, -1), 1]


def test_above_the_highest_bid_only_a_challenge_is_legal() -> None:
    """In both engines, for all table sizes."""
    for seats in range(2, 7):
        top = FACES * 5 * seats - 1
        state = State.deal(Rules(seats=seats), seed=SEED, deal=0).after(top)
        assert state.legal() == [CHALLENGE]
        for action in (top, top + 1):

            def answer(row: Row, view: View, top: int = top, action: int = action) -> int:
                return top if not view.bids_made else action

            match = play(Rules(seats=seats), [LISTENING], make_tasks([[0] * seats]), answer)
            assert match.faults[0].seat == 1
