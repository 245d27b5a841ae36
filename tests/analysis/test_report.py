"""The report: an honest first sentence, the command that repeats the run, the same bytes always."""

import json
import shlex
from pathlib import Path

import pandas as pd
import pytest

from sim.analysis.report import Result, write
from sim.runner import manifest
from sim.runner.spec import StopRule
from tests.analysis.toy_runs import cards, dice
from tests.analysis.toy_store import install, spec_of, store

TABLES = ["standings.csv", "pairwise.csv", "seats.csv", "faults.csv", "ratings.csv"]
FILES = [*TABLES, "report.md", "report.html"]
THREE = ["ann", "bob", "cid"]


@pytest.fixture(autouse=True)
def _games(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch)


def race(
    folder: Path,
    games: pd.DataFrame,
    *,
    labels: list[str] = THREE,
    seats: int = 3,
    deals_per_part: int = 10,
    plots: bool = False,
    **more: object,
) -> Result:
    """Store a race and report it."""
    deals = games["deal"].nunique()
    spec = spec_of("toy-dice", labels=labels, seats=seats, deals=deals, **more)
    return write(store(folder, spec, games, deals_per_part=deals_per_part), plots=plots)


def test_the_files_of_a_run(tmp_path: Path) -> None:
    """All files are written and noted in the manifest, so that --force may remove them."""
    race(tmp_path / "run", dice(deals=20))

    assert all((tmp_path / "run" / name).is_file() for name in FILES)
    assert set(FILES) <= set(manifest.read(tmp_path / "run")["files"])


def test_the_same_games_give_the_same_bytes(tmp_path: Path) -> None:
    """Folder, time and the sizes of parts leave no trace in any file."""
    games = dice(deals=30, strengths=[0, 0.3, 0.6])
    race(tmp_path / "a", games)
    race(tmp_path / "elsewhere" / "b", games, deals_per_part=4)

    for name in FILES:
        one, other = (tmp_path / "a" / name, tmp_path / "elsewhere" / "b" / name)
        assert one.read_bytes() == other.read_bytes()
    assert str(tmp_path) not in (tmp_path / "a" / "report.md").read_text()


def test_reporting_twice_changes_nothing(tmp_path: Path) -> None:
    """`sim report` on a reported run writes the same files again."""
    race(tmp_path / "run", dice(deals=12))
    before = {name: (tmp_path / "run" / name).read_bytes() for name in [*FILES, "manifest.json"]}
    write(tmp_path / "run", plots=False)

    assert before == {name: (tmp_path / "run" / name).read_bytes() for name in before}


def test_a_clear_winner_is_called_best(tmp_path: Path) -> None:
    """The first sentence names the best, with interval, baseline and what it rests on."""
    result = race(tmp_path / "run", dice(deals=150, strengths=[0, 0, 1.5]))
    lines = (tmp_path / "run" / "report.md").read_text().splitlines()

    assert lines[2] == result.verdict
    assert result.verdict.startswith("**cid** is the best of these 3 players: it won ")
    assert "equally good players: 33.3 %" in result.verdict
    assert "more than each of the 2 other players and beyond chance over 150 deals" in lines[2]


def test_who_cannot_be_told_apart_is_said(tmp_path: Path) -> None:
    """Two close leaders: no best player, and the third is behind."""
    games = dice(deals=150, strengths=[0, 1.5, 1.52], salted=True, seed=2)
    result = race(tmp_path / "run", games)

    assert result.verdict.startswith("No single best player: **")
    assert "cannot be told apart from it in 150 deals (difference " in result.verdict
    assert result.verdict.endswith("The remaining player is behind beyond chance.")
    text = (tmp_path / "run" / "report.md").read_text()
    assert text.count(" = |") == 2


def test_equal_bots_did_equally_well(tmp_path: Path) -> None:
    """Three labels of one bot share the first rank, and no winner is made up."""
    result = race(tmp_path / "run", dice(deals=40))

    assert result.verdict.startswith(
        "No single best player: **ann**, **bob** and **cid** did exactly equally well"
    )
    assert result.standings["rank"].tolist() == [1, 1, 1]


def test_one_deal_calls_nobody_better(tmp_path: Path) -> None:
    """D = 1: no order is claimed, and it is said why there are no intervals."""
    result = race(tmp_path / "run", dice(deals=1, strengths=[0, 0, 9]))
    text = (tmp_path / "run" / "report.md").read_text()

    assert "one deal says nothing about chance, so nobody is called better" in result.verdict
    assert "With fewer than two deals a mean of points has no interval" in text
    assert "nan" not in text


