"""Single values as people write them, on the command line or in a TOML file, made into numbers.

A value is text (a flag) or what TOML made of it; both are held to the same words. Every function
takes `where`, the name by which the person knows the value (`--deals`, `first.toml: deals`), and
refuses with one sentence that quotes what was written.
"""

import re
from collections.abc import Mapping, Sequence
from math import isfinite, nan
from typing import Final

from sim.errors import UsageError, unknown
from sim.runner.spec import Value

NONE: Final = "none"
"""Stands for no limit."""

MEMORY: Final = re.compile(r"([0-9]+) ?([KkMmGg]?)i?[Bb]?")

UNITS: Final = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def whole(where: str, value: object, *, low: int, high: int) -> int:
    """Read a whole number in low .. high.

    >>> whole("--deals", "10_000", low=1, high=99_999)
    10000
    >>> whole("--deals", "nan", low=1, high=99_999)
    Traceback (most recent call last):
    sim.errors.UsageError: --deals must be a whole number, not 'nan'
    >>> whole("--deals", "0", low=1, high=99_999)
    Traceback (most recent call last):
    sim.errors.UsageError: --deals must be at least 1, not 0
    """
    number: int | None = None
    if isinstance(value, str):
        try:
            number = int(value)
        except ValueError:
            number = None
    elif isinstance(value, int) and not isinstance(value, bool):
        number = value
    if number is None:
        raise UsageError(f"{where} must be a whole number, not {show(value)}")
    if number < low:
        raise UsageError(f"{where} must be at least {low}, not {number}")
    if number > high:
        raise UsageError(f"{where} must be at most {high}, not {number}")
    return number


def positive(where: str, value: object) -> float:
    """Read a number above 0.

    >>> positive("--until-width", "0.02")
    0.02
    >>> positive("--until-width", "-1")
    Traceback (most recent call last):
    sim.errors.UsageError: --until-width must be a number above 0, not '-1'
    """
    number = real(value)
    if number is None or number <= 0:
        raise UsageError(f"{where} must be a number above 0, not {show(value)}")
    return number


def real(value: object) -> float | None:
    """Read a finite number; None if it is none.

    >>> real("0.5"), real("nan"), real(True)
    (0.5, None, None)
    """
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if isfinite(number) else None


def sequential_test(where: str, value: object, labels: Sequence[str]) -> dict[str, object]:
    """Read `A,B,lo=0,hi=0.1[,alpha=0.05][,beta=0.05]`: a test of two players by their labels.

    >>> sequential_test("--sprt", "bold,honest,lo=0,hi=0.2", ["bold", "honest"])
    {'lo': 0.0, 'hi': 0.2, 'pair': ('bold', 'honest')}
    """
    pieces = [piece.strip() for piece in str(value).split(",")]
    numbers: dict[str, object] = {}
    # labels may hold `=` themselves: only the known names count as numbers
    while pieces and pieces[-1].partition("=")[0] in ("lo", "hi", "alpha", "beta"):
        key, _, written = pieces.pop().partition("=")
        number = real(written)
        if number is None or (key in ("alpha", "beta") and not 0 < number < 0.5):
            what = "above 0 and below 0.5" if key in ("alpha", "beta") else "a number"
            raise UsageError(f"{where}: {key} must be {what}, not {written!r}")
        numbers = {key: number, **numbers}
    if len(pieces) != 2 or not {"lo", "hi"} <= set(numbers):
        raise UsageError(f"{where} {show(value)}: write A,B,lo=NUMBER,hi=NUMBER")
    for label in pieces:
        if label not in labels:
            raise UsageError(f"{where}: {unknown('player', label, labels)}")
    if pieces[0] == pieces[1]:
        raise UsageError(f"{where}: {pieces[0]!r} cannot be tested against itself")
    low, high = numbers["lo"], numbers["hi"]
    if not (isinstance(low, float) and isinstance(high, float) and low < high):
        raise UsageError(f"{where}: lo must be below hi")
    return {**numbers, "pair": (pieces[0], pieces[1])}


