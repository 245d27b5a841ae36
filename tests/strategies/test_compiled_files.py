"""Compiled strategies of users: never stale, with bounds checks, refused with a reason."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from sim.engines.cache import use_cache_folder
from sim.engines.liars_dice.view import VIEW_DTYPE
from sim.errors import PluginError
from sim.strategies.fingerprint import fingerprint
from sim.strategies.loading import load_bot
from tests.strategies.files import write
from tests.strategies.tables import LIARS_DICE, bind, play

HEAD = """
import numpy as np
from numba import njit
from sim.strategies.api import ACT, Param, ROUND_OVER, GAME_OVER, compiled

"""
BOT = "@compiled(game='liars-dice')\ndef bot(event, view, params, memory, rng):\n"

DECIDE = """
import sys
import numpy as np
from sim.engines.liars_dice.state import State
from sim.engines.liars_dice.view import VIEW_DTYPE
from sim.engines.rng import RNG_DTYPE
from tests.strategies.tables import bind, decide, record
bound = bind(sys.argv[1])
view = State.from_text("hands=55/66").view(0)
if bound.kind == "python":
    print(decide(bound, view))
else:
    bound.address(VIEW_DTYPE)
    code = bound.bot._codes[VIEW_DTYPE][0]
    rng = np.zeros(1, RNG_DTYPE)[0]
    print(code(0, record(view), bound.params.copy(), np.zeros(32, int), rng))
"""
"""A program that asks a strategy for its first bid."""

PLAIN_HEAD = "class Bot:\n  game = 'liars-dice'\n  def act(self, view):\n"

FIRST_BID = "    return -1 if view.bids_made else {bid}\n"


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep the strategies' compiled code of a test in a folder of its own."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def ask(path: Path) -> int:
    """Ask a strategy for its first bid in a process of its own."""
    command = [sys.executable, "-W", "error", "-c", DECIDE, str(path)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return int(done.stdout)


def address_of(path: Path) -> int:
    """Compile."""
    return bind(str(path)).address(VIEW_DTYPE)


def bids(path: Path) -> list[int]:
    """Give the number of the bid that the strategy opens with, seen by an opponent in Python."""
    spy = write(path.parent, "spy.py", SPY)
    out = path.parent / "seen.txt"
    os.environ["SEEN"] = str(out)
    out.unlink(missing_ok=True)
    play({"a": bind(str(path)), "b": bind(str(spy))}, deals=1)
    return sorted({int(line) for line in out.read_text().split()})


SPY = """
import os
class Spy:
    game = "liars-dice"
    def act(self, view):
        if view.bids_made:
            with open(os.environ["SEEN"], "a") as file:
                file.write(f"{view.bid} ")
            return -1
        return 0
