"""Processes that do not outlive the one that started them, and children that cannot play on."""

import ctypes
import mmap
import os
import signal
import sys
from pathlib import Path
from typing import Final

PR_SET_PDEATHSIG: Final = 1
"""From <linux/prctl.h>: the signal a process gets when the one that forked it dies."""


def die_with_parent(parent: int) -> None:
    """Have this process killed when process `parent`, which forked it, dies.

    Only Linux can do that; elsewhere a process notices at its next message.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it died before we asked
        os._exit(1)


def keep_from_children(memory: mmap.mmap) -> None:
    """Leave `memory` out of processes forked from here on.

    A strategy may fork; its child dies as soon as it comes back into the engine, which writes here.
    """
    if hasattr(mmap, "MADV_DONTFORK"):
        memory.madvise(mmap.MADV_DONTFORK)


def resident_bytes(pid: int) -> int | None:
    """Give the memory that a process holds; None if it is gone, or where nobody can say.

    >>> (resident_bytes(os.getpid()) or 1) > 0
    True
    """
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * mmap.PAGESIZE
    except (OSError, IndexError):
        return None
