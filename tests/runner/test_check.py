"""`sim check`: sound strategies pass, and each way to break a promise is told with its position."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from sim.cli.main import app
from sim.engines.base import load_game
from sim.errors import UsageError
from sim.runner.check import Finding, check, find
from sim.runner.checking.situations import situations

PLAIN = """
import os, random, time
import numpy as np
{above}
class Bot:
    "Raises by one, else challenges."
    game = "liars-dice"
    {attributes}
    def act(self, view):
        lowest = view.bid + 1
        action = lowest if view.bids_made < 3 and lowest < 6 * view.dice_in_play else -1
        {body}
        return action
"""

COMPILED = """
from sim.strategies.api import compiled

@compiled(game="liars-dice")
def bot(event, view, params, memory, rng):
    "Raises by one, else challenges."
    lowest = view.bid + 1
    view.own[1] = 1
    return lowest if view.bids_made < 3 and lowest < 6 * view.dice_in_play else -1
"""

BATCH = """
import numpy as np
from sim.strategies.api import BatchStrategy

class Bot(BatchStrategy):
    "Raises by one, else challenges, by who else is asked."
    game = "liars-dice"

    def act_batch(self, views):
        lowest = views["bid"].astype(int) + 1
        bold = (views["seats"] > 0).sum() > 9
        raises = (views["bids_made"] < 1) | bold
        raises &= lowest < 6 * views["dice_in_play"].astype(int)
        return np.where(raises, lowest, -1)
"""


def broken(path: Path, text: str) -> dict[str, Finding]:
    """Check a strategy; give the promises that it breaks."""
    path.write_text(text, encoding="utf-8")
    findings = list(check(str(path), situations=120, games=12))
    return {finding.promise: finding for finding in findings if not finding.kept}


def plain(body: str = "pass", *, above: str = "", attributes: str = "") -> str:
    """Write a plain-Python strategy with one fault."""
    return PLAIN.format(body=body, above=above, attributes=attributes)


@pytest.mark.parametrize("spec", ["threshold", "examples/my_bot.py", "examples/batch_network.py"])
def test_sound_strategies_pass(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All kinds keep all promises but the one that my_bot.py does not give its range."""
    monkeypatch.chdir(Path(__file__).parents[2])
    failed = [f.promise for f in check(spec, situations=120, games=12) if not f.kept]

    assert failed == (["documented parameters"] if "my_bot" in spec else [])


def test_dou_dizhu_is_checked_alike() -> None:
    """Nothing in the check knows a game."""
    findings = list(check("random", "dou-dizhu", situations=60, games=12))

    assert [finding.line for finding in findings if not finding.kept] == []
    assert len(findings) == 10


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("action = 999 if view.own[6] == 2 else action", "action 999 is not legal, in "),
        ("assert view.own[6] != 2, 'two sixes'", "raised AssertionError: two sixes, in "),
        ("action = float(action)", "which is no whole number, in "),
        ("action = 2**70", f"action {2**70} is not legal, in "),
    ],
)
def test_illegal_actions_are_shown_with_their_position(
    tmp_path: Path, body: str, said: str
) -> None:
    """The first position is named as text that a test can be written from."""
    failed = broken(tmp_path / "bot.py", plain(body))

    assert said in failed["legal actions only"].text
    assert "hands=" in failed["legal actions only"].text


def test_unseeded_randomness_is_found(tmp_path: Path) -> None:
    """Asked again it answers otherwise, here and elsewhere."""
    body = "action = -1 if view.bids_made and os.urandom(1)[0] & 1 else action"
    failed = broken(tmp_path / "bot.py", plain(body))

    assert "same seed, same play" in failed
    assert "same seed, same play in another process" in failed
    assert "at first, then" in failed["same seed, same play"].text


def test_situations_are_of_all_of_the_game() -> None:
    """Few are first turns, all tables are among them, and a seed gives them again."""
    game = load_game("liars-dice")
    found, again = (situations(game, 300, seed=5) for _ in range(2))

    assert [one.text for one in found] == [one.text for one in again]
    assert {one.setting.seats for one in found} == set(game.seat_counts)
    assert sum("bids=" in one.text for one in found) > 150
    assert sum("round=" in one.text for one in found) > 100
    assert len({one.text for one in found}) > 250


