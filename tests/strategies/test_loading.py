"""Finding strategies by name, module and file; each way it can fail has its sentence."""

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from sim.errors import PluginError, UsageError
from sim.strategies.loading import Bot, load_bot
from tests.strategies.files import PLAIN, refusal, write
from tests.strategies.tables import LIARS_DICE, bind, decide, decision

POSITION = "hands=55/66 bids=2x6"


def load(path: Path, name: str = "") -> Bot:
    """Load the strategy of Liar's Dice in a file."""
    return load_bot(f"{path}:{name}" if name else str(path), LIARS_DICE)


def test_file_with_one_strategy(tmp_path: Path) -> None:
    """The class need not be named; what a run stores names it."""
    path = write(tmp_path, "first.py", PLAIN)

    bot = load(path)

    assert (bot.game, bot.name, bot.kind) == (LIARS_DICE, "opener", "python")
    assert bot.text == f"{path}:Opener"
    assert bot.origin == "first.py:Opener"
    assert bot.sources == (path,)
    assert not bot.trusted
    assert load_bot(bot.text, LIARS_DICE).made is bot.made


def test_relative_paths_and_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path counts from the current folder; ~ is the home folder."""
    path = write(tmp_path, "bots/first.py", PLAIN)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))

    assert load_bot("bots/first.py", LIARS_DICE).text == f"{path}:Opener"
    assert load_bot("~/bots/first.py:Opener", LIARS_DICE).text == f"{path}:Opener"


TWO = """
from sim.strategies.api import Strategy, compiled

class Base(Strategy):
    game = "liars-dice"

class Low(Base):
    def act(self, view):
        return 0

class High(Base):
    name = "sky"
    def act(self, view):
        return 5

class Other(Strategy):
    game = "dou-dizhu"
    def act(self, view):
        return 0

@compiled(game="liars-dice", name="flat")
def level(event, view, params, memory, rng):
    return 0

class _Hidden(Low):
    pass
