"""Tracebacks for authors of strategies: their own lines, nothing of ours."""

import traceback
from collections.abc import Iterable
from pathlib import Path


def own_lines(error: BaseException, files: Iterable[Path]) -> str:
    """Give the error in one line, and below it the lines of `files` that it came through."""
    own = {str(path) for path in files}
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename in own]
    *details, message = traceback.format_exception_only(error)
    if error.__class__ is SystemExit:
        message = f"it left the program with SystemExit: {error}"
    shown = [*traceback.format_list(frames), *details]
    return "\n".join([message.strip(), *(part.rstrip("\n") for part in shown)])
