"""Players as people write them: `[label=]name[:key=value,...]`, and what they are called.

A label is recognised by `=` before the first `:`. After it comes the strategy:

    honest                              built in or installed
    aggressive:aggressiveness=0.8       with parameters
    ./my_bot.py                         a file; ./my_bot.py:Cautious names the class in it
    my_bots.careful:Cautious            a class or function of a package
    cmd:./mybot --fast                  a program of its own: all that follows belongs to it, so
                                        colons and commas too
    rlcard:doudizhu-rule-v1             an agent of RLCard; likewise openspiel: and douzero:
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from sim.errors import UsageError, unknown
from sim.runner import asked
from sim.runner.spec import FILL_LABEL, Value
from sim.strategies.foreign import is_foreign, locate_foreign

PROGRAM: Final = "cmd"
"""Before the first `:` it says that a command line follows, which has no parameters of ours."""

LABEL_LENGTH: Final = 100
"""Longest label: tables stay readable."""

TABLE_KEYS: Final = ("label", "bot", "parameters")
"""Keys of a player that is written as a table in TOML."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """A player as asked for; the strategy has not been looked up yet."""

    where: str
    """By what name the person knows it, e.g. `-p 'bold=aggressive'`."""
    label: str | None
    bot: str
    """Name, `package.module:Name` or absolute `file.py[:Name]`."""
    parameters: Mapping[str, Value] = field(default_factory=dict)

    @property
    def file(self) -> Path | None:
        """Give the file that holds the strategy, if it is one."""
        if not is_path(self.bot):
            return None
        head, mark, _ = self.bot.rpartition(".py:")
        return Path(f"{head}.py" if mark else self.bot)

    def default_label(self, name: str, given: Mapping[str, Value]) -> str:
        """Give the bot's name or the file's stem, with the given parameters after it.

        >>> Entrant(where="-p x", label=None, bot="x").default_label("x", {"a": 0.8, "b": True})
        'x:a=0.8,b=true'
        """
        stem = self.file.stem if self.file else name
        shown = ",".join(f"{key}={asked.option_text(key, given[key])}" for key in given)
        return f"{stem}:{shown}" if shown else stem


def is_path(bot: str) -> bool:
    """Say whether a strategy is written as a file.

    >>> [is_path(bot) for bot in ("honest", "my_bot.py", "./bots/a.py:B", "pkg.mod:B", "cmd:./x")]
    [False, True, True, False, False]
    """
    name = bot.partition(":")[0]
    return name != PROGRAM and (name.endswith(".py") or "/" in name)


def read_entrant(written: str, *, flag: str, base: Path) -> Entrant:
    """Read one player from text; a relative path counts from the folder `base`.

    >>> player = read_entrant("bold=aggressive:aggressiveness=0.8", flag="-p", base=Path("."))
    >>> player.label, player.bot, dict(player.parameters)
    ('bold', 'aggressive', {'aggressiveness': '0.8'})
    """
    where = f"{flag} {written!r}"
    label, rest = split_label(written)
    if label is not None:
        check_label(where, label)
    name, *pieces = rest.split(":")
    if not name.strip():
        raise UsageError(f"{where} names no strategy: write [label=]name[:key=value,...]")
    if name == PROGRAM:
        return Entrant(where=where, label=label, bot=locate(where, rest, base))
    parameters: dict[str, Value] = {}
    if pieces and "=" in pieces[-1]:
        parameters = read_parameters(where, pieces.pop())
    if len(pieces) > 1 or (pieces and not pieces[0].strip()):
        raise UsageError(f"{where} has a ':' too many: write [label=]name[:Class][:key=value,...]")
    bot = locate(where, ":".join([name, *pieces]), base)
    return Entrant(where=where, label=label, bot=bot, parameters=parameters)


def read_table(keys: Mapping[str, object], *, where: str, base: Path) -> Entrant:
    """Read one player from a TOML table with the keys `bot`, `label` and `parameters`."""
    for key in keys:
        if key not in TABLE_KEYS:
            raise UsageError(f"{where}: {unknown('key', key, TABLE_KEYS)}")
    if "bot" not in keys:
        raise UsageError(f'{where} names no strategy: write bot = "NAME"')
    label = asked.text(f"{where}.label", keys["label"]) if "label" in keys else None
    if label is not None:
        check_label(where, label)
    given = asked.table(f"{where}.parameters", keys.get("parameters", {}))
    parameters = {
        key: asked.parameter(f"{where}.parameters.{key}", value) for key, value in given.items()
    }
    bot = locate(where, asked.text(f"{where}.bot", keys["bot"]), base)
    return Entrant(where=where, label=label, bot=bot, parameters=parameters)


def split_label(written: str) -> tuple[str | None, str]:
    """Take the label off the front, if there is one.

    >>> split_label("bold=aggressive"), split_label("aggressive:aggressiveness=0.8")
    (('bold', 'aggressive'), (None, 'aggressive:aggressiveness=0.8'))
    """
    head = written.partition(":")[0]
    if "=" not in head:
        return None, written
    label, _, rest = written.partition("=")
    return label.strip(), rest


def read_parameters(where: str, written: str) -> dict[str, Value]:
    """Read `key=value,key=value`."""
    parameters: dict[str, Value] = {}
    for item in written.split(","):
        key, value = asked.key_value(f"{where}: parameter", item)
        if key in parameters:
            raise UsageError(f"{where} gives the parameter {key!r} twice")
        parameters[key] = value
    return parameters


def check_label(where: str, label: str) -> None:
    """Refuse a label that could not stand in a table, or that is reserved."""
    if not label.strip():
        raise UsageError(f"{where} has an empty label: write label=name, or name alone")
    if label != label.strip() or not label.isprintable():
        raise UsageError(f"{where}: the label {label!r} has spaces around it or does not print")
    if len(label) > LABEL_LENGTH:
        raise UsageError(f"{where}: the label {label!r} is longer than {LABEL_LENGTH} characters")
    if label == FILL_LABEL:
        raise UsageError(f"{where}: the label {FILL_LABEL!r} is reserved for the player of --fill")


def locate(where: str, bot: str, base: Path) -> str:
    """Make the path of a strategy absolute, counted from `base`; refuse one that is not there."""
    if is_foreign(bot):
        return locate_foreign(bot, base)
    if not is_path(bot):
        return bot
    name, colon, attribute = bot.partition(":")
    path = (base / Path(name).expanduser()).resolve()
    if path.is_dir():
        raise UsageError(f"{where}: {name!r} is a folder, not a Python file")
    if path.suffix != ".py":
        raise UsageError(f"{where}: {name!r} is no Python file (.py)")
    if not path.is_file():
        raise UsageError(f"{where}: there is no file {name!r}")
    return f"{path}{colon}{attribute}"
