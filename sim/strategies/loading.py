"""Finding the strategy that a person named: installed, in a module, or in a file."""

import inspect
from pathlib import Path
from types import ModuleType

from sim.errors import PluginError, UsageError, unknown
from sim.strategies.api import Compiled
from sim.strategies.bot import Bot, BoundBot, Source, make_bot
from sim.strategies.compiling import rehome_helpers
from sim.strategies.foreign import is_foreign, load_foreign
from sim.strategies.importing import check_names, folder_of, sources_of
from sim.strategies.registry import load_installed, load_object
from sim.strategies.tracebacks import own_lines

__all__ = ["Bot", "BoundBot", "load_bot"]


def load_bot(text: str, game: str) -> Bot:
    """Load `name`, `package.module:Name` or `path/file.py[:Name]`, which must play `game`.

    Strategies that live elsewhere have a prefix, as `cmd:./mybot` (strategies/foreign).
    UsageError if there is no such strategy, PluginError if it is there and does not load.

    >>> load_bot("aggressive", "liars-dice").parameters[0].range_text
    '0..1'
    """
    if is_foreign(text):
        return load_foreign(text, game)
    path, name = split_file(text)
    if path is not None:
        bot = _from_file(path, name, game)
    elif ":" in text:
        module, _, name = text.partition(":")
        if not module or not name:
            raise UsageError(f"strategy {text!r}: write package.module:Name")
        bot = load_object(module, name, text=text, origin=text, named=True)
    else:
        bot = load_installed(text, game)
    if bot.game != game:
        raise UsageError(f"{bot.origin} plays {bot.game!r}, not {game!r}")
    return bot


def split_file(text: str) -> tuple[Path | None, str]:
    """Take a file and the name in it apart; no file: None.

    >>> split_file("bots/a.py:Careful"), split_file("a.py"), split_file("pkg.mod:A")
    ((PosixPath('bots/a.py'), 'Careful'), (PosixPath('a.py'), ''), (None, ''))
    """
    if text.endswith(".py"):
        return Path(text), ""
    head, mark, name = text.rpartition(".py:")
    if mark and "/" not in name:
        return Path(head + ".py"), name
    if "/" in text:
        raise UsageError(f"strategy {text!r} is no Python file: its name must end in .py")
    return None, ""


def _from_file(written: Path, name: str, game: str) -> Bot:
    """Import a file and make a bot of the strategy in it."""
    path = written.expanduser().resolve()
    if path.is_dir():
        raise UsageError(f"{str(written)!r} is a folder, not a Python file")
    if not path.is_file():
        raise UsageError(f"there is no file {str(written)!r}")
    folder = folder_of(path)
    files = sources_of(path, path.parent)
    check_names(path)
    try:
        module = folder.load(path)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise PluginError(f"{path.name} does not load: {own_lines(error, files)}") from error
    files = tuple(sorted({*files, *folder.files[module.__name__]}))
    with folder.active():
        rehome_helpers(files)
    found = _strategies_in(module)
    name, made = _choose(found, path.name, name, game)
    source = Source(text=f"{path}:{name}", origin=f"{path.name}:{name}", files=files, folder=folder)
    return make_bot(made, source)


def _strategies_in(module: ModuleType) -> dict[str, object]:
    """Give what a file offers as strategies, by the name in the file; imported ones do not count.

    A name that begins with an underscore can be asked for, but is not offered.
    """
    offered: dict[str, object] = {}
    for name, value in vars(module).items():
        if isinstance(value, Compiled):
            own = value.function.__module__ == module.__name__
        else:
            own = isinstance(value, type) and value.__module__ == module.__name__
            acts = hasattr(value, "act") or hasattr(value, "act_batch")
            own = own and acts and not inspect.isabstract(value)
        if own and not name.startswith("_"):
            offered[name] = value
    return offered


def _choose(found: dict[str, object], file: str, name: str, game: str) -> tuple[str, object]:
    """Pick the strategy that was asked for, or the only one for this game."""
    if name:
        by_own_name = [key for key, value in found.items() if _own_name(value) == name]
        key = name if name in found else next(iter(by_own_name), "")
        if not key:
            raise UsageError(f"{file}: {unknown('strategy', name, found)}")
        return key, found[key]
    if not found:
        raise PluginError(
            f"{file} holds no strategy: write a class with act(self, view) or "
            "act_batch(self, views), or a function under @compiled"
        )
    fitting = {key: value for key, value in found.items() if getattr(value, "game", None) == game}
    candidates = fitting or found
    if len(candidates) > 1:
        ways = " or ".join(f"{file}:{key}" for key in sorted(candidates))
        raise UsageError(f"{file} holds {len(candidates)} strategies: write {ways}")
    return next(iter(candidates.items()))


def _own_name(value: object) -> object:
    return getattr(value, "name", None)
