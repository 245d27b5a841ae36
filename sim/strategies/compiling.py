"""Compiling strategies: kept between runs by everything they depend on, refused with a reason."""

import ast
import inspect
import re
import shutil
import sys
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
    (r"The use of yield in a closure", "it uses a generator or comprehension in ( ): write a loop"),
    (r"Cannot capture the non-constant value .* '(\w+)'", "it uses {0} in a lambda: write a loop"),
    (r"format spec in f-strings|f-strings", "it formats text: only numbers can be compiled"),
    (r"LOAD_BUILD_CLASS", "it defines a class inside: use numbers, tuples and arrays"),
    (r"STORE_GLOBAL", "it sets a global: keep what a game needs in memory[0] .. memory[31]"),
    (r"UNPACK_EX", "it unpacks with `*`: take the items by their numbers"),
    (r"context manager", "it uses `with`, which compiled bots cannot"),
    (
        r"imprecise type: list\(undefined\)",
        "it uses a list that stays empty: use memory, or numpy.zeros(n)",
    ),
    (
        r"Cannot unify (.+?) and (.+?) for '",
        "a name holds {0} on one way and {1} on another: give it one type",
    ),
    (
        r"No conversion from (?:unicode_type|Literal\[str\])",
        "it returns text: an action is a whole number",
    ),
    (
        r"No implementation of function Function\(<built-in function getitem>\)",
        "it looks up an item by what is no number: params and memory are numbered from 0",
    ),
    (r"No conversion from none to int64", "it returns nothing on some way: return an action"),
    (r"Untyped global name '(\w+)': .*function", "it calls {0}: decorate that with numba.njit"),
    (r"Untyped global name '(\w+)'", "it uses the global {0}, which is no number, tuple or array"),
    (r"NameError: name '(\w+)' is not defined", "the name {0} is not defined"),
    (r"unsupported opcode \(IMPORT_NAME\)", "it imports inside the function: import at the top"),
    (r"Unknown attribute '(\w+)' of type (?:Module\(<module ')?(\w+)", "{1} has no {0} for it"),
    (r"module '([\w.]+)' has no attribute '(\w+)'", "{0} has no {1}"),
    (r"Exception object cannot be stored", "`except ... as` is not possible: leave out the `as`"),
    (
        r"Cannot determine Numba type of|non-precise type|reflected list",
        "it uses an object that is no number, tuple or array",
    ),
)
"""What Numba says, and what that means for the author of a strategy."""

INSTEAD: Final = {
    "legal": "loop over the actions from view.bid + 1 on, or use count_plays and nth_play",
    "history": "compiled bots read view.bids, or view.actions",
    "dice": "compiled bots read view.own[face]",
    "cards": "compiled bots read view.own[rank], or view.hand",
    "number": "use bid_number(view, count, face) of sim.strategies.liars_dice.odds",
    "count_of": "use bid_count(number) of sim.strategies.liars_dice.odds",
    "face_of": "use bid_face(view, number) of sim.strategies.liars_dice.odds",
    "unseen": "use unseen(view) of sim.strategies.dou_dizhu.cards",
    "below": "use below(rng, n) of sim.engines.keyed",
    "random": "use random(rng) of sim.engines.keyed",
    "choice": "use below(rng, n) of sim.engines.keyed as an index",
    "shuffle": "use below(rng, n) of sim.engines.keyed for each place",
}
"""What plain Python has and compiled code has not, and what to write there."""


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


def rehome_helpers(files: Iterable[Path]) -> None:
    """Let the jitted functions of a user's files keep their code by everything they depend on.

    `@njit(cache=True)` in a helper goes by the text of its own file alone, so that a constant which
    the helper imports from another file would live on in the old code.
    """
    if "numba" not in sys.modules:
        return
    own = {str(path) for path in files}
    modules = [m for m in list(sys.modules.values()) if getattr(m, "__file__", None) in own]
    for helper in [value for module in modules for value in vars(module).values()]:
        kept = _cache_path(helper)
        if kept is None or "bots" in Path(kept).parts:
            continue
        key = fingerprint(helper.py_func, [Path(path) for path in own])
        with bot_cache(key or "") as folder:
            if key is None or folder is None:
                helper._cache.disable()
            else:
                helper.enable_caching()
        if helper.signatures:  # compiled, or read from the old place, while it was imported
            helper.recompile()


def _cache_path(value: Any) -> str | None:
    """Give where a jitted function keeps its code; None for anything else."""
    if not (hasattr(value, "py_func") and hasattr(value, "enable_caching")):
        return None
    path: str | None = value.stats.cache_path
    return path


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
    if inspect.isgeneratorfunction(function):
        return f"{_place(function, None)}: it uses `yield`: a strategy returns one action"
    if isinstance(error, KeyError) and error.args:
        # how Numba reports an unknown field of a record
        name = str(error.args[0])
        instead = INSTEAD.get(name, "the fields are in docs/views.md")
        return f"{_place(function, _line_of(function, name))}: there is no {text}; {instead}"
    file = re.escape(Path(inspect.getfile(function)).name)
    lines = re.findall(rf'{file}"?(?:, line | \()(\d+)', text)
    named = re.search(r"(?:attribute|global name|name) '(\w+)'", text)
    line = int(lines[-1]) if lines else _line_of(function, named[1]) if named else None
    for pattern, hint in HINTS:
        match = re.search(pattern, text)
        if match:
            return f"{_place(function, line)}: {hint.format(*match.groups())}"
    said = [part for part in text.splitlines() if part.strip() and "pipeline" not in part]
    return f"{_place(function, line)}: {said[0].strip() if said else type(error).__name__}"


def _place(function: FunctionType, line: int | None) -> str:
    shown = line or function.__code__.co_firstlineno
    file = Path(inspect.getfile(function)).name
    return f"{function.__name__!r} does not compile ({file}, line {shown})"


def _line_of(function: FunctionType, name: str) -> int | None:
    """Find the first line of a function that looks up a name or an attribute."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, SyntaxError):
        return None
    for node in ast.walk(tree):
        looked_up = getattr(node, "attr", None) or getattr(node, "id", None)
        if looked_up == name and isinstance(node, (ast.Attribute, ast.Name)):
            return function.__code__.co_firstlineno + node.lineno - 1
    return None
