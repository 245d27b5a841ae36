"""Values that the rules have exactly, by enumeration on the readable state."""

from fractions import Fraction
from functools import cache

import pytest

from sim.engines.liars_dice.rules import Rules
from sim.strategies.liars_dice.odds import tail
from tests.reference.liars_dice_exact import game_values, uniform


@cache
def uniform_values(rules: Rules) -> tuple[list[Fraction], Fraction, Fraction]:
    """Give the values of a table of uniform players, worked out once."""
    return game_values(rules, uniform)


def test_one_die_each() -> None:
    """P(the opener wins) and E[decisions] of 1 v 1; it lasts one round."""
    wins, rounds, decisions = uniform_values(Rules(seats=2, dice=(1, 1)))

    assert [Fraction(769, 1584), Fraction(815, 1584)] == wins
    assert rounds == 1
    assert Fraction(1118273, 332640) == decisions


@pytest.mark.parametrize(
    ("rules", "opener"),
    [
        (Rules(seats=2, dice=(1, 1)), 0.4854797980),
        (Rules(seats=2, dice=(1, 1), ones_lock="off"), 0.4837962963),
        (Rules(seats=2, dice=(1, 1), ones_rank="high"), 0.4842785494),
    ],
)
def test_the_lock_and_the_rank_of_ones_move_the_value(rules: Rules, opener: float) -> None:
    """D-L1 and D-L2: the value to the opener of 1 v 1, to ten digits."""
    wins, _, _ = uniform_values(rules)

    assert f"{float(wins[0]):.10f}" == f"{opener:.10f}"


def test_two_dice_each() -> None:
    """P(the opener wins) and E[rounds] of 2 v 2: the rules of who opens are in it."""
    wins, rounds, _ = uniform_values(Rules(seats=2, dice=(2, 2)))

    assert Fraction(386153125803845, 778114548744192) == wins[0]
    assert wins[1] == 1 - wins[0]
    assert Fraction(164585, 66096) == rounds


@pytest.mark.parametrize(
    ("dice", "sixths", "need", "expected"),
    [
        (5, 2, 2, Fraction(131, 243)),
        (5, 1, 2, Fraction(763, 3888)),
        (10, 2, 4, Fraction(8675, 19683)),
        (30, 2, 10, 0.568255644421),
        (30, 1, 5, 0.575661116362),
    ],
)
def test_binomial_tails(dice: int, sixths: int, need: int, expected: Fraction | float) -> None:
    """P(X >= need), where a die supports a bid with chance 1/6, or 2/6 while ones are wild."""
    chance = tail(dice, need, sixths)

    assert f"{float(expected):.12f}" == f"{chance:.12f}"
    if isinstance(expected, Fraction):
        assert float(expected) == chance
