"""Calling compiled strategies from a kernel: the only place that reaches into numba's insides.

A compiled strategy is a function `int64(event, View, float64[::1], int64[::1], Rng)`. Kernels hold
its address and call it through `call_bot`, by numba's own calling convention: an exception in the
strategy leaves the kernel like any other. Arrays of parameters and memory are made on the spot
from addresses; they own nothing, so that a call counts no references.

Numba offers first-class functions for this; they are experimental, cost a null test and reference
counts a call, and need a typed list per call. An address in a record does the same with less.
"""

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array

from sim.engines.events import ACT, GAME_OVER, MEMORY_SIZE, ROUND_OVER
from sim.engines.rng import RNG_DTYPE

__all__ = ["ACT", "GAME_OVER", "MEMORY_SIZE", "ROUND_OVER", "call_bot", "compile_bot"]

PARAMS_TYPE: Final = types.Array(types.float64, 1, "C")
MEMORY_TYPE: Final = types.Array(types.int64, 1, "C")


def record_type(dtype: np.dtype[Any]) -> Any:
    """Give numba's type of one record of `dtype`."""
    from numba.np.numpy_support import from_dtype

    return from_dtype(dtype)


def bot_signature(view_dtype: np.dtype[Any]) -> Any:
    """Give the one signature that compiled strategies of a game have."""
    return types.int64(
        types.int64, record_type(view_dtype), PARAMS_TYPE, MEMORY_TYPE, record_type(RNG_DTYPE)
    )


def compile_bot(
    function: Callable[..., int], view_dtype: np.dtype[Any], *, trusted: bool, cache: bool = True
) -> tuple[Any, int]:
    """Compile a strategy; give the dispatcher (keep it alive) and the address of its code.

    Functions that are not ours (`trusted=False`) get bounds checks. `cache=False` is for functions
    that stand in no file.
    """
    signature = bot_signature(view_dtype)
    dispatcher = njit(cache=cache, nogil=True, boundscheck=not trusted)(function)
    dispatcher.compile(signature)
    result: Any = dispatcher.get_compile_result(signature)
    return dispatcher, result.library.get_pointer_to_function(result.fndesc.llvm_func_name)


def _repeat(
    function: Any, event: Any, view: Any, params: Any, memory: Any, rng: Any, n: int
) -> int:
    """Call a compiled strategy n times, to time it; give the sum of what it returned."""
    total = 0
    for _ in range(n):
        total += function(event, view, params, memory, rng)
    return total


def _borrowed_array(context: Any, builder: Any, array_type: Any, address: Any, count: Any) -> Any:
    """Make an array value over memory that somebody else owns."""
    array = make_array(array_type)(context, builder)
    item = context.get_data_type(array_type.dtype)
    width = context.get_constant(types.intp, context.get_abi_sizeof(item))
    populate_array(
        array,
        data=builder.inttoptr(address, item.as_pointer()),
        shape=cgutils.pack_array(builder, [count]),
        strides=cgutils.pack_array(builder, [width]),
        itemsize=width,
        meminfo=None,
    )
    return array._getvalue()


def _call_bot(
    typing_context: Any,
    address: Any,
    event: Any,
    view: Any,
    params_address: Any,
    params_count: Any,
    memory_address: Any,
    rng: Any,
) -> Any:
    """Call the strategy whose code is at `address`; its exceptions pass through."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        code, event_, view_, params_, count, memory_, rng_ = arguments
        bot_types = (types.int64, view, PARAMS_TYPE, MEMORY_TYPE, rng)
        function_type = context.call_conv.get_function_type(types.int64, bot_types)
        callee = builder.inttoptr(code, function_type.as_pointer())
        memory_count = ir.Constant(ir.IntType(64), MEMORY_SIZE)
        values = [
            event_,
            view_,
            _borrowed_array(context, builder, PARAMS_TYPE, params_, count),
            _borrowed_array(context, builder, MEMORY_TYPE, memory_, memory_count),
            rng_,
        ]
        status, result = context.call_conv.call_function(
            builder, callee, types.int64, bot_types, values
        )
        with cgutils.if_unlikely(builder, status.is_error):
            context.call_conv.return_status_propagate(builder, status)
        return result

    signature = types.int64(
        types.int64, types.int64, view, types.int64, types.int64, types.int64, rng
    )
    return signature, generate


# `Any`: numba's own annotations count the typing context among the arguments of a call
call_bot: Any = intrinsic(_call_bot)
repeat_bot: Any = njit(_repeat)
