"""What a strategy raised, in words that can be kept."""

from traceback import format_exception
from typing import Final

DETAIL_LENGTH: Final = 300


def describe(error: BaseException, *, ours: int = 1) -> tuple[str, str]:
    """Give one line and the traceback of what a strategy raised; never raises itself.

    The first `ours` frames are those of the caller, down to its call of the strategy.
    """
    name = type(error).__name__
    try:
        text = str(error).partition("\n")[0]
    except Exception:
        text = "(its message cannot be read)"
    trace = error.__traceback__
    for _ in range(ours):
        trace = trace.tb_next if trace else None
    try:
        lines = "".join(format_exception(type(error), error, trace, limit=-20, chain=False))
    except Exception:
        lines = ""
    return (f"{name}: {text}" if text else name)[:DETAIL_LENGTH], lines
