"""`sim new`: what it writes plays legally as it stands, and nothing is written over."""

from pathlib import Path

import numpy as np
import pytest

from sim.engines.base import installed_games, load_game
from sim.errors import UsageError
from sim.runner.arena import Arena
from sim.runner.spec import PlayerSpec, RunSpec
from sim.strategies.loading import load_bot
from sim.strategies.scaffold import KINDS, new_bot, new_package

GAMES = sorted(installed_games())


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("game", GAMES)
def test_starts_to_play_legally(tmp_path: Path, game: str, kind: str) -> None:
    """For every game and kind there is a starting point, and it makes no illegal action."""
    path = new_bot(tmp_path / "bold_one.py", game=game, kind=kind)
    bot = load_bot(str(path), game)
    seats = load_game(game).default_seats
    players = [PlayerSpec(label="a", bot=str(path))]
    players += [PlayerSpec(label=f"r{k}", bot="random") for k in range(seats - 1)]
    spec = RunSpec(game=game, seats=seats, deals=30, seed=7, players=tuple(players), batch_games=64)
    arena = Arena(spec)
    chunk = arena.play(0, arena.schedule.blocks)
    scores = [chunk.games[f"score_{k}"][chunk.games[f"player_{k}"] == 0] for k in range(seats)]

    assert (bot.kind, bot.name, bot.game) == (kind, "bold-one", game)
    assert bot.summary
    assert all(parameter.help for parameter in bot.parameters)
    assert chunk.faults == []
    assert np.concatenate(scores).mean() > 0  # better than uniform play


@pytest.mark.parametrize("kind", KINDS)
def test_writes_nothing_over(tmp_path: Path, kind: str) -> None:
    """A file, a folder or a link that is there stays as it is."""
    path = tmp_path / "my_bot.py"
    path.write_text("precious")
    (tmp_path / "link.py").symlink_to(tmp_path / "nowhere.py")
    (tmp_path / "my-bots").mkdir()

    for name in ("my_bot.py", "link.py"):
        with pytest.raises(UsageError, match="exists already, and is left as it is"):
            new_bot(tmp_path / name, game="liars-dice", kind=kind)
    with pytest.raises(UsageError, match="exists already, and is left as it is"):
        new_package(tmp_path / "my-bots", game="liars-dice", kind=kind)
    assert path.read_text() == "precious"
    assert not (tmp_path / "nowhere.py").exists()


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("my_bot", "'my_bot' is no Python file: its name must end in .py"),
        ("my-bot.py", "'my-bot.py' cannot be imported: use letters, digits and '_', as my_bot.py"),
        ("class.py", "'class.py' cannot be imported: use letters, digits and '_', as my_bot.py"),
        ("random.py", "'random.py' has the name of a module of Python: choose another"),
        ("no/my_bot.py", "there is no folder"),
    ],
)
def test_refuses_names_that_cannot_work(tmp_path: Path, name: str, why: str) -> None:
    """A strategy that could not be imported is not written."""
    with pytest.raises(UsageError) as caught:
        new_bot(tmp_path / name, game="liars-dice")

    assert why in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_unknown_words_are_named() -> None:
    """A slip in the game or the kind gets the nearest one that there is."""
    with pytest.raises(UsageError, match="did you mean 'batch'"):
        new_bot(Path("x.py"), game="liars-dice", kind="batched")
    with pytest.raises(UsageError, match="did you mean 'liars-dice'"):
        new_bot(Path("x.py"), game="liar-dice")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("game", GAMES)
def test_package_is_complete(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str, kind: str
) -> None:
    """Its entry point names what is in it, and no word of the template is left."""
    import tomllib

    written = new_package(tmp_path / f"{game}-{kind}-bots", game=game, kind=kind)
    project = tomllib.loads((tmp_path / f"{game}-{kind}-bots/pyproject.toml").read_text())
    ((name, target),) = project["project"]["entry-points"]["sim.strategies"].items()
    monkeypatch.syspath_prepend(str(tmp_path / f"{game}-{kind}-bots"))
    bot = load_bot(target, game)

    assert (name, bot.kind) == (f"{game}/{bot.name}", kind)
    assert {path.name for path in written} == {
        "my_bot.py", "__init__.py", "pyproject.toml", "README.md", "test_my_bot.py"
    }  # fmt: skip
    for path in written:
        text = path.read_text()
        assert "@" not in text.replace("@compiled", "").replace("@pytest", ""), path
        assert "my-bots" not in text, path
        assert "my_bots" not in text, path
