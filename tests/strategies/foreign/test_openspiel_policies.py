"""Policies of OpenSpiel in our Liar's Dice: the same game under other names of the faces."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sim.engines.base import load_game
from sim.engines.liars_dice.rules import Rules
from sim.engines.liars_dice.state import State
from sim.engines.liars_dice.view import CHALLENGE
from sim.engines.rng import SeatRng
from sim.errors import PluginError, UsageError
from sim.runner.arena import Arena
from sim.runner.spec import PlayerSpec, RunSpec
from sim.strategies.foreign.openspiel_policies import information_state, renamed
from sim.strategies.loading import load_bot

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (extra peers)")

OPTIONS = {"rounds": "1", "ones_rank": "high", "ones_lock": "off"}


def rules(dice: int) -> Rules:
    """Give OpenSpiel's rules."""
    return Rules.from_options(2, {**OPTIONS, "dice": str(dice)})


def arena(bot: str, *, dice: int = 1, deals: int = 50, **options: str) -> Arena:
    """Give a run of a policy against the random strategy."""
    played = load_game("liars-dice").rules(2, {**OPTIONS, "dice": str(dice), **options})
    return Arena(
        RunSpec(
            game="liars-dice",
            rules=played.options(),
            seats=2,
            deals=deals,
            seed=3,
            players=(PlayerSpec(label="a", bot="random"), PlayerSpec(label="x", bot=bot)),
        )
    )


def policy_file(folder: Path, data: Any) -> str:
    """Write a policy."""
    path = folder / "policy.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return f"openspiel:{path}"


@pytest.mark.parametrize("dice", [1, 2, 5])
@pytest.mark.parametrize("seed", range(20))
def test_the_games_are_the_same(dice: int, seed: int) -> None:
    """Random rounds in both: information states, legal actions, and who wins."""
    choices = np.random.default_rng(seed)
    theirs = pyspiel.load_game("liars_dice", {"players": 2, "numdice": dice}).new_initial_state()
    rolled = choices.integers(1, 7, size=(2, dice)).tolist()
    for face in [face for hand in rolled for face in hand]:
        theirs.apply_action(renamed(face) - 1)
    first, second = (tuple(sorted(hand)) for hand in rolled)
    ours = State(rules=rules(dice), hands=(first, second))
    challenge = 12 * dice
    while not theirs.is_terminal():
        seat = theirs.current_player()
        view = ours.view(seat)
        assert ours.to_move == seat
        assert information_state(view) == theirs.information_state_string(seat)
        legal = [challenge if action == CHALLENGE else action for action in view.legal()]
        assert sorted(legal) == theirs.legal_actions()
        # small raises, so that rounds are long enough to count
        action = int(choices.choice([*sorted(legal)[:3], legal[0]]))
        theirs.apply_action(action)
        ours = ours.after(CHALLENGE if action == challenge else action)

    loser = theirs.returns().index(-1)
    assert ours.loser == loser


def test_a_table_is_drawn_from_as_it_says(tmp_path: Path) -> None:
    """Frequencies of 4,000 seeded draws within four standard errors; and none but those listed."""
    key = information_state(State(rules=rules(1), hands=((3,), (1,))).view(0))
    bot = load_bot(policy_file(tmp_path, {key: [[2, 0.25], [7, 0.75]]}), "liars-dice").bind({})
    player = bot.create(SeatRng(11, 0))
    view = State(rules=rules(1), hands=((3,), (1,))).view(0)
    drawn = [player.act(view) for _ in range(4000)]

    assert set(drawn) == {2, 7}
    assert abs(drawn.count(2) / 4000 - 0.25) < 4 * (0.25 * 0.75 / 4000) ** 0.5


def test_a_solved_policy_plays_and_beats_random(tmp_path: Path) -> None:
    """Ten iterations of CFR with one die, exported as the documentation says."""
    solver = pyspiel.CFRSolver(pyspiel.load_game("liars_dice", {"players": 2, "numdice": 1}))
    for _ in range(10):
        solver.evaluate_and_update_policy()
    bot = policy_file(tmp_path, solver.tabular_average_policy().policy_table())
    chunk = arena(bot, deals=200).play(0, 200)

    assert chunk.faults == []
    won = chunk.results["won"][:, :2][chunk.tasks["player"][:, :2] == 1]
    assert won.mean() > 0.6


def test_uniform_plays_like_random() -> None:
    """No fault, and (seeded) about half of the games."""
    chunk = arena("openspiel:uniform", dice=3, deals=300).play(0, 300)

    assert chunk.faults == []
    won = chunk.results["won"][:, :2][chunk.tasks["player"][:, :2] == 1]
    assert abs(won.mean() - 0.5) < 4 * 0.5 / 600**0.5


def test_what_a_table_lacks_is_a_forfeit_and_not_a_random_action(tmp_path: Path) -> None:
    """The fault names the information state, or OpenSpiel's action."""
    lacking = arena(policy_file(tmp_path, {"1": [[3, 1.0]]}), deals=5).play(0, 5)
    assert {fault.category for fault in lacking.faults} == {"exception"}
    assert "the policy has no information state" in lacking.faults[0].detail

    keys = [str(face) for face in range(1, 7)]
    wrong = arena(policy_file(tmp_path, {key: [[99, 1.0]] for key in keys}), deals=5).play(0, 5)
    details = {fault.detail for fault in wrong.faults if fault.category == "illegal"}
    assert details == {"chose OpenSpiel's action 99, which is none at this table"}


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"rounds": "all"}, "rounds is all here: give --rule rounds=1 --rule ones_rank=high"),
        ({"ones_rank": "low"}, "ones_rank is low here"),
        ({"ones_lock": "any"}, "ones_lock is any here"),
        ({"dice": "2,1"}, "as many dice for either seat, not dice=2,1"),
        ({"dice": "2"}, "is for dice=1, not dice=2"),
    ],
)
def test_other_rules_are_refused(tmp_path: Path, options: dict[str, str], sentence: str) -> None:
    """In a sentence that says what to give, before anything is played."""
    bot = policy_file(tmp_path, {"1": [[3, 1.0]]})
    with pytest.raises(UsageError) as caught:
        arena(bot, **options)  # type: ignore[arg-type]
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    "data", [[], {}, {"1": [[3, 0.5]]}, {"1": [[3, -1], [4, 2]]}, {"1": 3}, {"1": [["x", 1]]}]
)
def test_a_file_that_is_no_policy_is_refused(tmp_path: Path, data: Any) -> None:
    """It exists and does not load."""
    with pytest.raises(PluginError, match=r"policy\.json"):
        load_bot(policy_file(tmp_path, data), "liars-dice")


def test_a_file_that_is_not_there_is_refused() -> None:
    """And so is another game."""
    with pytest.raises(UsageError, match=r"there is no file 'absent\.json'"):
        load_bot("openspiel:absent.json", "liars-dice")
    with pytest.raises(UsageError, match="plays liars-dice, not dou-dizhu"):
        load_bot("openspiel:uniform", "dou-dizhu")
