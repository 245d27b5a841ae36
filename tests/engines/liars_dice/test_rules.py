"""The rules as an object: what may be asked for, and what each refusal says."""

from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.engines.liars_dice import GAME
from sim.engines.liars_dice.rules import OPTIONS, Rules, bid_number, count_of, face_of
from sim.errors import UsageError

from .drawn import rules


def refusal(seats: int, **options: str) -> str:
    """Give the sentence that refuses these options."""
    with pytest.raises(UsageError) as caught:
        Rules.from_options(seats, options)
    return str(caught.value)


@pytest.mark.parametrize("seats", [-1, 0, 1, 7])
def test_refuses_other_numbers_of_seats(seats: int) -> None:
    """Two to six."""
    assert refusal(seats) == f"seats={seats}: liars-dice is played by 2 to 6 seats"


def test_refuses_an_unknown_option_with_the_nearest_one() -> None:
    """A typing slip is answered with what was meant."""
    assert refusal(2, one_rank="high") == (
        "unknown rule of liars-dice 'one_rank': did you mean 'ones_rank'? "
        "(known: dice, ones_lock, ones_rank, ones_wild, rounds)"
    )


@pytest.mark.parametrize(
    ("option", "value", "choices"),
    [
        ("ones_rank", "middle", "low or high"),
        ("ones_rank", "High", "low or high"),
        ("ones_lock", "on", "any or off"),
        ("ones_lock", "", "any or off"),
        ("ones_wild", "yes", "true or false"),
        ("rounds", "2", "all or 1"),
    ],
)
def test_refuses_a_value_and_names_the_choices(option: str, value: str, choices: str) -> None:
    """Nothing is corrected or taken as the default."""
    assert refusal(2, **{option: value}) == f"rule {option}={value}: must be {choices}"


@pytest.mark.parametrize("lock", ["any", "off"])
def test_refuses_a_lock_without_wild_ones(lock: str) -> None:
    """D-L2: with ones that are never wild, a lock contradicts."""
    assert refusal(2, ones_wild="false", ones_lock=lock) == (
        f"rule ones_lock={lock} contradicts ones_wild=false: ones that are never wild cannot be "
        "locked; leave ones_lock out"
    )


def test_refuses_a_lock_without_wild_ones_as_an_object_too() -> None:
    """The same by the constructor."""
    with pytest.raises(UsageError, match="contradicts ones_wild=false"):
        Rules(seats=2, ones_wild=False, ones_lock="off")


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_refuses_a_single_round_for_more_than_two(seats: int) -> None:
    """D-L3: with three seats nobody would have won."""
    said = f"rule rounds=1: a single round is played by 2 seats, not {seats}"
    assert refusal(seats, rounds="1") == said


@pytest.mark.parametrize("dice", ["0", "6", "-1", "2,6", "0,2", "99999999999999999999"])
def test_refuses_too_many_or_too_few_dice(dice: str) -> None:
    """One to five, for each seat; the message quotes the number that is wrong."""
    (wrong,) = (n for n in dice.split(",") if not 1 <= int(n) <= 5)
    assert refusal(2, dice=dice) == f"rule dice={wrong}: a player starts with 1 to 5 dice"


@pytest.mark.parametrize("dice", ["two", "2;1", "2.0", "2,", ",", "2,x", "nan"])
def test_refuses_dice_that_are_no_numbers(dice: str) -> None:
    """Whole numbers, separated by commas."""
    said = f"rule dice={dice}: must be a whole number from 1 to 5, or one a seat such as 2,1"
    assert refusal(2, dice=dice) == said


@pytest.mark.parametrize(("seats", "dice"), [(2, "1,2,3"), (3, "1,2"), (6, "1,1,1,1,1")])
def test_refuses_another_number_of_dice_than_seats(seats: int, dice: str) -> None:
    """One number for all, or one a seat."""
    given = len(dice.split(","))
    assert refusal(seats, dice=dice) == (
        f"rule dice={dice}: {given} numbers for {seats} seats; give one number for all or one a "
        "seat"
    )


def test_defaults_are_those_of_the_page() -> None:
    """Five dice, ones low, locked by any bid on ones, wild, all rounds."""
    assert Rules.from_options(2, {}) == Rules(
        seats=2, dice=(5, 5), ones_rank="low", ones_lock="any", ones_wild=True, rounds="all"
    )
    assert Rules(seats=6).dice == (5,) * 6


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_declared_defaults_are_what_is_played(option: object) -> None:
    """Naming every default changes nothing."""
    name, default = option.name, option.default  # type: ignore[attr-defined]
    assert Rules.from_options(2, {name: default}) == Rules(seats=2)


def test_options_are_read_with_blanks_around() -> None:
    """As a TOML file or a shell may leave them."""
    assert Rules.from_options(2, {"dice": " 2,1 ", "ones_rank": " high"}) == Rules(
        seats=2, dice=(2, 1), ones_rank="high"
    )


@given(rules())
def test_options_round_trip(table: Rules) -> None:
    """`options` names every rule, and `from_options` gives the same object back."""
    assert Rules.from_options(table.seats, table.options()) == table


def test_rules_are_frozen() -> None:
    """Nobody changes the rules of a game."""
    with pytest.raises(FrozenInstanceError):
        Rules(seats=2).seats = 3  # type: ignore[misc]


@given(st.integers(1, 30), st.integers(1, 6), st.sampled_from(("low", "high")))
def test_numbers_of_bids(count: int, face: int, rank: str) -> None:
    """A bid's number gives its count and face back."""
    number = bid_number(count, face, ones_rank=rank)

    assert (count_of(number), face_of(number, ones_rank=rank)) == (count, face)
    assert 6 * (count - 1) <= number < 6 * count


def test_the_game_gives_its_rules() -> None:
    """The declaration of the game makes the same objects."""
    assert GAME.rules(3, {"dice": "2"}) == Rules(seats=3, dice=(2, 2, 2))
    assert GAME.scoring(Rules(seats=3)).win_baseline == 1 / 3
