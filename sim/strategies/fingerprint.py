"""A key for the compiled code of a user's strategy: it changes whenever the code could.

Numba compiles the values of globals into the code: constants, tables, functions of other modules.
The key covers the text of the strategy's files and, walking from the function, every code object
and every value that it reaches, so that a table read from a data file counts too. What cannot be
followed safely gives no key: then the code is compiled anew each time, which is slow but right.
"""

import enum
import hashlib
import sys
from collections.abc import Iterable
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any, Final

import numpy as np

PLAIN: Final = (bool, int, float, complex, str, bytes, slice, range)

SETTLED: Final = sys.stdlib_module_names | {"sim", "numpy", "numba", "llvmlite"}
"""Packages that change only with the versions that name the cache folder."""


def fingerprint(function: FunctionType, sources: Iterable[Path]) -> str | None:
    """Give the key of a compiled strategy; None if something it uses cannot be followed.

    >>> def challenge(event, view, params, memory, rng): return -1
    >>> len(fingerprint(challenge, ()))
    32
    """
    walk = _Walk(frozenset(sources))
    for path in sorted(walk.sources):
        walk.add("file", str(path), path.read_bytes())
    walk.function(function)
    return walk.hasher.hexdigest() if walk.complete else None


class _Walk:
    """Feeds a hash with everything that is reached from a function."""

    def __init__(self, sources: frozenset[Path]) -> None:
        self.sources = sources
        self.hasher = hashlib.blake2b(digest_size=16)
        self.seen: dict[int, Any] = {}
        self.complete = True

    def add(self, *parts: object) -> None:
        """Add texts, each with its end marked."""
        for part in parts:
            text = repr(part).encode()
            self.hasher.update(b"%d:" % len(text) + text)

    def value(self, value: Any, names: tuple[str, ...] = ()) -> None:
        """Add a value; `names` are the names that the code using it may look up in it."""
        if value is None or isinstance(
            value, (bool, int, float, complex, str, bytes, slice, range)
        ):
            self.add(type(value).__name__, value)
        elif isinstance(value, (np.generic, np.ndarray)):
            self._array(np.asarray(value))
        elif isinstance(value, (tuple, list, frozenset, set)):
            self._items(value, names)
        elif isinstance(value, ModuleType):
            self._module(value, names)
        elif id(value) in self.seen:
            self.add("seen", list(self.seen).index(id(value)))
        else:
            self.seen[id(value)] = value  # held, so that no other object gets the same id
            self._object(value, names)

    def _object(self, value: Any, names: tuple[str, ...]) -> None:
        if _is_settled(value):
            self.add(getattr(value, "__module__", None), getattr(value, "__qualname__", str(value)))
        elif isinstance(value, FunctionType):
            self.function(value)
        elif isinstance(value, CodeType):
            self._code(value)
        elif isinstance(value, enum.Enum):
            self.add("enum", type(value).__qualname__, value.name)
            self.value(value.value)
        elif isinstance(value, np.dtype):
            self.add("dtype", value.descr if value.names else value.str)
        elif hasattr(value, "py_func") and hasattr(value, "targetoptions"):
            self.add("jitted", sorted(map(str, value.targetoptions.items())))
            self.value(value.py_func)
        elif hasattr(value, "_defn"):  # an @intrinsic
            self.value(value._defn)
        elif isinstance(value, type) and self._is_own(value.__module__):
            self._attributes(value, names)
        else:
            self.complete = False

    def _array(self, array: Any) -> None:
        if array.dtype.hasobject:
            self.complete = False
            return
        self.add("array", array.dtype.descr, array.shape)
        self.hasher.update(array.tobytes())

    def _items(self, items: Any, names: tuple[str, ...]) -> None:
        if isinstance(items, (set, frozenset)):
            items = sorted(items, key=repr)
        self.add(type(items).__name__, len(items))
        for item in items:
            self.value(item, names)

    def _module(self, module: ModuleType, names: tuple[str, ...]) -> None:
        self.add("module", module.__name__)
        if module.__name__.partition(".")[0] in SETTLED:
            return
        self._attributes(module, names)

    def _attributes(self, owner: Any, names: tuple[str, ...]) -> None:
        self.add("attributes of", owner.__name__)
        for name in names:
            if name in vars(owner):
                self.add(name)
                self.value(vars(owner)[name], names)

    def _is_own(self, module: str) -> bool:
        """Tell whether the text of a module is part of the key."""
        file = getattr(sys.modules.get(module), "__file__", None)
        return file is not None and Path(file) in self.sources

    def function(self, function: FunctionType) -> None:
        """Add a function, and what it reaches."""
        self.add("function", function.__qualname__)
        self.value(function.__code__)
        self.value(function.__defaults__)
        self.value(sorted((function.__kwdefaults__ or {}).items()))
        for cell in function.__closure__ or ():
            self.value(cell.cell_contents)
        names = _names(function.__code__)
        for name in names:
            if name in function.__globals__:
                self.add(name)
                self.value(function.__globals__[name], names)

    def _code(self, code: CodeType) -> None:
        self.add(code.co_name, code.co_code, code.co_names, code.co_varnames, code.co_freevars)
        self.value(code.co_consts)


def _names(code: CodeType) -> tuple[str, ...]:
    """Give all names that a code object and those inside it look up."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names.update(_names(constant))
    return tuple(sorted(names))


def _is_settled(value: Any) -> bool:
    """Tell whether a function, class or the like belongs to a package that has a version."""
    module = getattr(value, "__module__", None) or type(value).__module__
    known = isinstance(value, (type, FunctionType, BuiltinFunctionType, np.ufunc))
    return (known or type(value).__module__.partition(".")[0] == "numba") and (
        module.partition(".")[0] in SETTLED
    )
