"""How a player is written: `[label=]name[:key=value,...]`."""

from pathlib import Path

import pytest

from sim.errors import UsageError
from sim.runner.entrants import Entrant, read_entrant, read_table

HERE = Path("/nowhere")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one strategy file."""
    (tmp_path / "my_bot.py").write_text("")
    return tmp_path.resolve()


@pytest.mark.parametrize(
    ("written", "label", "bot", "parameters"),
    [
        ("honest", None, "honest", {}),
        ("a=honest", "a", "honest", {}),
        ("aggressive:aggressiveness=0.8", None, "aggressive", {"aggressiveness": "0.8"}),
        (
            "t=threshold:raise_above=.7,bluff_rate=0",
            "t",
            "threshold",
            {"raise_above": ".7", "bluff_rate": "0"},
        ),
        ("my.bots:Careful", None, "my.bots:Careful", {}),
        ("c=my.bots:Careful:x=1", "c", "my.bots:Careful", {"x": "1"}),
        ("cmd:sh --level=3 a:b,c", None, "cmd:sh --level=3 a:b,c", {}),
        ("prog=cmd:sh --level=3", "prog", "cmd:sh --level=3", {}),
        ("two words=honest", "two words", "honest", {}),
    ],
)
def test_label_name_and_parameters_are_told_apart(
    written: str, label: str | None, bot: str, parameters: dict[str, str]
) -> None:
    """A label is recognised by `=` before the first `:`; the last piece with `=` is parameters."""
    entrant = read_entrant(written, flag="-p", base=HERE)

    assert (label, bot, parameters) == (entrant.label, entrant.bot, entrant.parameters)


def test_a_path_counts_from_its_base_and_is_made_absolute(folder: Path) -> None:
    """The same words mean the same file wherever the run is repeated."""
    plain = read_entrant("my_bot.py", flag="-p", base=folder)
    dotted = read_entrant("./my_bot.py:Careful:x=1", flag="-p", base=folder)

    assert f"{folder}/my_bot.py" == plain.bot
    assert f"{folder}/my_bot.py:Careful" == dotted.bot
    assert folder / "my_bot.py" == dotted.file
    assert dotted.parameters == {"x": "1"}


def test_default_label_is_the_stem_or_the_name_with_what_was_given(folder: Path) -> None:
    """Two settings of one bot are told apart without labels."""
    file = read_entrant("my_bot.py:Careful:x=1", flag="-p", base=folder)
    name = Entrant(where="-p", label=None, bot="aggressive")

    assert file.default_label("careful", {"x": 1}) == "my_bot:x=1"
    assert name.default_label("aggressive", {}) == "aggressive"
    assert (
        name.default_label("aggressive", {"aggressiveness": 0.8}) == "aggressive:aggressiveness=0.8"
    )


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        ("", "-p '' names no strategy: write [label=]name[:key=value,...]"),
        ("a=", "-p 'a=' names no strategy: write [label=]name[:key=value,...]"),
        ("=honest", "-p '=honest' has an empty label: write label=name, or name alone"),
        ("fill=honest", "-p 'fill=honest': the label 'fill' is reserved for the player of --fill"),
        ("a:x=", "-p 'a:x=': parameter 'x=' has no value: write x=VALUE"),
        ("a:x=1,y", "-p 'a:x=1,y': parameter 'y' has no value: write y=VALUE"),
        ("a:x=1,x=2", "-p 'a:x=1,x=2' gives the parameter 'x' twice"),
        ("a:b:c:x=1", "-p 'a:b:c:x=1' has a ':' too many"),
        ("a:", "-p 'a:' has a ':' too many"),
        ("./gone.py", "-p './gone.py': there is no file './gone.py'"),
        ("gone.py:Bot", "-p 'gone.py:Bot': there is no file 'gone.py'"),
        ("./bots", "-p './bots': './bots' is no Python file"),
        ("a\tb=honest", r"-p 'a\tb=honest': the label 'a\tb' has spaces around it or does not"),
    ],
)
def test_what_is_no_player_is_refused_in_words(written: str, sentence: str) -> None:
    """Each refusal quotes what was written."""
    with pytest.raises(UsageError) as caught:
        read_entrant(written, flag="-p", base=HERE)

    assert str(caught.value).startswith(sentence)


def test_a_folder_is_no_strategy(folder: Path) -> None:
    """The name of a folder is refused as one."""
    with pytest.raises(UsageError, match=r"'\./' is a folder, not a Python file"):
        read_entrant("./", flag="-p", base=folder)


def test_a_player_as_a_table(folder: Path) -> None:
    """TOML may spell a player out; its parameters keep their types."""
    keys = {"label": "x", "bot": "my_bot.py:Careful", "parameters": {"level": 3, "deep": True}}

    entrant = read_table(keys, where="first.toml: players[1]", base=folder)

    assert ("x", f"{folder}/my_bot.py:Careful") == (entrant.label, entrant.bot)
    assert entrant.parameters == {"level": 3, "deep": True}


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        ({}, 't.toml names no strategy: write bot = "NAME"'),
        ({"bots": "x"}, "t.toml: unknown key 'bots': did you mean 'bot'?"),
        ({"bot": 3}, "t.toml.bot must be a text in quotes, not 3"),
        ({"bot": "x", "parameters": 3}, "t.toml.parameters must be a table of key = value, not 3"),
        (
            {"bot": "x", "parameters": {"a": [1]}},
            "t.toml.parameters.a must be a number, a text, true or false, not [1]",
        ),
        ({"bot": "x", "label": "fill"}, "t.toml: the label 'fill' is reserved"),
    ],
)
def test_a_table_that_is_no_player_is_refused_in_words(
    keys: dict[str, object], sentence: str
) -> None:
    """Keys of a table are held to the same words."""
    with pytest.raises(UsageError) as caught:
        read_table(keys, where="t.toml", base=HERE)

    assert str(caught.value).startswith(sentence)
