"""Every `console` block of the README and the documentation does what it shows."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

LINK = re.compile(r"\[[^\]]*\]\(([^)#]+)(?:#[^)]*)?\)")


FILE = re.compile(r"# (\w+\.py)\n")


def commands(page: Path, *, write_files: bool = False) -> Iterator[tuple[str, str]]:
    """Each command of a page with what it is said to print.

    A Python block that begins with `# name.py` is that file: it is there for the commands below.
    """
    for language, text in BLOCK.findall(page.read_text(encoding="utf-8")):
        name = FILE.match(text)
        if write_files and language == "python" and name:
            Path(name[1]).write_text(text, encoding="utf-8")
        if language == "console":
            for step in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
                command, _, output = step.partition("\n")
                yield command, output.strip("\n")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder like a fresh clone, with the README's bot in a file."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    bot = next(text for _, text in python_blocks() if "class Timid" in text)
    (tmp_path / "timid.py").write_text(bot)
    return tmp_path


def python_blocks() -> list[tuple[str, str]]:
    """The Python blocks of the README that are no doctest."""
    blocks = BLOCK.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    return [block for block in blocks if block[0] == "python" and ">>>" not in block[1]]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_print_what_the_page_shows(page: Path, folder: Path) -> None:
    """A line `...` stands for any lines; a command without output only has to work."""
    for command, shown in commands(page, write_files=True):
        words = shlex.split(command)
        assert words[0] == "sim", f"only sim is run here, not {command!r}"

        done = subprocess.run(
            [sys.executable, "-m", *words],
            capture_output=True,
            text=True,
            encoding="utf-8",
            env={**os.environ, "PYTHONUTF8": "1"},
            check=False,
        )

        printed = (done.stdout + done.stderr).strip("\n")
        pattern = re.sub(r"([\[\]?*])", r"[\1]", shown).replace("...", "*")
        assert done.returncode == 0, f"{command}\n{printed}"
        assert not shown or fnmatchcase(printed, pattern), f"{command}\n{printed}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    """A link to a file of ours names one that is there."""
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        assert target.startswith("https://") or (page.parent / target).exists(), target


def test_the_readme_has_commands() -> None:
    """The tests above would pass on a README that they cannot read."""
    assert len(list(commands(ROOT / "README.md"))) >= 6
