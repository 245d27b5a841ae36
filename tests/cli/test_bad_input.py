"""Requests that cannot be carried out: one sentence, exit code 2, nothing written."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from sim.cli.main import app

RUN = ["run", "--game", "liars-dice"]
TWO = [*RUN, "-p", "random", "-p", "honest"]

FLAGS: list[tuple[list[str], str]] = [
    # games, bots, parameters, rules, options, commands
    ([*TWO[:1], "-p", "random"], "no game given: name one with --game"),
    (["run", "--game", "liar-dice", "-p", "random"], "unknown game 'liar-dice': did you mean"),
    (RUN, "no players given: name them with -p"),
    ([*RUN, "-p", "random", "-p", "onest"], "'onest': did you mean 'honest'?"),
    ([*RUN, "-p", "random", "-p", "aggressive:agressiveness=1"], "did you mean 'aggressiveness'?"),
    ([*TWO, "--rule", "ones_rang=high"], "'ones_rang': did you mean 'ones_rank'?"),
    ([*TWO, "--rule", "ones_rank=hihg"], "ones_rank=hihg"),
    ([*TWO, "--rule", "ones_rank"], "--rule 'ones_rank' has no value"),
    ([*TWO, "--rule", "dice=3", "--rule", "dice=4"], "--rule gives 'dice' twice"),
    ([*TWO, "--rule", "ones_wild=false", "--rule", "ones_lock=any"], "contradicts"),
    ([*TWO, "--rule", "dice=6"], "dice=6"),
    ([*TWO, "--rule", "dice=nan"], "dice=nan"),
    ([*TWO, "--dels", "5"], "no such option: --dels"),
    ([*TWO, "--deals"], "'--deals' requires an argument"),
    (["rum"], "no such command 'rum'"),
    # parameters out of range or no numbers
    ([*RUN, "-p", "random", "-p", "aggressive:aggressiveness=1.5"], "outside 0..1"),
    ([*RUN, "-p", "random", "-p", "aggressive:aggressiveness=-0.1"], "outside 0..1"),
    ([*RUN, "-p", "random", "-p", "aggressive:aggressiveness=nan"], "'nan' is not a"),
    ([*RUN, "-p", "random", "-p", "aggressive:aggressiveness=inf"], "'inf' is not a"),
    ([*RUN, "-p", "random", "-p", "aggressive:aggressiveness=much"], "'much' is not a number"),
    ([*RUN, "-p", "random", "-p", "aggressive:aggressiveness"], "aggressive:aggressiveness"),
    # whole numbers
    ([*TWO, "--deals", "0"], "--deals must be at least 1, not 0"),
    ([*TWO, "--deals", "-5"], "--deals must be at least 1, not -5"),
    ([*TWO, "--deals", "2.5"], "--deals must be a whole number, not '2.5'"),
    ([*TWO, "--deals", "nan"], "--deals must be a whole number, not 'nan'"),
    ([*TWO, "--deals", "inf"], "--deals must be a whole number, not 'inf'"),
    ([*TWO, "--deals", "1e3"], "--deals must be a whole number, not '1e3'"),
    ([*TWO, "--deals", str(2**40 + 1)], f"--deals must be at most {2**40}"),
    ([*TWO, "--seed", "-1"], "--seed must be at least 0, not -1"),
    ([*TWO, "--seed", "x"], "--seed must be a whole number, not 'x'"),
    ([*TWO, "--seed", str(2**64)], f"--seed must be at most {2**64 - 1}"),
    ([*TWO, "-j", "0"], "-j must be at least 1, not 0"),
    ([*TWO, "-j", "two"], "-j must be a whole number, not 'two'"),
    ([*TWO, "-j", "2", "--in-process"], "--in-process plays without worker processes"),
    # limits
    ([*TWO, "--move-timeout", "0"], "--move-timeout must be seconds above 0, or none, not '0'"),
    ([*TWO, "--move-timeout", "nan"], "must be seconds above 0, or none, not 'nan'"),
    ([*TWO, "--game-timeout", "soon"], "--game-timeout must be seconds above 0, or none"),
    ([*TWO, "--max-memory", "0"], "--max-memory must be bytes above 0 such as 512M"),
    ([*TWO, "--max-memory", "lots"], "--max-memory must be bytes above 0 such as 512M"),
    ([*TWO, "--max-faults", "-1"], "--max-faults must be at least 0, not -1"),
    # seats, line-ups, fill
    ([*TWO, "--seats", "7"], "--seats: Liar's Dice is played with 2 to 6 seats, not 7"),
    ([*TWO, "--seats", "1"], "--seats: Liar's Dice is played with 2 to 6 seats, not 1"),
    ([*TWO, "--seats", "three"], "--seats must be a whole number, not 'three'"),
    ([*TWO, "--seats", "3"], "2 players cannot fill 3 seats"),
    ([*RUN, "-p", "random"], "1 player cannot fill 2 seats"),
    ([*TWO, "--line-ups", "0"], "--line-ups must be at least 1, not 0"),
    ([*TWO, "--line-ups", "2"], "2 line-ups asked for, but there"),
    ([*TWO, "--fill", "random"], "nothing to fill"),
    ([*TWO, "--seats", "3", "--fill", "x=random"], "the fill player is called 'fill'"),
    ([*TWO, "--seats", "3", "--fill", "randum"], "did you mean 'random'?"),
    ([*TWO, "--mixed"], "--mixed: Liar's Dice has no mixed tables"),
    ([*TWO, "--focus", "onest"], "'onest': did you mean 'honest'?"),
    # labels and paths
    ([*RUN, "-p", "random", "-p", "random"], "two players are called 'random'"),
    ([*RUN, "-p", "a=random", "-p", "a=honest"], "two players are called 'a'"),
    ([*RUN, "-p", "random", "-p", "fill=honest"], "the label 'fill' is reserved"),
    ([*RUN, "-p", "random", "-p", "./fill.py"], "the label 'fill' is reserved"),
    ([*RUN, "-p", "random", "-p", "=honest"], "has an empty label"),
    ([*RUN, "-p", "random", "-p", "x="], "names no strategy"),
    ([*RUN, "-p", "random", "-p", "./my_bot.py"], "there is no file './my_bot.py'"),
    ([*RUN, "-p", "random", "-p", "gone.py:Bot"], "there is no file 'gone.py'"),
    ([*RUN, "-p", "random", "-p", "."], "'.'"),
    ([*RUN, "-p", "random", "-p", "no_such_package.bots:Bot"], "no_such_package"),
    # folders and files
    ([*TWO, "--out", "full"], "full"),
    ([*TWO, "--out", "taken"], "taken"),
    ([*TWO, "--out", "taken/inside"], "taken"),
    ([*TWO, "--out", "locked/inside"], "locked"),
    ([*TWO, "--out", ""], "--out must not be empty"),
    (["run", "gone.toml"], "there is no file 'gone.toml'"),
    (["run", "full"], "cannot read 'full': Is a directory"),
    # the other commands
    (["resume", "gone"], "'gone' is no run: it has no manifest.json"),
    (["resume", "full"], "'full' is no run: it has no manifest.json"),
    (["resume", "full", "--deals", "0"], "--deals must be at least 1, not 0"),
    (["resume", "full", "-j", "0"], "-j must be at least 1, not 0"),
    (["report", "gone"], "'gone' is no run: it has no manifest.json"),
    (["rules", "liar-dice"], "unknown game 'liar-dice': did you mean 'liars-dice'?"),
    (["rules"], "missing argument"),
    (["strategies", "liar-dice"], "unknown game 'liar-dice': did you mean 'liars-dice'?"),
    (["bench", "liar-dice"], "unknown game 'liar-dice': did you mean 'liars-dice'?"),
    (["bench", "liars-dice", "--seats", "9"], "is played with 2 to 6 seats, not 9"),
    (["bench", "liars-dice", "--dice", "9"], "dice=9"),
]

PLAYED = 'game = "liars-dice"\nplayers = ["random", "honest"]\n'

FILES: list[tuple[str, str]] = [
    ("game = \nseats = 2", "t.toml is not valid TOML: Invalid value (at line 1, column 8)"),
    ('game = "liars-dice"\nplayers = ["random"', "(at line 2, the end of the document)"),
    ('game = "liars-dice"\nplaers = ["random"]', "t.toml: unknown key 'plaers': did you mean"),
    ('players = ["random"]', "no game given"),
    ("game = 3", "t.toml: game must be a text in quotes, not 3"),
    ('game = "liars-dice"\nplayers = "random"', "t.toml: players must be a list of players"),
    ('game = "liars-dice"\nplayers = []', "t.toml: players is empty"),
    ('game = "liars-dice"\nplayers = [3]', "t.toml: players holds 3, which is no player"),
    ('game = "liars-dice"\nplayers = [{bat = "x"}]', "players[1]: unknown key 'bat'"),
    ('game = "liars-dice"\nplayers = ["./my_bot.py"]', "there is no file './my_bot.py'"),
    (PLAYED + "deals = 2.0", "t.toml: deals must be a whole number, not 2.0"),
    (PLAYED + "deals = true", "t.toml: deals must be a whole number, not true"),
    (PLAYED + "deals = nan", "t.toml: deals must be a whole number, not nan"),
    (PLAYED + "deals = 0", "t.toml: deals must be at least 1, not 0"),
    (PLAYED + "seats = 9", "t.toml: seats: Liar's Dice is played with 2 to 6 seats, not 9"),
    (PLAYED + "mixed = 1", "t.toml: mixed must be true or false, not 1"),
    (PLAYED + "rules = 3", "t.toml: rules must be a table of option = value"),
    (PLAYED + "[rules]\nones_rang = 3", "'ones_rang': did you mean 'ones_rank'?"),
    (PLAYED + "[rules]\nones_rank = 3", "ones_rank=3"),
    (PLAYED + "[rules]\ndice = {}", "t.toml: rules.dice must be a text, a number"),
    (
        'game = "liars-dice"\nplayers = ["random", {bot = "aggressive", '
        "parameters = {aggressiveness = nan}}]",
        "nan",
    ),
]


FILL = """
class Fill:
    game = "liars-dice"

    def act(self, view):
        return -1 if view.bids_made else 0