def test_one_entrant_with_fill_is_held_against_the_baseline(tmp_path: Path) -> None:
    """One player is judged by the fair share; the fill player is in no table of players."""
    games = dice(players=2, seats=3, deals=80, strengths=[1, 0], line_ups=[(0, 1, 1)])
    result = race(tmp_path / "run", games, labels=["ann", "fill"])
    text = (tmp_path / "run" / "report.md").read_text()

    assert result.verdict.startswith("**ann** won ")
    assert result.verdict.endswith("more than equally good players would.")
    assert "-p ann --fill fill" in text
    assert "`fill` only takes empty seats and is not ranked." in text
    assert result.standings["player"].tolist() == ["ann"]


def test_an_interrupted_run_is_reported_up_to_the_first_gap(tmp_path: Path) -> None:
    """What came in early beyond a gap is left out, and that the run is not complete is said."""
    games = dice(deals=40, strengths=[0, 0, 1])
    race(tmp_path / "run", games)
    record = manifest.read(tmp_path / "run")
    del record["parts"][2]
    manifest.write(tmp_path / "run", record | {"status": "interrupted"})
    result = write(tmp_path / "run", plots=False)

    assert result.standings["games"].tolist() == [120, 120, 120]
    assert "The run is not complete: 20 of 40 deals." in (
        (tmp_path / "run" / "report.md").read_text()
    )


def test_a_run_without_a_finished_deal_is_reported(tmp_path: Path) -> None:
    """Nothing stored yet: a sentence, empty tables, no crash."""
    race(tmp_path / "run", dice(deals=5))
    record = manifest.read(tmp_path / "run")
    manifest.write(tmp_path / "run", record | {"parts": [], "status": "interrupted"})
    result = write(tmp_path / "run", plots=False)

    assert result.verdict == "No deal has been finished yet: there is nothing to compare."
    assert result.standings["games"].tolist() == [0, 0, 0]


def test_forfeits_and_players_given_up_are_told(tmp_path: Path) -> None:
    """Forfeits by category, at the top in a sentence, and what time-outs mean."""
    games = dice(deals=20)
    games.loc[3, "fault_1"] = 3
    games.loc[8, "fault_0"] = 1
    race(tmp_path / "run", games)
    record = manifest.read(tmp_path / "run")
    manifest.write(tmp_path / "run", record | {"given_up": ["bob"]})
    write(tmp_path / "run", plots=False)
    text = (tmp_path / "run" / "report.md").read_text()

    assert "2 forfeits happened: see Forfeits. bob was given up: see Forfeits." in text
    assert "A time-out depends on the machine" in text
    assert "**bob** had to be stopped so often" in text


def test_the_card_game_has_its_own_sections(tmp_path: Path) -> None:
    """Roles, points with heavy tails, distributions of category counters, void games."""
    spec = spec_of("toy-cards", labels=THREE, seats=3, deals=60)
    result = write(store(tmp_path / "run", spec, cards(deals=60)), plots=False)
    text = (tmp_path / "run" / "report.md").read_text()

    assert "points a game" in result.verdict
    for expected in (
        "## By role",
        "points as landlord",
        "mean, games clipped at +-12",
        "The top 1 % of the games moved",
        "| final bid | games | share |",
        "| none | ",
        "had no result: 0 points for all",
        "Games without a result: ",
    ):
        assert expected in text


def test_different_opponents_are_said(tmp_path: Path) -> None:
    """In a gauntlet not every two players meet: the figures are against different opponents."""
    games = dice(players=3, seats=2, deals=30, line_ups=[(0, 1), (0, 2)])
    race(tmp_path / "run", games, seats=2, focus="ann")
    text = (tmp_path / "run" / "report.md").read_text()

    assert "these figures are against different opponents" in text
    assert "--focus ann" in text


def test_a_gauntlet_is_about_the_player_in_focus(tmp_path: Path) -> None:
    """Its figures are against all, those of the others against it: nobody is called best."""
    labels = ["ann", "bob", "cid", "dan"]
    games = dice(
        players=4,
        seats=2,
        deals=100,
        strengths=[1, 0, 1, 2.5],
        line_ups=[(0, 1), (0, 2), (0, 3)],
    )
    result = race(tmp_path / "run", games, labels=labels, seats=2, focus="ann")
    text = (tmp_path / "run" / "report.md").read_text()

    assert result.verdict.startswith("**ann** won ")
    assert (
        "One against one it is ahead of **bob**, behind **dan** and not separable from **cid** "
        "(how often it finishes ahead, over 100 deals, corrected for 3 opponents)."
    ) in result.verdict
    assert "Distance from the best" not in text


