"""Parameters of strategies: declared once with type, default, range and a sentence."""

import inspect
import keyword
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Any, Final

from sim.errors import UsageError, unknown

Value = bool | int | float | str

KINDS: Final = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}
"""The types a parameter can have, and what a person is asked for."""

EXACT: Final = 2**53
"""Whole numbers up to here are exact as float64, which is how compiled strategies get them."""


@dataclass(frozen=True, slots=True)
class Param:
    """One parameter of a strategy. Its type is the type of its default.

    >>> Param("bluff_rate", 0.1, low=0, high=1, help="chance to bid a face at random")
    Param(name='bluff_rate', default=0.1, low=0, high=1, help='chance to bid a face at random')
    """

    name: str
    default: Value
    low: float | None = field(default=None, kw_only=True)
    high: float | None = field(default=None, kw_only=True)
    help: str = field(default="", kw_only=True)

    def __post_init__(self) -> None:
        if not self.name.isidentifier() or keyword.iskeyword(self.name):
            raise ValueError(f"parameter {self.name!r}: a name is letters, digits and _")
        if type(self.default) not in KINDS:
            kinds = ", ".join(kind.__name__ for kind in KINDS)
            raise TypeError(
                f"parameter {self.name}: its default {self.default!r} must be one of: {kinds}"
            )
        if self.has_range and not isinstance(self.default, (int, float)):
            raise TypeError(f"parameter {self.name}: only numbers have a range")
        if self.low is not None and self.high is not None and self.low > self.high:
            raise ValueError(f"parameter {self.name}: the range {self.range_text} is empty")
        try:
            self.read(self.default)
        except UsageError as error:
            raise ValueError(f"parameter {self.name}: its default: {error}") from None

    @property
    def type(self) -> type[Value]:
        """Give bool, int, float or str."""
        return type(self.default)

    @property
    def has_range(self) -> bool:
        """Tell whether there is a lowest or highest value."""
        return self.low is not None or self.high is not None

    @property
    def range_text(self) -> str:
        """Say what is accepted, for tables and messages.

        >>> Param("aggressiveness", 0.5, low=0, high=1).range_text
        '0..1'
        >>> Param("depth", 3, low=1).range_text, Param("open", True).range_text
        ('1 or more', 'true or false')
        """
        if self.low is not None and self.high is not None:
            return f"{self.low:g}..{self.high:g}"
        if self.low is not None:
            return f"{self.low:g} or more"
        if self.high is not None:
            return f"{self.high:g} or less"
        return KINDS[self.type]

    def read(self, given: Value) -> Value:
        """Give the value that a person meant, of the declared type; refuse what does not fit.

        >>> rate = Param("bluff_rate", 0.1, low=0, high=1)
        >>> rate.read("0.25"), rate.read(1)
        (0.25, 1.0)
        >>> rate.read("1.5")
        Traceback (most recent call last):
        sim.errors.UsageError: bluff_rate='1.5' is outside 0..1
        """
        value = _READERS[self.type](given)
        if value is None:
            raise UsageError(f"{self.name}={given!r} is not {KINDS[self.type]}")
        if isinstance(value, float) and not isfinite(value):
            raise UsageError(f"{self.name}={given!r} is not a finite number")
        if isinstance(value, (int, float)) and not self._in_range(value):
            raise UsageError(f"{self.name}={given!r} is outside {self.range_text}")
        return value

    def _in_range(self, value: float) -> bool:
        low_enough = self.high is None or value <= self.high
        return low_enough and (self.low is None or value >= self.low)


def _read_bool(given: Value) -> bool | None:
    if isinstance(given, bool):
        return given
    return {"true": True, "false": False}.get(given.lower()) if isinstance(given, str) else None


def _read_int(given: Value) -> int | None:
    if isinstance(given, (bool, float)):
        return None
    try:
        return int(given)
    except ValueError:
        return None


def _read_float(given: Value) -> float | None:
    if isinstance(given, bool):
        return None
    try:
        return float(given)
    except (ValueError, OverflowError):
        return None


def _read_str(given: Value) -> str | None:
    return given if isinstance(given, str) else None


_READERS: Final[dict[type, Callable[[Value], Value | None]]] = {
    bool: _read_bool,
    int: _read_int,
    float: _read_float,
    str: _read_str,
}


def check_declared(parameters: Any) -> tuple[Param, ...]:
    """Give declared parameters as a tuple; TypeError or ValueError says what is wrong with them."""
    declared = tuple(parameters)
    for parameter in declared:
        if not isinstance(parameter, Param):
            raise TypeError(f"parameters holds {parameter!r}: each must be a Param(...)")
    names = [parameter.name for parameter in declared]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"parameter {name!r} is declared twice")
    return declared


def infer(cls: type) -> tuple[Param, ...]:
    """Read the parameters of a class from the signature of its constructor.

    >>> class Cautious:
    ...     def __init__(self, margin: int = 2, *, slow: bool = False) -> None: ...
    >>> [(parameter.name, parameter.default) for parameter in infer(Cautious)]
    [('margin', 2), ('slow', False)]
    """
    if cls.__init__ is object.__init__:  # type: ignore[misc]
        return ()
    inferred = []
    for argument in list(inspect.signature(cls.__init__).parameters.values())[1:]:  # type: ignore[misc]
        if argument.kind not in (argument.POSITIONAL_OR_KEYWORD, argument.KEYWORD_ONLY):
            raise TypeError(
                f"{cls.__name__}.__init__ takes {str(argument)!r}: name each parameter, "
                "or declare `parameters`"
            )
        default = argument.default
        if default is argument.empty:
            raise TypeError(f"{cls.__name__}.__init__: parameter {argument.name!r} has no default")
        if type(default) is int and argument.annotation in (float, "float"):
            default = float(default)
        inferred.append(Param(argument.name, default))
    return check_declared(inferred)


def resolve(parameters: tuple[Param, ...], values: Mapping[str, Value]) -> dict[str, Value]:
    """Give every parameter its value: the one given, or the default.

    >>> resolve((Param("a", 1), Param("b", 0.5)), {"b": "2"})
    {'a': 1, 'b': 2.0}
    """
    for name in values:
        if name not in {parameter.name for parameter in parameters}:
            raise UsageError(unknown("parameter", name, (p.name for p in parameters)))
    return {p.name: p.read(values.get(p.name, p.default)) for p in parameters}