"""
"""A strategy whose label would be `fill`."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a full folder, a file and a folder that cannot be written."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.txt").write_text("years of work")
    (tmp_path / "taken").write_text("a file")
    (tmp_path / "fill.py").write_text(FILL)
    (tmp_path / "locked").symlink_to("/proc")  # not even root can make a folder there
    return tmp_path


def contents(folder: Path) -> dict[str, str]:
    """Everything below a folder."""
    return {
        str(path.relative_to(folder)): path.read_bytes().hex() if path.is_file() else ""
        for path in sorted(folder.rglob("*"))
        if "/proc/" not in str(path)
    }


def check_refused(folder: Path, arguments: list[str], sentence: str) -> None:
    """Expect one line on stderr, exit code 2, and that nothing was written."""
    before = contents(folder)

    result = CliRunner().invoke(app, arguments)

    assert sentence in result.stderr
    assert result.exit_code == 2
    assert result.stderr.startswith("sim: ")
    assert len(result.stderr.splitlines()) == 1, result.stderr
    assert result.stdout == ""
    assert before == contents(folder)


@pytest.mark.parametrize(("arguments", "sentence"), FLAGS, ids=[" ".join(a) for a, _ in FLAGS])
def test_bad_flags_are_refused_in_one_sentence(
    folder: Path, arguments: list[str], sentence: str
) -> None:
    """Each refusal quotes what was wrong, and nothing is begun."""
    check_refused(folder, arguments, sentence)


@pytest.mark.parametrize(("text", "sentence"), FILES)
def test_bad_files_are_refused_in_one_sentence(folder: Path, text: str, sentence: str) -> None:
    """A file is held to the same words, and is named."""
    (folder / "t.toml").write_text(text)

    check_refused(folder, ["run", "t.toml"], sentence)


def test_a_file_that_is_no_text_is_refused(folder: Path) -> None:
    """Bytes that are no UTF-8 are said to be so."""
    (folder / "t.toml").write_bytes(b"game = \xff")

    check_refused(folder, ["run", "t.toml"], "t.toml is not UTF-8 text (byte 7)")
