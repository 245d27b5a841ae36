"""From words to a run: flags and a TOML file become one validated `RunSpec`.

    flags --------+
                  +-> merge (a flag beats the file) -> resolve -> Request(spec, bound, out, ...)
    first.toml ---+

Nothing is written and nothing is compiled here. Whatever cannot be carried out as it stands is
refused with one sentence; nothing is corrected in silence.
"""

import json
import os
import secrets
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from sim.engines.base import Game, load_game
from sim.errors import UsageError, unknown
from sim.runner import asked
from sim.runner.entrants import Entrant, read_entrant, read_table
from sim.runner.out import default_out
from sim.runner.schedule import Schedule
from sim.runner.spec import FILL_LABEL, Limits, PlayerSpec, RunSpec, StopRule
from sim.strategies.loading import BoundBot, load_bot

DEFAULT_DEALS: Final = 1000

MOST_DEALS: Final = 1 << 40
"""Deals from here on are fresh ones for confirmations (`sim compare`), which no run reaches."""

MOST_FIRST: Final = 1 << 62

MOST_JOBS: Final = 1024

MOST_SEED: Final = (1 << 64) - 1

DRAWN_SEED_BITS: Final = 32
"""A drawn seed stays short enough to be typed again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """A value with the name by which the person knows it."""

    where: str
    value: object
    base: Path = field(default_factory=Path.cwd)
    """The folder from which relative paths of strategies count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A run, resolved: what is played (`spec`), and how and where to (the rest)."""

    spec: RunSpec
    schedule: Schedule
    bound: tuple[BoundBot, ...]
    """The strategies of `spec.players`, in that order, loaded and with their parameters."""
    out: Path
    jobs: int
    in_process: bool

    @property
    def plan(self) -> str:
        """Say how much will be played: `N line-ups x D deals x M seatings = G games`."""
        schedule = self.schedule
        line_ups = len(schedule.line_ups)
        checked = range(line_ups) if self.spec.mixed else range(1)  # else all have as many
        seatings = sorted({len(schedule.seatings(number)) for number in checked})
        many = " or ".join(map(str, seatings))
        return (
            f"{_counted(line_ups, 'line-up')} x {_counted(self.spec.deals, 'deal')} x {many}"
            f" seating{'s' * (seatings != [1])} = {_counted(schedule.games, 'game')}"
        )


FIELDS: Final = {
    "game": "--game",
    "players": "-p",
    "seats": "--seats",
    "deals": "--deals",
    "first_deal": "--first-deal",
    "seed": "--seed",
    "rules": "--rule",
    "line_ups": "--line-ups",
    "fill": "--fill",
    "mixed": "--mixed",
    "focus": "--focus",
    "move_timeout": "--move-timeout",
    "game_timeout": "--game-timeout",
    "max_memory": "--max-memory",
    "max_faults": "--max-faults",
    "strict": "--strict",
    "until_width": "--until-width",
    "sprt": "--sprt",
    "jobs": "-j",
    "out": "--out",
    "in_process": "--in-process",
}
"""Keys of a tournament file, and the flag that gives the same."""


def request(flags: Mapping[str, object], file: Path | None = None) -> Request:
    """Give the run that `flags` (by the names in FIELDS; None: not given) and `file` ask for.

    `file` is a tournament in TOML, or a resolved spec in JSON as a manifest holds it.
    """
    given = {
        key: Given(where=FIELDS[key], value=value)
        for key, value in flags.items()
        if value is not None
    }
    if file is not None and file.suffix == ".json":
        return _request_again(read_spec(file), given, file)
    return resolve(merge(read_toml(file) if file is not None else {}, given))


def read_toml(path: Path, fields: Mapping[str, str] = FIELDS) -> dict[str, Given]:
    """Read a tournament file; refuse what is none of its keys (`fields`)."""
    shown = str(path)
    try:
        data = tomllib.loads(_read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{shown} is not valid TOML: {_with_line(str(error), path)}") from None
    return from_mapping(data, shown=shown, base=path.resolve().parent, fields=fields)


def from_mapping(
    data: Mapping[str, object], *, shown: str, base: Path, fields: Mapping[str, str] = FIELDS
) -> dict[str, Given]:
    """Take the fields of a tournament from a mapping, e.g. a TOML document."""
    for key in data:
        if key not in fields:
            raise UsageError(f"{shown}: {unknown('key', key, fields)}")
    return {
        key: Given(where=f"{shown}: {key}", value=value, base=base) for key, value in data.items()
    }


def merge(file: Mapping[str, Given], flags: Mapping[str, Given]) -> dict[str, Given]:
    """Let flags beat the file: rules one by one, every other field as a whole."""
    merged = {**file, **flags}
    if "rules" in file and "rules" in flags:
        options = {**_rule_options(file["rules"]), **_rule_options(flags["rules"])}
        merged["rules"] = Given(where=flags["rules"].where, value=options)
    for flag, beaten in (("in_process", "jobs"), ("jobs", "in_process")):
        if flag in flags and beaten not in flags:
            merged.pop(beaten, None)  # the two contradict each other
    return merged


def resolve(given: Mapping[str, Given]) -> Request:
    """Check every field and fill in what was not given."""
    game, rules = game_and_rules(given)
    entered = _players(given, game)
    mixed = "mixed" in given and asked.truth(given["mixed"].where, given["mixed"].value)
    if mixed:
        _check_mixed(given["mixed"].where, game, rules)
    spec = RunSpec(
        game=game.name,
        rules=rules.options(),
        seats=rules.seats,
        players=tuple(player for player, _ in entered),
        line_ups=_line_ups(given),
        mixed=mixed,
        focus=asked.text(given["focus"].where, given["focus"].value) if "focus" in given else None,
        **deals_and_limits(given),
    )
    spec = with_stop(spec, given)
    return placed(spec, Schedule(spec, game, rules), tuple(bound for _, bound in entered), given)


def deals_and_limits(given: Mapping[str, Given]) -> dict[str, Any]:
    """Read the fields of a spec that every kind of run has."""
    return {
        "deals": _whole(given, "deals", low=1, high=MOST_DEALS, default=DEFAULT_DEALS),
        "first_deal": _whole(given, "first_deal", low=0, high=MOST_FIRST, default=0),
        "seed": _whole(given, "seed", low=0, high=MOST_SEED, default=_draw_seed),
        "limits": _limits(given),
    }


def with_stop(spec: RunSpec, given: Mapping[str, Given]) -> RunSpec:
    """Add the rule by which the run may end early, if one is given."""
    found: dict[str, Any] = {}
    if "until_width" in given:
        where = given["until_width"].where
        found["until_width"] = asked.positive(where, given["until_width"].value)
    if "sprt" in given:
        labels = [player.label for player in spec.listed]
        found |= asked.sequential_test(given["sprt"].where, given["sprt"].value, labels)
    return spec.model_copy(update={"stop": StopRule(**found)}) if found else spec


def game_and_rules(given: Mapping[str, Given]) -> tuple[Game, Any]:
    """Read the game, the seats and the rules."""
    if "game" not in given:
        raise UsageError("no game given: name one with --game (`sim games` lists them)")
    game = load_game(asked.text(given["game"].where, given["game"].value))
    options = _rule_options(given["rules"]) if "rules" in given else {}
    return game, game.rules(_seats(given, game), options)


def read_spec(path: Path) -> RunSpec:
    """Read a resolved spec in JSON, alone or in the manifest of a run."""
    try:
        data = json.loads(_read_text(path))
        if isinstance(data, dict) and "spec" in data:
            data = data["spec"]
        return RunSpec.model_validate(data)
    except json.JSONDecodeError as error:
        raise UsageError(f"{path} is not valid JSON: {error}") from None
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "spec"
        raise UsageError(f"{path} is no spec of a run: {place}: {first['msg']}") from None


def request_spec(spec: RunSpec, given: Mapping[str, Given] | None = None) -> Request:
    """Load what a resolved spec names, and check that it can be played as it stands."""
    game = load_game(spec.game)
    rules = game.rules(spec.seats, spec.rules)
    bound = tuple(
        load_bot(player.bot, game.name).bind(player.parameters) for player in spec.players
    )
    return placed(spec, Schedule(spec, game, rules), bound, given or {})


def _request_again(spec: RunSpec, given: Mapping[str, Given], file: Path) -> Request:
    decided = sorted(given[key].where for key in given if key not in ("jobs", "out", "in_process"))
    if decided:
        raise UsageError(
            f"{file} is a resolved spec and decides {decided[0]} itself: leave that out"
        )
    return request_spec(spec, given)


def placed(
    spec: RunSpec,
    schedule: Schedule,
    bound: tuple[BoundBot, ...],
    given: Mapping[str, Given],
) -> Request:
    """Add how and where to play."""
    in_process = "in_process" in given and asked.truth(
        given["in_process"].where, given["in_process"].value
    )
    if in_process and "jobs" in given:
        raise UsageError("--in-process plays without worker processes: leave out -j")
    out = (
        Path(asked.text(given["out"].where, given["out"].value)).expanduser()
        if "out" in given
        else default_out(spec.game, datetime.now())
    )
    jobs = given.get("jobs", Given(where="-j", value=None))
    return Request(
        spec=spec,
        schedule=schedule,
        bound=bound,
        out=out,
        jobs=1 if in_process else read_jobs(jobs.value, jobs.where),
        in_process=in_process,
    )


def read_chunk(written: str) -> int:
    """Read how many blocks are handed out at a time; it shows in no output."""
    return asked.whole("--chunk", written, low=1, high=1 << 31)


def read_deals(written: str) -> int:
    """Read how many deals a run is to have in all."""
    return asked.whole("--deals", written, low=1, high=MOST_DEALS)


def read_jobs(written: object, where: str = "-j") -> int:
    """Read the number of workers; None and `auto` are one a processor."""
    if written is None or written == "auto":
        return processors()
    return asked.whole(where, written, low=1, high=MOST_JOBS)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def processors() -> int:
    """Give how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise UsageError(f"there is no file {str(path)!r}") from None
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8 text (byte {error.start})") from None
    except OSError as error:
        raise UsageError(f"cannot read {str(path)!r}: {error.strerror}") from None


