"""The chances that strategies go by, against counting and against SciPy."""

from itertools import product
from typing import Any

import numpy as np
import pytest
from numba import njit
from scipy.stats import binom

from sim.engines.liars_dice.state import State
from sim.engines.liars_dice.view import View
from sim.strategies.liars_dice import odds
from tests.strategies.tables import record

RULES = ("", "rules=ones_rank:high ", "rules=ones_lock:off ", "rules=ones_wild:false ")
TABLE = odds.chance_table()


def view_of(text: str) -> View:
    """Give the view of the seat in turn."""
    state = State.from_text(text)
    return state.view(state.to_move)


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("bids", ["", " bids=1x2,1x3", " bids=2x1,4x3"])
def test_chance_is_what_counting_gives(rules: str, bids: str) -> None:
    """The chance of each bid is the share of the 216 hidden rolls of three dice that make it true.

    Position: own dice 1, 1, 4 and 5 against three hidden ones; the count is by the readable state.
    """
    own, hidden = "1145", 3
    view = view_of(f"{rules}hands={own}/222{bids}")
    for count, face in product(range(1, 8), range(1, 7)):
        true = 0
        for roll in product("123456", repeat=hidden):
            dice = [int(die) for die in own] + [int(die) for die in roll]
            wild = 0 if view.locked or face == 1 else dice.count(1)
            true += dice.count(face) + wild >= count

        assert odds.chance(view, count, face, TABLE) == pytest.approx(true / 6**hidden, abs=1e-15)


def test_largest_table() -> None:
    """One die against 25: all counts up to 25 are looked up, and more is in vain."""
    view = view_of("hands=2/55555/55555/55555/55555/55555")

    chances = [odds.chance(view, count, 3, TABLE) for count in range(1, 32)]

    assert chances[:25] == [odds.tail(25, count, 2) for count in range(1, 26)]
    assert chances[25:] == [0.0] * 6


def test_table_agrees_with_scipy() -> None:
    """Every tail of the table is SciPy's, but for its rounding."""
    table = iter(TABLE)
    for sixths, dice, need in product((1, 2), range(26), range(27)):
        expected = binom.sf(need - 1, dice, sixths / 6)

        assert next(table) == pytest.approx(expected, rel=1e-11, abs=1e-15)


def test_tails_are_the_nearest_floats() -> None:
    """A tail of 25 dice is summed exactly: 1 - (5/6)**25 and its like lose nothing on the way."""
    assert odds.tail(25, 25, 1) == 1 / 6**25
    assert odds.tail(25, 1, 1) == (6**25 - 5**25) / 6**25


@pytest.mark.parametrize("rules", ["", "rules=ones_rank:high "])
def test_numbers_of_bids_are_those_of_the_view(rules: str) -> None:
    """Helpers and view number bids alike, both ways, however ones rank."""
    view = view_of(f"{rules}hands=12/34")
    for number in range(180):
        count, face = odds.bid_count(number), odds.bid_face(view, number)

        assert (view.count_of(number), view.face_of(number)) == (count, face)
        assert odds.bid_number(view, count, face) == view.number(count, face) == number


def ask_everything(view: Any, table: Any, out: Any) -> None:
    """Fill `out` with what the helpers say of each face and count."""
    for face in range(1, 7):
        out[face] = odds.own_support(view, face)
        out[10 + face] = odds.sixths(view, face)
        out[20 + face] = odds.expected(view, face)
        for count in range(1, 8):
            number = odds.bid_number(view, count, face)
            out[30 + 10 * face + count] = odds.chance(view, count, face, table)
            out[100 + number] = odds.bid_face(view, number) + 10 * odds.bid_count(number)
    out[0] = odds.unseen(view)


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("bids", ["", " bids=1x2,1x3", " bids=2x1,4x3"])
def test_both_kinds_get_the_same_answers(rules: str, bids: str) -> None:
    """Compiled over the record and plain over the view, every helper gives the very same number."""
    view = view_of(f"{rules}hands=1145/222{bids}")
    plain, fast = np.zeros(300), np.zeros(300)

    ask_everything(view, TABLE, plain)
    njit(ask_everything)(record(view), np.array(TABLE), fast)

    assert plain.tolist() == fast.tolist()
