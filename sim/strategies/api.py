"""What authors of strategies use: a base class, a decorator, and parameters.

Plain Python, any class with `game` and `act`:

    class Cautious(Strategy):
        game = "liars-dice"
        parameters = (Param("margin", 0, low=0, high=5, help="dice it holds back"),)
        margin: int

        def act(self, view: View) -> int: ...

Compiled, one function for all events:

    @compiled(game="liars-dice", parameters=(Param("margin", 0, low=0, high=5),))
    def cautious(event, view, params, memory, rng):
        margin = int(params[0])
        ...

Batched, one call for all positions that wait, as a structured array:

    class Network(BatchStrategy):
        game = "liars-dice"

        def act_batch(self, views): ...

All are found in a file, in a module, or by name through the entry points `sim.strategies`.
"""

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import FunctionType
from typing import Any, ClassVar, Final, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from sim.engines.batch_rng import BatchRng
from sim.engines.events import ACT, GAME_OVER, ROUND_OVER
from sim.engines.rng import SeatRng
from sim.strategies.parameters import EXACT, Param, Value, check_declared

__all__ = [
    "ACT",
    "GAME_OVER",
    "ROUND_OVER",
    "BatchStrategy",
    "Compiled",
    "Kind",
    "Param",
    "Strategy",
    "Value",
    "compiled",
    "kebab",
]

Kind = Literal["compiled", "python", "batch"]
Wanted = Literal["round_over", "game_over"]

WANTED: Final = ("round_over", "game_over")

Prepare = Callable[..., Sequence[float]]


class Strategy(ABC):
    """Base for plain-Python strategies; not required, any class with `game` and `act` will do.

    A fresh object plays each game at each seat. `rng` and `table` are there before `__init__`
    runs. Optional: `round_over(self, shown)` and `game_over(self, result)`, which get a view, and
    a static `prepare(**parameters)`, which runs once a player and gives a list of floats: `table`.
    """

    game: ClassVar[str]
    """`liars-dice` or `dou-dizhu`."""
    name: ClassVar[str]
    """Default: the class name in lower case, `-` between words."""
    parameters: ClassVar[tuple[Param, ...]] = ()
    version: ClassVar[str] = "1"
    """Raise it when the strategy would play some position otherwise."""
    sources: ClassVar[tuple[str, ...]] = ()
    """Papers, books or posts that it follows."""

    rng: SeatRng
    """The only random numbers to use: the same seed then plays the same games."""
    table: NDArray[np.float64]
    """What `prepare` gave (read-only); empty without it."""

    def __init__(self, **parameters: Value) -> None:
        """Keep each parameter as an attribute of its name."""
        for name, value in parameters.items():
            setattr(self, name, value)

    @abstractmethod
    def act(self, view: Any) -> int:
        """Choose an action."""


class Rows(Protocol):
    """What the engine keeps for a batched strategy about the games in its rows."""

    @property
    def rng(self) -> BatchRng: ...

    @property
    def memory(self) -> NDArray[np.int64]: ...


