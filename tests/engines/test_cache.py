"""The folder of compiled code: named by what the code depends on, private, and kept tidy."""

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numba
import pytest

import sim
from sim.engines import cache

PACKAGE = Path(sim.__file__).parent


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give an empty cache home, no folder chosen yet, and put Numba back afterwards."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    # set first, so that what the code under test writes is undone too
    for variable in (cache.CACHE_VARIABLE, cache.OWN_VARIABLE):
        monkeypatch.setenv(variable, "")
        monkeypatch.delenv(variable)
    monkeypatch.setattr(numba.config, "CACHE_DIR", told())
    return tmp_path


def told() -> str:
    """Give the folder that Numba goes by."""
    return str(vars(numba.config)["CACHE_DIR"])


def run(program: str, folder: Path | None = None, **variables: str) -> str:
    """Run a Python program in a folder with more environment variables; give what it prints."""
    environment = {
        k: v for k, v in os.environ.items() if k not in (cache.CACHE_VARIABLE, cache.OWN_VARIABLE)
    }
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=environment | variables,
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout.strip()


def test_folder_is_named_by_the_sources(home: Path) -> None:
    """The folder is in the user's cache, private, and told to Numba, imported or not."""
    folder = cache.use_cache_folder()

    assert folder == home / "sim" / cache.source_hash()
    assert folder.stat().st_mode & 0o777 == 0o700
    assert os.environ["NUMBA_CACHE_DIR"] == told() == str(folder)
    assert cache.use_cache_folder() == folder


def test_users_choice_is_respected(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """NUMBA_CACHE_DIR set by the user stays as it is."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", "/somewhere")

    assert cache.use_cache_folder() == Path("/somewhere")
    assert os.environ["NUMBA_CACHE_DIR"] == "/somewhere"
    assert list(home.iterdir()) == []


def test_a_child_does_not_take_its_parents_folder_for_the_users(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long-lived parent may have chosen it from older sources."""
    for variable in (cache.CACHE_VARIABLE, cache.OWN_VARIABLE):
        monkeypatch.setenv(variable, str(home / "sim" / "0123456789abcdef"))

    assert cache.use_cache_folder() == home / "sim" / cache.source_hash()


def test_relative_cache_home_is_ignored(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the XDG specification says."""
    monkeypatch.setenv("XDG_CACHE_HOME", "cache")
    monkeypatch.setenv("HOME", str(home))

    assert cache.cache_base() == home / ".cache" / "sim"


def test_unused_folders_are_removed(home: Path) -> None:
    """After 30 days; nothing that is not ours, and not what is in use."""
    base = home / "sim"
    names = ["0123456789abcdef", "fedcba9876543210", "notes", cache.source_hash()]
    for name in names:
        (base / name).mkdir(parents=True)
        age = 29 if name.startswith("f") else 31
        os.utime(base / name, (time.time() - age * 86400,) * 2)

    cache.use_cache_folder()

    assert sorted(p.name for p in base.iterdir()) == sorted(names[1:])


def test_unwritable_cache_home(tmp_path: Path) -> None:
    """Then a private temporary folder serves, fresh for each process, and goes with it."""
    blocked = tmp_path / "blocked"
    blocked.write_text("a file, not a folder")
    program = (
        "from sim.engines.cache import use_cache_folder; folder = use_cache_folder(); "
        "print(folder, oct(folder.stat().st_mode), folder == use_cache_folder())"
    )

    first, second = (
        run(program, XDG_CACHE_HOME=str(blocked), TMPDIR=str(tmp_path)).split() for _ in range(2)
    )

    assert first[1:] == ["0o40700", "True"]
    assert re.fullmatch(rf"{tmp_path}/sim-{cache.source_hash()}-\w+", first[0])
    assert first[0] != second[0]
    assert not Path(first[0]).exists()


def test_no_home_folder(tmp_path: Path) -> None:
    """Without HOME and a cache home there is still a place."""
    program = (
        "import pathlib, sim.engines.cache as cache\n"
        "def nowhere(path): raise RuntimeError('no home')\n"
        "pathlib.Path.expanduser = nowhere\n"
        "print(cache.use_cache_folder())"
    )

    assert run(program, XDG_CACHE_HOME="", TMPDIR=str(tmp_path)).startswith(f"{tmp_path}/sim-")


def test_any_edit_of_the_compiled_rooms_names_another_folder(tmp_path: Path) -> None:
    """One changed character in a module that others call, and nothing old is found."""
    program = "import sim, sim.engines.cache as c; print(c.source_hash(), sim.__file__)"
    copy = tmp_path / "sim"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    found = [run(program, tmp_path).split()]
    for room in ("engines", "strategies", "analysis"):
        file = copy / room / "__init__.py"
        file.write_text(file.read_text(encoding="utf-8") + "#", encoding="utf-8")
        found.append(run(program, tmp_path).split())
    hashes = [digest for digest, _ in found]

    assert {file for _, file in found} == {str(copy / "__init__.py")}
    assert len({cache.source_hash(), *hashes[1:3]}) == 3
    assert hashes[0] == cache.source_hash()
    assert hashes[3] == hashes[2]  # compiles nothing


def test_only_the_hashed_rooms_use_numba() -> None:
    """Compiled code anywhere else would not be part of the name."""
    users = {
        path.relative_to(PACKAGE).parts[0]
        for path in PACKAGE.rglob("*.py")
        if re.search(r"^\s*(from|import) numba", path.read_text(encoding="utf-8"), re.MULTILINE)
    }

    assert users <= set(cache.HASHED_ROOMS)


def test_numba_is_not_imported() -> None:
    """Choosing the folder comes before Numba, and costs a command that needs none nothing."""
    program = (
        "import sys; from sim.engines.cache import use_cache_folder; use_cache_folder(); "
        "print('numba' in sys.modules)"
    )

    assert run(program) == "False"


def test_bot_folder(home: Path) -> None:
    """Inside, Numba keeps things in the strategy's folder; outside, where it did before."""
    folder = cache.use_cache_folder()

    with cache.bot_cache("key") as own:
        assert own is not None
        assert own.parent == folder / "bots"
        assert os.environ["NUMBA_CACHE_DIR"] == told() == str(own)
    with cache.bot_cache("other") as other:
        assert other != own

    assert os.environ["NUMBA_CACHE_DIR"] == told() == str(folder)
