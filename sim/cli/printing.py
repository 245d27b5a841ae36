"""Printing for people and for programs: results on stdout, everything else on stderr.

A reader that has gone away (`sim ... | head`) is no error: what would have been printed is dropped
and the command goes on to its own exit code.
"""

import json
import os
import shutil
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, TextIO

if TYPE_CHECKING:
    from rich.table import Table

GAP: Final = 3
"""Columns between two columns of a table."""

WIDE: Final = 400
"""Columns where there is no terminal: nothing is cut off."""


def echo(text: str = "") -> None:
    """Print to stdout."""
    _write(sys.stdout, f"{text}\n")


def echo_json(document: Any) -> None:
    """Print one JSON document to stdout; numbers that JSON lacks (nan) are refused."""
    echo(json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False))


def say(text: str) -> None:
    """Print to stderr."""
    _write(sys.stderr, f"{text}\n")


def complain(text: str, *, prefix: str = "sim: ") -> None:
    """Print an error or a warning to stderr."""
    say(f"{prefix}{text}")


def _write(stream: TextIO, text: str) -> None:
    try:
        try:
            stream.write(text)
        except UnicodeEncodeError:  # a locale that lacks a letter of a label
            stream.write(text.encode(stream.encoding, "replace").decode(stream.encoding))
        stream.flush()
    except BrokenPipeError:
        _drop(stream)


def _drop(stream: TextIO) -> None:
    """Point a stream whose reader has gone at the null device, so that nothing fails at exit."""
    null = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(null, stream.fileno())
    finally:
        os.close(null)


def is_lively(stream: TextIO) -> bool:
    """Say whether a stream is a terminal that can redraw a line."""
    return stream.isatty() and os.environ.get("TERM", "") not in ("dumb", "unknown")


def screen_width() -> int | None:
    """Give the columns of the terminal that stdout is, or None if it is none."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def echo_table(table: "Table") -> None:
    """Print a table to stdout, coloured on a terminal unless NO_COLOR is set.

    Elsewhere it is as wide as it needs to be.
    """
    from io import StringIO

    from rich.console import Console

    width = screen_width()
    text = StringIO()
    console = Console(
        file=text,
        force_terminal=is_lively(sys.stdout),
        width=width or WIDE,
        highlight=False,
        markup=False,
        emoji=False,
    )
    console.print(table)
    echo("\n".join(line.rstrip() for line in text.getvalue().splitlines()).strip("\n"))


def make_table(
    headings: Sequence[str], rows: Iterable[Sequence[str]], *, right: Iterable[int] = ()
) -> "Table":
    """Make a plain table; the columns numbered in `right` are aligned to the right."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    numeric = set(right)
    for number, heading in enumerate(headings):
        table.add_column(heading, justify="right" if number in numeric else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    return table
