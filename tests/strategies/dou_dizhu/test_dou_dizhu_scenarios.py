"""What the built-in Dou Dizhu strategies do: one line each, anybody can add one."""

import pytest

from sim.engines.dou_dizhu.view import View
from tests.strategies.dou_dizhu.tables import bind, decide, decision, ending

DEAL = "rules=auction:false hands=33344556789TJQK2B/45667788999TTJKA2/34578TJJQQQKKAA2R bottom=6A2"
"""No bomb but the rocket, which two seats share."""

AUCTION = DEAL.removeprefix("rules=auction:false ")


@pytest.mark.parametrize(
    ("bot", "position", "expected"),
    [
        # greedy leads its lowest card among as many as it can
        ("greedy", DEAL, "3456789TJQKA"),
        ("greedy", f"{DEAL} plays=3", "4"),
        ("greedy", f"{DEAL} plays=33", "66"),
        ("greedy", f"{DEAL} plays=K,A", "2"),  # its partner's ace
        ("greedy", f"{DEAL} plays=33344", "66999"),
        ("greedy", f"{DEAL} plays=3,4,pass", "5"),
        ("greedy", AUCTION, "1"),
        ("greedy", f"{AUCTION} calls=pass", "1"),
        ("greedy", f"{AUCTION} calls=1", "pass"),
        # partition
        ("partition", f"{DEAL} plays=3", "9"),  # keeps 66778899
        ("partition", f"{DEAL} plays=3,A", "pass"),  # a strong single of its partner
        ("partition", f"{DEAL} plays=3,4", "5"),  # a small one
        ("partition:bid_aggressiveness=0", AUCTION, "pass"),
        ("partition:bid_aggressiveness=1", AUCTION, "3"),
        ("partition:bid_aggressiveness=1", f"{AUCTION} calls=2", "3"),
    ],
)
def test_plays_as_described_in_a_whole_deal(bot: str, position: str, expected: str) -> None:
    """In this position the strategy does that."""
    name, _, given = bot.partition(":")
    bound = bind(name, dict(item.split("=") for item in given.split(",") if item))

    assert decision(bound, position) == expected


@pytest.mark.parametrize(
    ("bot", "view", "expected"),
    [
        # greedy bombs once an opponent has two cards; a farmer's partner is no opponent
        ("greedy", ending("landlord", "34444", (3, 4), "5577TQK", "A@1"), "pass"),
        ("greedy", ending("landlord", "34444", (2, 4), "557TQK", "A@1"), "4444"),
        ("greedy", ending("landlord", "3BR", (3, 2), "5577T", "22@2"), "BR"),
        ("greedy", ending("landlord", "34444", (3, 4), "5577TQK", "3333@1"), "pass"),
        ("greedy", ending("after", "34444", (3, 2), "5577T", "A@0"), "pass"),
        ("greedy", ending("after", "34444", (2, 3), "5577T", "A@0"), "4444"),
        # and leads bombs like anything else; of equally many cards a trio with a single
        ("greedy", ending("landlord", "3333K", (3, 4), "5577TQK"), "333K"),
        ("greedy", ending("landlord", "444455", (3, 4), "5577TQK"), "444455"),
        # partition: the whole hand at once
        ("partition", ending("landlord", "34567", (5, 5), "89TJQKAA22"), "34567"),
        ("partition", ending("landlord", "3444", (5, 5), "89TJQKAA22"), "3444"),
        ("partition", ending("landlord", "AA", (5, 5), "889TJQQK22", "QQ@1"), "AA"),
        # a sure win: what holds first, the weak one last
        ("partition", ending("landlord", "3R", (5, 5), "89TJQKAA22"), "R"),
        ("partition", ending("landlord", "322", (5, 5), "89TJQKAA66"), "22"),
        ("partition", ending("landlord", "3R", (5, 5), "89TJQKAA22", "A@1"), "R"),
        ("partition", ending("before", "44K2", (5, 5), "889TTJQQKK", "A@0"), "2"),
        # else the weakest, with what it carries off
        ("partition", ending("landlord", "37799K", (5, 5), "45TJQKAA22"), "3"),
        ("partition", ending("landlord", "35777QK", (5, 5), "45TJQKAA22"), "3777"),
        ("partition", ending("landlord", "3456789QA", (5, 5), "45TJQKAA22"), "3456789"),
        # an opponent with one card, or two: nothing it could go out on, or else the highest
        ("partition", ending("landlord", "366K", (1, 5), "45JQA2"), "66"),
        ("partition", ending("landlord", "38Q", (1, 5), "45JQA2"), "Q"),
        ("partition", ending("landlord", "38Q", (4, 5), "45JQKKAA2"), "3"),
        ("partition", ending("landlord", "33688Q", (2, 5), "55JQKKA"), "6"),
        ("partition", ending("before", "38Q", (1, 5), "45JQA2"), "Q"),
        ("partition", ending("landlord", "38QA", (1, 5), "45JQK2", "6@2"), "A"),
        ("partition", ending("landlord", "38QA", (5, 5), "456TJJQQK2", "6@2"), "8"),
        # a partner with one card: its lowest single
        ("partition", ending("after", "4488T", (5, 1), "55QQA2"), "4"),
        ("partition", ending("after", "4488T", (5, 2), "55QQA22"), "44"),
        # the partner's play: left alone if strong, or if only a strong one goes on it
        ("partition", ending("after", "4782", (5, 5), "4579TJQKKA", "A@2"), "pass"),
        ("partition", ending("after", "47KK2", (5, 5), "4579TJJQAA", "QQ@2"), "pass"),
        ("partition", ending("after", "47KK2", (5, 5), "4579TJJQAA", "QQ@0"), "KK"),
        ("partition", ending("after", "48A", (5, 5), "4579TJQK22", "7@2"), "8"),
        ("partition", ending("after", "4QA2", (5, 5), "4579TJJKKK", "T@2"), "Q"),
        ("partition", ending("after", "A", (5, 5), "4579TJQK22", "K@2"), "A"),
        # the landlord next with one card: comes between, on the partner's play too
        ("partition", ending("before", "358A", (1, 5), "45JQK2", "4@1"), "A"),
        ("partition", ending("before", "358A", (6, 5), "45677JTTQK2", "4@1"), "5"),
        ("partition", ending("before", "358A", (1, 5), "456789", "T@1"), "pass"),
    ],
)
def test_plays_as_described_near_the_end(bot: str, view: View, expected: str) -> None:
    """In this position, without a history, the strategy does that."""
    assert view.text(decide(bind(bot), view)) == expected
