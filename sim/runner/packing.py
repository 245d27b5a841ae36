"""Games as bytes, on their way from a worker to the journal.

Deal, line-up, seating and players are left out: they follow from the schedule. Of each other
column the bytes hold how it is written (KIND) and a value, then the columns themselves one after
the other, each as narrow as its values allow:

    header  one (u1 kind, i8 value) a column, in the order of `games_dtype`
    kind 0  every game has `value`; nothing follows
    kind 1, 2, 4, 8  little-endian integers of that many bytes
    kind 9  bits, first game in the lowest bit of the first byte

A row of the journal carries a checksum over its place and these bytes.
"""

import struct
import zlib
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

HEADER_DTYPE: Final = np.dtype([("kind", "u1"), ("value", "<i8")])
CONSTANT: Final = 0
BITS: Final = 9


class DamagedBytes(Exception):
    """Bytes that are not what was packed."""


def is_stored(column: str) -> bool:
    """Tell whether a column is packed: all but those that follow from the schedule.

    >>> [is_stored(name) for name in ("deal", "player_0", "won_0")]
    [False, False, True]
    """
    return column not in ("deal", "line_up", "seating") and not column.startswith("player_")


def pack_columns(columns: Mapping[str, NDArray[Any]]) -> bytes:
    """Give columns as bytes: those that are stored, in the order of `games_dtype`.

    >>> dtype = np.dtype([("deal", "i8"), ("score_0", "i4"), ("won_0", "?")])
    >>> columns = {"score_0": np.array([1, -2, 3], np.int32), "won_0": np.zeros(3, np.bool_)}
    >>> found = unpack_columns(pack_columns(columns), 3, dtype)
    >>> {name: column.tolist() for name, column in found.items()}
    {'score_0': [1, -2, 3], 'won_0': [False, False, False]}
    """
    header = np.zeros(len(columns), HEADER_DTYPE)
    payload = [_pack_column(*pair) for pair in zip(columns.values(), header, strict=True)]
    return b"".join([header.tobytes(), *payload])


def _pack_column(column: NDArray[Any], header: np.void) -> bytes:
    """Fill the header of a column and give the bytes that follow."""
    low, high = (int(column.min()), int(column.max())) if len(column) else (0, 0)
    if low == high:
        header["kind"], header["value"] = CONSTANT, low
        return b""
    if column.dtype == np.bool_:
        header["kind"] = BITS
        return np.packbits(column, bitorder="little").tobytes()
    width = next(w for w in (1, 2, 4, 8) if -(1 << (8 * w - 1)) <= low and high < 1 << (8 * w - 1))
    header["kind"] = width
    return column.astype(f"<i{width}").tobytes()


def unpack_columns(data: bytes, count: int, dtype: np.dtype[Any]) -> dict[str, NDArray[Any]]:
    """Give the columns of `count` games from what packing them gave; DamagedBytes if not so."""
    names = [name for name in dtype.names or () if is_stored(name)]
    start = len(names) * HEADER_DTYPE.itemsize
    if len(data) < start:
        raise DamagedBytes(f"{len(data)} bytes are shorter than the header of {start}")
    columns = {}
    for name, header in zip(names, np.frombuffer(data[:start], HEADER_DTYPE), strict=True):
        kind = int(header["kind"])
        if kind == CONSTANT:
            columns[name] = np.full(count, header["value"], dtype[name])
            continue
        size = -(-count // 8) if kind == BITS else kind * count
        piece = data[start : start + size]
        start += size
        if kind not in (1, 2, 4, 8, BITS) or len(piece) < size:
            raise DamagedBytes(f"column {name!r} of kind {kind} breaks off")
        columns[name] = _unpack_column(piece, kind, count).astype(dtype[name])
    if start != len(data):
        raise DamagedBytes(f"{len(data) - start} bytes too many")
    return columns


def _unpack_column(piece: bytes, kind: int, count: int) -> NDArray[Any]:
    if kind == BITS:
        return np.unpackbits(np.frombuffer(piece, np.uint8), count=count, bitorder="little")
    return np.frombuffer(piece, f"<i{kind}")


def checksum(first: int, stop: int, data: bytes, *more: bytes) -> int:
    """Give the CRC-32 of a journal row: its place in the schedule, its bytes, and more.

    >>> checksum(0, 1, b"games") == checksum(0, 2, b"games")
    False
    """
    value = zlib.crc32(data, zlib.crc32(struct.pack("<qq", first, stop)))
    for piece in more:
        value = zlib.crc32(piece, value)
    return value