def test_labels_cannot_break_the_tables(tmp_path: Path) -> None:
    """Bars, stars and quotes in a label stay text, in Markdown, CSV and JSON."""
    labels = ["a|b", "*c*", 'd"e']
    result = race(tmp_path / "run", dice(deals=20, strengths=[0, 0.5, 1]), labels=labels)
    text = (tmp_path / "run" / "report.md").read_text()
    rows = [line for line in text.splitlines() if line.startswith("| 3 |")]

    assert len(rows) == 1
    assert rows[0].replace("\\|", "").count("|") == 10
    back = pd.read_csv(tmp_path / "run" / "standings.csv")
    assert set(back["player"]) == set(labels)
    assert json.loads(result.to_json())["standings"][0]["player"] == result.standings["player"][0]


def test_json_has_null_where_there_is_no_figure(tmp_path: Path) -> None:
    """The JSON document is strict: no NaN, and the spec that made the run."""
    result = race(tmp_path / "run", dice(deals=1))
    document = json.loads(result.to_json())

    assert document["format"] == "sim.result/1"
    assert document["standings"][0]["score_low"] is None
    assert document["spec"]["seed"] == 7
    assert "NaN" not in result.to_json()


def test_the_command_has_what_decides_the_bytes(tmp_path: Path) -> None:
    """Game, players, seats, deals and seed; not -j, not --out."""
    race(tmp_path / "run", dice(deals=12))
    text = (tmp_path / "run" / "report.md").read_text()
    command = next(line for line in text.splitlines() if line.startswith("sim run"))

    assert shlex.split(command) == (
        "sim run --game toy-dice -p ann -p bob -p cid --seats 3 --deals 12 --seed 7".split()  # noqa: SIM905
    )


def test_a_run_stopped_early_says_so_and_has_wider_intervals(tmp_path: Path) -> None:
    """Intervals are confidence sequences, and the report names them."""
    games = dice(deals=60, strengths=[0, 0, 0.5])
    fixed = race(tmp_path / "a", games)
    planned = spec_of("toy-dice", labels=THREE, seats=3, deals=500)
    spec = planned.model_copy(update={"stop": StopRule(until_width=0.3)})
    folder = store(tmp_path / "b", spec, games)
    stopped = {"reason": "every interval is at most 0.3 wide", "blocks": 60}
    manifest.write(folder, manifest.read(folder) | {"stopped_early": stopped})
    early = write(folder, plots=False)
    text = (folder / "report.md").read_text()

    assert (early.standings["win_rate"] == fixed.standings["win_rate"]).all()
    assert (early.standings["win_rate_high"] > fixed.standings["win_rate_high"]).all()
    assert "The run stopped early (every interval is at most 0.3 wide), after 60 of at most" in text
    assert "confidence sequences" in text


def test_circles_and_nash_averages_are_shown(tmp_path: Path) -> None:
    """Ratings beside a check for circles; Nash averaging where it is asked for."""
    spec = spec_of("toy-dice", labels=THREE, seats=3, deals=40)
    folder = store(tmp_path / "run", spec, dice(deals=40, strengths=[0, 0.5, 1]))
    write(folder, plots=False, nash=True)
    text = (folder / "report.md").read_text()

    assert "## Ratings" in text
    assert "| seat 2 | " in text
    assert "No three players beat each other in a circle beyond chance." in text
    assert "## Nash averaging" in text
    assert "## Likelihood of superiority" in text


def test_the_page_needs_nothing_from_elsewhere(tmp_path: Path) -> None:
    """report.html holds its pictures, and no label becomes markup."""
    labels = ["<script>alert(1)</script>", "b&b", "c"]
    games = dice(deals=20, strengths=[0, 0.5, 1])
    race(tmp_path / "run", games, labels=labels, plots=True)
    page = (tmp_path / "run" / "report.html").read_text()

    assert page.count('src="data:image/svg+xml;base64,') == 4
    assert page.count("src=") == 4
    assert "<script" not in page
    assert "http" not in page


def test_plots_are_written_linked_and_the_same_each_time(tmp_path: Path) -> None:
    """SVG and PNG of every plot, the same bytes twice, and a link to each in the report."""
    games = dice(deals=20, strengths=[0, 0.5, 1])
    race(tmp_path / "a", games, plots=True)
    race(tmp_path / "b", games, plots=True)
    text = (tmp_path / "a" / "report.md").read_text()

    for name in ("standings", "pairwise", "seats", "scores"):
        assert f"](plots/{name}.svg)" in text
        for kind in ("svg", "png"):
            path = f"plots/{name}.{kind}"
            assert (tmp_path / "a" / path).read_bytes() == (tmp_path / "b" / path).read_bytes()
            assert path in manifest.read(tmp_path / "a")["files"]
