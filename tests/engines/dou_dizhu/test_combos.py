"""The rules of combinations, one test a rule, on the functions that people call."""

import subprocess
import sys
from collections import Counter

import pytest

from sim.engines.dou_dizhu import Combination, Kind, beats, classify, legal_plays
from sim.errors import NotationError
from tests.reference import dou_dizhu as slow

WHOLE_PACK = "3456789TJQKA2" * 4 + "BR"


def kind_of(cards: str) -> str | None:
    """Name the kind of some cards."""
    combination = classify(cards)
    return combination.kind if combination else None


def test_all_24639_combinations_by_kind_and_length() -> None:
    """Leads of the whole pack, counted as in oracles.md (independent enumeration)."""
    combinations = [classify(cards) for cards in legal_plays(WHOLE_PACK)]
    found = Counter((c.kind.value, c.length) for c in combinations if c)

    assert len(combinations) == 24639
    assert found == {
        ("single", 1): 15, ("pair", 1): 13, ("trio", 1): 13,
        ("trio + single", 1): 182, ("trio + pair", 1): 156,
        **{("straight", 5 + i): n for i, n in enumerate([8, 7, 6, 5, 4, 3, 2, 1])},
        **{("pair run", 3 + i): n for i, n in enumerate([10, 9, 8, 7, 6, 5, 4, 3])},
        **{("airplane", 2 + i): n for i, n in enumerate([11, 10, 9, 8, 7])},
        **{("airplane + singles", 2 + i): n for i, n in enumerate([968, 3200, 6534, 8288])},
        **{("airplane + pairs", 2 + i): n for i, n in enumerate([605, 1200, 1134])},
        ("four + two singles", 1): 1326, ("four + two pairs", 1): 858,
        ("bomb", 1): 13, ("rocket", 1): 1,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("hand", "leads"),
    [
        ("3456789TJQKA2BR", 52),
        ("33445566778899TTJJQQ", 77),
        ("333444555666777888", 221),
        ("3333444455556666", 97),
        ("333444555666", 57),
        ("333444555777", 48),
        ("333444BR", 18),
        ("333344BR", 16),
        ("3333445566", 28),
        ("44445555", 15),
        ("345678899TJQQQQ22", 102),
        ("3344667899TTTJQKKAAB", 52),
    ],
)
def test_number_of_leads(hand: str, leads: int) -> None:
    """Counted by an independent enumeration (oracles.md)."""
    assert leads == len(legal_plays(hand))


def plays_of(kinds: str, hand: str, to_beat: str | None = None) -> int:
    """Count the legal plays of a hand that are of some kinds."""
    return sum(kind_of(cards) in kinds.split("|") for cards in legal_plays(hand, to_beat))


@pytest.mark.parametrize(
    ("hand", "kinds", "leads", "target", "follows"),
    [
        ("558999TJJJJKKK", "single|pair|trio|bomb", 14, "999", 2),
        ("5566777888999TTTJJQQKKAA22BR", "straight|pair run|airplane", 63, "666777888", 2),
        ("666777TTTQQQ222BR", "trio + single|trio + pair", 50, "33322", 20),
        ("666777TTTQQQ222BR", "trio + single|trio + pair", 50, "999R", 18),
    ],
)
def test_number_of_leads_and_of_follows_of_the_same_kind(
    hand: str, kinds: str, leads: int, target: str, follows: int
) -> None:
    """Leads of some kinds, and plays of the target's kind that beat it (oracles.md)."""
    assert leads == plays_of(kinds, hand)
    assert follows == plays_of(kind_of(target) or "", hand, target)


def test_follows_end_with_the_bombs_and_the_rocket() -> None:
    """Both beat any ordinary play, whatever its kind."""
    assert legal_plays("558999TJJJJKKK", "999") == ["JJJ", "KKK", "JJJJ"]
    assert legal_plays("34444BR", "AAAKKK") == ["4444", "BR"]


def test_D5_a_follower_needs_the_same_kind_and_length_or_a_bomb() -> None:
    """All 308 x 308 pairs of classes, as the twin decides them."""
    one_each = {(c.kind, c.length, c.rank): c for c in slow.ALL}.values()

    assert len(one_each) == 308
    for a in one_each:
        read = classify(a.cards)
        assert read is not None
        for b in one_each:
            assert slow.beats(a, b) == beats(read, b.cards), f"{a.cards} on {b.cards}"


def test_D6_small_groups() -> None:
    """One, two and three of a rank, and a trio with one kicker."""
    assert kind_of("2") == Kind.SINGLE
    assert kind_of("22") == Kind.PAIR
    assert kind_of("222") == Kind.TRIO
    assert kind_of("222R") == Kind.TRIO_SINGLE
    assert kind_of("22233") == Kind.TRIO_PAIR
    assert kind_of("222BR") is None
    assert kind_of("34") is None


@pytest.mark.parametrize(
    ("shortest", "too_short", "with_a_2", "gap"),
    [
        ("34567", "3456", "TJQKA2", "34568"),
        ("334455", "3344", "KKAA22", "334466"),
        ("333444", "333", "AAA222", "333555"),
    ],
)
def test_D7_runs(shortest: str, too_short: str, with_a_2: str, gap: str) -> None:
    """Five singles, three pairs, two trios, neighbours all, without a 2."""
    kinds = {"34567": Kind.STRAIGHT, "334455": Kind.PAIR_RUN, "333444": Kind.AIRPLANE}

    assert kinds[shortest] == kind_of(shortest)
    assert kind_of(too_short) not in kinds.values()
    assert kind_of(with_a_2) is None
    assert kind_of(gap) is None


