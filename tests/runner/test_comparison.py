"""Comparisons of settings: grids, fields, what is refused, and the confirmation."""

import pytest

from sim.errors import SimError
from sim.runner.comparison import FRESH_DEALS, compare_request, confirmation, setting_values
from sim.runner.request import Request


def ask(**flags: object) -> Request:
    """Ask for a comparison with a small default."""
    words: dict[str, object] = {
        "game": "liars-dice",
        "bot": "aggressive",
        "vary": ["aggressiveness=0:1:3"],
        "against": ["honest"],
        "deals": "10",
        "seed": "7",
    }
    return compare_request({**words, **flags})


def test_settings_come_first_in_the_order_of_the_grid() -> None:
    """Two parameters make a grid, the first one slowest."""
    spec = ask(
        bot="threshold", vary=["challenge_below=0.1,0.3", "bluff_rate=0,0.1"], against=["dudo"]
    ).spec

    assert setting_values(spec) == [
        {"challenge_below": 0.1, "bluff_rate": 0.0},
        {"challenge_below": 0.1, "bluff_rate": 0.1},
        {"challenge_below": 0.3, "bluff_rate": 0.0},
        {"challenge_below": 0.3, "bluff_rate": 0.1},
    ]
    assert [player.label for player in spec.players][-1] == "dudo"


def test_opponents_fill_the_seats_in_the_order_given() -> None:
    """Four seats: honest, threshold, honest again; each setting has the same table."""
    asked = ask(seats="4", against=["honest", "threshold"])

    honest, threshold = 3, 4
    assert list(asked.schedule.line_ups) == [
        (setting, honest, honest, threshold) for setting in range(3)
    ]


def test_round_robin_lets_the_settings_play_each_other() -> None:
    """No field: every pair of the three settings."""
    asked = ask(against=None, round_robin=True)

    assert list(asked.schedule.line_ups) == [(0, 1), (0, 2), (1, 2)]


def test_the_ends_are_included_and_exact() -> None:
    """Eleven points from 0 to 1 are tenths as they are written, not sums of 0.1."""
    values = [v["aggressiveness"] for v in setting_values(ask(vary=["aggressiveness=0:1:11"]).spec)]

    assert values == [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]


def test_confirmation_plays_best_and_default_on_deals_that_no_extension_reaches() -> None:
    """The same field, the default still known, deals from 2**40 on."""
    spec = ask(seats="3", against=["honest", "dudo"]).spec
    assert spec.comparison is not None
    assert spec.comparison.default == 1  # aggressiveness=0.5

    fresh = confirmation(spec, best=2)

    assert fresh is not None
    assert fresh.comparison is not None
    assert fresh.first_deal == FRESH_DEALS
    assert [p.label for p in fresh.players] == [
        "aggressiveness=0.5",
        "aggressiveness=1.0",
        "dudo",
        "honest",
    ]
    assert fresh.comparison.default == 0
    assert fresh.comparison.field == (3, 2)
    assert confirmation(spec, best=1) is None


@pytest.mark.parametrize(
    ("flags", "sentence"),
    [
        ({"vary": None}, "nothing to vary"),
        ({"vary": ["agressiveness=0:1:3"]}, "did you mean 'aggressiveness'"),
        ({"vary": ["aggressiveness=0:2:3"]}, "outside 0..1"),
        ({"vary": ["aggressiveness=1:0:3"]}, "must go from low to high"),
        ({"vary": ["aggressiveness=0:1"]}, "write LOW:HIGH:POINTS"),
        ({"vary": ["aggressiveness=0:1:1"]}, "at least 2"),
        ({"vary": ["aggressiveness=0:nan:3"]}, "from a number to a number"),
        ({"vary": ["aggressiveness=0.5,0.5"]}, "same value twice"),
        ({"vary": ["aggressiveness=0:1:3", "aggressiveness=0,1"]}, "twice"),
        ({"against": None}, "no opponents"),
        ({"round_robin": True}, "leave out --against"),
        ({"against": ["honst"]}, "did you mean 'honest'"),
        ({"against": ["fill=honest"]}, "reserved"),
        ({"bot": "x=aggressive"}, "leave the label out"),
        ({"bot": "aggressive:aggressiveness=0.3"}, "which --vary varies"),
        ({"bot": None}, "no strategy given"),
        ({"game": "liar-dice"}, "did you mean 'liars-dice'"),
    ],
)
def test_refusals(flags: dict[str, object], sentence: str) -> None:
    """One sentence that says what would be right; exit code 2."""
    with pytest.raises(SimError, match=sentence.replace("'", ".")) as refused:
        ask(**flags)

    assert refused.value.exit_code == 2
    assert "\n" not in str(refused.value)
