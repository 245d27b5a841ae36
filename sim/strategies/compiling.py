"""Compiling strategies: kept between runs by everything they depend on, refused with a reason."""

import ast
import inspect
import re
import shutil
import textwrap
import warnings
from collections.abc import Iterable
from pathlib import Path
from types import FunctionType
from typing import Any, Final

import numpy as np

from sim.engines.cache import bot_cache, use_cache_folder
from sim.errors import PluginError
from sim.strategies.fingerprint import fingerprint

HINTS: Final = (
    (r"No conversion from none to int64", "it returns nothing on some way: return an action"),
    (r"Untyped global name '(\w+)': .*function", "it calls {0}: decorate that with numba.njit"),
    (r"Untyped global name '(\w+)'", "it uses the global {0}, which is no number, tuple or array"),
    (r"NameError: name '(\w+)' is not defined", "the name {0} is not defined"),
    (r"unsupported opcode \(IMPORT_NAME\)", "it imports inside the function: import at the top"),
    (r"Unknown attribute '(\w+)' of type (?:Module\(<module ')?(\w+)", "{1} has no {0} for it"),
    (r"Exception object cannot be stored", "`except ... as` is not possible: leave out the `as`"),
)
"""What Numba says, and what that means for the author of a strategy."""


def compile_strategy(
    function: FunctionType, view_dtype: np.dtype[Any], *, sources: Iterable[Path], trusted: bool
) -> tuple[Any, int]:
    """Compile; give the dispatcher, to be kept alive, and the address of the code."""
    if trusted:
        use_cache_folder()
        return _compile(function, view_dtype, trusted=True, cache=True)
    key = fingerprint(function, sources)
    if key is None or not Path(inspect.getfile(function)).is_file():
        return _checked(function, view_dtype, cache=False)
    with bot_cache(key) as folder:
        try:
            return _checked(function, view_dtype, cache=folder is not None)
        except OSError:  # it compiled, but there was no room to keep it
            return _checked(function, view_dtype, cache=False)
        except PluginError:
            if folder is not None:  # or the next run would take it for checked
                shutil.rmtree(folder, ignore_errors=True)
            raise


def _compile(
    function: FunctionType, view_dtype: np.dtype[Any], *, trusted: bool, cache: bool
) -> tuple[Any, int]:
    from sim.engines.botcall import compile_bot  # imports Numba

    return compile_bot(function, view_dtype, trusted=trusted, cache=cache)


def _checked(function: FunctionType, view_dtype: np.dtype[Any], *, cache: bool) -> tuple[Any, int]:
    """Compile a user's strategy, in words for its author if that fails."""
    try:
        with warnings.catch_warnings():
            # a large global table cannot be kept in a file; it just compiles again
            warnings.filterwarnings("ignore", "Cannot cache compiled function")
            dispatcher, address = _compile(function, view_dtype, trusted=False, cache=cache)
    except OSError:
        raise
    except Exception as error:
        raise PluginError(explain(error, function)) from error
    from sim.engines.botcall import bot_signature

    result = dispatcher.get_compile_result(bot_signature(view_dtype))
    problem = _problem(result.type_annotation)
    if problem is not None:
        raise PluginError(f"{_place(function, problem[0])}: {problem[1]}")
    return dispatcher, address


def _problem(annotation: Any) -> tuple[int, str] | None:
    """Give the line and the fault of what Numba accepts and a strategy must not do."""
    from numba import types
    from numba.core import ir

    if not hasattr(annotation, "typemap"):  # read from the cache: it was checked before
        return None
    kinds = annotation.typemap
    for block in annotation.blocks.values():
        for step in block.body:
            value = getattr(step, "value", None)
            if isinstance(value, ir.Expr) and value.op == "cast":
                kind = kinds[value.value.name]
                if isinstance(kind, (types.Float, types.Complex)):
                    return step.loc.line, "an action is a whole number: return int(...)"
            if isinstance(step, ir.SetAttr) and kinds[step.target.name] == kinds["view"]:
                return step.loc.line, f"view.{step.attr} is set: a strategy only reads its view"
    return None


def explain(error: Exception, function: FunctionType) -> str:
    """Say in one sentence why a strategy does not compile, and on which line."""
    text = str(error)
    if isinstance(error, KeyError) and error.args:
        # how Numba reports an unknown field of a record
        return f"{_place(function, _line_of(function, str(error.args[0])))}: there is no {text}"
    lines = re.findall(
        rf'{re.escape(Path(inspect.getfile(function)).name)}"?(?:, line | \()(\d+)', text
    )
    place = _place(function, int(lines[-1]) if lines else None)
    for pattern, hint in HINTS:
        match = re.search(pattern, text)
        if match:
            return f"{place}: {hint.format(*match.groups())}"
    said = [line for line in text.splitlines() if line.strip() and "pipeline" not in line]
    return f"{place}: {said[0].strip() if said else type(error).__name__}"


def _place(function: FunctionType, line: int | None) -> str:
    shown = line or function.__code__.co_firstlineno
    file = Path(inspect.getfile(function)).name
    return f"{function.__name__!r} does not compile ({file}, line {shown})"


def _line_of(function: FunctionType, attribute: str) -> int | None:
    """Find the line of a function that looks up an attribute."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, SyntaxError):
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr == attribute:
            return function.__code__.co_firstlineno + node.lineno - 1
    return None
