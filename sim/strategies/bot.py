"""A strategy that was found and fits the contract, and the same with its parameters set."""

import inspect
import re
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from sim.errors import PluginError, SimError, UsageError
from sim.strategies.api import BatchStrategy, Compiled, Kind, Strategy, kebab
from sim.strategies.compiling import compile_strategy
from sim.strategies.importing import Folder
from sim.strategies.parameters import Param, Value, check_declared, infer, resolve
from sim.strategies.tracebacks import own_lines

_NAME: Final = re.compile(r"\w[\w.+-]*")

_BASES: Final[tuple[Any, ...]] = (Strategy, BatchStrategy)

_NO_TABLE: Final[NDArray[np.float64]] = np.zeros(0)
_NO_TABLE.flags.writeable = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where a strategy was found."""

    text: str
    """As `load_bot` finds it again: name, `package.module:Name`, absolute `file.py:Name`."""
    origin: str
    """For people: `built in`, `my-bots 1.2 (my_bots.careful:Careful)`, `my_bot.py:Careful`."""
    files: tuple[Path, ...]
    """The file it stands in, and what that imports beside it."""
    trusted: bool = False
    """Ships with `sim`."""
    folder: Folder | None = None
    """Where its modules live, if it is a file that a user named."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Bot:
    """A strategy, known by (game, name)."""

    game: str
    name: str
    kind: Kind
    parameters: tuple[Param, ...]
    summary: str
    """First line of its docstring."""
    version: str
    references: tuple[str, ...]
    """Papers, books or posts that it follows."""
    made: Compiled | type
    source: Source
    wants_round: bool
    wants_game: bool
    _codes: dict[np.dtype[Any], tuple[Any, int]] = field(default_factory=dict, repr=False)

    @property
    def text(self) -> str:
        """Give the text by which `load_bot` finds it again."""
        return self.source.text

    @property
    def origin(self) -> str:
        """Say where it comes from."""
        return self.source.origin

    @property
    def sources(self) -> tuple[Path, ...]:
        """Give the file it stands in and those it imports beside it."""
        return self.source.files

    @property
    def trusted(self) -> bool:
        """Tell whether it ships with `sim`."""
        return self.source.trusted

    def bind(self, values: Mapping[str, Value]) -> "BoundBot":
        """Set parameters, from text or values; those not given have their defaults."""
        try:
            parameters = resolve(self.parameters, values)
        except UsageError as error:
            raise UsageError(f"{self.name}: {error}") from None
        table = self._prepare(parameters)
        numbers = [float(v) for v in parameters.values() if not isinstance(v, str)]
        params = np.concatenate([np.array(numbers, np.float64), table])
        params.flags.writeable = False
        return BoundBot(bot=self, parameters=parameters, params=params, table=table)

    def _prepare(self, parameters: Mapping[str, Value]) -> NDArray[np.float64]:
        """Run the strategy's own preparation, once a player."""
        prepare = getattr(self.made, "prepare", None)
        if prepare is None:
            return _NO_TABLE
        try:
            table = np.array(prepare(**parameters), np.float64)
        except SimError:
            raise
        except Exception as error:
            lines = own_lines(error, self.sources)
            raise PluginError(f"{self.origin}: prepare() failed: {lines}") from error
        if table.ndim != 1:
            raise PluginError(f"{self.origin}: prepare() must give a flat list of numbers")
        table.flags.writeable = False
        return table

    def address(self, view_dtype: np.dtype[Any]) -> int:
        """Give the address of the compiled code; compiles on first use."""
        if not isinstance(self.made, Compiled):
            raise TypeError(f"{self.origin} is not a compiled strategy")
        if view_dtype not in self._codes:
            folder = self.source.folder
            with nullcontext() if folder is None else folder.active():
                self._codes[view_dtype] = compile_strategy(
                    self.made.function,
                    view_dtype,
                    sources=self.sources,
                    trusted=self.trusted,
                )
        return self._codes[view_dtype][1]

    def dispatcher(self, view_dtype: np.dtype[Any]) -> Any:
        """Give the compiled function, to be called from Python; compiles on first use."""
        self.address(view_dtype)
        return self._codes[view_dtype][0]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BoundBot:
    """A strategy with its parameters: what a player plays."""

    bot: Bot
    parameters: dict[str, Value]
    """Every declared parameter, in order."""
    params: NDArray[np.float64]
    """What compiled code reads: the parameters that are numbers, then the table."""
    table: NDArray[np.float64]
    """What `prepare` gave; empty without it."""

    @property
    def kind(self) -> Kind:
        """Give how it is written: compiled, python or batch."""
        return self.bot.kind

    @property
    def trusted(self) -> bool:
        """Tell whether it ships with `sim`."""
        return self.bot.trusted

    @property
    def wants_round(self) -> bool:
        """Tell whether it is told of the end of each round."""
        return self.bot.wants_round

    @property
    def wants_game(self) -> bool:
        """Tell whether it is told of the end of the game."""
        return self.bot.wants_game

    def address(self, view_dtype: np.dtype[Any]) -> int:
        """Give the address of the compiled code; compiles on first use."""
        return self.bot.address(view_dtype)

    def create(self, rng: Any) -> Any:
        """Make the object that plays one game at one seat; what it raises passes through."""
        cls: Any = self.bot.made
        player = cls.__new__(cls)
        player.rng = rng
        player.table = self.table
        player.__init__(**self.parameters)
        return player

    def create_batched(self) -> Any:
        """Make the object that plays all games of this player; PluginError if that fails."""
        cls: Any = self.bot.made
        folder = self.bot.source.folder
        try:
            player = cls.__new__(cls)
            player.table = self.table
            with nullcontext() if folder is None else folder.active():
                player.__init__(**self.parameters)
        except SimError:
            raise
        except Exception as error:
            lines = own_lines(error, self.bot.sources)
            raise PluginError(f"{self.bot.origin}: its constructor failed: {lines}") from error
        return player


