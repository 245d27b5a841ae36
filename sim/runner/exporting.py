"""Stored games as CSV, part by part: never all games at once."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from sim.errors import UsageError
from sim.runner.manifest import add_files, write_whole
from sim.runner.store import RunFolder, open_run

GAMES_CSV: Final = "games.csv"


def csv_pieces(run: RunFolder) -> Iterator[str]:
    """Give the games of a run as CSV, a header first; players by their labels."""
    labels = dict(enumerate(player.label for player in run.spec.players))
    first = True
    for frame in run.parts():
        for name in [name for name in frame.columns if name.startswith("player_")]:
            frame[name] = frame[name].map(labels)
        yield frame.to_csv(index=False, header=first, lineterminator="\n")
        first = False


def export_csv(folder: Path, out: Path | None = None) -> Path:
    """Write the games of the run in `folder` as CSV; give the file.

    Without `out` it is `games.csv` of the run, one of its own files; another file must be new.
    """
    run = open_run(folder)
    if not run.manifest["parts"]:
        raise UsageError(f"the run in {str(folder)!r} has no stored games yet")
    if out is None:
        out = folder / GAMES_CSV
        add_files(folder, [GAMES_CSV])
    elif out.exists():
        raise UsageError(f"{str(out)!r} exists already: name another file with --out")
    try:
        write_whole(out, csv_pieces(run))
    except OSError as error:
        raise UsageError(f"cannot write to {str(out)!r}: {error.strerror}") from None
    return out
