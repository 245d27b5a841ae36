"""Golden games of Dou Dizhu, played on the readable state.

A file holds the key of the deal, one line for each deal of the cards as `State` writes its end
(more than one where all passed), and the result. Games without a key lay their cards themselves:
those that reach a bound, and one of OpenSpiel's. The other players are drawn at random
(tests/engines/dou_dizhu/drawn.py); in some games they break the rules.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from sim.engines.dou_dizhu.rules import Rules
from sim.engines.dou_dizhu.state import State
from tests.engines.dou_dizhu import positions
from tests.engines.dou_dizhu.drawn import answer_call
from tests.reference import dou_dizhu_game as slow

SEED: Final = 4712


class Variant(NamedTuple):
    """What players a game has, and by which rules and key they play."""

    options: dict[str, str]
    deal: int
    boldness: float
    faults: float


VARIANTS: Final[Mapping[str, Variant]] = {
    "default": Variant({}, 0, 0.5, 0.0),
    "bold": Variant({}, 1, 0.95, 0.0),
    "no-auction": Variant({"auction": "false"}, 2, 0.5, 0.0),
    "redeals": Variant({}, 24, 0.1, 0.0),
    "void": Variant({"max_redeals": "1"}, 5, 0.0, 0.0),
    "forfeit-auction": Variant({}, 68, 0.6, 0.3),
    "forfeit-play": Variant({}, 7, 0.6, 0.02),
}

LAID: Final[Mapping[str, str]] = {
    "open-spiel": positions.OPEN_SPIEL,
    "most-bombs": positions.MOST_BOMBS,
    "most-bombs-landlord": positions.MOST_BOMBS_LANDLORD,
    "spring": positions.SPRING,
    "anti-spring": positions.ANTI_SPRING,
}
"""Games that lay their cards."""


@dataclass(frozen=True, kw_only=True)
class Golden:
    """A golden game as it is read from its file."""

    key: tuple[int, int] | None
    """Seed and deal, None where the cards are laid."""
    deals: tuple[str, ...]
    """Positions at the end of each deal of the cards."""
    result: dict[str, tuple[int, ...]]


def files() -> dict[str, str]:
    """Give every file: its name and its text."""
    drawn = {name: write_drawn(name, variant) for name, variant in VARIANTS.items()}
    laid = {name: write_laid(name, State.from_text(text)) for name, text in LAID.items()}
    laid["longest"] = write_laid("longest", positions.longest_game())
    return {f"{name}.txt": text for name, text in {**drawn, **laid}.items()}


def write_drawn(name: str, variant: Variant) -> str:
    """Play a game of drawn players and write it."""
    game = slow.play(
        Rules.from_options(3, variant.options),
        lambda call: answer_call(
            variant.deal, call, boldness=variant.boldness, faults=variant.faults
        ),
        seed=SEED,
        deal=variant.deal,
    )
    counters = {key: tuple(values) for key, values in game.counters.items()}
    head = [f"seed: {SEED}", f"deal: {variant.deal}"]
    result = {**result_of(game.state), "decisions": (game.decisions,), **counters}
    return _file(name, head, game.deals, result)


def write_laid(name: str, state: State) -> str:
    """Write a game that lays its cards."""
    return _file(name, [], [str(state)], result_of(state))


def result_of(state: State) -> dict[str, tuple[int, ...]]:
    """Give what a file says of the end of every game."""
    return {
        "score": state.scores,
        "place": state.places,
        "won": tuple(map(int, state.won)),
        "multiplier": (state.multiplier,),
        "spring": (state.spring,),
        "redeals": (state.redeals,),
    }


def _file(
    name: str, head: list[str], deals: list[str], result: Mapping[str, tuple[int, ...]]
) -> str:
    lines = [
        f"# Dou Dizhu, {name}; written by python -m tests.golden.write",
        *head,
        *(f"cards: {text}" for text in deals),
        *(f"{key}: {' '.join(map(str, values))}" for key, values in result.items()),
    ]
    return "\n".join(lines) + "\n"


def read_game(text: str) -> Golden:
    """Read a file."""
    lines = list(_fields(text))
    head = {key: int(value) for key, value in lines if key in ("seed", "deal")}
    return Golden(
        key=(head["seed"], head["deal"]) if head else None,
        deals=tuple(value for key, value in lines if key == "cards"),
        result={
            key: tuple(map(int, value.split()))
            for key, value in lines
            if key not in ("seed", "deal", "cards")
        },
    )


def _fields(text: str) -> Iterator[tuple[str, str]]:
    for line in text.splitlines():
        if not line.startswith("#"):
            key, _, value = line.partition(":")
            yield key, value.strip()
