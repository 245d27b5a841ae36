"""Where compiled code is kept between runs, so that it is never older than its sources.

Numba's file cache looks only at the file a function stands in. A change in another module that the
function calls, or a constant imported from it, goes unnoticed, and old code runs. So the folder
itself is named by all that compiled code can depend on:

    ~/.cache/sim/<hash of engines, strategies, Python, Numba, NumPy>/        the package's own code
    ~/.cache/sim/<the same>/bots/<hash of one strategy and what it uses>/    strategies of users

`XDG_CACHE_HOME` is respected; `NUMBA_CACHE_DIR`, when the user has set it, takes the place of the
first folder as it stands. Folders not used for 30 days are removed. Nothing here imports Numba.
"""

import atexit
import hashlib
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

CACHE_VARIABLE: Final = "NUMBA_CACHE_DIR"
OWN_VARIABLE: Final = "SIM_CACHE_DIR"
"""Holds what we put into CACHE_VARIABLE, so that a child process knows it from a user's value."""

HASHED_ROOMS: Final = ("engines", "strategies")
"""The only parts of the package that compile anything."""

HASHED_PACKAGES: Final = ("numba", "numpy", "llvmlite")

KEEP_DAYS: Final = 30

_NAME: Final = re.compile(r"[0-9a-f]{16}")


def _digest(parts: Iterator[bytes]) -> str:
    """Hash parts, each with its length, to 16 hex digits."""
    hasher = hashlib.blake2b(digest_size=8)
    for part in parts:
        hasher.update(b"%d:" % len(part))
        hasher.update(part)
    return hasher.hexdigest()


def _source_parts() -> Iterator[bytes]:
    root = Path(__file__).parents[1]
    yield sys.version.encode()
    for package in HASHED_PACKAGES:
        try:
            yield f"{package} {version(package)}".encode()
        except PackageNotFoundError:
            yield f"{package} unknown".encode()
    for room in HASHED_ROOMS:
        for path in sorted((root / room).rglob("*.py")):
            yield str(path.relative_to(root)).encode()
            yield path.read_bytes()


@cache
def source_hash() -> str:
    """Give the hash of all that the package's compiled code depends on, 16 hex digits.

    >>> len(source_hash())
    16
    """
    return _digest(_source_parts())


def cache_base() -> Path:
    """Give the folder that holds one folder for each state of the sources."""
    base = Path(os.environ.get("XDG_CACHE_HOME", ""))
    # the XDG specification: a relative path is invalid and to be ignored
    return (base if base.is_absolute() else Path("~/.cache").expanduser()) / "sim"


def _make(folder: Path) -> bool:
    """Make a folder, private to the user if new; False if it cannot be made or written."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK | os.X_OK)


def _temporary() -> Path:
    """Give a fresh private folder that goes when this process ends.

    Never a folder that is already there: compiled code is read back by pickle, and in a shared
    temporary folder it could be somebody else's. A child process keeps its parent's.
    """
    prefix = f"sim-{source_hash()}-"
    inherited = Path(os.environ.get(OWN_VARIABLE, ""))
    if inherited.name.startswith(prefix) and inherited.is_dir():
        return inherited
    folder = tempfile.mkdtemp(prefix=prefix)
    owner = os.getpid()

    def remove() -> None:
        if os.getpid() == owner:
            shutil.rmtree(folder, ignore_errors=True)

    atexit.register(remove)
    return Path(folder)


def _prune(base: Path) -> None:
    """Remove folders of ours that were not used for KEEP_DAYS."""
    oldest = time.time() - KEEP_DAYS * 24 * 3600
    with suppress(OSError), os.scandir(base) as entries:
        for entry in entries:
            with suppress(OSError):
                is_old = entry.stat(follow_symlinks=False).st_mtime < oldest
                if is_old and _NAME.fullmatch(entry.name) and entry.is_dir(follow_symlinks=False):
                    shutil.rmtree(entry.path, ignore_errors=True)


def _touch(folder: Path) -> None:
    """Note that a folder is in use, so that it is not pruned."""
    with suppress(OSError):
        os.utime(folder)


def _point_numba(folder: str) -> None:
    """Make Numba use `folder` from now on, whether it is imported already or not."""
    os.environ[CACHE_VARIABLE] = folder
    config = sys.modules.get("numba.core.config")
    if config is not None:
        # Numba reads the variable again only when it next compiles; decorators come before that
        config.CACHE_DIR = folder  # type: ignore[attr-defined]


def use_cache_folder() -> Path:
    """Choose the folder of compiled code and tell Numba; give the folder.

    Call it before anything is decorated by Numba. Calling it again changes nothing.
    """
    given = os.environ.get(CACHE_VARIABLE, "")
    if given and given != os.environ.get(OWN_VARIABLE):
        return Path(given)
    try:
        base = cache_base()
        folder = base / source_hash()
        usable = _make(folder)
    except RuntimeError:  # no home folder
        usable = False
    if usable:
        _touch(folder)
        _prune(base)
    else:
        folder = _temporary()
    os.environ[OWN_VARIABLE] = str(folder)
    _point_numba(str(folder))
    return folder


@contextmanager
def bot_cache(key: str) -> Iterator[Path | None]:
    """Let Numba keep what is decorated and compiled inside in a folder of its own, named `key`.

    `key` changes with everything the code depends on (strategies/fingerprint.py); the package's own
    sources are added here. Gives the folder, or None if it cannot be written: then do not cache.
    """
    folder = use_cache_folder() / "bots" / _digest(iter((source_hash().encode(), key.encode())))
    before = os.environ[CACHE_VARIABLE]
    usable = _make(folder)
    if usable:
        _touch(folder)
        _prune(folder.parent)
        _point_numba(str(folder))
    try:
        yield folder if usable else None
    finally:
        _point_numba(before)