def test_D7_a_run_has_no_joker() -> None:
    """Nor can a joker stand for a card."""
    assert kind_of("JQKAB") is None
    assert kind_of("A2BR3") is None
    assert kind_of("TJQKA") == Kind.STRAIGHT


def test_D8_single_wings_may_form_pairs() -> None:
    """Three trios with a pair and one more."""
    assert kind_of("333444555" + "667") == Kind.AIRPLANE_SINGLES
    assert kind_of("333444" + "66") == Kind.AIRPLANE_SINGLES


@pytest.mark.parametrize(
    "cards",
    [
        "333444555" + "777",
        "333444555666" + "7777",
        "333444" + "BR",
        "333444" + "35",
        "3334444" + "5",
    ],
)
def test_D8_single_wings_hold_no_trio_bomb_rocket_or_core_rank(cards: str) -> None:
    """Each of the four is refused."""
    assert kind_of(cards) is None


def test_D8_four_trios_in_a_row_are_bare() -> None:
    """Not three trios with a trio as wings: the cards have one reading."""
    assert classify("333444555666") == Combination(Kind.AIRPLANE, 4, "6", "333444555666")
    assert classify("333444555777") is None


def test_D8_pair_wings_have_distinct_ranks() -> None:
    """Two equal pairs would be a bomb."""
    assert kind_of("333444" + "5566") == Kind.AIRPLANE_PAIRS
    assert kind_of("333444" + "5555") is None
    assert kind_of("333444" + "55BR") is None


def test_D9_four_with_kickers() -> None:
    """Two singles may be a pair, but not both jokers; two pairs are distinct."""
    assert kind_of("3333" + "45") == Kind.FOUR_SINGLES
    assert kind_of("3333" + "44") == Kind.FOUR_SINGLES
    assert kind_of("3333" + "2R") == Kind.FOUR_SINGLES
    assert kind_of("3333" + "BR") is None
    assert kind_of("3333" + "4455") == Kind.FOUR_PAIRS
    assert kind_of("3333" + "4444") is None
    assert kind_of("3333" + "4") is None


def test_D9_four_with_kickers_is_no_bomb() -> None:
    """It beats only its own kind, and any bomb beats it."""
    assert not beats("4444" + "56", "3")
    assert beats("4444" + "56", "3333" + "AA")
    assert beats("3333", "AAAA" + "22")


def test_D10_kickers_never_decide() -> None:
    """The core's rank does, the highest of a run."""
    assert beats("4443", "333R")
    assert not beats("333R", "3334")
    assert beats("444555" + "36", "333444" + "BA")
    assert classify("333444555" + "AKQ") == Combination(
        Kind.AIRPLANE_SINGLES, 3, "5", "333444555QKA"
    )


def test_D10_runs_compare_at_equal_length_only() -> None:
    """A longer straight does not beat a shorter one."""
    assert beats("45678", "34567")
    assert not beats("456789", "34567")


def test_D11_bombs_and_rocket() -> None:
    """A higher bomb beats a lower one, the rocket everything, and nothing the rocket."""
    assert beats("3333", "2")
    assert beats("4444", "3333")
    assert not beats("3333", "4444")
    assert beats("BR", "2222")
    assert not beats("2222", "BR")
    assert legal_plays("22223333BR", to_beat="RB") == []


def test_D_D2_kickers_never_have_the_core_rank() -> None:
    """Four of a rank is a bomb and no trio with a single: over one it is a single play."""
    assert kind_of("3333") == Kind.BOMB
    assert legal_plays("3333", to_beat="444K") == ["3333"]
    assert legal_plays("4444", to_beat="333K") == ["4444"]


def test_empty_hand_has_no_plays_and_no_card_is_no_combination() -> None:
    """A pass is not a combination."""
    assert legal_plays("") == []
    assert classify("") is None


@pytest.mark.parametrize("target", ["34", "", "BR3", "333444BR"])
def test_to_beat_that_is_no_combination_is_refused(target: str) -> None:
    """The message quotes it."""
    with pytest.raises(NotationError, match=f"^'{target}' is no combination$"):
        legal_plays("3456", to_beat=target)


def test_bad_cards_are_refused_everywhere() -> None:
    """With the sentence of the notation."""
    with pytest.raises(NotationError, match="'X' is no card"):
        legal_plays("3X")
    with pytest.raises(NotationError, match="five cards '3'"):
        classify("33333")
    with pytest.raises(NotationError, match="two red jokers"):
        beats("3", "RR")


def test_the_package_is_light_until_asked() -> None:
    """Importing it loads neither NumPy nor numba; unknown names are refused as usual."""
    program = (
        "import sys, sim.engines.dou_dizhu as game\n"
        "assert not {'numpy', 'numba'} & set(sys.modules)\n"
        "assert 'legal_plays' in dir(game) and not hasattr(game, 'no_such_name')\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
