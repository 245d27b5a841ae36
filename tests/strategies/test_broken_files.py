"""Files that hold no usable strategy: PluginError, with the author's own lines."""

import sys
from pathlib import Path

import pytest

from sim.errors import PluginError
from sim.strategies.loading import load_bot
from tests.strategies.files import PLAIN, refusal, write
from tests.strategies.tables import LIARS_DICE


def test_file_without_strategy(tmp_path: Path) -> None:
    """A file that loads and offers nothing is a broken plugin: exit code 4."""
    path = write(tmp_path, "empty.py", "from sim.strategies.api import Strategy\n")

    assert refusal(PluginError, path) == (
        "empty.py holds no strategy: write a class with act(self, view) or "
        "act_batch(self, views), or a function under @compiled"
    )
    assert PluginError.exit_code == 4


def test_broken_file_shows_its_own_lines(tmp_path: Path) -> None:
    """The traceback is the author's, through the helper, and nothing of ours or Python's."""
    path = write(tmp_path, "broken.py", "import helper\n" + PLAIN)
    helper = write(tmp_path, "helper.py", "def half(n):\n    return n / 0\n\nhalf(1)\n")

    assert refusal(PluginError, path).splitlines() == [
        "broken.py does not load: ZeroDivisionError: division by zero",
        f'  File "{path}", line 1, in <module>',
        "    import helper",
        f'  File "{helper}", line 4, in <module>',
        "    half(1)",
        f'  File "{helper}", line 2, in half',
        "    return n / 0",
        "           ~~^~~",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def act(:\n", "bad.py does not load: SyntaxError: invalid syntax"),
        ("import no_such_module\n", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("raise SystemExit(3)\n", "bad.py does not load: it left the program with SystemExit: 3"),
        ("x = '\0'\n", "bad.py does not load: SyntaxError: source code"),
        ("from . import helper\n", "bad.py does not load: ImportError: attempted relative import"),
    ],
)
def test_broken_files(tmp_path: Path, text: str, expected: str) -> None:
    """Whatever happens while a file is loaded ends in one sentence."""
    path = write(tmp_path, "bad.py", text)

    assert expected in refusal(PluginError, path)


def test_syntax_error_shows_the_line(tmp_path: Path) -> None:
    """File, line, text and mark, as Python shows them."""
    path = write(tmp_path, "bad.py", "x = 1\ny = = 2\n")

    assert refusal(PluginError, path).splitlines()[1:] == [
        f'  File "{path}", line 2',
        "    y = = 2",
        "        ^",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "class A:\n    def act(self, view): return 0\n",
            "class A does not say its game: write game = 'liars-dice'",
        ),
        (
            "class A:\n    game = 'liars-dice'\n    def act(self): return 0\n",
            "A.act cannot be called: too many positional arguments",
        ),
        (
            "class A:\n    game = 'liars-dice'\n    name = 'a:b'\n"
            "    def act(self, view): return 0\n",
            "its name 'a:b' must be letters, digits, '-', '_', '.' and '+'",
        ),
        (
            "class A:\n    game = 'liars-dice'\n    parameters = ('x',)\n"
            "    def act(self, view): return 0\n",
            "parameters holds 'x': each must be a Param(...)",
        ),
        (
            "from sim.strategies.api import Param\n"
            "class A:\n    game = 'liars-dice'\n    parameters = (Param('x', 1),)\n"
            "    def act(self, view): return 0\n",
            "class A has parameters but no constructor: derive it from Strategy, or write __init__",
        ),
        (
            "class A:\n    game = 'liars-dice'\n    __slots__ = ()\n"
            "    def act(self, view): return 0\n",
            "class A cannot be given `rng` and `table`",
        ),
        (
            "class A:\n    game = 'liars-dice'\n    def round_over(self): pass\n"
            "    def act(self, view): return 0\n",
            "A.round_over cannot be called",
        ),
    ],
)
def test_classes_that_break_the_contract(tmp_path: Path, text: str, expected: str) -> None:
    """Found when it is loaded, not in the middle of a tournament."""
    path = write(tmp_path, "bad.py", text)

    message = refusal(PluginError, path)

    assert message.startswith("bad.py:A: ")
    assert expected in message


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "@compiled(game='liars-dice')\ndef a(view): return 0\n",
            "TypeError: a takes 1 arguments; a compiled strategy takes five: event, view, params, "
            "memory, rng",
        ),
        (
            "@compiled(game='liars-dice', wants=('bid',))\n"
            "def a(event, view, params, memory, rng): return 0\n",
            "ValueError: wants='bid' is no event; there are: round_over, game_over",
        ),
        (
            "@compiled(game='liars-dice', parameters=(Param('x', 'any'),))\n"
            "def a(event, view, params, memory, rng): return 0\n",
            "TypeError: parameter x: compiled strategies take numbers only",
        ),
        (
            "@compiled(game='liars-dice', parameters=(Param('x', 1), Param('x', 2)))\n"
            "def a(event, view, params, memory, rng): return 0\n",
            "ValueError: parameter 'x' is declared twice",
        ),
        (
            "import numba\n@compiled(game='liars-dice')\n@numba.njit\n"
            "def a(event, view, params, memory, rng): return 0\n",
            "TypeError: @compiled goes on a plain function, not on CPUDispatcher",
        ),
    ],
)
def test_compiled_functions_that_break_the_contract(
    tmp_path: Path, text: str, expected: str
) -> None:
    """The decorator refuses, and the author sees the line."""
    path = write(tmp_path, "bad.py", "from sim.strategies.api import Param, compiled\n" + text)

    message = refusal(PluginError, path)

    assert expected in message
    assert f'File "{path}", line' in message


def test_failing_prepare(tmp_path: Path) -> None:
    """What `prepare` raises is shown with its own lines; a table that is none is refused."""
    text = PLAIN + "    @staticmethod\n    def prepare():\n        return {}\n"
    path = write(tmp_path, "table.py", text.replace("{}", "[1 / 0]"))
    with pytest.raises(PluginError) as caught:
        load_bot(str(path), LIARS_DICE).bind({})
    assert str(caught.value).splitlines()[:2] == [
        "table.py:Opener: prepare() failed: ZeroDivisionError: division by zero",
        f'  File "{path}", line 9, in prepare',
    ]

    path = write(tmp_path, "table.py", text.replace("{}", "[[1.0]]"))
    with pytest.raises(PluginError, match=r"prepare\(\) must give a flat list of numbers"):
        load_bot(str(path), LIARS_DICE).bind({})


def test_broken_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing dependency of a package is the package's fault, not the user's slip."""
    monkeypatch.syspath_prepend(tmp_path)
    path = write(tmp_path, "broken_bots.py", "import not_installed_anywhere\n")

    assert refusal(PluginError, "broken_bots:Careful").splitlines() == [
        "broken_bots:Careful does not load: ModuleNotFoundError: "
        "No module named 'not_installed_anywhere'",
        f'  File "{path}", line 1, in <module>',
        "    import not_installed_anywhere",
    ]
    assert "broken_bots" not in sys.modules