"""


def test_edits_of_the_file_count(tmp_path: Path, own_cache: Path) -> None:
    """The same length, the same second, the same time stamp: the new number is played."""
    path = write(tmp_path, "bot.py", HEAD + BOT + FIRST_BID.format(bid=1))
    assert bids(path) == [1]
    stamp = path.stat()

    write(tmp_path, "bot.py", HEAD + BOT + FIRST_BID.format(bid=2))
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))

    assert bids(path) == [2]


JITTED = "from numba import njit\n@njit{options}\ndef bid(): return {bid}\n"


OVERLOADED = """
from numba.extending import overload
def bid(): ...
@overload(bid)
def overload_bid(): return lambda: {bid}
"""


@pytest.mark.parametrize(
    ("use", "helper"),
    [
        ("tools.BID", "BID = {bid}\n"),
        ("tools.bid()", JITTED.replace("{options}", "")),
        ("tools.bid()", JITTED.replace("{options}", "(cache=True)")),
        (
            "tools.bid()",
            "import deeper\nfrom numba import njit\n@njit\ndef bid(): return deeper.BID\n",
        ),
        ("tools.bid()", OVERLOADED),
    ],
    ids=["constant", "jitted", "jitted and cached", "constant of a third file", "overload"],
)
def test_edits_of_helpers_count(tmp_path: Path, own_cache: Path, use: str, helper: str) -> None:
    """A helper is compiled in; an edit of it, or of what it imports, is played at once."""
    path = write(tmp_path, "bot.py", HEAD + "import tools\n" + BOT + FIRST_BID.format(bid=use))
    seen = []
    for number in (1, 2, 1):
        write(tmp_path, "deeper.py", f"BID = {number}\n")
        write(tmp_path, "tools.py", helper.format(bid=number))
        seen += bids(path)

    assert seen == [1, 2, 1]


@pytest.mark.parametrize("kind", ["compiled", "python"])
@pytest.mark.parametrize("signature", ["", "'int64()', "], ids=["lazy", "eager"])
def test_cached_helpers_follow_what_they_import(
    tmp_path: Path, own_cache: Path, kind: str, signature: str
) -> None:
    """A helper under njit(cache=True) uses a constant of another file: its edit counts.

    In processes of their own, as users run them; the strategy may be of either kind.
    """
    bot = BOT if kind == "compiled" else PLAIN_HEAD
    path = write(tmp_path, "bot.py", HEAD + "import tools\n" + bot + "    return tools.bid()\n")
    write(
        tmp_path,
        "tools.py",
        "from numba import njit\nfrom deeper import BID\n"
        f"@njit({signature}cache=True)\ndef bid(): return BID\n",
    )
    seen = []
    for number in (1, 2):
        write(tmp_path, "deeper.py", f"BID = {number}\n")
        seen.append(ask(path))

    assert seen == [1, 2]


def test_data_read_at_import_counts(tmp_path: Path, own_cache: Path) -> None:
    """A table from a data file is compiled in: no source changes when that file does."""
    load = "from pathlib import Path\nT = np.loadtxt(Path(__file__).with_name('t.txt'), int)\n"
    path = write(tmp_path, "bot.py", HEAD + load + BOT + FIRST_BID.format(bid="T[0]"))
    seen = []
    for number in (1, 2):
        (tmp_path / "t.txt").write_text(f"{number} 0\n")
        seen.append(ask(path))

    assert seen == [1, 2]


def test_unchanged_code_is_kept(tmp_path: Path, own_cache: Path) -> None:
    """A second process loads what the first compiled: nothing is added to the folder."""
    path = write(tmp_path, "bot.py", HEAD + BOT + FIRST_BID.format(bid=3))
    program = (
        "import sys; from sim.strategies.loading import load_bot; "
        "from sim.engines.liars_dice.view import VIEW_DTYPE; "
        "load_bot(sys.argv[1], 'liars-dice').address(VIEW_DTYPE)"
    )

    found = []
    for _ in range(2):
        subprocess.run([sys.executable, "-c", program, str(path)], check=True)
        found.append({p: p.stat().st_mtime_ns for p in own_cache.rglob("*.nb[ic]")})

    assert found[0] == found[1]
    assert len(found[0]) == 2


def test_what_cannot_be_followed_is_not_kept(tmp_path: Path, own_cache: Path) -> None:
    """With an object among its globals that no hash covers, it compiles anew each time."""
    text = HEAD + "from fractions import Fraction\nclass Odd:\n    pass\nODD = Odd()\n"
    path = write(tmp_path, "bot.py", text + BOT + "    if False:\n        ODD\n" + "    return 0\n")

    function = load_bot(str(path), LIARS_DICE).made.function  # type: ignore[union-attr]

    assert fingerprint(function, [path]) is None
    assert address_of(path)
    assert list(own_cache.rglob("*.nbi")) == []


def test_nothing_is_written_beside_the_file(tmp_path: Path, own_cache: Path) -> None:
    """No __pycache__ appears in the user's folder."""
    path = write(tmp_path, "bots/bot.py", HEAD + "import tools\n" + BOT + "    return 0\n")
    write(
        tmp_path, "bots/tools.py", "from numba import njit\n@njit(cache=True)\ndef f(): return 1\n"
    )

    address_of(path)

    assert sorted(p.name for p in path.parent.iterdir()) == ["bot.py", "tools.py"]


def test_bounds_are_checked(tmp_path: Path, own_cache: Path) -> None:
    """Reading beyond an array is an exception, which forfeits this game only."""
    path = write(tmp_path, "bot.py", HEAD + BOT + "    return view.own[event + 8]\n")

    chunk = play({"a": bind(str(path)), "b": bind("honest")}, deals=2)

    assert {fault.category for fault in chunk.faults} == {"exception"}
    assert all("IndexError" in fault.detail for fault in chunk.faults)