"""


def test_file_with_several_strategies(tmp_path: Path) -> None:
    """One is picked by its name in the file or by its own name."""
    path = write(tmp_path, "two.py", TWO)

    assert [load(path, name).name for name in ("Low", "High", "sky", "level", "flat")] == [
        "low",
        "sky",
        "sky",
        "flat",
        "flat",
    ]


def test_ambiguous_file(tmp_path: Path) -> None:
    """Several fit this game: the sentence lists what can be written."""
    path = write(tmp_path, "two.py", TWO)

    assert refusal(UsageError, path) == (
        "two.py holds 3 strategies: write two.py:High or two.py:Low or two.py:level"
    )


def test_unknown_name_in_file(tmp_path: Path) -> None:
    """A typing slip is answered with the nearest name."""
    path = write(tmp_path, "two.py", TWO)

    assert refusal(UsageError, f"{path}:Hihg") == (
        "two.py: unknown strategy 'Hihg': did you mean 'High'? (known: High, Low, Other, level)"
    )


def test_other_game(tmp_path: Path) -> None:
    """A strategy of another game is refused, however it was named."""
    path = write(tmp_path, "two.py", TWO)

    assert refusal(UsageError, f"{path}:Other") == (
        "two.py:Other plays 'dou-dizhu', not 'liars-dice'"
    )
    with pytest.raises(UsageError, match="strategy 'honest' plays liars-dice, not dou-dizhu"):
        load_bot("honest", "dou-dizhu")


def test_nothing_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What does not exist is the user's slip: exit code 2."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path, "mine.py", PLAIN)
    (tmp_path / "folder.py").mkdir()

    assert refusal(UsageError, "./none.py") == "there is no file 'none.py'"
    assert refusal(UsageError, "folder.py") == "'folder.py' is a folder, not a Python file"
    assert refusal(UsageError, "bots/mine.txt") == (
        "strategy 'bots/mine.txt' is no Python file: its name must end in .py"
    )
    assert refusal(UsageError, "mine") == (
        "unknown strategy 'mine': (known: aggressive, dudo, honest, random, threshold)"
        "; for the file write ./mine.py"
    )
    assert refusal(UsageError, "onest").startswith(
        "unknown strategy 'onest': did you mean 'honest'? (known: "
    )
    assert refusal(UsageError, "no_such.bots:Careful") == (
        "strategy 'no_such.bots:Careful': there is no module 'no_such'"
    )
    assert refusal(UsageError, "bots:") == "strategy 'bots:': write package.module:Name"


def test_object_gets_what_the_contract_says(tmp_path: Path) -> None:
    """`rng` and `table` are there before the constructor runs; the table cannot be written."""
    path = write(
        tmp_path,
        "full.py",
        """
        from sim.strategies.api import Param, Strategy

        class Full(Strategy):
            game = "liars-dice"
            parameters = (Param("width", 2, low=1, high=9), Param("mood", "calm"))

            def __init__(self, width, mood):
                self.seen = (self.rng, self.table.tolist(), width, mood)

            @staticmethod
            def prepare(*, width, mood):
                return [float(width)] * width

            def round_over(self, shown): ...

            def act(self, view):
                return 0
        """,
    )
    bound = load(path).bind({"width": "3"})
    rng = SimpleNamespace()

    player = bound.create(rng)

    assert player.seen == (rng, [3.0, 3.0, 3.0], 3, "calm")
    assert (bound.wants_round, bound.wants_game) == (True, False)
    with pytest.raises(ValueError, match="read-only"):
        player.table[0] = 1


def test_a_class_of_its_own(tmp_path: Path) -> None:
    """No base class is needed: parameters are those of the constructor."""
    path = write(
        tmp_path,
        "own.py",
        """
        class CarefulBot:
            '''Never moves.

            More about it.
            '''
            game = "liars-dice"
            sources = ("a book",)

            def __init__(self, margin: float = 1, slow=False):
                self.margin = margin

            def act(self, view):
                return -1
        """,
    )

    bot = load(path)

    assert (bot.name, bot.summary, bot.references) == ("careful-bot", "Never moves.", ("a book",))
    assert bot.bind({"margin": "2"}).create(None).margin == 2.0
    assert [p.name for p in bot.parameters] == ["margin", "slow"]


def test_helpers_beside_the_file(tmp_path: Path) -> None:
    """Modules and packages beside the file are imported and listed; each folder has its own."""
    for folder, bid in (("one", 1), ("two", 2)):
        write(tmp_path, f"{folder}/bot.py", "from tools import BID\nfrom deep.inner import ZERO\n")
        with (tmp_path / folder / "bot.py").open("a", encoding="utf-8") as file:
            file.write(PLAIN.replace("else 0", "else BID + ZERO"))
        write(tmp_path, f"{folder}/tools.py", f"BID = {bid}\n")
        write(tmp_path, f"{folder}/deep/__init__.py", "")
        write(tmp_path, f"{folder}/deep/inner.py", "from . import base\nZERO = base.ZERO\n")
        write(tmp_path, f"{folder}/deep/base.py", "ZERO = 0\n")
        write(tmp_path, f"{folder}/unused.py", "raise SystemExit\n")

    bots = [load(tmp_path / folder / "bot.py") for folder in ("one", "two")]

    assert [decision(bot.bind({}), "hands=55/66") for bot in bots] == ["1x2", "1x3"]
    names = ("bot.py", "deep/__init__.py", "deep/base.py", "deep/inner.py", "tools.py")
    assert bots[0].sources == tuple(tmp_path / "one" / name for name in names)


def test_two_strategies_of_one_folder_share_their_helper(tmp_path: Path) -> None:
    """The second file lists the helper too, although it was imported already."""
    helper = write(tmp_path, "tools.py", "BID = 3\n")
    paths = [write(tmp_path, f"{name}.py", f"import tools\n{PLAIN}") for name in ("a", "b")]

    bots = [load(path) for path in paths]

    assert [bot.sources for bot in bots] == [(path, helper) for path in paths]


def test_import_while_playing(tmp_path: Path) -> None:
    """A helper may be imported late, unless two folders hold one of that name."""
    late = PLAIN.replace("        return", "        import late_tools\n        return")
    one = write(tmp_path, "one/bot.py", late.replace("else 0", "else late_tools.BID"))
    write(tmp_path, "one/late_tools.py", "BID = 4\n")
    bot = load(one)

    assert decision(bot.bind({}), "hands=55/66") == "1x5"

    write(tmp_path, "two/late_tools.py", "BID = 5\n")
    load(write(tmp_path, "two/other.py", "import late_tools\n" + PLAIN))

    with pytest.raises(ImportError, match="import it at the top of the file, not while playing"):
        decision(bot.bind({}), "hands=55/66")


def test_standard_library_is_not_hidden(tmp_path: Path) -> None:
    """A strategy called random.py does not stand in for the module `random`."""
    write(tmp_path, "colorsys.py", "raise SystemExit\n")
    path = write(tmp_path, "random.py", "import colorsys\nimport random\nrandom.Random\n" + PLAIN)

    assert load(path).name == "opener"


def test_name_of_a_helper_that_is_taken(tmp_path: Path) -> None:
    """A helper that would silently be another module is refused."""
    path = write(tmp_path, "bot.py", "import pytest\n" + PLAIN)
    helper = write(tmp_path, "pytest.py", "")

    assert refusal(PluginError, path) == (
        f"bot.py cannot import {str(helper)!r}: the module 'pytest' is {pytest.__file__!r} "
        "already; give the file another name"
    )


def test_edited_files_are_loaded_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An edit within the same second and of the same length counts, in the file or its helper."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    text = "from tools import BID\n" + PLAIN.replace("else 0", "else BID")
    path = write(tmp_path, "bot.py", text)
    seen = []
    for bid in (1, 2, 3):
        write(tmp_path, "tools.py", f"BID = {bid}\n")
        seen.append(decision(load(path).bind({}), "hands=55/66"))
    write(tmp_path, "bot.py", text.replace("else BID", "else 0x0"))
    seen.append(decision(load(path).bind({}), "hands=55/66"))

    assert seen == ["1x2", "1x3", "1x4", "1x1"]


def test_unchanged_files_are_loaded_once(tmp_path: Path) -> None:
    """Ten players of one file share one module, however long it took to import."""
    path = write(tmp_path, "bot.py", PLAIN)

    assert load(path).made is load(path).made


def test_a_mended_file_loads(tmp_path: Path) -> None:
    """After an error the next attempt sees the new text, also of a helper."""
    path = write(tmp_path, "bot.py", "import tools\n" + PLAIN)
    write(tmp_path, "tools.py", "1 / 0\n")
    assert "ZeroDivisionError" in refusal(PluginError, path)

    write(tmp_path, "tools.py", "1 / 1\n")

    assert load(path).name == "opener"


def test_package_on_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`package.module:Name` is imported as usual; its sources are those of its own package."""
    monkeypatch.syspath_prepend(tmp_path)
    write(tmp_path, "packaged_bots/__init__.py", "")
    tools = write(tmp_path, "packaged_bots/tools.py", "BID = 2\n")
    text = (
        "import json\nfrom packaged_bots.tools import BID\nfrom sim.strategies.api import kebab\n"
    )
    path = write(tmp_path, "packaged_bots/careful.py", text + PLAIN.replace("else 0", "else BID"))

    bot = load_bot("packaged_bots.careful:Opener", LIARS_DICE)

    assert decision(bot.bind({}), "hands=55/66") == "1x3"
    assert bot.text == bot.origin == "packaged_bots.careful:Opener"
    assert bot.sources == (path.with_name("__init__.py"), path, tools)
    assert refusal(UsageError, "packaged_bots.careful:Opner") == (
        "packaged_bots.careful:Opner: unknown strategy 'Opner': did you mean 'Opener'? "
        "(known: Opener)"
    )
    assert refusal(PluginError, "packaged_bots.careful:BID").startswith(
        "packaged_bots.careful:BID is int 2: a strategy is a class with act(self, view)"
    )


def test_built_in_by_module() -> None:
    """A built-in named by its module is the same, and trusted."""
    bot = load_bot("sim.strategies.liars_dice.honest:honest", LIARS_DICE)

    assert bot.made is load_bot("honest", LIARS_DICE).made
    assert bot.trusted


def test_copy_of_a_built_in_is_not_trusted(tmp_path: Path) -> None:
    """A user's copy of our file gets bounds checks, and plays the same."""
    import sim.strategies.liars_dice.honest as module

    path = write(tmp_path, "honest.py", Path(module.__file__).read_text(encoding="utf-8"))
    bot = load(path)

    assert not bot.trusted
    assert decision(bot.bind({}), POSITION) == decision(bind("honest"), POSITION)


def test_plain_object_can_be_asked(tmp_path: Path) -> None:
    """The helper of these tests asks plain strategies as the engine does."""
    from sim.engines.liars_dice.state import State

    bound = load(write(tmp_path, "first.py", PLAIN)).bind({})

    assert decide(bound, State.from_text(POSITION).view(1)) == -1
