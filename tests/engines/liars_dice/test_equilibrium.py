"""Values of a round between two best players: who may know what, who bids when, and who pays.

Rules of one round come from the readable state; see tests/reference/liars_dice_round.py.
"""

from fractions import Fraction

import pytest

from sim.engines.liars_dice.rules import Rules
from sim.engines.liars_dice.state import State
from tests.reference.liars_dice_round import make_round, round_value
from tests.reference.liars_dice_tree import Tree

DEFAULT = Rules(seats=2, dice=(1, 1), rounds="1")
NO_LOCK = Rules(seats=2, dice=(1, 1), rounds="1", ones_lock="off")
HIGH_NO_LOCK = Rules(seats=2, dice=(1, 1), rounds="1", ones_lock="off", ones_rank="high")


@pytest.mark.parametrize(
    ("rules", "value"),
    [
        (DEFAULT, Fraction(-7, 327)),
        (NO_LOCK, Fraction(-7, 327)),
        (HIGH_NO_LOCK, Fraction(-7, 258)),
    ],
    ids=["low", "low, no lock", "high, no lock"],
)
def test_value_of_one_die_each(rules: Rules, value: Fraction) -> None:
    """oracles.md: -7/327 with ones low, with or without the lock; -7/258 as OpenSpiel plays it.

    The program solves to a tolerance of 1e-7; it comes out to 1e-15.
    """
    assert abs(round_value(rules) - value) < 1e-9


@pytest.mark.parametrize(
    ("rules", "nash_conv"),
    [(HIGH_NO_LOCK, 1.561488646384479), (DEFAULT, 1.658671341947)],
    ids=["high, no lock", "low"],
)
def test_nash_conv_of_the_uniform_policy(rules: Rules, nash_conv: float) -> None:
    """oracles.md: what best responses win against uniform players; the first is OpenSpiel's."""
    assert abs(Tree(make_round(rules)).nash_conv() - nash_conv) < 1e-12


@pytest.mark.parametrize(
    ("lock", "value", "other"),
    [("any", 0.246825, 7 / 27), ("off", 7 / 27, 0.246825)],
)
def test_value_of_two_dice_against_one(lock: str, value: float, other: float) -> None:
    """oracles.md: 7/27 without the lock, .246825 with it.

    Forty iterations enclose the one and not the other; the module's command line goes on to
    as many digits as one has patience for (with the lock, .2468 after 500).
    """
    options = {"dice": "2,1", "rounds": "1", "ones_lock": lock}
    tree = Tree(make_round(Rules.from_options(2, options)))
    tree.improve(40)
    low, high = tree.enclosure()

    assert low < value < high
    assert not low < other < high


def states_below(state: State) -> int:
    """Count the finished rounds below `state` (perft)."""
    return 1 if state.round_over else sum(states_below(state.after(a)) for a in state.legal())


@pytest.mark.parametrize(
    ("position", "rounds"),
    [
        ("hands=2/5 bids=2x6", 1),
        ("hands=2/5 bids=2x5", 2),
        ("hands=2/5 bids=2x1", 32),
        ("hands=2/5 bids=1x1", 2048),
        ("hands=2/5", 4095),
        ("rules=ones_rank:high hands=2/5 bids=1x1", 64),
        ("hands=2/5/3 bids=3x1", 32),
    ],
)
def test_number_of_rounds(position: str, rounds: int) -> None:
    """Above a bid, each of the b higher ones is made or not, then comes a challenge: 2**b rounds.

    Nobody may challenge first, so there are 2**12 - 1 = 4,095 with one die each.
    """
    assert rounds == states_below(State.from_text(f"{position}"))


def test_number_of_information_states() -> None:
    """oracles.md: 24,576 with one die each: 6 hands for each of the 2**12 sets of bids."""
    seen = set()
    waiting = [State.from_text(f"hands={face}/{face}") for face in range(1, 7)]
    while waiting:
        state = waiting.pop()
        if not state.round_over:
            seen.add(state.view(state.to_move))
            waiting += [state.after(action) for action in state.legal()]

    assert len(seen) == 24_576
