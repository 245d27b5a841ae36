"""Many games in flight: who plays where, and how many at once, changes no game."""

from collections.abc import Sequence
from itertools import permutations
from typing import Any, Final

import numpy as np
import pytest
from numpy.typing import NDArray

from sim.engines.keyed import random
from sim.engines.liars_dice.rules import Rules
from sim.engines.liars_dice.state import roll_hands
from sim.engines.liars_dice.view import CHALLENGE, View

from .bots import brisk, brisk_twin, script, uniform, uniform_twin
from .tables import (
    LISTENING,
    OUTSIDE,
    Match,
    Row,
    make_table,
    make_tasks,
    play,
    play_out,
    same_results,
    seat_compiled,
)
from .twins import Twin, Twins

THREE: Final = Rules(seats=3, dice=(3, 2, 3))


def uniform_bots(seats: int) -> list[Any]:
    """Give as many players, all uniform."""
    return [seat_compiled(uniform)] * seats


def play_with(
    rules: Rules, twins: dict[int, Twin], bots: Sequence[Any], tasks: NDArray[np.void]
) -> Match:
    """Play with some players answered in Python, in the place of those in `bots`."""
    pump = Twins(twins)
    seated = [
        (LISTENING if bot.wants_round else OUTSIDE) if number in twins else bot
        for number, bot in enumerate(bots)
    ]
    return play_out(pump.seat_at(rules, seated, tasks), pump)


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_a_compiled_player_and_its_twin_play_identical_games(seats: int) -> None:
    """The random player, compiled and in plain Python, draws and does the same."""
    rules, tasks = Rules(seats=seats), make_tasks([[0] * seats], range(40))
    compiled = play(rules, [seat_compiled(uniform)], tasks)
    plain = play_with(rules, {0: uniform_twin}, [seat_compiled(uniform)], tasks)

    assert same_results(compiled.results, plain.results)
    assert len(np.unique(compiled.results["decisions"])) > 10


@pytest.mark.parametrize("outside", [(), (0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)])
def test_mixed_tables_play_identical_games(outside: tuple[int, ...]) -> None:
    """Whoever is compiled and whoever is not: events, memory and draws are the same."""
    bots = [seat_compiled(brisk, hears=True), seat_compiled(uniform), seat_compiled(brisk)]
    twins: list[Twin] = [brisk_twin, uniform_twin, brisk_twin]
    tasks = make_tasks(list(permutations(range(3))), range(15))
    mixed = play_with(THREE, {player: twins[player] for player in outside}, bots, tasks)

    assert same_results(play(THREE, bots, tasks).results, mixed.results)


def test_events_change_what_this_player_does() -> None:
    """The test above would see a missing event: hearing or not, the player plays otherwise."""
    tasks = make_tasks([[0, 0, 0]], range(40))
    hears = play(THREE, [seat_compiled(brisk, hears=True)], tasks).results
    deaf = play(THREE, [seat_compiled(brisk)], tasks).results

    assert not same_results(hears, deaf)


@pytest.mark.parametrize("in_flight", [1, 2, 7, 128, 1000])
def test_number_of_games_in_flight_changes_nothing(in_flight: int) -> None:
    """One game after the other or all at once: the same results, in the order of the tasks."""
    bots = [seat_compiled(brisk, hears=True), seat_compiled(uniform), OUTSIDE]
    tasks = make_tasks(list(permutations(range(3))), range(30))
    results = []
    for flying in (64, in_flight):
        pump = Twins({2: uniform_twin})
        match = play_out(pump.seat_at(THREE, bots, tasks, in_flight=flying), pump)
        results.append(match.results)

    assert same_results(*results)


@pytest.mark.parametrize("cut", [1, 17, 89])
def test_games_may_be_played_in_pieces(cut: int) -> None:
    """A game depends on its task alone, not on those before it in the batch (slots are reused)."""
    bots = [seat_compiled(brisk, hears=True), seat_compiled(uniform), seat_compiled(uniform)]
    tasks = make_tasks(list(permutations(range(3))), range(15))
    whole = play(THREE, bots, tasks, in_flight=4).results
    parts = [play(THREE, bots, part, in_flight=4).results for part in (tasks[:cut], tasks[cut:])]

    assert same_results(whole, np.concatenate(parts))


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_identical_players_win_exactly_equally_often(seats: int) -> None:
    """With every rotation played, each of them wins each deal once (oracles.md, invariants).

    Streams are keyed by seat, so equal bots play the same game in every rotation.
    """
    seatings = [[(seat + shift) % seats for seat in range(seats)] for shift in range(seats)]
    tasks = make_tasks(seatings, range(200))
    results = play(Rules(seats=seats), uniform_bots(seats), tasks).results
    winners = tasks["player"][np.arange(len(tasks)), results["won"].argmax(axis=1)]
    by_deal = np.sort(winners.reshape(200, seats), axis=1)

    assert (results["won"].sum(axis=1) == 1).all()
    assert (by_deal == np.arange(seats)).all()


