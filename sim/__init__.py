"""Tournaments of bidding-game bots: which strategy is better, and how sure is that?"""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sim.analysis.report import Result
    from sim.runner.spec import RunSpec

__all__ = ["__version__", "run"]

__version__: str


def run(
    spec: "RunSpec | Mapping[str, object] | str | Path",
    *,
    out: Path | str | None = None,
    jobs: int | None = None,
    in_process: bool = False,
    force: bool = False,
) -> "Result":
    """Play a tournament and give its result, as `sim run` does.

    `spec` is a tournament file (its path), or a mapping with the same keys; players may then be
    classes, too. The run is stored in `out` (default: `reports/<game>-<date>-<time>`).

    A fresh program plays it with `jobs` worker processes (default: one a processor), so that it
    works in a notebook. With `in_process=True` it is played here: `print` and `pdb` in a strategy
    work, and so do classes that were defined in a notebook's cell.

    >>> from tempfile import TemporaryDirectory
    >>> spec = {"game": "liars-dice", "players": ["random", "honest"], "deals": 50, "seed": 7}
    >>> with TemporaryDirectory() as folder:
    ...     result = run(spec, in_process=True, out=folder)
    >>> list(result.standings["player"])
    ['honest', 'random']
    """
    from sim import tournament

    return tournament.run(spec, out=out, jobs=jobs, in_process=in_process, force=force)


def __getattr__(name: str) -> Any:
    """Read the version when it is asked for: `import sim` stays light."""
    if name == "__version__":
        from importlib.metadata import version

        return version("bidsim")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