@pytest.mark.parametrize("draw", ["random.random()", "np.random.random()"])
def test_shared_random_numbers_are_found(tmp_path: Path, draw: str) -> None:
    """A draw from what all code of the process shares is found even if it changes no action."""
    failed = broken(tmp_path / "bot.py", plain(draw))

    assert list(failed) == ["own random source only"]
    assert "in hands=" in failed["own random source only"].text


def test_play_by_hash_order_is_found(tmp_path: Path) -> None:
    """What follows from Python's hashes is the same here and another in every process."""
    failed = broken(
        tmp_path / "bot.py", plain("action = -1 if view.bids_made and hash('a') & 1 else action")
    )
    differs = hash("a") & 1 != 0

    assert list(failed) in ([], ["same seed, same play in another process"]) or differs


def test_memory_between_games_is_found(tmp_path: Path) -> None:
    """What a class keeps from game to game shows in another order."""
    body = "Bot.asked += 1; action = -1 if view.bids_made and Bot.asked % 7 == 0 else action"
    failed = broken(tmp_path / "bot.py", plain(body, attributes="asked = 0"))

    assert "no memory between games" in failed


def test_a_strategy_that_exists_only_here_is_found(tmp_path: Path) -> None:
    """What another process cannot load is told with the reason."""
    flag = tmp_path / "loaded"
    above = f"""
from pathlib import Path
if Path({str(flag)!r}).exists(): raise OSError("only once")
Path({str(flag)!r}).touch()
"""
    failed = broken(tmp_path / "bot.py", plain(above=above))

    assert "only once" in failed["same seed, same play in another process"].text


def test_writing_to_the_view_is_found(tmp_path: Path) -> None:
    """A compiled strategy that writes into its view is told where."""
    failed = broken(tmp_path / "bot.py", COMPILED)

    assert list(failed) == ["does not write to its view"]
    assert failed["does not write to its view"].text.startswith("it changed its view in ")


def test_rows_that_look_at_each_other_are_found(tmp_path: Path) -> None:
    """A batched strategy has to answer alone as it does in company."""
    assert "same seed, same play" in broken(tmp_path / "bot.py", BATCH)


@pytest.mark.parametrize(
    ("attributes", "said"),
    [
        ("def __init__(self, hope: float = 0.0): ...", "hope says not what it does"),
        ("def __init__(self, hope: float = 0.0): ...", "hope has no range"),
    ],
)
def test_parameters_have_to_be_documented(tmp_path: Path, attributes: str, said: str) -> None:
    """Each needs a sentence and a range."""
    failed = broken(tmp_path / "bot.py", plain(attributes=attributes))

    assert said in failed["documented parameters"].text


def test_parameters_in_range_have_to_work(tmp_path: Path) -> None:
    """The ends of a range are tried."""
    text = plain("action += self.more").replace(
        "class Bot:", "from sim.strategies.api import Param, Strategy\nclass Bot(Strategy):"
    )
    text = text.replace(
        "    def act",
        '    parameters = (Param("more", 0, low=0, high=900, help="x"),)\n    def act',
    )
    failed = broken(tmp_path / "bot.py", text)

    assert list(failed) == ["plays with parameters in range"]
    assert "with more=900: action" in failed["plays with parameters in range"].text


def test_the_command_prints_a_line_a_promise_and_ends_with_1(tmp_path: Path) -> None:
    """Exit code 1 on a failure, 0 without one."""
    path = tmp_path / "bot.py"
    codes = []
    for body in ("pass", "action = 999"):
        path.write_text(plain(body), encoding="utf-8")
        done = CliRunner().invoke(app, ["check", str(path), "--situations", "30", "--games", "6"])
        codes.append(done.exit_code)

    assert codes == [0, 1]
    assert len(done.stdout.splitlines()) == 10
    assert "FAIL  legal actions only: action 999 is not legal, in hands=" in done.stdout


def test_a_name_of_several_games_needs_the_game() -> None:
    """`random` is there for each game; which is meant is not guessed."""
    with pytest.raises(UsageError, match="there for several games: add --game dou-dizhu or"):
        find("random", None)
