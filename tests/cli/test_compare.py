"""`sim compare`: from words to a table, and the files it leaves."""

import csv
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sim.cli.main import app

WORDS = [
    "compare", "liars-dice", "aggressive", "--vary", "aggressiveness=0.25,0.5,1",
    "--against", "honest", "--against", "dudo", "--seats", "3", "--deals", "60", "--seed", "7",
    "--in-process",
]  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Play a small comparison."""
    out = tmp_path_factory.mktemp("compare") / "r"
    result = CliRunner().invoke(app, [*WORDS, "-q", "--out", str(out)])
    assert result.exit_code == 0, result.output
    assert "may be best" in result.stdout
    return out


def test_one_row_a_setting_with_the_promised_columns(folder: Path) -> None:
    """The varied parameter first, then figures, then behaviour."""
    with (folder / "compare.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))

    assert [float(row["aggressiveness"]) for row in rows] == [0.25, 0.5, 1.0]
    columns = (
        "win_rate win_rate_low win_rate_high band_low band_high score_mean score_low score_high "
        "diff_best p_holm p_max_t not_separable bids_per_round"
    )
    assert set(columns.split()) <= set(rows[0])
    for row in rows:
        assert float(row["band_low"]) <= float(row["win_rate_low"]) <= float(row["win_rate"])


def test_the_best_is_confirmed_on_fresh_deals_unless_it_is_the_default(folder: Path) -> None:
    """Deals from 2**40 on, in a folder of its own; the report says what came out."""
    with (folder / "compare.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    best = max(rows, key=lambda row: float(row["win_rate"]))
    text = (folder / "compare.md").read_text(encoding="utf-8")

    assert float(best["aggressiveness"]) != 0.5  # the default
    spec = json.loads((folder / "confirm" / "manifest.json").read_text(encoding="utf-8"))["spec"]
    assert spec["first_deal"] == 2**40
    assert "fresh deals" in text
    assert "sim compare liars-dice aggressive --vary aggressiveness=" in text


def test_report_makes_the_same_files_again_without_playing(folder: Path) -> None:
    """From the stored games alone."""
    before = {name: (folder / name).read_bytes() for name in ("compare.csv", "compare.md")}
    for name in before:
        (folder / name).unlink()

    result = CliRunner().invoke(app, ["report", str(folder), "-q"])

    assert result.exit_code == 0, result.output
    assert {name: (folder / name).read_bytes() for name in before} == before


def test_force_replaces_the_confirmation_too(folder: Path) -> None:
    """Without a confirmation the next comparison leaves none behind."""
    refused = CliRunner().invoke(app, [*WORDS, "--out", str(folder)])
    replaced = CliRunner().invoke(app, [*WORDS, "--no-confirm", "--force", "--out", str(folder)])

    assert refused.exit_code == 2
    assert "not empty" in refused.stderr
    assert replaced.exit_code == 0, replaced.output
    assert not (folder / "confirm").exists()


def test_dry_run_says_how_much_and_writes_nothing(tmp_path: Path) -> None:
    """Three settings with their table each."""
    out = tmp_path / "r"

    result = CliRunner().invoke(app, [*WORDS[:-1], "--dry-run", "--json", "--out", str(out)])

    assert json.loads(result.stdout)["line_ups"] == 3
    assert not out.exists()
