"""What a strategy sees: one declaration, used as a compiled record and as a Python tuple.

A game declares its view as a NamedTuple of scalars and bytes. Plain-Python strategies get that
tuple: it is immutable, holds no memory of the engine, and `bytes` index and iterate like small
arrays. Compiled and batched strategies get records with the same field names.
"""

from struct import Struct
from typing import Any

import numpy as np

_CODES = {"i1": "b", "u1": "B", "i2": "h", "i4": "i", "i8": "q"}


def struct_of(dtype: np.dtype[Any]) -> Struct:
    """Give the struct that reads one record of a packed dtype into scalars and bytes.

    >>> struct_of(np.dtype([("seat", "i1"), ("own", "u1", (8,)), ("bid", "i2")])).format
    '=b8sh'
    """
    assert dtype.names is not None
    parts = []
    for name in dtype.names:
        base, shape = dtype[name].subdtype or (dtype[name], ())
        code = _CODES[base.str[1:]]
        if shape and code != "B":
            raise TypeError(f"field {name!r}: only arrays of u1 can become bytes")
        parts.append(f"{shape[0]}s" if shape else code)
    reader = Struct("=" + "".join(parts))
    assert reader.size == dtype.itemsize, "the dtype must be packed"
    return reader