def test_salt_gives_equal_players_other_draws_and_the_same_dice() -> None:
    """For tests of the statistics: the deal stays the deal."""
    tasks = make_tasks([[0, 1], [1, 0]], range(100))
    plain = play(Rules(seats=2), uniform_bots(2), tasks).results
    salted = play(Rules(seats=2), uniform_bots(2), tasks, salted=True).results
    won = salted["won"][:, 0].reshape(100, 2)

    assert not same_results(plain, salted)
    assert 20 < (won[:, 0] == won[:, 1]).sum() < 80  # the two seatings are games of their own
    assert first_hands(salted=True) == first_hands(salted=False)


def first_hands(**options: Any) -> list[bytes]:
    """Give what the first seat holds in the first round of some deals."""
    table = make_table(Rules(seats=2), [OUTSIDE], make_tasks([[0, 0]], range(50)), **options)
    table.advance()
    return [own.tobytes() for own in table.views["own"]]


@pytest.mark.parametrize("seed", [0, 1, 2**63, 2**64 - 1])
def test_dice_of_extreme_seeds_and_deals(seed: int) -> None:
    """The whole range of keys rolls the same dice in both engines."""
    deals = [0, 1, 2**32, 2**62, 2**63 - 1]
    hands: dict[int, list[bytes]] = {}

    def answer(row: Row, view: View) -> int:
        hands.setdefault(row.task, []).append(view.own)
        return view.bid + 1 if view.bids_made < 5 else -1

    rules = Rules(seats=6, dice=(5, 4, 3, 2, 1, 5))
    play(rules, [OUTSIDE], make_tasks([[0] * 6], deals), answer, seed=seed)

    for task, deal in enumerate(deals):
        rolled = roll_hands(rules.dice, seed=seed, deal=deal, round=1)
        expected = [bytes(hand.count(face) for face in range(8)) for hand in rolled]
        assert hands[task][:6] == expected


def test_no_tasks_are_done_at_once() -> None:
    """An empty range of blocks is no special case."""
    table = make_table(Rules(seats=2), uniform_bots(1), make_tasks([[0, 0]], []))

    assert table.done
    assert table.advance() == (0, [])
    assert len(table.results) == 0


def test_a_slot_keeps_nothing_of_the_game_before() -> None:
    """Memory is zero at the start of each game, also where the slot was used before."""
    bots = [seat_compiled(brisk, hears=True)]
    tasks = make_tasks([[0, 0]], range(30))
    alone = [play(Rules(seats=2), bots, tasks[k : k + 1]).results for k in range(30)]
    together = play(Rules(seats=2), bots, tasks, in_flight=1).results

    assert same_results(np.concatenate(alone), together)


def wasteful(event: Any, view: Any, params: Any, memory: Any, rng: Any) -> Any:
    """Play the script, and draw a different number of random numbers at each turn."""
    for _ in range(50 + 7 * view.bids_made + view.round):
        random(rng)
    return int(params[view.bids_made]) if view.bids_made < len(params) else CHALLENGE


def test_what_a_strategy_draws_moves_no_dice() -> None:
    """The same games, however much is drawn: dice and draws have streams of their own."""
    tasks = make_tasks([[0, 0, 1]], range(300))
    calm = play(THREE, [seat_compiled(script, 1, 4), seat_compiled(uniform)], tasks).results
    busy = play(THREE, [seat_compiled(wasteful, 1, 4), seat_compiled(uniform)], tasks).results

    assert same_results(calm, busy)


def scribbling(event: Any, view: Any, params: Any, memory: Any, rng: Any) -> Any:
    """Play the script and write over the view."""
    made = view.bids_made
    view.dice_in_play = 1
    view.locked = 1 - view.locked
    view.own_dice = 0
    view.bid = 3
    view.bid_count = 9
    view.opener = 5
    for seat in range(6):
        view.dice_counts[seat] = 7
        view.own[seat] = 7
    return int(params[made]) if made < len(params) else CHALLENGE


def test_what_a_strategy_writes_into_its_view_changes_no_rule() -> None:
    """The engine keeps its own copy of all that matters."""
    tasks = make_tasks([[0, 0, 0]], range(300))
    calm = play(THREE, [seat_compiled(script, 0, 4, 7)], tasks).results
    wild = play(THREE, [seat_compiled(scribbling, 0, 4, 7)], tasks).results

    assert same_results(calm, wild)