def test_parameters_memory_and_events_reach_the_code(tmp_path: Path, own_cache: Path) -> None:
    """Parameters in order, then the table; 32 numbers of memory; the events it asked for."""
    path = write(
        tmp_path,
        "bot.py",
        HEAD
        + """
@compiled(game="liars-dice", wants=("round_over",), prepare=lambda first, second: [7.0],
          parameters=(Param("first", 1), Param("second", True)))
def bot(event, view, params, memory, rng):
    if event == ROUND_OVER:
        memory[31] += 1
        return 0
    if view.bids_made:
        return -1
    if memory[31] != view.round - 1 or len(memory) != 32:
        return -7
    return int(params[0] + 2 * params[1] + params[2])
""",
    )
    out = path.parent / "seen.txt"
    os.environ["SEEN"] = str(out)
    spy = write(tmp_path, "spy.py", SPY)

    chunk = play({"a": bind(str(path), {"first": "4"}), "b": bind(str(spy))}, deals=3)

    assert chunk.faults == []
    assert set(out.read_text().split()) == {"13"}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("    return view.nothing\n", "(bot.py, line 8): there is no 'nothing'"),
        ("    if view.bid > 3:\n        return 1\n", "it returns nothing on some way"),
        ("    return missing + 1\n", "the name missing is not defined"),
        ("    return help_me(3)\n", "it calls help_me: decorate that with numba.njit"),
        ("    return 2.5\n", "(bot.py, line 8): an action is a whole number: return int(...)"),
        ("    view.bid = 3\n    return 0\n", "line 8): view.bid is set: a strategy only reads"),
        ("    import os\n    return 0\n", "it imports inside the function: import at the top"),
        ("    return rng.below(3)\n", "(bot.py, line 8): there is no 'below'"),
        ("    return np.nothing(3)\n", "(bot.py, line 8): numpy has no nothing"),
        ("    return view.legal()[0]\n", "line 8): there is no 'legal'; loop over the actions"),
        ("    return max(view.own[f] for f in range(6))\n", "generator or comprehension in ( )"),
        ("    return max(range(6), key=lambda f: view.own[f])\n", "it uses view in a lambda"),
        ("    return len(f'{view.bid:03d}')\n", "line 8): it formats text"),
        ("    with open('x'):\n        return 0\n", "it uses `with`"),
        ("    class A: pass\n    return 0\n", "line 8): it defines a class inside"),
        ("    global G\n    G = 3\n    return 0\n", "line 9): it sets a global: keep what"),
        ("    x = 'a' if view.bid else 1\n    return 0\n", "line 8): a name holds "),
        ("    return params['doubt']\n", "line 8): it looks up an item by what is no number"),
        ("    a, *b = (1, 2)\n    return a\n", "line 8): it unpacks with `*`"),
        ("    kept = []\n    return len(kept)\n", "line 8): it uses a list that stays empty"),
        ("    yield 1\n", "it uses `yield`"),
    ],
)
def test_what_does_not_compile(tmp_path: Path, own_cache: Path, body: str, expected: str) -> None:
    """One sentence with the line of the author's file; again so at the next attempt."""
    path = write(tmp_path, "bot.py", HEAD + BOT + body + "\ndef help_me(x): return x\n")
    for _ in range(2):
        with pytest.raises(PluginError) as caught:
            address_of(path)

        message = str(caught.value)
        assert message.startswith("'bot' does not compile (bot.py, line ")
        assert expected in message
        assert "\n" not in message


def test_large_tables_compile_without_a_warning(tmp_path: Path, own_cache: Path) -> None:
    """Numba cannot keep code with a global array above a megabyte; that is no concern of users."""
    text = HEAD + "T = np.zeros(300_000)\n" + BOT + "    return int(T[view.bid])\n"
    path = write(tmp_path, "bot.py", text)

    assert address_of(path)


def test_unwritable_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing can be kept it compiles all the same, and leaves nothing beside the file."""
    blocked = write(tmp_path, "blocked", "a file, not a folder")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(blocked))
    path = write(tmp_path, "bots/bot.py", HEAD + BOT + "    return 0\n")

    assert address_of(path)
    assert [p.name for p in path.parent.iterdir()] == ["bot.py"]


def test_built_ins_use_the_package_folder() -> None:
    """The built-in strategies are kept where the sources of the package say."""
    bound = bind("honest")
    bound.address(VIEW_DTYPE)

    assert use_cache_folder().is_dir()
    assert np.all(bound.params == 0)
