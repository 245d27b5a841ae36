"""The recipe for ONNX Runtime in docs/models.md plays, and plays the same in every worker."""

import re
from pathlib import Path

import numpy as np
import pytest

from sim.runner.arena import Arena
from tests.strategies.tables import arena, bind

PAGE = Path(__file__).parents[2] / "docs" / "models.md"

FEATURES, CHOICES = 16, 7


def field(number: int, value: int | bytes | str) -> bytes:
    """Write one field of a protocol buffer."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def varint(value: int) -> bytes:
    """Write a whole number, seven bits a byte."""
    low, rest = value & 127, value >> 7
    return bytes([low | 128]) + varint(rest) if rest else bytes([low])


def matrix_model(weights: np.ndarray) -> bytes:
    """Give an ONNX model that multiplies its input by `weights` (onnx.proto, numbers as there)."""

    def named(name: str, columns: int) -> bytes:
        shape = field(1, field(2, "rows")) + field(1, field(1, columns))
        tensor = field(1, 1) + field(2, shape)
        return field(1, name) + field(2, field(1, tensor))

    rows, columns = weights.shape
    tensor = field(1, rows) + field(1, columns) + field(2, 1) + field(8, "w")
    tensor += field(9, weights.astype("<f4").tobytes())
    node = field(1, "x") + field(1, "w") + field(2, "y") + field(4, "MatMul")
    graph = field(1, node) + field(2, "g") + field(5, tensor)
    graph += field(11, named("x", rows)) + field(12, named("y", columns))
    return field(1, 8) + field(7, graph) + field(8, field(1, "") + field(2, 13))


def test_the_recipe_for_onnx_runtime_plays(tmp_path: Path) -> None:
    """Legal actions only, and the same games however the blocks are cut."""
    pytest.importorskip("onnxruntime", reason="the extra `onnx` is not installed")
    (code,) = re.findall(r"^```python\n(# onnx_bot\.py\n.*?)^```$", PAGE.read_text(), re.M | re.S)
    path = tmp_path / "onnx_bot.py"
    path.write_text(code)
    weights = np.random.default_rng(1).normal(size=(FEATURES, CHOICES))
    (tmp_path / "model.onnx").write_bytes(matrix_model(weights))
    full = arena({"a": bind(str(path)), "b": bind("random"), "c": bind("honest")}, deals=20)
    table = Arena(full.spec.model_copy(update={"batch_games": 48}), bound=full.bound)

    chunk = table.play(0, 20)
    pieces = [table.play(k, k + 1).games for k in range(20)]

    assert chunk.faults == []
    assert np.array_equal(chunk.games, np.concatenate(pieces))
