"""Markdown for people: tables, and numbers with as many digits as they are sure of."""

from collections.abc import Iterable, Sequence
from math import floor, isnan, log10
from typing import Final

from sim.analysis.statistics import Estimate

NONE: Final = "-"
"""Stands where a figure does not exist."""

MOST_DECIMALS: Final = 6


def table(header: Sequence[str], rows: Iterable[Sequence[str]], *, text_columns: int = 1) -> str:
    """Write a table; the first `text_columns` are set flush left, numbers flush right.

    >>> print(table(["player", "wins"], [["a|b", "3"]]))
    | player | wins |
    | :-- | --: |
    | a\\|b | 3 |
    """
    marks = [":--" if column < text_columns else "--:" for column in range(len(header))]
    lines = [header, marks, *rows]
    return "\n".join(_line(cells) for cells in lines)


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def section(title: str, *paragraphs: str) -> str:
    """Write a section; empty paragraphs are left out."""
    return "\n\n".join([f"## {title}", *(text for text in paragraphs if text)])


def escape(label: str) -> str:
    """Keep a label from being read as markup.

    >>> escape("*bold*_1")
    '\\\\*bold\\\\*\\\\_1'
    """
    return "".join("\\" + mark if mark in "\\`*_<[" else mark for mark in label)


def count(number: int) -> str:
    """Write a number of things.

    >>> count(12000)
    '12,000'
    """
    return f"{number:,}"


def counted(number: int, thing: str) -> str:
    """Write how many of a thing.

    >>> counted(1, "deal"), counted(2000, "deal")
    ('1 deal', '2,000 deals')
    """
    return f"{number:,} {thing}" + ("" if number == 1 else "s")


def listing(items: Sequence[str]) -> str:
    """Join with commas and a last "and".

    >>> listing(["a"]), listing(["a", "b"]), listing(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    """
    *front, last = items
    return f"{', '.join(front)} and {last}" if front else last


class Numbers:
    """Writes figures of one kind with the same number of decimals.

    Two digits of the narrowest interval are shown, so that no digit is noise and none is missing.

    >>> rate = Numbers([Estimate(0.4123, 0.4011, 0.4235, 0.0057, 2000)], percent=True)
    >>> rate.plain(0.4123), rate.interval(Estimate(0.4123, 0.4011, 0.4235, 0.0057, 2000))
    ('41.2', '41.2 (40.1 to 42.4)')
    """

    def __init__(self, estimates: Iterable[Estimate], *, percent: bool = False) -> None:
        self.scale = 100 if percent else 1
        widths = [found.half_width * self.scale for found in estimates]
        known = [width for width in widths if width > 0]
        self.decimals = 2 - percent
        if known:
            self.decimals = min(MOST_DECIMALS, max(0, 1 - floor(log10(min(known)))))

    def plain(self, value: float) -> str:
        """Write a value without its interval."""
        if isnan(value):
            return NONE
        text = f"{value * self.scale:.{self.decimals}f}"
        return text.removeprefix("-") if float(text) == 0 else text

    def range(self, found: Estimate) -> str:
        """Write the interval alone."""
        if isnan(found.low):
            return "no interval"
        return f"{self.plain(found.low)} to {self.plain(found.high)}"

    def interval(self, found: Estimate) -> str:
        """Write a value with its interval."""
        if isnan(found.value):
            return NONE
        return f"{self.plain(found.value)} ({self.range(found)})"


def p_text(p: float) -> str:
    """Write a p-value.

    >>> p_text(0.0000004), p_text(0.034), p_text(0.5)
    ('< 0.0001', '0.034', '0.50')
    """
    if isnan(p):
        return NONE
    if p < 0.0001:
        return "< 0.0001"
    return f"{p:.4f}" if p < 0.01 else f"{p:.3f}" if p < 0.1 else f"{p:.2f}"
