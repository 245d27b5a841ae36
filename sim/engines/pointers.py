"""Rows of arrays by address, for kernels: numba records without arrays around them.

Passing arrays between compiled functions costs a dozen registers each and reference counts; a
record is one pointer. Nothing here is checked: the table made the arrays and keeps them alive.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from sim.engines.botcall import record_type

PIECE = 128
"""Bytes copied at a time: so few become plain moves, where more would be a call of memcpy."""


def record_at(dtype: np.dtype[Any]) -> Any:
    """Make a compiled function `(address, index) -> record` for an array of `dtype`."""
    record = record_type(dtype)
    size = dtype.itemsize

    @intrinsic
    def at(typing_context: Any, address: Any, index: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            offset = builder.mul(arguments[1], ir.Constant(ir.IntType(64), size))
            place = builder.add(arguments[0], offset)
            return builder.inttoptr(place, context.get_value_type(record))

        return record(types.int64, types.int64), generate

    return at


def _record_like(typing_context: Any, example: Any, address: Any, index: Any) -> Any:
    """Give row `index` of the array at `address`, whose records are of the type of `example`."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        offset = builder.mul(arguments[2], ir.Constant(ir.IntType(64), example.size))
        return builder.inttoptr(builder.add(arguments[1], offset), context.get_value_type(example))

    return example(example, types.int64, types.int64), generate


def _copy_record(typing_context: Any, target: Any, source: Any) -> Any:
    """Copy all bytes of one record over another of the same type; give the target."""
    if target != source:
        raise TypeError("copy_record: two types of record")

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        byte_pointer = ir.IntType(8).as_pointer()
        to, from_ = (builder.bitcast(pointer, byte_pointer) for pointer in arguments)
        for start in range(0, target.size, PIECE):
            offset = ir.Constant(ir.IntType(64), start)
            count = ir.Constant(ir.IntType(64), min(PIECE, target.size - start))
            cgutils.raw_memcpy(
                builder, builder.gep(to, [offset]), builder.gep(from_, [offset]), count, 1
            )
        return arguments[0]

    return target(target, source), generate


# `Any`: numba's own annotations count the typing context among the arguments of a call
record_like: Any = intrinsic(_record_like)
copy_record: Any = intrinsic(_copy_record)
