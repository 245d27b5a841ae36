"""From words to a comparison of settings: `sim compare`.

    aggressive --vary aggressiveness=0:1:11 --against honest --seats 3
        -> settings aggressiveness=0, aggressiveness=0.1, ...   each with honest, honest

A comparison is a run like any other, with `RunSpec.comparison` set: its settings are the first
players, in the order of the grid; the field of opponents follows.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from pathlib import Path
from typing import Final

from sim.engines.base import Game
from sim.errors import UsageError, unknown
from sim.runner import asked
from sim.runner.entrants import read_entrant
from sim.runner.request import (
    FIELDS,
    Given,
    Request,
    deals_and_limits,
    enter,
    game_and_rules,
    merge,
    placed,
    read_toml,
    with_stop,
)
from sim.runner.schedule import Schedule
from sim.runner.spec import FILL_LABEL, Comparison, PlayerSpec, RunSpec, Value
from sim.strategies.loading import BoundBot, load_bot
from sim.strategies.parameters import Param

MOST_SETTINGS: Final = 500
"""More settings than this would take hours to compare pair by pair."""

FRESH_DEALS: Final = 1 << 40
"""First deal of a confirmation: no extension of the comparison itself ever reaches it."""

NOT_COMPARED: Final = ("players", "line_ups", "fill", "mixed", "focus", "first_deal")

COMPARE_FIELDS: Final = {
    "bot": "STRATEGY",
    "vary": "--vary",
    "against": "--against",
    "round_robin": "--round-robin",
    "confirm": "--confirm",
    **{key: flag for key, flag in FIELDS.items() if key not in NOT_COMPARED},
    "game": "GAME",
}
"""Keys of a comparison in TOML, and the words of the command line that give the same."""


def compare_request(flags: Mapping[str, object], file: Path | None = None) -> Request:
    """Give the run that `sim compare` asks for."""
    given = {
        key: Given(where=COMPARE_FIELDS[key], value=value)
        for key, value in flags.items()
        if value is not None
    }
    return _resolve(merge(read_toml(file, COMPARE_FIELDS) if file is not None else {}, given))


def _resolve(given: Mapping[str, Given]) -> Request:
    game, rules = game_and_rules(given)
    if "bot" not in given:
        raise UsageError("no strategy given: name the one whose settings are compared")
    settings, bound, comparison = _settings(given, game)
    field, field_bound, order = _field(given, game, first=len(settings))
    clash = {player.label for player in settings} & {player.label for player in field}
    if clash:
        label = sorted(clash)[0]
        raise UsageError(
            f"--against {label!r} is called like a setting: give it another label,"
            f" e.g. --against other={label}"
        )
    spec = RunSpec(
        game=game.name,
        rules=rules.options(),
        seats=rules.seats,
        players=(*settings, *field),
        comparison=comparison.model_copy(update={"field": order}),
        **deals_and_limits(given),
    )
    spec = with_stop(spec, given)
    schedule = Schedule(spec, game, rules)
    return placed(spec, schedule, (*bound, *field_bound), given)


def _settings(
    given: Mapping[str, Given], game: Game
) -> tuple[list[PlayerSpec], list[BoundBot], Comparison]:
    """Make a player of every setting of the grid."""
    named = given["bot"]
    entrant = read_entrant(asked.text(named.where, named.value), flag=named.where, base=named.base)
    if entrant.label is not None:
        raise UsageError(
            f"{entrant.where}: settings are named by their values: leave the label out"
        )
    bot = load_bot(entrant.bot, game.name)
    varied = _varied(given, bot.parameters)
    for name in varied:
        if name in entrant.parameters:
            raise UsageError(f"{named.where} {named.value!r} sets {name}, which --vary varies")
    players: list[PlayerSpec] = []
    bound: list[BoundBot] = []
    default: int | None = None
    defaults = bot.bind(entrant.parameters).parameters
    for values in product(*varied.values()):
        chosen = dict(zip(varied, values, strict=True))
        tied = bot.bind({**entrant.parameters, **chosen})
        label = ",".join(f"{key}={asked.option_text(key, tied.parameters[key])}" for key in varied)
        if tied.parameters == defaults:
            default = len(players)
        players.append(PlayerSpec(label=label, bot=bot.text, parameters=tied.parameters))
        bound.append(tied)
    comparison = Comparison(
        bot=bot.text,
        varied=tuple(varied),
        settings=len(players),
        default=default,
        confirm="confirm" not in given
        or asked.truth(given["confirm"].where, given["confirm"].value),
    )
    return players, bound, comparison


def _varied(given: Mapping[str, Given], parameters: Sequence[Param]) -> dict[str, list[Value]]:
    """Read every --vary: the values of each varied parameter."""
    if "vary" not in given:
        raise UsageError("nothing to vary: give --vary PARAMETER=LOW:HIGH:POINTS, or a list")
    where, asked_for = given["vary"].where, given["vary"].value
    if isinstance(asked_for, Mapping):
        items = list(asked_for.items())
    elif isinstance(asked_for, Sequence) and not isinstance(asked_for, str):
        items = [asked.key_value(where, str(item)) for item in asked_for]
    else:
        raise UsageError(f"{where} must be a table of parameter = values")
    declared = {parameter.name: parameter for parameter in parameters}
    varied: dict[str, list[Value]] = {}
    for name, written in items:
        if name not in declared:
            raise UsageError(f"{where}: {unknown('parameter', name, declared)}")
        if name in varied:
            raise UsageError(f"{where} gives {name!r} twice")
        varied[name] = read_values(f"{where} {name}", written, declared[name])
    if prod(map(len, varied.values())) > MOST_SETTINGS:
        raise UsageError(
            f"{where} asks for {prod(map(len, varied.values()))} settings: at most {MOST_SETTINGS}"
        )
    return varied


def read_values(where: str, written: object, parameter: Param) -> list[Value]:
    """Read `0:1:11` (ends included), `0.1,0.3,0.9`, or a TOML list; no value twice.

    >>> read_values("--vary a", "0:1:5", Param("a", 0.5, low=0, high=1))
    [0.0, 0.25, 0.5, 0.75, 1.0]
    >>> read_values("--vary n", "1,3", Param("n", 2))
    [1, 3]
    """
    if isinstance(written, str) and ":" in written:
        raw = _spread(where, written)
    elif isinstance(written, str):
        raw = [item.strip() for item in written.split(",")]
    elif isinstance(written, Sequence):
        raw = [asked.parameter(where, item) for item in written]
    else:
        raw = [asked.parameter(where, written)]
    if not raw or "" in raw:
        raise UsageError(f"{where}: give LOW:HIGH:POINTS or a list of values, not {written!r}")
    try:
        values = [parameter.read(item) for item in raw]
    except ValueError as error:
        raise UsageError(f"{where}: {error}") from None
    if len(set(values)) < len(values):
        raise UsageError(f"{where}: {asked.show(written)} gives the same value twice")
    return values


def _spread(where: str, written: str) -> list[Value]:
    """Give POINTS values from LOW to HIGH, both included, exactly spaced."""
    parts = written.split(":")
    if len(parts) != 3:
        raise UsageError(f"{where}: write LOW:HIGH:POINTS, not {written!r}")
    points = asked.whole(f"{where}: the number of points", parts[2], low=2, high=MOST_SETTINGS)
    try:
        low, high = Fraction(parts[0]), Fraction(parts[1])
    except (ValueError, ZeroDivisionError):
        raise UsageError(f"{where}: {written!r} must go from a number to a number") from None
    if low >= high:
        raise UsageError(f"{where}: {written!r} must go from low to high")
    spaced = [low + (high - low) * step / (points - 1) for step in range(points)]
    return [int(value) if value.denominator == 1 else float(value) for value in spaced]


def _field(
    given: Mapping[str, Given], game: Game, *, first: int
) -> tuple[list[PlayerSpec], list[BoundBot], tuple[int, ...]]:
    """Load the opponents; give them, and who takes the other seats, in the order given."""
    alone = "round_robin" in given and asked.truth(
        given["round_robin"].where, given["round_robin"].value
    )
    if alone == ("against" in given):
        raise UsageError(
            "--round-robin lets the settings play each other: leave out --against"
            if alone
            else "no opponents: name them with --against, or give --round-robin"
        )
    if alone:
        return [], [], ()
    against = given["against"]
    if not isinstance(against.value, Sequence) or isinstance(against.value, str):
        raise UsageError(f"{against.where} must be a list of players")
    entered: dict[str, tuple[PlayerSpec, BoundBot]] = {}
    labels = []
    for item in against.value:
        written = asked.text(against.where, item)
        entrant = read_entrant(written, flag=against.where, base=against.base)
        player, tied = enter(entrant, game, entrant.label)
        if player.label == FILL_LABEL:
            raise UsageError(f"{entrant.where}: the label {FILL_LABEL!r} is reserved")
        if entered.setdefault(player.label, (player, tied))[0] != player:
            raise UsageError(f"two different opponents are called {player.label!r}")
        labels.append(player.label)
    ordered = sorted(entered)
    order = tuple(first + ordered.index(label) for label in labels)
    return (
        [entered[label][0] for label in ordered],
        [entered[label][1] for label in ordered],
        order,
    )


def setting_values(spec: RunSpec) -> list[dict[str, Value]]:
    """Give the values of the varied parameters of each setting of a comparison."""
    if spec.comparison is None:
        raise UsageError("this run compares no settings")
    return [
        {name: player.parameters[name] for name in spec.comparison.varied} for player in spec.listed
    ]


def confirmation(spec: RunSpec, best: int) -> RunSpec | None:
    """Give the run that plays the best setting against the default one again, on fresh deals.

    None where there is nothing to confirm: the best is the default, or the settings have none.
    """
    comparison = spec.comparison
    if comparison is None or comparison.default is None or comparison.default == best:
        return None
    chosen = [spec.players[index] for index in sorted((best, comparison.default))]
    shift = len(chosen) - comparison.settings
    return spec.model_copy(
        update={
            "players": (*chosen, *spec.players[comparison.settings :]),
            "first_deal": FRESH_DEALS,
            "stop": None,
            "comparison": comparison.model_copy(
                update={
                    "settings": len(chosen),
                    "default": sorted((best, comparison.default)).index(comparison.default),
                    "field": tuple(index + shift for index in comparison.field),
                }
            ),
        }
    )
