"""Stored games as CSV."""

import csv
from pathlib import Path

import pytest

from sim.errors import UsageError
from sim.runner.exporting import export_csv
from sim.runner.request import request
from sim.runner.run import execute
from sim.runner.store import open_run


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Play a small run."""
    out = tmp_path_factory.mktemp("run") / "r"
    flags = {"game": "liars-dice", "players": ["random", "honest"], "deals": "5", "seed": "7"}
    asked = request({**flags, "in_process": True, "out": str(out)})
    execute(asked.spec, out=out, in_process=True, bound=asked.bound)
    return out


def test_every_game_is_a_row_with_its_players_by_label(folder: Path) -> None:
    """Ten games, and what the parts say of them."""
    with export_csv(folder).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))

    stored = next(open_run(folder).parts())
    assert len(rows) == 10
    assert {row["player_0"] for row in rows} == {"random", "honest"}
    assert [int(row["score_0"]) for row in rows] == stored["score_0"].tolist()
    assert list(rows[0]) == list(stored.columns)


def test_the_file_belongs_to_the_run(folder: Path) -> None:
    """`--force` may remove it: the manifest names it, once."""
    export_csv(folder)
    export_csv(folder)

    assert open_run(folder).manifest["files"].count("games.csv") == 1


def test_a_file_that_is_there_is_not_replaced(folder: Path, tmp_path: Path) -> None:
    """Another file must be new."""
    precious = tmp_path / "precious.csv"
    precious.write_text("mine", encoding="utf-8")

    with pytest.raises(UsageError, match="exists already"):
        export_csv(folder, precious)

    assert precious.read_text(encoding="utf-8") == "mine"
