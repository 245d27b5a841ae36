"""What the built-in Liar's Dice strategies do: one line each, anybody can add one."""

import pytest

from tests.strategies.tables import bind, decision


@pytest.mark.parametrize(
    ("bot", "position", "expected"),
    [
        # honest: the lowest raise on the face that own dice and expectation bear best
        ("honest", "hands=555/66", "1x5"),
        ("honest", "hands=555/66 bids=1x5", "1x6"),
        ("honest", "hands=1666/555 bids=3x6", "4x5"),  # three own and 4/3 expected: 4.33
        ("honest", "hands=1666/5 bids=2x6", "challenge"),  # one own and 4/3 expected: 2.33
        ("honest", "hands=34566/55 bids=1x5", "2x5"),
        ("honest", "hands=115/66 bids=1x1", "1x6"),  # locked: ones help no other face
        ("honest", "hands=2/1", "1x2"),
        ("honest", "hands=1/2", "1x2"),  # a wild one is worth as much as any face: the lowest
        ("honest", "rules=ones_wild:false hands=1/2", "1x1"),
        ("honest", "rules=ones_rank:high hands=22/11 bids=1x6", "1x1"),
        ("honest", "rules=ones_rank:low hands=22/33 bids=4x6", "challenge"),  # the highest bid
        # dudo: the strongest claim with chance 1/2
        ("dudo", "hands=5/6", "1x5"),
        ("dudo", "hands=1/6", "1x6"),
        ("dudo", "hands=55555/66666", "7x5"),  # two of five hidden fives or ones: .54
        ("dudo", "hands=55555/66666 bids=7x5", "7x6"),
        ("dudo", "hands=55555/66666 bids=7x6", "challenge"),
        ("dudo", "hands=111/222", "4x6"),  # one of three hidden: 19/27
        ("dudo", "hands=111/222 bids=1x1", "3x2"),  # locked
        ("dudo", "rules=ones_rank:high hands=1/6", "1x1"),
        # threshold without bluffs
        ("threshold:bluff_rate=0", "hands=55/66", "1x5"),
        ("threshold:bluff_rate=0", "hands=55/66 bids=3x6", "challenge"),  # 4x6 has 1/9
        ("threshold:bluff_rate=0,raise_above=0.1", "hands=55/66 bids=3x6", "4x6"),
        ("threshold:bluff_rate=0,raise_above=0.1", "hands=55/66 bids=4x5", "challenge"),
        (
            "threshold:bluff_rate=0",
            "hands=12345/6 bids=5x6",
            "challenge",
        ),  # 11/243
        ("threshold:bluff_rate=0", "rules=ones_wild:false hands=55/66 bids=3x6", "challenge"),
        # aggressive: none, and all
        ("aggressive:aggressiveness=0", "hands=55/66", "1x5"),
        ("aggressive:aggressiveness=1", "hands=55/66", "4x5"),
        ("aggressive:aggressiveness=0", "hands=55/66 bids=1x5", "1x6"),
        (
            "aggressive:aggressiveness=0",
            "hands=55/66 bids=2x5",
            "challenge",
        ),  # 1/9
        ("aggressive:aggressiveness=0", "hands=55/66 bids=2x6", "challenge"),
        ("aggressive:aggressiveness=1", "hands=55/66 bids=2x6", "4x6"),
        ("aggressive:aggressiveness=0", "hands=22/55555 bids=1x1", "challenge"),  # 11/36
        ("aggressive:aggressiveness=1", "hands=22/55555 bids=2x2", "7x5"),  # believes in 1/9
        ("aggressive:aggressiveness=1", "hands=55/66 bids=4x6", "challenge"),
    ],
)
def test_plays_as_described(bot: str, position: str, expected: str) -> None:
    """In this position the strategy does that, whatever its random numbers."""
    name, _, given = bot.partition(":")
    bound = bind(name, dict(item.split("=") for item in given.split(",") if item))

    assert {decision(bound, position, seed=seed) for seed in range(5)} == {expected}


def test_random_picks_every_legal_action_equally_often() -> None:
    """Over 3,000 seeds each of the seven bids left and the challenge comes up about 375 times.

    Five standard deviations, sqrt(3000 * 1/8 * 7/8) = 18.1 each, are 91.
    """
    bound = bind("random")
    position = "hands=2/3 bids=1x5"

    picks = [decision(bound, position, seed=seed) for seed in range(3000)]

    options = ["challenge", "1x6", "2x1", "2x2", "2x3", "2x4", "2x5", "2x6"]
    assert set(picks) == set(options)
    assert all(abs(picks.count(option) - 375) < 91 for option in options)


def test_random_never_challenges_as_opener() -> None:
    """The opener has bids only, and each of the twelve comes up."""
    bound = bind("random")

    picks = {decision(bound, "hands=2/3", seed=seed) for seed in range(300)}

    assert picks == {f"{count}x{face}" for count in (1, 2) for face in range(1, 7)}


def test_threshold_bluffs_at_its_rate() -> None:
    """With rate 1 it bids each of the six next bids, with rate 0 its best one only."""
    position = "hands=55555/66666"

    picks = [
        {decision(bind("threshold", {"bluff_rate": rate}), position, seed=s) for s in range(60)}
        for rate in (0, 1)
    ]

    assert picks == [{"1x5"}, {f"1x{face}" for face in range(1, 7)}]
