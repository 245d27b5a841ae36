"""The compiled combinations against the slow twin."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sim.engines.dou_dizhu import packed
from sim.engines.dou_dizhu.notation import PACK, ROCKET, cards_text, counts_of, parse_cards
from sim.engines.dou_dizhu.shapes import Kind, class_code
from tests.reference import dou_dizhu as slow

from .hands import hands, lumped

COMBINATIONS = st.sampled_from(slow.ALL)
ANY_INT64 = st.integers(-(2**63), 2**63 - 1)


def code_of(combination: slow.Combination) -> int:
    """The class code of one of the twin's combinations, by its reading and not by its cards."""
    rank = slow.RANKS.index(combination.rank)
    return class_code(Kind(combination.kind), combination.length, rank)


def listed(hand: str, target: int) -> list[str]:
    """What `list_plays` writes, as text; the count must fit."""
    cards = parse_cards(hand)
    out = np.full(packed.count_plays(cards, target) + 1, -1, np.int64)
    assert packed.list_plays(cards, target, out) == len(out) - 1
    assert out[-1] == -1, "wrote past its own count"
    return [cards_text(play) for play in out[:-1].tolist()]


def drawn(hand: str, target: int) -> list[str]:
    """What `nth_play` gives for every number below the count, as text."""
    cards = parse_cards(hand)
    count = packed.count_plays(cards, target)
    return [cards_text(packed.nth_play(cards, target, n)) for n in range(count)]


@given(hands())
@example("3456789TJQKA2" * 4 + "BR")
@settings(deadline=None, max_examples=200)
def test_leads_are_those_of_the_twin_each_once(hand: str) -> None:
    """Count, list and numbering; 40,000 leads among 200 hands."""
    leads = listed(hand, 0)

    assert sorted(play.cards for play in slow.leads(hand)) == sorted(leads)
    assert leads == drawn(hand, 0)


def check_follows(hand: str, target: slow.Combination) -> None:
    """Count, list and numbering agree with the twin; after the last play comes the pass."""
    follows = listed(hand, code_of(target))
    count = packed.count_plays(parse_cards(hand), code_of(target))

    assert sorted(play.cards for play in slow.legal_plays(hand, target)) == sorted(follows)
    assert follows == drawn(hand, code_of(target))
    assert packed.nth_play(parse_cards(hand), code_of(target), count) == 0


@given(hands(), COMBINATIONS)
@example("2BR", slow.BY_CARDS["3"])  # no pair, and the rocket as the last answer
@settings(deadline=None, max_examples=200)
def test_follows_are_those_of_the_twin_each_once(hand: str, target: slow.Combination) -> None:
    """Any hand, any target."""
    check_follows(hand, target)


@given(lumped(), st.data())
@settings(deadline=None, max_examples=200)
def test_follows_of_a_shape_that_the_hand_holds(hand: str, data: st.DataObject) -> None:
    """Targets of the shapes that the hand could lead, so that winged answers are met often."""
    shapes = sorted({(play.kind, play.length) for play in slow.leads(hand)})
    if shapes:
        shape = data.draw(st.sampled_from(shapes))
        targets = [c for c in slow.ALL if (c.kind, c.length) == shape]
        check_follows(hand, data.draw(st.sampled_from(targets)))


def test_follows_of_the_whole_pack_for_all_classes() -> None:
    """All 308 targets: as many as the twin finds among all combinations."""
    targets = {code_of(c): c for c in slow.ALL}
    sizes = Counter(map(code_of, slow.ALL))

    assert len(targets) == 308
    for code, target in targets.items():
        higher = [sizes[c] for c in targets if slow.beats(targets[c], target)]
        assert packed.count_plays(PACK, code) == sum(higher)


def test_classify_reads_all_combinations_as_the_twin_does() -> None:
    """All 24,639: no set of cards has two readings, and this is the one."""
    assert len(slow.BY_CARDS) == len(slow.ALL) == 24639
    for combination in slow.ALL:
        assert code_of(combination) == packed.classify(parse_cards(combination.cards))


