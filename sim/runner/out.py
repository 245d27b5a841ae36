"""Where a run goes: the folder's name if none was given, and whether it can be written to."""

import errno
import os
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Final

from sim.errors import UsageError

REPORTS: Final = Path("reports")
"""Where runs go that were given no folder."""


def default_out(game: str, now: datetime) -> Path:
    """Give `reports/<game>-<date>-<time>`, numbered if that is taken.

    >>> str(default_out("liars-dice", datetime(2026, 1, 31, 20, 15, 0)))
    'reports/liars-dice-20260131-201500'
    """
    first = REPORTS / f"{game}-{now:%Y%m%d-%H%M%S}"
    if not first.exists():
        return first
    return next(
        path for n in count(2) if not (path := first.with_name(f"{first.name}-{n}")).exists()
    )


def check_out(out: Path, *, force: bool) -> None:
    """Refuse a folder that cannot be written to before anything is compiled or announced.

    The store checks again, with the folder locked, when the run begins.
    """
    shown = repr(str(out))
    if out.is_dir() and os.access(out, os.R_OK) and any(out.iterdir()) and not force:
        raise UsageError(
            f"{shown} is not empty: name another folder with --out, or replace the run that is in"
            " it with --force"
        )
    try:
        if out.exists():
            if not out.is_dir():
                raise NotADirectoryError(errno.ENOTDIR, "Not a directory")
            if not os.access(out, os.W_OK | os.X_OK):
                raise PermissionError(errno.EACCES, "Permission denied")
        else:
            _try_to_make(out)
    except OSError as error:
        raise UsageError(f"cannot write to {shown}: {error.strerror}") from None


def _try_to_make(folder: Path) -> None:
    """Make a folder and the missing ones around it, and remove them again; OSError if it fails."""
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    made: list[Path] = []
    try:
        for path in reversed(missing):
            path.mkdir()
            made.append(path)
    finally:
        for path in reversed(made):
            path.rmdir()
