"""Published values that only correct combinations reproduce: fewest plays and open endgames."""

import random
from statistics import fmean, stdev

import pytest

from sim.engines.dou_dizhu import legal_plays
from tests.reference.dou_dizhu_solver import fewest_plays, first_wins

from .hands import PACK


@pytest.mark.parametrize(
    ("hand", "plays"),
    [
        ("5789TJAA", 3),
        ("345567TTJQQQQA22B", 6),
        ("3456789TJQKA2BR", 3),
        ("3334445556667", 2),
        ("333444555666777888", 1),
        ("3344667899TTTJQKKAAB", 9),
    ],
)
def test_fewest_plays_that_empty_a_hand(hand: str, plays: int) -> None:
    """The first two are the examples of NOIP 2015, the others of oracles.md."""
    assert plays == fewest_plays(hand, legal_plays(hand))


@pytest.mark.parametrize(("cards", "mean"), [(17, 7.33), (20, 7.11)])
def test_mean_of_the_fewest_plays(cards: int, mean: float) -> None:
    """Over 400 random hands, within 4 standard errors of oracles.md."""
    deal = random.Random(2026)
    hands = ["".join(deal.sample(PACK, cards)) for _ in range(400)]
    plays = [fewest_plays(hand, legal_plays(hand)) for hand in hands]

    assert fmean(plays) == pytest.approx(mean, abs=4 * stdev(plays) / len(plays) ** 0.5)


@pytest.mark.parametrize(
    ("first", "second", "wins"),
    [
        ("KK5543", "225543", True),
        ("2KKTT77554", "AA8", False),
        ("2AKT96554", "BKJT8854", True),
        ("RBAAKKQTT99", "2222JJTT", True),
    ],
)
def test_open_endgame_one_against_one(first: str, second: str, *, wins: bool) -> None:
    """Results published with WZ403809264/doudizhu_solver, recomputed under our rules."""
    assert wins == first_wins(first, second, legal_plays)