def _with_line(message: str, path: Path) -> str:
    """Say a line where tomllib only says `at end of document`."""
    last = len(path.read_text(encoding="utf-8").splitlines())
    return message.replace("(at end of document)", f"(at line {last}, the end of the document)")


def _whole(given: Mapping[str, Given], key: str, *, low: int, high: int, default: Any) -> int:
    if key not in given:
        value: int = default() if callable(default) else default
        return value
    return asked.whole(given[key].where, given[key].value, low=low, high=high)


def _draw_seed() -> int:
    return secrets.randbits(DRAWN_SEED_BITS)


def _seats(given: Mapping[str, Given], game: Game) -> int:
    if "seats" not in given:
        return game.default_seats
    where = given["seats"].where
    seats = asked.whole(where, given["seats"].value, low=-(1 << 31), high=1 << 31)
    low, high = game.seat_counts[0], game.seat_counts[-1]
    if seats not in game.seat_counts:
        wanted = f"{low} to {high}" if low < high else f"{low}"
        raise UsageError(f"{where}: {game.title} is played with {wanted} seats, not {seats}")
    return seats


def _rule_options(rules: Given) -> dict[str, str]:
    """Read `--rule name=value ...` or the table `[rules]`."""
    if isinstance(rules.value, Mapping):
        return {
            key: asked.option_text(f"{rules.where}.{key}", value)
            for key, value in rules.value.items()
        }
    if not isinstance(rules.value, Sequence) or isinstance(rules.value, str):
        raise UsageError(f"{rules.where} must be a table of option = value")
    options: dict[str, str] = {}
    for item in rules.value:
        key, value = asked.key_value(rules.where, str(item))
        if key in options:
            raise UsageError(f"{rules.where} gives {key!r} twice")
        options[key] = value
    return options


