"""How the program starts and ends, in real processes: codes, streams, imports."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sim.cli import games
from sim.cli.main import app

HEAVY = {"numpy", "numba", "pandas", "pyarrow", "rich"}

SIM = [sys.executable, "-m", "sim"]


def sim(*words: str, folder: Path, **options: str) -> "subprocess.CompletedProcess[str]":
    """Run a command line as a program of its own."""
    return subprocess.run(
        [*SIM, *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(Path.cwd()), **options},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("words", [["--help"], ["run", "--help"], ["--version"], ["rum"]])
def test_help_version_and_slips_import_nothing_heavy(words: list[str]) -> None:
    """The help is there at once: commands import what they call when they are called."""
    program = (
        "import sys\nfrom sim.cli.main import main\n"
        f"sys.argv = ['sim', *{words}]\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        f"print('HEAVY', sorted({HEAVY} & set(sys.modules)))"
    )

    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert done.stdout.endswith("HEAVY []\n")


def test_importing_the_package_imports_nothing_heavy() -> None:
    """`import sim` in somebody's program is light; `sim.run` brings the rest when it is called."""
    program = f"import sys, sim; print(sorted({HEAVY} & set(sys.modules)))"

    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert done.stdout == "[]\n"


def test_version_is_the_one_of_the_distribution() -> None:
    """The version stands in pyproject.toml alone."""
    import tomllib

    project = tomllib.loads(Path("pyproject.toml").read_text())["project"]

    result = CliRunner().invoke(app, ["--version"])

    assert (result.exit_code, result.stdout) == (0, f"sim {project['version']}\n")


def test_no_command_shows_the_help() -> None:
    """`sim` alone says what there is, and that it did nothing."""
    result = CliRunner().invoke(app, [])

    assert result.exit_code == 2
    assert "Commands" in result.output
    assert "sim: " not in result.output


def test_our_own_bug_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is not meant for a person is shown whole, with exit code 3."""

    def broken(found: object) -> str:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr(games, "seats_text", broken)

    result = CliRunner().invoke(app, ["games"])

    assert result.exit_code == 3
    assert "Traceback" in result.stderr
    assert "ZeroDivisionError: oops" in result.stderr
    assert "This is a bug in sim" in result.stderr
    assert "Traceback" not in result.stdout


def test_ctrl_c_is_130_without_a_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C outside of a run ends the program at once."""

    def interrupted(found: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(games, "seats_text", interrupted)

    result = CliRunner().invoke(app, ["games"])

    assert (result.exit_code, result.stderr) == (130, "sim: interrupted\n")


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    """`sim ... | head` ends quietly, with the code of the command."""
    reading, writing = os.pipe()
    os.close(reading)

    done = subprocess.run(
        [*SIM, "strategies", "--json"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path.cwd())},
        stdout=writing,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writing)

    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_error(tmp_path: Path, closed: str) -> None:
    """A program that closes our streams gets the exit code and no surprise in its files."""
    done = subprocess.run(
        f'"{sys.executable}" -m sim games {closed}',
        shell=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path.cwd())},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0
    assert "Traceback" not in done.stderr


def test_a_locale_without_a_letter_is_no_error(tmp_path: Path) -> None:
    """What a terminal cannot show is replaced, not a crash."""
    done = sim("games", folder=tmp_path, PYTHONIOENCODING="ascii")

    assert (done.returncode, done.stderr) == (0, "")
    assert "liars-dice" in done.stdout


def test_colour_is_for_terminals_only(tmp_path: Path) -> None:
    """Nothing that goes into a file or a pipe holds an escape sequence."""
    done = sim("strategies", folder=tmp_path, FORCE_COLOR="", TERM="xterm-256color")

    assert done.returncode == 0
    assert "\x1b" not in done.stdout


def test_no_color_is_respected_on_a_terminal(tmp_path: Path) -> None:
    """NO_COLOR leaves a terminal's table without colours; it may still be bold."""
    import pty

    ours, theirs = pty.openpty()
    done = subprocess.run(
        [*SIM, "games"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path.cwd()), "NO_COLOR": "1", "TERM": "xterm"},
        stdout=theirs,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(theirs)
    shown = os.read(ours, 1 << 16).decode()
    os.close(ours)

    assert (done.returncode, done.stderr) == (0, b"")
    assert "liars-dice" in shown
    assert "\x1b[3" not in shown
