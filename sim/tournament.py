"""A tournament from request to result: play it into a folder, then read the folder.

sim.run(spec) -----------> python -m sim run spec.json --out ...   (a fresh program)
sim.run(in_process=True) -> play -> execute -> report.write
sim run ... -------------->
"""

import contextlib
import logging
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sim.errors import PluginError, RunError, SimError, UsageError
from sim.runner.request import Given, Request, from_mapping, request, request_spec, resolve
from sim.runner.run import Outcome, execute
from sim.runner.spec import RunSpec

if TYPE_CHECKING:
    from sim.analysis.report import Result
    from sim.runner.early import Rule
    from sim.runner.nursery import Nursery
    from sim.runner.supervisor import Progress

SESSION: Final = "__main__"
"""The module of what is typed into a notebook or a script."""

ANALYSIS: Final = "sim.analysis.report"

STOP_S: Final = 15.0
"""How long a run may take to keep what it has when it is interrupted."""

ERRORS: Final[dict[int, type[SimError]]] = {2: UsageError, 4: PluginError}
"""Errors by the exit code of the fresh program; all others are RunError."""

Wanted = RunSpec | Mapping[str, object] | str | Path


def play(
    asked: Request,
    *,
    force: bool = False,
    chunk: int | None = None,
    progress: "Progress | None" = None,
    nursery: "Nursery | None" = None,
    log_to: Sequence[logging.Handler] = (),
) -> Outcome:
    """Play what was asked for into its folder."""
    early = _import_analysis_meanwhile() if nursery is not None else None
    try:
        return execute(
            asked.spec,
            out=asked.out,
            jobs=asked.jobs,
            in_process=asked.in_process,
            force=force,
            progress=progress,
            chunk=chunk,
            rule=stop_rule(asked.spec),
            bound=asked.bound,
            nursery=nursery,
            log_to=log_to,
        )
    finally:
        if early is not None:
            early.join()


def stop_rule(spec: RunSpec) -> "Rule | None":
    """Give the rule by which a run may end early; None if it has none."""
    if spec.stop is None:
        return None
    from sim.analysis.stopping import Sprt, rule_of

    stop, sprt = spec.stop, None
    if stop.lo is not None and stop.hi is not None:
        sprt = Sprt(lo=stop.lo, hi=stop.hi, alpha=stop.alpha, beta=stop.beta)
    return rule_of(
        labels=[player.label for player in spec.listed],
        planned=spec.deals,
        until_width=stop.until_width,
        pair=stop.pair,
        sprt=sprt,
    )


def _import_analysis_meanwhile() -> threading.Thread:
    """Import what the report needs while workers start; the nursery has been forked by now."""
    early = threading.Thread(target=import_module, args=(ANALYSIS,), daemon=True)
    early.start()
    return early


def confirm(folder: Path, best: int, *, jobs: int, in_process: bool = False) -> bool:
    """Play what confirms the comparison in `folder` on fresh deals; tell whether there is such.

    What has been played of it already stays; it is played anew if another setting is best now.
    """
    from sim.runner import manifest as manifests
    from sim.runner.comparison import confirmation
    from sim.runner.run import execute

    spec = RunSpec.model_validate(manifests.read(folder)["spec"])
    wanted = confirmation(spec, best)
    if wanted is None or spec.comparison is None or not spec.comparison.confirm:
        return False
    inside = folder / manifests.CONFIRMATION
    begun = (inside / manifests.NAME).exists()
    same = begun and RunSpec.model_validate(manifests.read(inside)["spec"]) == wanted
    if same and manifests.read(inside)["status"] == "done":
        return True
    if in_process:
        execute(wanted, out=inside, in_process=True, force=begun)
        return True
    with tempfile.TemporaryDirectory(prefix="sim-") as scratch:
        file = Path(scratch) / "spec.json"
        file.write_text(wanted.model_dump_json(), encoding="utf-8")
        words = [sys.executable, "-m", "sim"]
        if same:
            words += ["resume", str(inside), "-j", str(jobs), "--child-of", str(os.getpid())]
        else:
            words += ["run", str(file), "--out", str(inside), "-j", str(jobs)]
            words += ["--child-of", str(os.getpid()), *(["--force"] if begun else [])]
        code, said = _wait_for(words)
    if code not in (0, 1):
        text = said.removeprefix("sim: ").strip() or f"it ended with exit code {code}"
        raise ERRORS.get(code, RunError)(f"the confirmation on fresh deals: {text}")
    return True


