"""Golden games of Liar's Dice: one for each rule variant, played on the readable state.

A file holds the key of the deal, one line a round as `State` writes it, and the result. The players
are drawn at random (tests/engines/liars_dice/drawn.py); in one game they break the rules as well.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from sim.engines.liars_dice.rules import Rules
from tests.engines.liars_dice.drawn import answer_call
from tests.reference import liars_dice as slow
from tests.reference.liars_dice import Played

SEED: Final = 4711

VARIANTS: Final[Mapping[str, tuple[int, dict[str, str], float]]] = {
    "default": (2, {}, 0.0),
    "three-seats": (3, {}, 0.0),
    "six-seats": (6, {"dice": "2"}, 0.0),
    "ones-high": (2, {"ones_rank": "high"}, 0.0),
    "lock-off": (3, {"ones_lock": "off", "dice": "3"}, 0.0),
    "no-wild": (2, {"ones_wild": "false"}, 0.0),
    "unequal-dice": (4, {"dice": "2,1,5,3"}, 0.0),
    "one-round": (2, {"rounds": "1"}, 0.0),
    "forfeits": (5, {"dice": "3"}, 0.04),
}
"""For each file: seats, rule options, and how often the players break the rules."""


@dataclass(frozen=True, kw_only=True)
class Golden:
    """A golden game as it is read from its file."""

    rules: Rules
    seed: int
    deal: int
    rounds: tuple[str, ...]
    """Positions at the end of each round."""
    result: dict[str, tuple[int, ...]]


def files() -> dict[str, str]:
    """Give every file: its name and its text."""
    return {
        f"{name}.txt": write_game(name, deal, *variant)
        for deal, (name, variant) in enumerate(VARIANTS.items())
    }


def write_game(name: str, deal: int, seats: int, options: dict[str, str], faults: float) -> str:
    """Play a game and write it."""
    rules = Rules.from_options(seats, options)
    game = slow.play(
        rules, lambda call: answer_call(deal, call, faults=faults), seed=SEED, deal=deal
    )
    lines = [
        f"# Liar's Dice, {name}; written by python -m tests.golden.write",
        f"seats: {seats}",
        f"rules: {' '.join(f'{key}={value}' for key, value in options.items())}".rstrip(),
        f"seed: {SEED}",
        f"deal: {deal}",
        *(f"round: {text}" for text in game.texts),
        *(f"{key}: {' '.join(map(str, values))}" for key, values in result_of(game).items()),
    ]
    return "\n".join(lines) + "\n"


def result_of(game: Played) -> dict[str, tuple[int, ...]]:
    """Give what a file says of the end of a game."""
    return {
        "place": game.places,
        "score": game.scores,
        "rounds": (game.rounds,),
        "decisions": (game.decisions,),
        **{name: tuple(values) for name, values in game.counters.items()},
    }


def read_game(text: str) -> Golden:
    """Read a file."""
    lines = list(_fields(text))
    head = dict(lines[:4])
    options = dict(pair.split("=") for pair in head["rules"].split())
    return Golden(
        rules=Rules.from_options(int(head["seats"]), options),
        seed=int(head["seed"]),
        deal=int(head["deal"]),
        rounds=tuple(value for key, value in lines if key == "round"),
        result={key: tuple(map(int, value.split())) for key, value in lines[4:] if key != "round"},
    )


def _fields(text: str) -> Iterator[tuple[str, str]]:
    for line in text.splitlines():
        if not line.startswith("#"):
            key, _, value = line.partition(":")
            yield key, value.strip()
