"""The strategies that are installed: entry points `game/name` in the group `sim.strategies`.

The built-in ones are registered the same way, so that the path of a stranger's plugin is walked
each time. Reading the list imports no strategy.
"""

from collections import defaultdict
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from sim.errors import PluginError, UsageError, unknown
from sim.strategies.bot import Bot, Source, make_bot
from sim.strategies.compiling import rehome_helpers
from sim.strategies.importing import sources_of
from sim.strategies.tracebacks import own_lines

GROUP: Final = "sim.strategies"
OWN_PACKAGE: Final = "sim.strategies."


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """What is installed for a game, or for all."""

    bots: tuple[Bot, ...]
    """Those that load, by game and name."""
    problems: tuple[str, ...]
    """What is wrong with the others, one text each."""


def installed(game: str | None = None) -> Catalogue:
    """Load every installed strategy; a broken one is a problem to tell, not an error.

    >>> [bot.name for bot in installed("liars-dice").bots if bot.trusted]
    ['aggressive', 'dudo', 'honest', 'random', 'threshold']
    """
    bots: list[Bot] = []
    problems: list[str] = []
    for (its_game, name), points in sorted(_points().items()):
        if game in (None, its_game):
            try:
                bots.append(_load_one(its_game, name, points))
            except PluginError as error:
                problems.append(str(error))
    return Catalogue(bots=tuple(bots), problems=tuple(problems))


def load_installed(name: str, game: str) -> Bot:
    """Load a strategy by the name users type."""
    points = _points()
    if (game, name) in points:
        return _load_one(game, name, points[game, name])
    others = sorted(other for other, known in points if known == name)
    if others:
        raise UsageError(f"strategy {name!r} plays {' and '.join(others)}, not {game}")
    raise UsageError(unknown("strategy", name, names(game)) + _file_hint(name))


def names(game: str) -> list[str]:
    """List the names installed for a game."""
    return sorted(name for its_game, name in _points() if its_game == game)


def describe(point: EntryPoint) -> str:
    """Say which package an entry point is of.

    >>> describe(EntryPoint("liars-dice/x", "my_bots.x:X", GROUP))
    'my_bots.x:X'
    """
    package = f"{point.dist.name} {point.dist.version}" if point.dist else ""
    return f"{package} ({point.value})" if package else point.value


def load_object(module: str, attribute: str, *, text: str, origin: str, named: bool) -> Bot:
    """Import a module in the usual way and make a bot of one of its objects.

    `named` says that a user typed it: what is not there is then a slip, not a broken package.
    """
    missing = UsageError if named else PluginError
    try:
        made: object = import_module(module)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        absent = error.name if isinstance(error, ModuleNotFoundError) else None
        if named and absent and f"{module}.".startswith(f"{absent}."):
            raise UsageError(f"strategy {text!r}: there is no module {absent!r}") from None
        lines = own_lines(error, _files_of(module))
        raise PluginError(f"{origin} does not load: {lines}") from error
    for part in attribute.split("."):
        if not hasattr(made, part):
            known = (name for name, value in vars(made).items() if hasattr(value, "game"))
            raise missing(f"{origin}: {unknown('strategy', part, known)}")
        made = getattr(made, part)
    files = _files_of(module)
    trusted = module.startswith(OWN_PACKAGE)
    if not trusted:
        rehome_helpers(files)
    return make_bot(made, Source(text=text, origin=origin, files=files, trusted=trusted))


def _points() -> dict[tuple[str, str], list[EntryPoint]]:
    """Give the entry points by (game, name); more than one where two packages claim it."""
    points: defaultdict[tuple[str, str], list[EntryPoint]] = defaultdict(list)
    for point in entry_points(group=GROUP):
        game, _, name = point.name.partition("/")
        same = [other.value for other in points[game, name]]
        if point.value not in same:
            points[game, name].append(point)
    return points


def _load_one(game: str, name: str, points: list[EntryPoint]) -> Bot:
    """Load the one entry point of a name; two are an error that names both."""
    if len(points) > 1:
        both = " and ".join(sorted(describe(point) for point in points))
        raise PluginError(f"strategy {name!r} of {game} is installed twice, by {both}: remove one")
    point = points[0]
    own = point.module.startswith(OWN_PACKAGE)
    origin = "built in" if own else describe(point)
    bot = load_object(point.module, point.attr, text=name, origin=origin, named=False)
    if (bot.game, bot.name) != (game, name):
        raise PluginError(
            f"{describe(point)} is registered as '{game}/{name}' but says that it is "
            f"'{bot.game}/{bot.name}'"
        )
    return bot


def _files_of(module: str) -> tuple[Path, ...]:
    """Give the files of a module and of what it imports from its own top package."""
    try:
        spec = find_spec(module)
    except Exception:  # a package around it does not load
        return ()
    if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
        return ()
    path = Path(spec.origin)
    if not spec.parent:
        return (path,)
    is_package = path.name == "__init__.py"
    depth = module.count(".") + is_package
    return sources_of(path, path.parents[depth], spec.parent)


def _file_hint(name: str) -> str:
    """Point at a file of that name, if the user may have meant it."""
    return f"; for the file write ./{name}.py" if Path(f"{name}.py").is_file() else ""
