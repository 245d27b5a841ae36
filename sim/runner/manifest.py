"""The manifest of a run: what was played, with what, how far it is, and which files are its own.

A manifest is written whole, under a temporary name, and renamed: there is never half a one.
"""

import contextlib
import json
import os
import platform
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path, PurePosixPath
from typing import Any, Final, Protocol

from sim.engines.base import Game
from sim.errors import UsageError
from sim.runner.journal import FILES as JOURNAL_FILES
from sim.runner.parts import Partition
from sim.runner.spec import RunSpec

NAME: Final = "manifest.json"

CONFIRMATION: Final = "confirm"
"""Folder of the run that confirms a comparison on fresh deals, inside that of the comparison."""
FORMAT: Final = "sim.manifest/1"
FAULTS: Final = "faults.jsonl"
LOG: Final = "run.log"

DISTRIBUTION: Final = "bidsim"
VERSIONS_OF: Final = (DISTRIBUTION, "numpy", "numba", "pandas", "pyarrow")

OWN_FILES: Final = (NAME, LOG, FAULTS, *JOURNAL_FILES)
"""What the runner writes beside the parts; the analysis adds its files with `add_files`."""


class Bot(Protocol):
    """What a manifest tells of a strategy."""

    @property
    def sources(self) -> tuple[Path, ...]: ...

    @property
    def version(self) -> str: ...


class BoundBot(Protocol):
    """What a manifest asks of a strategy with its parameters."""

    @property
    def bot(self) -> Bot: ...

    @property
    def trusted(self) -> bool: ...


def now() -> str:
    """Give the time, as manifests hold it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def new_manifest(spec: RunSpec, game: Game, bound: Sequence[BoundBot]) -> dict[str, Any]:
    """Give the manifest of a run that is about to begin."""
    return {
        "format": FORMAT,
        "spec": spec.model_dump(mode="json"),
        "rules_version": game.rules_version,
        "versions": versions(),
        "machine": machine(),
        "strategies": strategies(spec, bound),
        "plugins": plugins(spec, bound),
        "files": [],
        "status": "running",
        "started": now(),
        "finished": None,
        "blocks": 0,
        "games": 0,
        "parts": [],
        "stopped_early": None,
        "given_up": [],
    }


def versions() -> dict[str, str]:
    """Give the versions that a result may depend on."""
    found = {"python": platform.python_version()}
    for name in VERSIONS_OF:
        with contextlib.suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


def machine() -> dict[str, Any]:
    """Say what the run was played on."""
    return {
        "system": f"{platform.system()} {platform.release()}",
        "processor": platform.machine(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None,
    }


def strategies(spec: RunSpec, bound: Iterable[BoundBot]) -> dict[str, str]:
    """Give the version of each player's strategy."""
    return {player.label: own.bot.version for player, own in zip(spec.players, bound, strict=True)}


def plugins(spec: RunSpec, bound: Iterable[BoundBot]) -> list[dict[str, Any]]:
    """Give the hashes of the sources of every strategy that does not ship with `sim`."""
    return [
        {
            "label": player.label,
            "bot": player.bot,
            "sources": {
                str(path): sha256(path.read_bytes()).hexdigest() for path in sorted(own.bot.sources)
            },
        }
        for player, own in zip(spec.players, bound, strict=True)
        if not own.trusted
    ]


def check_same(manifest: Mapping[str, Any], game: Game, bound: Sequence[BoundBot]) -> None:
    """Refuse to go on with a run that would now be played otherwise; say what differs."""
    spec = RunSpec.model_validate(manifest["spec"])
    if manifest["rules_version"] != game.rules_version:
        raise UsageError(
            f"the run was played by version {manifest['rules_version']} of the rules of "
            f"{game.name}, and these are version {game.rules_version}"
        )
    for label, now_version in strategies(spec, bound).items():
        if manifest["strategies"].get(label) != now_version:
            raise UsageError(
                f"player {label!r} was played by version {manifest['strategies'].get(label)} of "
                f"its strategy, and this is version {now_version}"
            )
    now_plugins = {plugin["label"]: plugin["sources"] for plugin in plugins(spec, bound)}
    for plugin in manifest["plugins"]:
        found = now_plugins.get(plugin["label"], {})
        for path, digest in plugin["sources"].items():
            if found.get(path) != digest:
                change = "has changed" if path in found else "is not used any more"
                raise UsageError(
                    f"player {plugin['label']!r} was played by another {path!r}: it {change} "
                    "since the run began"
                )
        for path in found.keys() - plugin["sources"].keys():
            raise UsageError(f"player {plugin['label']!r} did not use {path!r} when the run began")


def read(folder: Path) -> dict[str, Any]:
    """Read the manifest in `folder`; UsageError, with what is wrong, if there is none."""
    path = folder / NAME
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UsageError(f"{str(folder)!r} is no run: it has no {NAME}") from None
    except (OSError, ValueError) as error:
        raise UsageError(f"{str(path)!r} cannot be read: {error}") from None
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        found = manifest.get("format") if isinstance(manifest, dict) else manifest
        raise UsageError(f"{str(path)!r} is no manifest of this program: format {found!r}")
    return manifest


def write(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Write the manifest in `folder`."""
    write_whole(folder / NAME, [json.dumps(manifest, indent=1, ensure_ascii=False), "\n"])


def write_whole(path: Path, pieces: Iterable[str]) -> None:
    """Write a file under a temporary name, sync it and rename it."""
    temporary = path.with_name(path.name + ".tmp")
    with temporary.open("w", encoding="utf-8") as file:
        file.writelines(pieces)
        file.flush()
        os.fsync(file.fileno())
    temporary.rename(path)


def add_files(folder: Path, names: Iterable[str]) -> None:
    """Note that the run in `folder` has these files too: `--force` may remove them."""
    manifest = read(folder)
    files = dict.fromkeys([*manifest["files"], *map(checked_name, names)])
    if list(files) != manifest["files"]:
        manifest["files"] = list(files)
        write(folder, manifest)


def planned_files(partition: Partition) -> list[str]:
    """Name the files that the runner will write."""
    return [*OWN_FILES, *(partition.name(number) for number in range(partition.count))]


def checked_name(name: str) -> str:
    """Give `name` back; UsageError unless it is a plain relative path inside the run's folder.

    >>> checked_name("games/part-00000.parquet")
    'games/part-00000.parquet'
    >>> checked_name("../other.txt")
    Traceback (most recent call last):
    sim.errors.UsageError: the manifest names '../other.txt', which is not inside its folder
    """
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or not path.parts:
        raise UsageError(f"the manifest names {name!r}, which is not inside its folder")
    return name


def remove_run(folder: Path) -> None:
    """Remove what the manifest in `folder` names, the manifest last; other files stay."""
    names = [checked_name(name) for name in read(folder)["files"]]
    inside = folder / CONFIRMATION
    if (inside / NAME).exists():
        remove_run(inside)
        if not any(inside.iterdir()):
            inside.rmdir()
    own = [name for name in names if name != NAME]
    for name in own:
        for path in (folder / name, folder / f"{name}.tmp"):
            path.unlink(missing_ok=True)
    for inner in sorted({(folder / name).parent for name in own} - {folder}, reverse=True):
        if inner.is_dir() and not any(inner.iterdir()):
            inner.rmdir()
    (folder / NAME).unlink()