def _line_ups(given: Mapping[str, Given]) -> int | None:
    if "line_ups" not in given:
        return None
    return asked.whole(given["line_ups"].where, given["line_ups"].value, low=1, high=1 << 31)


def _check_mixed(where: str, game: Game, rules: Any) -> None:
    """Refuse mixed tables in a game that has none, rather than ignore the wish."""
    players = rules.seats + 1  # enough for the ordinary line-ups and the mixed ones to differ
    if len(game.line_ups(players, rules, mixed=True)) == len(game.line_ups(players, rules)):
        raise UsageError(
            f"{where}: {game.title} has no mixed tables under these rules: leave it out"
        )


def _limits(given: Mapping[str, Given]) -> Limits:
    """Read when a strategy forfeits for taking too much, and when the run ends for it."""
    found: dict[str, Any] = {}
    for key, read in (
        ("move_timeout", asked.seconds),
        ("game_timeout", asked.seconds),
        ("max_memory", asked.bytes_of_memory),
        ("max_faults", asked.number_of_faults),
        ("strict", asked.truth),
    ):
        if key in given:
            found[key] = read(given[key].where, given[key].value)
    return Limits(**found)


def _players(given: Mapping[str, Given], game: Game) -> list[tuple[PlayerSpec, BoundBot]]:
    """Load and label the players, in canonical order: by label, the fill player last."""
    entered: dict[str, tuple[PlayerSpec, BoundBot]] = {}
    for entrant in _entrants(given):
        player, bound = enter(entrant, game, entrant.label)
        if player.label == FILL_LABEL:
            raise UsageError(
                f"{entrant.where}: the label {FILL_LABEL!r} is reserved for the player of --fill"
            )
        if player.label in entered:
            raise UsageError(
                f"two players are called {player.label!r}: give one another label,"
                f" e.g. -p other={entrant.bot}"
            )
        entered[player.label] = (player, bound)
    ordered = [entered[label] for label in sorted(entered)]
    if "fill" in given:
        fill = given["fill"]
        entrant = read_entrant(asked.text(fill.where, fill.value), flag=fill.where, base=fill.base)
        if entrant.label is not None:
            raise UsageError(f"{entrant.where}: the fill player is called {FILL_LABEL!r}: no label")
        ordered.append(enter(entrant, game, FILL_LABEL))
    return ordered


