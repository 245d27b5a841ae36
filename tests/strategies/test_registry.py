"""Strategies that are installed: found by entry points, and what is wrong with them."""

from pathlib import Path

import pytest

from sim.errors import PluginError
from sim.strategies.loading import load_bot
from sim.strategies.registry import installed
from tests.strategies.files import PLAIN, refusal, write
from tests.strategies.tables import LIARS_DICE, decision


def install(folder: Path, package: str, version: str, entries: dict[str, str]) -> None:
    """Lay down what pip leaves of a package: its metadata."""
    lines = "\n".join(f"{name} = {value}" for name, value in entries.items())
    info = folder / f"{package.replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n", encoding="utf-8"
    )
    (info / "entry_points.txt").write_text(f"[sim.strategies]\n{lines}\n", encoding="utf-8")


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a folder that Python searches like site-packages."""
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def test_installed_by_name(site: Path) -> None:
    """A stranger's package is found by the name in its entry point."""
    path = write(site, "stranger_one/bots.py", PLAIN)
    install(site, "stranger-one", "1.2", {"liars-dice/opener": "stranger_one.bots:Opener"})

    bot = load_bot("opener", LIARS_DICE)

    assert decision(bot.bind({}), "hands=55/66") == "1x1"
    assert bot.origin == "stranger-one 1.2 (stranger_one.bots:Opener)"
    assert (bot.text, bot.sources, bot.trusted) == ("opener", (path,), False)
    assert "opener" in [bot.name for bot in installed(LIARS_DICE).bots]
    assert installed("dou-dizhu").problems == ()


def test_two_packages_with_one_name(site: Path) -> None:
    """Nobody can tell which is meant: the error names both; the list goes on without them."""
    write(site, "stranger_two.py", PLAIN)
    for package in ("bots-a", "bots-b"):
        module = package.replace("-", "_")
        write(site, f"{module}.py", PLAIN)
        install(site, package, "1.0", {"liars-dice/opener": f"{module}:Opener"})
    expected = (
        "strategy 'opener' of liars-dice is installed twice, by bots-a 1.0 (bots_a:Opener) and "
        "bots-b 1.0 (bots_b:Opener): remove one"
    )

    assert refusal(PluginError, "opener") == expected
    assert installed(LIARS_DICE).problems == (expected,)
    assert "honest" in [bot.name for bot in installed(LIARS_DICE).bots]


def test_one_strategy_listed_by_two_packages(site: Path) -> None:
    """A renamed package may leave its old metadata behind: both lead to the same strategy."""
    write(site, "stranger_four.py", PLAIN)
    for package in ("old-name", "new-name"):
        install(site, package, "1", {"liars-dice/opener": "stranger_four:Opener"})

    assert load_bot("opener", LIARS_DICE).name == "opener"


def test_package_that_takes_a_built_in_name(site: Path) -> None:
    """A package cannot quietly replace a built-in."""
    write(site, "impostor.py", PLAIN)
    install(site, "impostor", "3", {"liars-dice/honest": "impostor:Opener"})

    message = refusal(PluginError, "honest")

    assert "impostor 3 (impostor:Opener)" in message
    assert "(sim.strategies.liars_dice.honest:honest)" in message


def test_broken_package_is_a_warning_in_the_list(site: Path) -> None:
    """Merely installed, it is told and left out; named by the user, it is the error."""
    path = write(site, "stranger_broken.py", "value = 1 / 0\n")
    entries = {"liars-dice/broken": "stranger_broken:Bot", "liars-dice/gone": "stranger_gone:Bot"}
    install(site, "stranger-broken", "0.1", entries)

    catalogue = installed(LIARS_DICE)

    assert [problem.splitlines()[0] for problem in catalogue.problems] == [
        "stranger-broken 0.1 (stranger_broken:Bot) does not load: "
        "ZeroDivisionError: division by zero",
        "stranger-broken 0.1 (stranger_gone:Bot) does not load: "
        "ModuleNotFoundError: No module named 'stranger_gone'",
    ]
    assert f'  File "{path}", line 1, in <module>' in catalogue.problems[0]
    assert [bot.name for bot in catalogue.bots if bot.trusted][:2] == ["aggressive", "dudo"]
    assert refusal(PluginError, "broken") == catalogue.problems[0]


@pytest.mark.parametrize(
    ("entry", "value", "expected"),
    [
        (
            "liars-dice/other",
            "stranger_three:Opener",
            "stranger-three 1 (stranger_three:Opener) is registered as 'liars-dice/other' but says "
            "that it is 'liars-dice/opener'",
        ),
        (
            "liars-dice/opener",
            "stranger_three:Opner",
            "stranger-three 1 (stranger_three:Opner): unknown strategy 'Opner': did you mean "
            "'Opener'? (known: Opener)",
        ),
        (
            "opener",
            "stranger_three:Opener",
            "stranger-three 1 (stranger_three:Opener) is registered as 'opener/' but says that it "
            "is 'liars-dice/opener'",
        ),
    ],
)
def test_entry_points_that_do_not_fit(site: Path, entry: str, value: str, expected: str) -> None:
    """An entry point says (game, name); what it leads to must say the same."""
    write(site, "stranger_three.py", PLAIN)
    install(site, "stranger-three", "1", {entry: value})

    assert installed().problems == (expected,)


def test_built_ins_walk_the_same_path() -> None:
    """Every built-in of Liar's Dice is an entry point of this package, and marked as built in."""
    bots = [bot for bot in installed(LIARS_DICE).bots if bot.trusted]

    assert [bot.name for bot in bots] == ["aggressive", "dudo", "honest", "random", "threshold"]
    assert {bot.origin for bot in bots} == {"built in"}
    assert {bot.kind for bot in bots} == {"compiled"}