def seconds(where: str, value: object) -> float | None:
    """Read a time limit in seconds; `none` is no limit.

    >>> seconds("--move-timeout", "0.5"), seconds("--move-timeout", "none")
    (0.5, None)
    >>> seconds("--move-timeout", "nan")
    Traceback (most recent call last):
    sim.errors.UsageError: --move-timeout must be seconds above 0, or none, not 'nan'
    """
    if value == NONE:
        return None
    try:
        number = float(value) if isinstance(value, str | int | float) else nan
    except (ValueError, OverflowError):
        number = nan
    if isinstance(value, bool) or not (isfinite(number) and number > 0):
        raise UsageError(f"{where} must be seconds above 0, or none, not {show(value)}")
    return number


def bytes_of_memory(where: str, value: object) -> int | None:
    """Read an amount of memory: bytes, or with K, M or G; `none` is no limit.

    >>> bytes_of_memory("--max-memory", "512M"), bytes_of_memory("--max-memory", 1 << 20)
    (536870912, 1048576)
    >>> bytes_of_memory("max_memory", "0")
    Traceback (most recent call last):
    sim.errors.UsageError: max_memory must be bytes above 0 such as 512M, or none, not '0'
    """
    if value == NONE:
        return None
    found = MEMORY.fullmatch(str(value)) if not isinstance(value, bool | float) else None
    amount = int(found[1]) * UNITS[found[2].upper()] if found else 0
    if not 0 < amount < 1 << 63:
        raise UsageError(f"{where} must be bytes above 0 such as 512M, or none, not {show(value)}")
    return amount


def number_of_faults(where: str, value: object) -> int | None:
    """Read how many faults are allowed; `none` is any number."""
    return None if value == NONE else whole(where, value, low=0, high=1 << 62)


def truth(where: str, value: object) -> bool:
    """Read a yes or no.

    >>> truth("first.toml: mixed", 1)
    Traceback (most recent call last):
    sim.errors.UsageError: first.toml: mixed must be true or false, not 1
    """
    if isinstance(value, bool):
        return value
    raise UsageError(f"{where} must be true or false, not {show(value)}")


def text(where: str, value: object) -> str:
    """Read a text that is not empty."""
    if not isinstance(value, str):
        raise UsageError(f"{where} must be a text in quotes, not {show(value)}")
    if not value.strip():
        raise UsageError(f"{where} must not be empty")
    return value


def table(where: str, value: object) -> Mapping[str, object]:
    """Read a TOML table."""
    if isinstance(value, Mapping):
        return value
    raise UsageError(f"{where} must be a table of key = value, not {show(value)}")


def option_text(where: str, value: object) -> str:
    """Give a rule option of a TOML file as it would stand after `--rule name=`.

    >>> option_text("rules.ones_wild", False), option_text("rules.dice", [2, 1])
    ('false', '2,1')
    """
    if isinstance(value, list):
        return ",".join(option_text(where, item) for item in value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str | int | float):
        return str(value)
    raise UsageError(f"{where} must be a text, a number, true or false, not {show(value)}")


def parameter(where: str, value: object) -> Value:
    """Give a parameter of a strategy as TOML holds it; its bot judges it later."""
    if isinstance(value, bool | int | float | str):
        return value
    raise UsageError(f"{where} must be a number, a text, true or false, not {show(value)}")


def key_value(where: str, item: str) -> tuple[str, str]:
    """Split `key=value`.

    >>> key_value("--rule", "ones_rank=high")
    ('ones_rank', 'high')
    >>> key_value("--rule", "ones_rank")
    Traceback (most recent call last):
    sim.errors.UsageError: --rule 'ones_rank' has no value: write ones_rank=VALUE
    """
    key, equals, value = item.partition("=")
    key, value = key.strip(), value.strip()
    if not key:
        raise UsageError(f"{where} {item!r} has no name: write NAME=VALUE")
    if not equals or not value:
        raise UsageError(f"{where} {item!r} has no value: write {key}=VALUE")
    return key, value


def show(value: object) -> str:
    """Quote a value for a message, as TOML would write the simple ones."""
    return str(value).lower() if isinstance(value, bool) else repr(value)
