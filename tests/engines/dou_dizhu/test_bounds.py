"""The positions that reach each bound, in the readable state and in the compiled engine."""

from functools import cache

import pytest

from sim.engines.dou_dizhu.rules import MOST_ACTIONS, MOST_CALLS, MOST_PLAYS, Rules
from sim.engines.dou_dizhu.state import State
from sim.engines.dou_dizhu.view import View
from sim.engines.table import Table
from tests.engines.liars_dice.tables import OUTSIDE, Match, Row, make_tasks

from .bots import passing
from .positions import MOST_BOMBS, MOST_BOMBS_LANDLORD, OPEN_SPIEL, longest_game
from .tables import make_table, play, play_out, seat_compiled


def deal_again(table: Table, state: State) -> None:
    """Lay the cards of a state before the compiled engine, in the place of those it dealt."""
    row = table.states[0]
    row["hands"] = row["taken"] = state.hands
    row["bottom"] = state.bottom
    row["first"] = row["turn"] = state.first


def replay(state: State) -> Match:
    """Play a whole game in the compiled engine as it was played in a state."""
    table = make_table(state.rules, [OUTSIDE], make_tasks([[0, 0, 0]]))
    table.advance()
    deal_again(table, state)

    def answer(row: Row, view: View) -> int:
        if view.calls_made < len(state.calls):
            return state.calls[view.calls_made]
        return state.plays[view.actions_made]

    return play_out(table, answer)


@pytest.mark.parametrize("text", [MOST_BOMBS, MOST_BOMBS_LANDLORD, OPEN_SPIEL])
def test_the_compiled_engine_ends_a_game_as_the_state_does(text: str) -> None:
    """Score, multiplier, roles and counts of games that are not dealt by a key."""
    state = State.from_text(text)
    row = replay(state).results[0]

    assert tuple(row["score"][:3]) == state.scores
    assert tuple(row["place"][:3]) == state.places
    assert tuple(row["won"][:3]) == state.won
    assert (row["multiplier"], row["spring"]) == (state.multiplier, state.spring)
    assert (row["landlord"], row["final_bid"]) == (state.landlord, state.bid)
    assert row["decisions"] == len(state.calls) + len(state.plays)


def test_highest_scores() -> None:
    """oracles.md: with 13 doublings at a bid of 3 a farmer's 24,576 and the landlord's 49,152."""
    lost = State.from_text(MOST_BOMBS)
    won = State.from_text(MOST_BOMBS_LANDLORD)

    assert lost.multiplier == won.multiplier == 2**13
    assert lost.scores == (-49_152, 24_576, 24_576)
    assert won.scores == (49_152, -24_576, -24_576)
    assert replay(lost).results["bombs"][0].tolist()[:3] == [5, 4, 4]


def test_longest_game() -> None:
    """7 calls, then 152 plays and passes, 52 of them plays: the arrays are just long enough."""
    state = longest_game()
    row = replay(state).results[0]

    assert state.is_over
    assert len(state.calls) == MOST_CALLS
    assert len(state.plays) == MOST_ACTIONS
    assert sum(play > 0 for play in state.plays) == MOST_PLAYS
    assert row["decisions"] == MOST_CALLS + MOST_ACTIONS
    assert tuple(row["score"][:3]) == state.scores
    assert len(state.view(0).history) == MOST_ACTIONS


@cache
def most_actions(hands: tuple[int, int, int], passes: int) -> int:
    """Count the most plays and passes of a deal in which any card beats any other.

    `hands` are cards left, of the seat in turn first. No real deal can have more: every play takes
    a card at least, and whoever plays takes the place of the passes.
    """
    mine, *others = hands
    first, second = others
    played = 1 if mine == 1 else 1 + most_actions((first, second, mine - 1), 0)
    if passes == 2:  # the seat in turn leads
        return played
    return max(played, 1 + most_actions((first, second, mine), passes + 1))


def test_no_game_is_longer() -> None:
    """The bound, found by trying all ways to share out plays and passes."""
    assert most_actions((20, 17, 17), 2) == MOST_ACTIONS


def test_text_of_the_longest_game_reads_back() -> None:
    """Every play of it is verified on the way."""
    state = longest_game()

    assert State.from_text(str(state)) == state


def test_the_largest_number_of_redeals() -> None:
    """The stored columns hold it."""
    rules = Rules(max_redeals=10_000)

    row = play(rules, [seat_compiled(passing)], make_tasks([[0, 0, 0]])).results[0]

    assert (row["void"], row["redeals"], row["decisions"]) == (1, 10_000, 30_003)