def check_reading(cards: str) -> None:
    """The compiled reading of cards in order is the twin's, if that has one."""
    reading = slow.BY_CARDS.get(cards)

    assert packed.classify(parse_cards(cards)) == (code_of(reading) if reading else 0)


@given(hands())
@settings(deadline=None, max_examples=300)
def test_classify_knows_what_is_no_combination(cards: str) -> None:
    """Random cards, rarely a combination."""
    check_reading(cards)


@given(COMBINATIONS, st.data())
@settings(deadline=None, max_examples=500)
def test_classify_knows_near_misses(combination: slow.Combination, data: st.DataObject) -> None:
    """A combination with one card more, less or changed."""
    cards = list(combination.cards)
    if data.draw(st.booleans()):
        cards.remove(data.draw(st.sampled_from(cards)))
    if data.draw(st.booleans()):
        free = [c for c in slow.RANKS if cards.count(c) < (4 if c in slow.FOURS else 1)]
        cards.append(data.draw(st.sampled_from(free)))

    check_reading(slow.in_order("".join(cards)))


@pytest.mark.parametrize(
    "cards",
    [
        "",
        "BR3",
        "AAA222",
        "KKAA22",
        "333444555666777888999",  # seven trios: more cards than any hand
        "333444555666777888999TTTJJQ",  # eight trios: past the end of a table's row
        "3456789TJQKA2" * 4 + "BR",
    ],
)
def test_classify_refuses_the_edges(cards: str) -> None:
    """No card, jokers beside others, runs past the ace, more cards than any hand."""
    assert packed.classify(parse_cards(cards)) == 0


def test_beats_for_all_pairs_of_classes() -> None:
    """All 308 x 308, and the lead, which any combination may take."""
    classes = {code_of(c): c for c in slow.ALL}
    for a, first in classes.items():
        assert packed.beats(a, 0)
        assert not packed.beats(0, a)
        for b, second in classes.items():
            assert packed.beats(a, b) == slow.beats(first, second), (first, second)


@given(hands(), hands())
@settings(deadline=None)
def test_holds_compares_card_by_card(hand: str, play: str) -> None:
    """Any two sets of cards; every set holds itself and nothing."""
    enough = all(play.count(rank) <= hand.count(rank) for rank in slow.RANKS)

    assert enough == packed.holds(parse_cards(hand), parse_cards(play))
    assert packed.holds(parse_cards(hand), parse_cards(hand))
    assert packed.holds(parse_cards(hand), 0)


@given(hands(), ANY_INT64)
@example("33334444", -1)
@example("3456789TJQKA2BR", -(2**63))
@example("3", 0xF)
@example("3", 1 << 60)
@settings(deadline=None, max_examples=500)
def test_holds_refuses_what_is_no_set_of_cards(hand: str, action: int) -> None:
    """A strategy may answer any int64: none but the cards of the hand gets through."""
    own = counts_of(parse_cards(hand))
    enough = 0 <= action < 1 << 60 and all(
        a <= b for a, b in zip(counts_of(action), own, strict=True)
    )

    assert enough == packed.holds(parse_cards(hand), action)
    assert enough or packed.legal_class(parse_cards(hand), 0, action) == 0


@given(hands(), st.one_of(st.none(), COMBINATIONS), COMBINATIONS)
@settings(deadline=None, max_examples=300)
def test_legal_class_agrees_with_the_list(
    hand: str, target: slow.Combination | None, play: slow.Combination
) -> None:
    """What is listed passes with its class, what is not does not."""
    code = code_of(target) if target else 0
    cards = parse_cards(hand)
    plays = listed(hand, code)

    for text in plays[:: max(1, len(plays) // 50)]:
        expected = code_of(slow.BY_CARDS[text])
        assert expected == packed.legal_class(cards, code, parse_cards(text))
    assert (play.cards in plays) == (packed.legal_class(cards, code, parse_cards(play.cards)) > 0)


def test_rocket_is_both_jokers() -> None:
    """And counts as one play on anything but itself."""
    assert packed.count_plays(ROCKET, 0) == 3
    assert packed.nth_play(ROCKET, class_code(Kind.BOMB, 1, 12), 0) == ROCKET
    assert packed.count_plays(ROCKET, packed.classify(ROCKET)) == 0
