"""The rules as an object, and the declaration of the game."""

import subprocess
import sys

import pytest

from sim.engines.base import load_game
from sim.engines.dou_dizhu.game import GAME, DouDizhu
from sim.engines.dou_dizhu.layout import RESULT_DTYPE
from sim.engines.dou_dizhu.rules import Rules
from sim.errors import UsageError
from sim.runner.schedule import Schedule
from sim.runner.spec import PlayerSpec, RunSpec


@pytest.mark.parametrize(
    ("seats", "options", "why"),
    [
        (2, {}, "seats=2: dou-dizhu is played by 3 seats"),
        (4, {}, "seats=4"),
        (3, {"auction": "maybe"}, "rule auction=maybe: must be true or false"),
        (3, {"max_redeals": "-1"}, "rule max_redeals=-1: must be a whole number from 0 to 10000"),
        (3, {"max_redeals": "10001"}, "rule max_redeals=10001"),
        (3, {"max_redeals": "1.5"}, "rule max_redeals=1.5"),
        (3, {"max_redeals": "9" * 5000}, "must be a whole number"),
        (3, {"auction": "false", "max_redeals": "3"}, "contradicts auction=false"),
        (3, {"auctions": "true"}, "unknown rule of dou-dizhu 'auctions': did you mean 'auction'"),
    ],
)
def test_refused_rules(seats: int, options: dict[str, str], why: str) -> None:
    """One sentence that quotes the value and says what would be right."""
    with pytest.raises(UsageError, match=why):
        Rules.from_options(seats, options)


def test_refused_when_made_in_python_too() -> None:
    """The object itself holds no rules that cannot be played."""
    with pytest.raises(UsageError, match="contradicts auction=false"):
        Rules(auction=False, max_redeals=5)
    with pytest.raises(UsageError, match="max_redeals=-1"):
        Rules(max_redeals=-1)


@pytest.mark.parametrize("rules", [Rules(), Rules(max_redeals=0), Rules(auction=False)])
def test_options_read_back(rules: Rules) -> None:
    """Every option, resolved, is what a specification stores."""
    assert Rules.from_options(3, rules.options()) == rules


def test_the_declaration_can_be_read_without_numba() -> None:
    """`sim games` and `sim --help` stay quick."""
    code = (
        "import sys; from sim.engines.base import load_game; load_game('dou-dizhu').rules(3, {}); "
        "sys.exit('numba' in sys.modules)"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_every_counter_is_in_the_results() -> None:
    """Per seat as an array, per game as a number, and as wide as it is stored."""
    fields = RESULT_DTYPE.fields
    assert fields is not None
    for counter in GAME.counters:
        base, shape = fields[counter.name][0].subdtype or (fields[counter.name][0], ())
        assert (len(shape) == 1) == (counter.scope == "seat")
        assert base.str[1:] == counter.dtype


def test_behaviours_name_counters_of_a_seat() -> None:
    """Each is a ratio of what is counted."""
    names = {counter.name for counter in GAME.counters if counter.scope == "seat"}

    for behaviour in GAME.behaviours:
        assert behaviour.numerator in names
        assert behaviour.denominator in {*names, "appearances", "decisions"}


def test_rules_text_names_every_option() -> None:
    """`sim rules dou-dizhu` says what can be changed."""
    text = GAME.rules_text()

    for option in GAME.rule_options:
        assert option.name in text


@pytest.mark.parametrize(
    ("players", "rules", "mixed", "line_ups"),
    [
        (1, Rules(), False, []),
        (2, Rules(), False, [(0, 0, 1), (0, 1, 1)]),
        (3, Rules(), False, [(0, 1, 2)]),
        (4, Rules(), False, [(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)]),
        (1, Rules(auction=False), False, []),
        (3, Rules(auction=False), False, [(0, 1), (0, 2), (1, 2)]),
    ],
)
def test_line_ups(players: int, rules: Rules, mixed: bool, line_ups: list[tuple[int, ...]]) -> None:
    """statistics.md: every triple, the mixed tables of two players, every pair by sides."""
    assert list(GAME.line_ups(players, rules, mixed=mixed)) == line_ups


def test_mixed_tables_are_added() -> None:
    """AAB and ABB of each pair, and the triples."""
    line_ups = GAME.line_ups(3, Rules(), mixed=True)

    assert len(line_ups) == len(set(line_ups)) == 7
    assert (0, 1, 2) in line_ups
    assert {(0, 0, 1), (0, 1, 1), (1, 2, 2)} < set(line_ups)


@pytest.mark.parametrize(
    ("line_up", "rules", "count"),
    [((0, 1, 2), Rules(), 6), ((0, 0, 1), Rules(), 3), ((0, 1), Rules(auction=False), 2)],
)
def test_seatings(line_up: tuple[int, ...], rules: Rules, count: int) -> None:
    """All six of a triple, three of a mixed table; either as the landlord by sides."""
    seatings = GAME.seatings(line_up, rules)

    assert len(seatings) == len(set(seatings)) == count
    assert {len(seating) for seating in seatings} == {3}


def test_a_schedule_by_sides() -> None:
    """A line-up of two players fills three seats: A against BB, then B against AA."""
    labels = "abc"
    players = tuple(PlayerSpec(label=label, bot="random") for label in labels)
    rules = GAME.rules(3, {"auction": "false"})
    spec = RunSpec(
        game="dou-dizhu", rules=rules.options(), seats=3, deals=2, seed=7, players=players
    )
    schedule = Schedule(spec, load_game("dou-dizhu"), rules)
    tasks = schedule.tasks(0, schedule.blocks)

    assert (schedule.blocks, schedule.games) == (6, 12)
    assert tasks["player"][:4, :3].tolist() == [[0, 1, 1], [1, 0, 0], [0, 2, 2], [2, 0, 0]]


def test_judged_by_points_or_by_wins() -> None:
    """With an auction points rank, without one wins against 1/2."""
    auction, sides = GAME.scoring(Rules()), GAME.scoring(Rules(auction=False))

    assert (auction.headline, auction.win_baseline, auction.rating) == ("score", None, None)
    assert (sides.headline, sides.win_baseline) == ("win_rate", 0.5)
    assert sides.rating == "bradley-terry-roles"
    assert auction.clip == sides.clip == 12
    for scoring in (auction, sides):
        assert (scoring.places, scoring.one_winner) == (False, False)


def test_is_installed() -> None:
    """Found by the name that users type."""
    assert isinstance(load_game("dou-dizhu"), DouDizhu)


def test_a_tournament_of_another_game_never_loads_the_kernel() -> None:
    """Nor compiles it: Liar's Dice is played without a line of Dou Dizhu."""
    code = (
        "import sys; from sim.runner.arena import Arena; from sim.runner.speed import bench_spec; "
        "Arena(bench_spec('liars-dice', seats='2')).play(0, 4); "
        "sys.exit(any('dou_dizhu' in name for name in sys.modules))"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
