"""Run folders with the games of toy_runs.py, as the runner would have stored them."""

from dataclasses import dataclass
from importlib.metadata import EntryPoint
from pathlib import Path

import pandas as pd
import pytest

from sim.engines import base
from sim.runner import manifest
from sim.runner.parts import Part, Partition, write_part
from sim.runner.spec import PlayerSpec, RunSpec
from tests.analysis.toy_runs import CARDS, DICE, in_parts

GAMES = {"toy-dice": DICE, "toy-cards": CARDS}


def install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the made-up games be found by name, as if their package were installed."""
    points = {
        game.name: EntryPoint(game.name, f"tests.analysis.toy_runs:{variable}", "sim.games")
        for variable, game in {"DICE": DICE, "CARDS": CARDS}.items()
    }
    monkeypatch.setattr(base, "installed_games", lambda: points)


def spec_of(game: str, *, labels: list[str], seats: int, deals: int, **more: object) -> RunSpec:
    """Give a spec whose players are bots named as their labels."""
    players = tuple(PlayerSpec(label=label, bot=label) for label in labels)
    values = {"game": game, "seats": seats, "deals": deals, "seed": 7, "players": players}
    return RunSpec.model_validate(values | more)


@dataclass(frozen=True)
class Shipped:
    """What the manifest asks of a strategy: this one ships with the program."""

    sources: tuple[Path, ...] = ()
    version: str = "1"


@dataclass(frozen=True)
class Bound:
    """What the manifest asks of a strategy with its parameters."""

    trusted: bool = True
    bot: Shipped = Shipped()


def store(folder: Path, spec: RunSpec, games: pd.DataFrame, *, deals_per_part: int = 10) -> Path:
    """Write a finished run."""
    record = manifest.new_manifest(spec, GAMES[spec.game], [Bound() for _ in spec.players])
    folder.mkdir(parents=True)
    stop = 0
    for number, part in enumerate(in_parts(games, deals_per_part)):
        name = Partition.name(number)
        columns = {str(column): part[column].to_numpy() for column in part.columns}
        size, digest = write_part(folder / name, columns)
        first, stop = stop, stop + len(part[["deal", "line_up"]].drop_duplicates())
        whole = Part(name=name, first=first, stop=stop, games=len(part), size=size, sha256=digest)
        record["parts"].append(whole.to_json())
    record |= {"status": "done", "finished": manifest.now(), "games": len(games), "blocks": stop}
    manifest.write(folder, record)
    return folder
