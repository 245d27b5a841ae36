"""How kernels are compiled.

`entry` makes what Python calls: cached on disk. `inner` makes what only compiled code calls: no
wrappers for Python or C, and no file of its own, as it becomes part of the entry. That takes a
third off the time of a first compilation. `inlined` is `inner` put in place wherever it is called,
for what runs once a decision.

To the type checker each gives back the function it got.
"""

from collections.abc import Callable
from typing import Any, TypeVar

import numba

from sim.engines.cache import use_cache_folder

F = TypeVar("F", bound=Callable[..., Any])

# `Any`: numba's annotations do not know all of its options
_njit: Any = numba.njit


def entry(function: F) -> F:
    """Compile a function that Python calls."""
    use_cache_folder()  # the folder is chosen when a function is decorated
    compiled: F = _njit(cache=True, nogil=True, no_cfunc_wrapper=True)(function)
    return compiled


def inner(function: F) -> F:
    """Compile a function that only compiled code calls."""
    compiled: F = _njit(nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)
    return compiled


def inlined(function: F) -> F:
    """Compile a function that only compiled code calls, in place."""
    compiled: F = _njit(
        nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True, forceinline=True
    )(function)
    return compiled