def _entrants(given: Mapping[str, Given]) -> list[Entrant]:
    """Read the list of players; each is a text, or in a file a table too."""
    if "players" not in given:
        raise UsageError("no players given: name them with -p (`sim strategies` lists them)")
    players = given["players"]
    if not isinstance(players.value, Sequence) or isinstance(players.value, str):
        raise UsageError(f"{players.where} must be a list of players")
    if not players.value:
        raise UsageError(f"{players.where} is empty: name at least one player")
    entrants = []
    for number, item in enumerate(players.value, 1):
        if isinstance(item, str):
            entrants.append(read_entrant(item, flag=players.where, base=players.base))
        elif isinstance(item, Mapping):
            where = f"{players.where}[{number}]"
            entrants.append(read_table(item, where=where, base=players.base))
        else:
            raise UsageError(f"{players.where} holds {asked.show(item)}, which is no player")
    return entrants


def enter(entrant: Entrant, game: Game, label: str | None) -> tuple[PlayerSpec, BoundBot]:
    """Load a player's strategy and set its parameters."""
    bot = load_bot(entrant.bot, game.name)
    bound = bot.bind(entrant.parameters)
    if label is None:
        given = {key: value for key, value in bound.parameters.items() if key in entrant.parameters}
        label = entrant.default_label(bot.name, given)
    return PlayerSpec(label=label, bot=bot.text, parameters=bound.parameters), bound
