"""The command that plays a run again: `sim run` with all that decides its bytes.

How it is played (`-j`) and where to (`--out`) do not, and are left out.
"""

import shlex
from collections.abc import Mapping
from typing import Final

from sim.engines.base import Game
from sim.runner.asked import option_text
from sim.runner.entrants import Entrant
from sim.runner.spec import FILL_LABEL, Comparison, Limits, PlayerSpec, RunSpec, StopRule, Value

FROM_MANIFEST: Final = "sim run manifest.json"


def command(spec: RunSpec, game: Game) -> str:
    """Write the command line; words that a shell would read otherwise are quoted.

    Rule options that the game has by default are left out: some contradict others when given. Where
    a label cannot be written on a command line the manifest has to be the source.
    """
    if spec.comparison is not None:
        return _compare(spec, spec.comparison, game)
    words = ["sim", "run", "--game", spec.game]
    for player in spec.players:
        text = player_text(player)
        if text is None:
            return FROM_MANIFEST
        words += ["--fill" if player.label == FILL_LABEL else "-p", text]
    words += _amount(spec, game)
    if spec.line_ups is not None:
        words += ["--line-ups", str(spec.line_ups)]
    if spec.mixed:
        words.append("--mixed")
    if spec.focus is not None:
        words += ["--focus", spec.focus]
    return shlex.join([*words, *_limits(spec.limits), *_stop(spec.stop)])


def _amount(spec: RunSpec, game: Game) -> list[str]:
    """Write seats, deals, seed and rules."""
    words = ["--seats", str(spec.seats), "--deals", str(spec.deals)]
    if spec.first_deal:
        words += ["--first-deal", str(spec.first_deal)]
    words += ["--seed", str(spec.seed)]
    defaults = {option.name: option.default for option in game.rule_options}
    for name, value in spec.rules.items():
        if value != defaults.get(name):
            words += ["--rule", f"{name}={value}"]
    return words


def _compare(spec: RunSpec, comparison: Comparison, game: Game) -> str:
    """Write the command of a comparison; the values of each varied parameter as a list."""
    settings = spec.listed
    fixed = {k: v for k, v in settings[0].parameters.items() if k not in comparison.varied}
    shown = ",".join(f"{key}={option_text(key, value)}" for key, value in fixed.items())
    words = ["sim", "compare", spec.game, f"{comparison.bot}:{shown}" if shown else comparison.bot]
    for name in comparison.varied:
        values = dict.fromkeys(option_text(name, player.parameters[name]) for player in settings)
        words += ["--vary", f"{name}={','.join(values)}"]
    for number in comparison.field:
        text = player_text(spec.players[number])
        if text is None:
            return FROM_MANIFEST
        words += ["--against", text]
    words += [] if comparison.field else ["--round-robin"]
    words += [*_amount(spec, game), *_limits(spec.limits), *_stop(spec.stop)]
    return shlex.join(words)


def player_text(player: PlayerSpec) -> str | None:
    """Write a player as `[label=]bot[:key=value,...]`; None if that form cannot hold its label.

    A label that the bot and its given parameters make by themselves stands for itself; with any
    other one every parameter is written out.

    >>> player_text(PlayerSpec(label="honest", bot="honest"))
    'honest'
    >>> player_text(PlayerSpec(label="bold", bot="aggressive", parameters={"aggressiveness": 0.8}))
    'bold=aggressive:aggressiveness=0.8'
    >>> player_text(PlayerSpec(label="x:a=1", bot="/bots/x.py", parameters={"a": 1, "b": 2}))
    '/bots/x.py:a=1'
    """
    label, every = player.label, player.parameters
    name, colon, given = label.partition(":")
    if colon:
        return f"{player.bot}:{given}" if _are_given(given, every) else None
    if "=" in label:
        return None
    stem = Entrant(where="", label=None, bot=player.bot).default_label(player.bot, {})
    stands_alone = label == FILL_LABEL or (label == stem and not every)
    front = "" if stands_alone else f"{name}="
    shown = ",".join(f"{key}={option_text(key, value)}" for key, value in every.items())
    return f"{front}{player.bot}:{shown}" if shown else f"{front}{player.bot}"


def _are_given(written: str, parameters: Mapping[str, Value]) -> bool:
    """Say whether `key=value,...` out of a label agrees with the parameters played."""
    for item in written.split(","):
        key, _, value = item.partition("=")
        if key not in parameters:
            return False
        played = option_text(key, parameters[key])
        if value != played and not _same_number(value, played):
            return False
    return True


def _same_number(one: str, other: str) -> bool:
    try:
        return float(one) == float(other)
    except ValueError:
        return False


def _stop(stop: StopRule | None) -> list[str]:
    """Write the rule by which the run may end early."""
    words: list[str] = []
    if stop is not None and stop.until_width is not None:
        words += ["--until-width", repr(stop.until_width)]
    if stop is not None and stop.pair is not None:
        numbers = {"lo": stop.lo, "hi": stop.hi, "alpha": stop.alpha, "beta": stop.beta}
        words += ["--sprt", ",".join([*stop.pair, *(f"{k}={v!r}" for k, v in numbers.items())])]
    return words


def _limits(limits: Limits) -> list[str]:
    """Write the limits that are not the usual ones."""
    words: list[str] = []
    for name, field in Limits.model_fields.items():
        value = getattr(limits, name)
        if value == field.default:
            continue
        flag = "--" + name.replace("_", "-")
        words += [flag] if value is True else [flag, "none" if value is None else str(value)]
    return words
