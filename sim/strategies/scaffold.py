"""Starting points for strategies: a file of a kind for a game, or a package around one.

The templates are Python files that play as they stand (templates/); only names are put in.
"""

import keyword
import re
import sys
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final, get_args

from sim.engines.base import load_game
from sim.errors import UsageError, unknown
from sim.strategies.api import Kind, kebab

KINDS: Final = get_args(Kind)

SUFFIX: Final = ".txt"
"""Ends the names of templates that tools would take for files of ours."""

PACKAGE_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9]*([-_][A-Za-z0-9]+)*")


def new_bot(path: Path, *, game: str, kind: str = "python") -> Path:
    """Write a starting point for a strategy to `path`, which must not exist; give the path."""
    text = bot_text(path, game=game, kind=kind)
    _check_module_name(path)
    if not path.parent.is_dir():
        raise UsageError(f"there is no folder {str(path.parent)!r}")
    _write(path, text)
    return path


def new_package(folder: Path, *, game: str, kind: str = "python") -> list[Path]:
    """Write an installable package with one strategy to `folder`, which must not exist."""
    project = folder.name
    if not PACKAGE_NAME.fullmatch(project):
        raise UsageError(
            f"{project!r} is no name for a package: use letters, digits and single '-', as my-bots"
        )
    if folder.exists():
        raise UsageError(f"{str(folder)!r} exists already, and is left as it is")
    package = project.replace("-", "_").lower()
    module = folder / package / "my_bot.py"
    _check_module_name(Path(f"{package}.py"))
    names = {
        "@GAME@": game,
        "@TITLE@": load_game(_known_game(game)).title,
        "@OBJECT@": "my_bot" if kind == "compiled" else "MyBot",
        "my-bots": project,
        "my_bots": package,
    }
    texts = {
        module: bot_text(module, game=game, kind=kind),
        module.with_name("__init__.py"): f'"""Bots for {names["@TITLE@"]}."""\n',
        folder / "pyproject.toml": _filled("pyproject.toml", names),
        folder / "README.md": _filled("README.md", names),
        folder / "tests" / "test_my_bot.py": _filled("test_my_bot.py", names),
    }
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        _write(path, text)
    return list(texts)


def bot_text(path: Path, *, game: str, kind: str) -> str:
    """Give the text of a starting point, with the names that follow from the file's name.

    >>> text = bot_text(Path("bold_one.py"), game="liars-dice", kind="python")
    >>> "class BoldOne(Strategy):" in text, "-p bold_one.py -p honest" in text, "MyBot" in text
    (True, True, False)
    """
    if kind not in KINDS:
        raise UsageError(unknown("kind", kind, KINDS))
    template = _templates().joinpath(f"{_known_game(game).replace('-', '_')}_{kind}.py")
    if not template.is_file():
        raise UsageError(f"there is no starting point for {game} ({kind})")
    text = template.read_text(encoding="utf-8")
    words = kebab(path.stem).replace("_", "-").split("-")
    text = re.sub(r"\bMyBot\b", "".join(word.capitalize() for word in words), text)
    return re.sub(r"\bmy_bot\b", path.stem, text)


def _known_game(game: str) -> str:
    return load_game(game).name


def _templates() -> Traversable:
    return files("sim.strategies.templates")


def _filled(name: str, names: dict[str, str]) -> str:
    """Give a template of the package with the names put in."""
    text = _templates().joinpath("package", name + SUFFIX).read_text(encoding="utf-8")
    for old, new in names.items():
        text = text.replace(old, new)
    return text


def _check_module_name(path: Path) -> None:
    """Refuse a name that Python could not import, or would take for another module."""
    if path.suffix != ".py":
        raise UsageError(f"{path.name!r} is no Python file: its name must end in .py")
    if not path.stem.isidentifier() or keyword.iskeyword(path.stem):
        raise UsageError(
            f"{path.name!r} cannot be imported: use letters, digits and '_', as my_bot.py"
        )
    if path.stem in sys.stdlib_module_names:
        raise UsageError(f"{path.name!r} has the name of a module of Python: choose another")


def _write(path: Path, text: str) -> None:
    """Write a new file; never over one that is there."""
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise UsageError(f"{str(path)!r} exists already, and is left as it is") from None
    except OSError as error:
        raise UsageError(f"{str(path)!r} cannot be written: {error.strerror}") from None
