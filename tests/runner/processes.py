"""Who is whose child, as /proc tells."""

import contextlib
from pathlib import Path


def parents() -> dict[int, int]:
    """Give the parent of every living process; zombies are not living."""
    found = {}
    for path in Path("/proc").iterdir():
        if path.name.isdigit():
            with contextlib.suppress(OSError, IndexError):
                fields = (path / "stat").read_text().rpartition(")")[2].split()
                if fields[0] != "Z":
                    found[int(path.name)] = int(fields[1])
    return found


def descendants(pid: int) -> list[int]:
    """Give all living children of a process, and theirs."""
    known = parents()
    found: list[int] = []
    new = [pid]
    while new:
        new = [child for child, parent in known.items() if parent in new]
        found += new
    return found


def depth(pid: int, top: int) -> int:
    """Say how many generations `pid` is below `top`."""
    known = parents()
    steps = 0
    while pid not in (top, 0, 1) and pid in known:
        pid = known[pid]
        steps += 1
    return steps
