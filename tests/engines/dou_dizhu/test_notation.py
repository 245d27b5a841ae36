"""Cards as text and packed."""

import pytest
from hypothesis import given

from sim.engines.dou_dizhu.notation import (
    PACK,
    ROCKET,
    card_count,
    cards_text,
    counts_of,
    pack_counts,
    parse_cards,
)
from sim.errors import NotationError

from .hands import hands


@given(hands())
def test_text_and_packed_cards_are_inverse(text: str) -> None:
    """Text from low to high comes back as it was, and its counts are those of its letters."""
    cards = parse_cards(text)

    assert text == cards_text(cards)
    assert len(text) == card_count(cards)
    assert cards == pack_counts(counts_of(cards))
    assert [text.count(letter) for letter in "3456789TJQKA2BR"] == list(counts_of(cards))


@given(hands())
def test_letters_are_read_in_any_order(text: str) -> None:
    """Reversed, the same cards."""
    assert parse_cards(text[::-1]) == parse_cards(text)


def test_D2_ranks_rise_from_3_to_the_red_joker() -> None:
    """Equal numbers of cards of a higher rank are a higher integer."""
    ranks = "3456789TJQKA2BR"

    assert sorted(ranks, key=parse_cards) == list(ranks)
    assert parse_cards("3") == 1
    assert parse_cards("RB") == ROCKET


def test_D1_the_pack_has_54_cards() -> None:
    """Thirteen ranks of four, and two jokers."""
    assert parse_cards("3456789TJQKA2" * 4 + "RB") == PACK
    assert card_count(PACK) == 54
    assert 0 < PACK < 1 << 60


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("3X4", "'X' is no card: cards are 3456789TJQKA2BR"),
        ("10", "'1' is no card: cards are 3456789TJQKA2BR"),
        ("34 56", "' ' is no card: cards are 3456789TJQKA2BR"),
        ("3q", "'q' is no card: cards are 3456789TJQKA2BR, in capitals"),
        ("433333", "five cards '3' in '433333': the pack has 4"),
        ("K" * 11, "11 cards 'K' in 'KKKKKKKKKKK': the pack has 4"),
        ("R3R", "two red jokers in 'R3R': the pack has 1"),
        ("BBB", "three black jokers in 'BBB': the pack has 1"),
    ],
)
def test_refusal_names_the_offending_part(text: str, why: str) -> None:
    """One sentence that says what is wrong and what there is."""
    with pytest.raises(NotationError) as refusal:
        parse_cards(text)

    assert str(refusal.value) == why