def make_bot(made: object, source: Source) -> Bot:
    """Check that an object fits the contract of strategies; PluginError says what does not."""
    try:
        if isinstance(made, Compiled):
            return _from_compiled(made, source)
        if isinstance(made, type):
            return _from_class(made, source)
    except (TypeError, ValueError) as error:
        raise PluginError(f"{source.origin}: {error}") from None
    raise PluginError(
        f"{source.origin} is {type(made).__name__} {made!r}: a strategy is a class with "
        "act(self, view) or act_batch(self, views), or a function under @compiled"
    )


def _from_compiled(made: Compiled, source: Source) -> Bot:
    return Bot(
        game=made.game,
        name=_checked_name(made.name),
        kind="compiled",
        parameters=made.parameters,
        summary=_summary(made.function),
        version=made.version,
        references=made.sources,
        made=made,
        source=source,
        wants_round="round_over" in made.wants,
        wants_game="game_over" in made.wants,
    )


def _from_class(cls: Any, source: Source) -> Bot:
    batched = issubclass(cls, BatchStrategy)
    method = "act_batch(self, views)" if batched else "act(self, view)"
    if not callable(getattr(cls, method.partition("(")[0], None)) or inspect.isabstract(cls):
        if hasattr(cls, "act_batch") and not batched:
            raise TypeError(
                f"class {cls.__name__} has act_batch: derive it from sim.strategies.api."
                "BatchStrategy"
            )
        raise TypeError(f"class {cls.__name__} has no {method}")
    if not isinstance(getattr(cls, "game", None), str):
        raise TypeError(f"class {cls.__name__} does not say its game: write game = 'liars-dice'")
    parameters = check_declared(cls.parameters) if _declares(cls) else _inferred(cls)
    _check_calls(cls, parameters)
    return Bot(
        game=cls.game,
        name=_checked_name(getattr(cls, "name", kebab(cls.__name__))),
        kind="batch" if batched else "python",
        parameters=parameters,
        summary=_summary(cls),
        version=str(getattr(cls, "version", "1")),
        references=tuple(getattr(cls, "sources", ())),
        made=cls,
        source=source,
        wants_round=not batched and callable(getattr(cls, "round_over", None)),
        wants_game=not batched and callable(getattr(cls, "game_over", None)),
    )


def _declares(cls: type) -> bool:
    return any("parameters" in vars(base) for base in cls.__mro__ if base not in _BASES)


def _inferred(cls: Any) -> tuple[Param, ...]:
    return () if any(cls.__init__ is base.__init__ for base in _BASES) else infer(cls)


def _check_calls(cls: Any, parameters: tuple[Param, ...]) -> None:
    """Try what the engine will do, as far as that runs none of the author's code."""
    defaults = {parameter.name: parameter.default for parameter in parameters}
    act = "act_batch" if issubclass(cls, BatchStrategy) else "act"
    calls = [("__init__", (), defaults), (act, (None,), {})]
    calls += [(n, (None,), {}) for n in ("round_over", "game_over") if hasattr(cls, n)]
    for name, arguments, named in calls:
        if getattr(cls, name) is object.__init__:
            if defaults:
                raise TypeError(
                    f"class {cls.__name__} has parameters but no constructor: "
                    "derive it from Strategy, or write __init__"
                )
            continue
        try:
            inspect.signature(getattr(cls, name)).bind(None, *arguments, **named)
        except TypeError as error:
            raise TypeError(f"{cls.__name__}.{name} cannot be called: {error}") from None
    try:
        player = cls.__new__(cls)
        player.table = None
        if not issubclass(cls, BatchStrategy):
            player.rng = None
    except (TypeError, AttributeError) as error:
        raise TypeError(
            f"class {cls.__name__} cannot be given `rng` and `table`: {error}"
        ) from None


def _checked_name(name: Any) -> str:
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise ValueError(f"its name {name!r} must be letters, digits, '-', '_', '.' and '+'")
    return name


def _summary(made: Any) -> str:
    text = inspect.getdoc(made) or ""
    first = text.strip().partition("\n\n")[0]
    own = made.__doc__ is not None
    return " ".join(first.split()) if own else ""