def analyse(folder: Path) -> "Result":
    """Write the report of a stored run and give its result."""
    from sim.analysis import report

    return report.write(folder)


def run(
    spec: Wanted,
    *,
    out: Path | str | None = None,
    jobs: int | None = None,
    in_process: bool = False,
    force: bool = False,
) -> "Result":
    """Play a tournament and give its result; `sim.run` documents it."""
    asked = _ask(spec, out=out, jobs=jobs, in_process=in_process)
    if asked.in_process:
        if play(asked, force=force).status != "done":
            raise KeyboardInterrupt
        return analyse(asked.out)
    _refuse_session(asked.spec)
    return _play_elsewhere(asked, force=force)


def _ask(spec: Wanted, *, out: Path | str | None, jobs: int | None, in_process: bool) -> Request:
    """Resolve a spec of any form."""
    flags = {
        key: Given(where=key, value=value)
        for key, value in (
            ("out", str(out) if out is not None else None),
            ("jobs", jobs),
            ("in_process", True if in_process else None),
        )
        if value is not None
    }
    if isinstance(spec, RunSpec):
        return request_spec(spec, flags)
    if isinstance(spec, Mapping):
        named = {**spec, "players": [_named(player) for player in _listed(spec)]}
        given = from_mapping(named, shown="spec", base=Path.cwd())
        return resolve({**given, **flags})
    return request({key: item.value for key, item in flags.items()}, Path(spec))


def _listed(spec: Mapping[str, object]) -> Sequence[object]:
    players = spec.get("players", ())
    if isinstance(players, Sequence) and not isinstance(players, str):
        return players
    raise UsageError(f"spec: players must be a list of players, not {players!r}")


def _named(player: object) -> object:
    """Write a class or a compiled strategy as text; leave all else as it is."""
    if isinstance(player, Mapping) and "bot" in player:
        return {**player, "bot": _named(player["bot"])}
    function: Any = getattr(player, "function", player)
    if isinstance(player, str) or not hasattr(function, "__qualname__"):
        return player
    module, name = function.__module__, function.__qualname__
    if "<locals>" in name:
        raise UsageError(
            f"strategy {name!r} is defined inside a function, where it cannot be found by name:"
            " define it at the top level"
        )
    return f"{module}:{name}"


def _refuse_session(spec: RunSpec) -> None:
    """Refuse strategies that a fresh program could not import."""
    for player in spec.players:
        module, _, name = player.bot.partition(":")
        if module == SESSION:
            raise UsageError(
                f"strategy {name!r} is defined in this session, where a fresh program cannot find"
                " it: put it into a file, or call sim.run(..., in_process=True)"
            )


def _play_elsewhere(asked: Request, *, force: bool) -> "Result":
    """Let a fresh program play, whatever threads live here, and read what it stored."""
    with tempfile.TemporaryDirectory(prefix="sim-") as scratch:
        file = Path(scratch) / "spec.json"
        file.write_text(asked.spec.model_dump_json(), encoding="utf-8")
        words = [sys.executable, "-m", "sim", "run", str(file), "--out", str(asked.out)]
        words += ["-j", str(asked.jobs), "--child-of", str(os.getpid())]
        words += ["--force"] if force else []
        code, said = _wait_for(words)
    if code not in (0, 1):
        text = said.removeprefix("sim: ").strip() or f"the run ended with exit code {code}"
        raise ERRORS.get(code, RunError)(text)
    if said:
        print(said, end="", file=sys.stderr)
    return analyse(asked.out)


def _wait_for(words: list[str]) -> tuple[int, str]:
    """Run a program to its end; give its exit code and what it said on stderr.

    Ctrl-C is passed on once, so that the run keeps what it has; it then goes on here.
    """
    path = os.pathsep.join(path or str(Path.cwd()) for path in sys.path)
    process = subprocess.Popen(
        words,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
        start_new_session=True,  # Ctrl-C in a terminal would reach it twice
    )
    try:
        _, said = process.communicate()
    except KeyboardInterrupt:
        process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.communicate(timeout=STOP_S)
        raise
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
    return process.returncode, said