class BatchStrategy(ABC):
    """Base of batched strategies: one call decides all positions that wait, as NumPy arrays.

    One object plays all games of a player in a worker, so it keeps nothing between calls: what a
    game needs later goes to its row of `memory`. An action must follow from its own row alone.
    A static `prepare(**parameters)` may give a list of floats, once a player: `table`.
    """

    game: ClassVar[str]
    """`liars-dice` or `dou-dizhu`."""
    name: ClassVar[str]
    """Default: the class name in lower case, `-` between words."""
    parameters: ClassVar[tuple[Param, ...]] = ()
    version: ClassVar[str] = "1"
    """Raise it when the strategy would play some position otherwise."""
    sources: ClassVar[tuple[str, ...]] = ()
    """Papers, books or posts that it follows."""

    table: NDArray[np.float64]
    """What `prepare` gave (read-only); empty without it."""
    rows: Rows
    """Set by the engine before it asks; read `rng` and `memory` instead."""

    def __init__(self, **parameters: Value) -> None:
        """Keep each parameter as an attribute of its name."""
        for name, value in parameters.items():
            setattr(self, name, value)

    @property
    def rng(self) -> BatchRng:
        """The random streams of the rows; use no other random numbers. Only in `act_batch`."""
        return self.rows.rng

    @property
    def memory(self) -> NDArray[np.int64]:
        """32 whole numbers a row (int64), zero at the start of a game; change them in place.

        A seat finds in them what it wrote when it was asked last in this game. Only in `act_batch`.
        """
        return self.rows.memory

    @abstractmethod
    def act_batch(self, views: Any) -> Any:
        """Choose an action for each row: an array of whole numbers, as long as `views`.

        `views` is a structured array with the fields of the game's View. A game keeps its row all
        its life; rows whose game waits for nobody, or for somebody else, are zero (`seats` is 0),
        and what is answered there does not count.
        """


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Compiled:
    """A function that `compiled` registered. It compiles when it is first needed."""

    function: FunctionType
    game: str
    name: str
    parameters: tuple[Param, ...]
    prepare: Prepare | None
    wants: frozenset[str]
    version: str
    sources: tuple[str, ...]

    def __call__(self, event: Any, view: Any, params: Any, memory: Any, rng: Any) -> int:
        """Call the plain Python function, for tests and debugging."""
        action: int = self.function(event, view, params, memory, rng)
        return action


def compiled(
    *,
    game: str,
    name: str | None = None,
    parameters: Sequence[Param] = (),
    prepare: Prepare | None = None,
    wants: Sequence[Wanted] = (),
    version: str = "1",
    sources: Sequence[str] = (),
) -> Callable[[Callable[[Any, Any, Any, Any, Any], int]], Compiled]:
    """Register a function `(event, view, params, memory, rng) -> int` as a compiled strategy.

    `params` are the declared parameters in order as floats, then what `prepare(**parameters)`
    gave. `memory` is 32 whole numbers, zero at the start of a game. `event` is ACT, or one of the
    events in `wants`, for which the value returned does not count. Nothing compiles here.

    >>> @compiled(game="liars-dice")
    ... def always_challenge(event, view, params, memory, rng):
    ...     return -1 if view.bids_made else 0
    >>> always_challenge.name, always_challenge.parameters
    ('always-challenge', ())
    """
    declared = check_declared(parameters)
    for parameter in declared:
        if parameter.type is str:
            raise TypeError(f"parameter {parameter.name}: compiled strategies take numbers only")
        if parameter.type is int and abs(int(parameter.default)) > EXACT:
            raise ValueError(f"parameter {parameter.name}: its default is above 2**53")
    for wanted in wants:
        if wanted not in WANTED:
            raise ValueError(f"wants={wanted!r} is no event; there are: {', '.join(WANTED)}")

    def register(function: Callable[..., int]) -> Compiled:
        if not isinstance(function, FunctionType):
            raise TypeError(f"@compiled goes on a plain function, not on {function!r}")
        arguments = inspect.signature(function).parameters
        if len(arguments) != 5:
            raise TypeError(
                f"{function.__name__} takes {len(arguments)} arguments; a compiled strategy "
                "takes five: event, view, params, memory, rng"
            )
        return Compiled(
            function=function,
            game=game,
            name=name or kebab(function.__name__),
            parameters=declared,
            prepare=prepare,
            wants=frozenset(wants),
            version=version,
            sources=tuple(sources),
        )

    return register


def kebab(name: str) -> str:
    """Write the name of a class or function as strategies are named.

    >>> kebab("SimpleDudo"), kebab("first_RHCPBot"), kebab("honest")
    ('simple-dudo', 'first-rhcp-bot', 'honest')
    """
    letters = []
    for i, letter in enumerate(name):
        before, after = name[i - 1 : i], name[i + 1 : i + 2]
        begins_word = letter.isupper() and (not before.isupper() or after.islower())
        if i and before != "_" and begins_word:
            letters.append("-")
        letters.append("-" if letter == "_" else letter.lower())
    return "".join(letters).strip("-")
