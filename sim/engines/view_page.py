"""Writes docs/views.md, the reference of what strategies see, from the views themselves.

    python -m sim.engines.view_page > docs/views.md

A field's text is the docstring below it in the game's `View`; a test fails when the page drifts.
"""

import ast
import inspect
import textwrap
from itertools import pairwise
from typing import Any

import numpy as np

from sim.engines.base import installed_games, load_game

HEAD = """\
# What a strategy sees

Made by `python -m sim.engines.view_page > docs/views.md` from the code: do not edit it.

All kinds of strategies see the same fields. Plain Python gets `view`, an immutable named tuple of
whole numbers and `bytes` (which index and iterate as small integers), with the properties and
methods below. Compiled strategies get a record with the same fields: `view.bid`, `view.own[3]`.
Batched ones get a structured array, one row a game: `views["bid"]`, `views["own"][:, 3]`.

The column *type* is that of compiled and batched strategies; in NumPy, make small integers larger
before adding them up: `views["bid"].astype(np.int64)`. Questions that every strategy asks are
answered by the helpers at the end of each section, under the same names in all kinds.
"""

HELPERS = {
    "liars-dice": "sim.strategies.liars_dice.odds",
    "dou-dizhu": "sim.strategies.dou_dizhu.cards",
}
"""Where the helpers of a game stand; only their texts are read."""


def page() -> str:
    """Give the page as Markdown."""
    parts = [HEAD, *(section(name) for name in sorted(installed_games()) if name in HELPERS)]
    return "\n".join(parts)


def section(name: str) -> str:
    """Give what there is to say about one game."""
    game = load_game(name)
    kernel = game.kernel(game.rules(game.default_seats, {}))
    view: Any = kernel.view_class
    body = _class_body(view)
    lines = [f"## {game.title}", "", _text(inspect.getdoc(view) or ""), ""]
    lines += ["| field | type | what it is |", "| --- | --- | --- |"]
    for node, after in pairwise(body):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            field = node.target.id
            lines.append(f"| `{field}` | {_type(kernel.view_dtype[field])} | {_doc(after)} |")
    lines += ["", "In plain Python also:", ""]
    for node in body:
        if isinstance(node, ast.FunctionDef):
            shown = node.name if node.decorator_list else f"{node.name}({_arguments(node)})"
            lines.append(f"* `view.{shown}`: {_text(ast.get_docstring(node) or '')}")
    return "\n".join([*lines, "", *_helpers(HELPERS[name]), ""])


def _helpers(module: str) -> list[str]:
    """List the functions of a helper module, with the first sentence of each."""
    from importlib.util import find_spec
    from pathlib import Path

    spec = find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    tree = ast.parse(Path(spec.origin).read_text(encoding="utf-8"))
    lines = [f"Helpers, from `{module}`:", ""]
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            first = (ast.get_docstring(node) or "").partition("\n\n")[0]
            lines.append(f"* `{node.name}({_arguments(node)})`: {_text(first)}")
        elif isinstance(node, ast.ImportFrom) and node.module == "sim.engines.dou_dizhu.packed":
            lines += [
                f"* `{a.name}({_PACKED[a.name][0]})`: {_PACKED[a.name][1]}" for a in node.names
            ]
    return lines


_PACKED = {
    "beats": ("code, target", "Tell whether a play of one class may be played on another."),
    "classify": ("play", "Give the class code of a play; 0 if it is no combination."),
    "count_plays": ("hand, target", "Count the plays that a hand may make; no pass."),
    "holds": ("hand, play", "Tell whether all cards of a play are in a hand."),
    "nth_play": ("hand, target, n", "Give play number n: low before high, bombs last."),
}


def _class_body(view: Any) -> list[ast.stmt]:
    # a NamedTuple's own class keeps no order of docstrings: read the source
    tree = ast.parse(textwrap.dedent(inspect.getsource(view)))
    node = tree.body[0]
    assert isinstance(node, ast.ClassDef)
    return [*node.body, ast.Pass()]


def _arguments(node: ast.FunctionDef) -> str:
    given = [*node.args.args, *node.args.kwonlyargs]
    return ", ".join(argument.arg for argument in given if argument.arg != "self")


def _doc(node: ast.stmt) -> str:
    value = node.value if isinstance(node, ast.Expr) else None
    return _text(str(value.value)) if isinstance(value, ast.Constant) else ""


def _text(words: str) -> str:
    return " ".join(words.split()).replace("|", "\\|")


def _type(dtype: np.dtype[Any]) -> str:
    base, shape = dtype.subdtype or (dtype, ())
    return f"{base.name}[{shape[0]}]" if shape else base.name


if __name__ == "__main__":
    print(page(), end="")
