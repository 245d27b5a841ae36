"""`sim run` from words to files, and `sim.run` from Python."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

import sim
from sim.cli.main import app
from sim.errors import PluginError, UsageError

WORDS = ["run", "--game", "liars-dice", "-p", "random", "-p", "honest", "--seed", "7"]
SHORT = [*WORDS, "--deals", "20", "--in-process"]

CRASHER = """
class Crasher:
    game = "liars-dice"

    def act(self, view):
        raise ZeroDivisionError("oops")
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def spec_in(folder: Path) -> dict[str, object]:
    """The spec that a run has stored."""
    spec: dict[str, object] = json.loads((folder / "manifest.json").read_text())["spec"]
    return spec


def test_the_plan_is_said_before_anything_is_played(folder: Path) -> None:
    """`--dry-run` stops after the plan; nothing is written."""
    words = [*WORDS, "-p", "dudo", "-p", "threshold", "--seats", "3", "--deals", "50"]

    result = CliRunner().invoke(app, [*words, "--dry-run"])

    assert result.exit_code == 0
    assert result.stdout == "4 line-ups x 50 deals x 6 seatings = 1200 games\nseed 7\n"
    assert not list(folder.iterdir())


def test_the_plan_for_programs(folder: Path) -> None:
    """`--dry-run --json` gives the same and the resolved spec."""
    result = CliRunner().invoke(app, [*WORDS, "--line-ups", "1", "--dry-run", "--json"])

    plan = json.loads(result.stdout)
    assert (plan["schema"], plan["games"], plan["seed"]) == ("sim.plan/1", 2000, 7)
    assert [player["label"] for player in plan["spec"]["players"]] == ["honest", "random"]


def test_a_drawn_seed_is_said_and_plays_the_run_again(folder: Path) -> None:
    """Without --seed one is drawn: printed, even with -q, and stored."""
    words = [*SHORT[:-4], "--deals", "5", "--in-process", "-q"]
    words = [word for word in words if word not in ("--seed", "7")]

    result = CliRunner().invoke(app, [*words, "--out", "a"])

    seed = spec_in(folder / "a")["seed"]
    assert f"seed {seed};" in result.stdout
    CliRunner().invoke(app, [*words, "--out", "b", "--seed", str(seed)])
    assert (folder / "a/standings.csv").read_bytes() == (folder / "b/standings.csv").read_bytes()


def test_the_result_is_a_table_and_names_the_report(folder: Path) -> None:
    """People get the verdict, the standings, the seed and where the report is."""
    result = CliRunner().invoke(app, [*SHORT, "--out", "first"])

    lines = result.stdout.splitlines()
    assert result.exit_code == 0
    assert lines[:2] == [
        "1 line-up x 20 deals x 2 seatings = 40 games",
        "seed 7, in this process, into first",
    ]
    assert lines[3].startswith("honest is the best of these 2 players")
    assert lines[5].split()[:3] == ["rank", "player", "games"]
    assert lines[7].split()[:3] == ["1", "honest", "40"]
    assert lines[-1] == "seed 7; the whole report: first/report.md"
    assert result.stderr == ""
    assert "honest" in (folder / "first/report.md").read_text()


def test_the_result_is_one_json_document(folder: Path) -> None:
    """With --json stdout holds the result alone; the plan goes to stderr."""
    result = CliRunner().invoke(app, [*SHORT, "--json", "--out", "first"])

    document = json.loads(result.stdout)
    assert document["schema"] == "sim.result/1"
    assert [row["player"] for row in document["standings"]] == ["honest", "random"]
    assert "1 line-up x 20 deals x 2 seatings = 40 games" in result.stderr


def test_the_default_folder_is_named_by_game_and_time(folder: Path) -> None:
    """Without --out a run goes to reports/<game>-<date>-<time>."""
    result = CliRunner().invoke(app, [*SHORT, "-q"])

    [made] = (folder / "reports").iterdir()
    assert result.exit_code == 0
    assert made.name.startswith("liars-dice-20")
    assert (made / "report.md").exists()


def test_force_replaces_a_run_and_leaves_other_files(folder: Path) -> None:
    """A folder in use is refused; --force removes only what its own manifest names."""
    CliRunner().invoke(app, [*SHORT, "-q", "--out", "a"])
    (folder / "a/notes.txt").write_text("mine")

    refused = CliRunner().invoke(app, [*SHORT, "-q", "--out", "a"])
    forced = CliRunner().invoke(app, [*SHORT, "-q", "--out", "a", "--force", "--seed", "8"])

    assert (refused.exit_code, forced.exit_code) == (2, 0)
    assert "'a' is not empty" in refused.stderr
    assert spec_in(folder / "a")["seed"] == 8
    assert (folder / "a/notes.txt").read_text() == "mine"


def test_a_file_says_the_same_as_flags_and_flags_beat_it(folder: Path) -> None:
    """The same fields, paths relative to the file, rules merged one by one."""
    inner = folder / "inner"
    inner.mkdir()
    (inner / "crasher.py").write_text(CRASHER)
    (inner / "t.toml").write_text(
        'game = "liars-dice"\nseats = 3\ndeals = 9\nseed = 5\nin_process = true\njobs = 2\n'
        'players = ["x=./crasher.py", "random", {bot = "aggressive", label = "bold",'
        " parameters = {aggressiveness = 1}}]\n"
        '[rules]\nones_rank = "high"\ndice = 2\n'
    )
    words = ["run", "inner/t.toml", "--deals", "8", "--rule", "dice=3", "-j", "1"]

    result = CliRunner().invoke(app, [*words, "--dry-run", "--json"])

    spec = json.loads(result.stdout)["spec"]
    assert (spec["seats"], spec["deals"], spec["seed"]) == (3, 8, 5)
    assert (spec["rules"]["ones_rank"], spec["rules"]["dice"]) == ("high", "3")
    assert [(player["label"], player["bot"]) for player in spec["players"]] == [
        ("bold", "aggressive"),
        ("random", "random"),
        ("x", f"{inner.resolve()}/crasher.py:Crasher"),
    ]
    assert spec["players"][0]["parameters"] == {"aggressiveness": 1.0}


def test_players_of_flags_replace_those_of_the_file(folder: Path) -> None:
    """A field is taken whole from one place."""
    (folder / "t.toml").write_text('game = "liars-dice"\nplayers = ["random", "honest"]\n')

    result = CliRunner().invoke(
        app, ["run", "t.toml", "-p", "dudo", "-p", "random", "--dry-run", "--json"]
    )

    spec = json.loads(result.stdout)["spec"]
    assert [player["label"] for player in spec["players"]] == ["dudo", "random"]


def test_the_order_of_players_changes_nothing(folder: Path) -> None:
    """Players are put in canonical order before anything is made of them."""
    players = ["-p", "random", "-p", "honest", "-p", "aggressive:aggressiveness=0.80"]
    front = ["run", "--game", "liars-dice", "--seed", "1", "--dry-run", "--json"]

    one = CliRunner().invoke(app, [*front, *players])
    other = CliRunner().invoke(app, [*front, *players[4:], *players[:4]])

    assert one.stdout == other.stdout
    assert '"aggressive:aggressiveness=0.8"' in one.stdout


def test_fill_takes_the_empty_seats_and_is_not_listed(folder: Path) -> None:
    """One entrant with --fill is fine; the fill player is in the manifest alone."""
    words = ["run", "--game", "liars-dice", "-p", "honest", "--fill", "random", "--seats", "3"]
    words += ["--deals", "10", "--seed", "1", "--in-process", "-q", "--json", "--out", "a"]

    result = CliRunner().invoke(app, words)

    players = spec_in(folder / "a")["players"]
    assert isinstance(players, list)
    assert [player["label"] for player in players] == ["honest", "fill"]
    assert [row["player"] for row in json.loads(result.stdout)["standings"]] == ["honest"]


def test_a_manifest_plays_its_run_again(folder: Path) -> None:
    """What a run has stored is enough to repeat it."""
    CliRunner().invoke(app, [*SHORT, "-q", "--out", "a"])

    again = CliRunner().invoke(app, ["run", "a/manifest.json", "--in-process", "-q", "--out", "b"])
    refused = CliRunner().invoke(app, ["run", "a/manifest.json", "--deals", "3", "--out", "c"])

    assert again.exit_code == 0
    assert (folder / "a/standings.csv").read_bytes() == (folder / "b/standings.csv").read_bytes()
    assert refused.exit_code == 2
    assert "a/manifest.json is a resolved spec and decides --deals itself" in refused.stderr


def test_a_bot_that_crashes_forfeits_and_is_announced(folder: Path) -> None:
    """A forfeit never stops the run; stderr says whose it was."""
    (folder / "crasher.py").write_text(CRASHER)

    result = CliRunner().invoke(
        app, [*SHORT, "-q", "--deals", "5", "-p", "crasher.py", "--seats", "3", "--out", "a"]
    )

    assert result.exit_code == 0
    assert result.stderr == "sim: warning: 'crasher' forfeited 30 times (30 exception)\n"
    assert len((folder / "a/faults.jsonl").read_text().splitlines()) == 30


def test_a_plugin_that_does_not_load_is_exit_4_with_its_own_lines(folder: Path) -> None:
    """Its author sees where it failed, and none of our lines; nothing is written."""
    (folder / "broken.py").write_text("import math\n\nLIMIT = math.no_such_thing\n")

    result = CliRunner().invoke(app, [*SHORT, "-p", "broken.py", "--out", "a"])

    assert result.exit_code == 4
    assert result.stderr.startswith("sim: broken.py does not load: ")
    assert "LIMIT = math.no_such_thing" in result.stderr
    assert "sim/strategies" not in result.stderr
    assert not (folder / "a").exists()


def test_workers_store_the_same_as_one_process(folder: Path) -> None:
    """What a run stores does not depend on how it was played."""
    here = CliRunner().invoke(app, [*SHORT, "-q", "--out", "a"])
    words = [*WORDS, "--deals", "20", "-q", "-j", "2", "--chunk", "3", "--out", "b"]
    there = subprocess.run(
        [sys.executable, "-m", "sim", *words], capture_output=True, text=True, check=False
    )

    assert (here.exit_code, there.returncode, there.stderr) == (0, 0, "")
    for name in ("standings.csv", "pairwise.csv", "seats.csv", "faults.csv", "report.md"):
        assert (folder / "a" / name).read_bytes() == (folder / "b" / name).read_bytes(), name


def test_verbose_prints_the_log_on_stderr(folder: Path) -> None:
    """-v shows what goes to run.log; stdout stays the result's."""
    result = CliRunner().invoke(app, [*SHORT, "-v", "--out", "a"])

    assert result.exit_code == 0
    assert "INFO" in result.stderr
    assert "INFO" not in result.stdout


def test_ctrl_c_keeps_what_was_finished_and_resume_goes_on(folder: Path) -> None:
    """One Ctrl-C ends a run soon, with exit code 130; `sim resume` makes it what it was to be."""
    deals = 400_000
    words = [*WORDS, "--deals", str(deals), "-j", "1", "--out", "a"]
    process = subprocess.Popen(
        [sys.executable, "-m", "sim", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 300
    log = folder / "a/run.log"
    while time.monotonic() < deadline and not (log.exists() and "worker 0" in log.read_text()):
        time.sleep(0.05)
    time.sleep(0.5)

    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)

    assert process.returncode == 130
    assert said == ("sim: interrupted; every finished block is kept, go on with: sim resume a\n")
    assert json.loads((folder / "a/manifest.json").read_text())["status"] == "interrupted"

    resumed = subprocess.run(
        [sys.executable, "-m", "sim", "resume", "a", "-q"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (resumed.returncode, resumed.stderr) == (0, "")
    manifest = json.loads((folder / "a/manifest.json").read_text())
    assert (manifest["status"], manifest["games"]) == ("done", 2 * deals)


def test_a_run_can_be_extended_and_reported_again(folder: Path) -> None:
    """`sim resume --deals` makes a longer run of it; `sim report` writes the same files again."""
    CliRunner().invoke(app, [*SHORT, "-q", "--out", "long", "--deals", "30"])
    CliRunner().invoke(app, [*SHORT, "-q", "--out", "short"])
    (folder / "long/report.md").unlink()

    resumed = CliRunner().invoke(app, ["resume", "short", "--deals", "30", "-j", "1", "-q"])
    reported = CliRunner().invoke(app, ["report", "long", "--json"])

    assert (resumed.exit_code, reported.exit_code) == (0, 0)
    assert json.loads(reported.stdout)["schema"] == "sim.result/1"
    for name in ("standings.csv", "pairwise.csv", "report.md"):
        assert (folder / "long" / name).read_bytes() == (folder / "short" / name).read_bytes()


def test_limits_are_stored(folder: Path) -> None:
    """Flags and keys of limits end in the spec; `none` is no limit."""
    (folder / "t.toml").write_text(
        'game = "liars-dice"\nplayers = ["random", "honest"]\n'
        'move_timeout = 2\nmax_memory = "1G"\nmax_faults = 5\n'
    )
    words = ["run", "t.toml", "--move-timeout", "none", "--game-timeout", "1.5", "--strict"]

    result = CliRunner().invoke(app, [*words, "--dry-run", "--json"])

    assert json.loads(result.stdout)["spec"]["limits"] == {
        "move_timeout": None,
        "game_timeout": 1.5,
        "max_memory": 1 << 30,
        "max_faults": 5,
        "strict": True,
    }


@pytest.mark.parametrize("in_process", [True, False])
def test_from_python(folder: Path, in_process: bool) -> None:
    """`sim.run` gives the result, whether played here or by a fresh program."""
    spec = {"game": "liars-dice", "players": ["random", "honest"], "deals": 20, "seed": 7}

    result = sim.run(spec, in_process=in_process, out="a")

    assert list(result.standings["player"]) == ["honest", "random"]
    assert result.folder == Path("a")
    assert (folder / "a/report.md").exists()


def test_from_python_with_a_tournament_file(folder: Path) -> None:
    """A path is a tournament file, as on the command line."""
    (folder / "t.toml").write_text(
        'game = "liars-dice"\nplayers = ["random", "honest"]\ndeals = 10\nseed = 1\n'
    )

    result = sim.run("t.toml", in_process=True, out=folder / "a")

    assert int(result.standings["games"].iloc[0]) == 20


class Timid:
    """Challenge whatever was bid; open with one two."""

    game = "liars-dice"

    def act(self, view: object) -> int:
        """Challenge if that is possible."""
        return -1 if getattr(view, "bids_made", 0) else 1


def test_from_python_with_a_class(folder: Path) -> None:
    """A class may stand where a name stands, alone or in a table."""
    table = {"label": "two", "bot": Timid}
    spec = {"game": "liars-dice", "players": ["random", Timid, table], "deals": 5, "seed": 1}

    result = sim.run(spec, in_process=True, out="a")

    assert sorted(result.standings["player"]) == ["random", "timid", "two"]


def test_a_class_of_the_session_needs_in_process(folder: Path) -> None:
    """A fresh program cannot import what was typed into this one; the error says what to do."""
    program = (
        "import sim\n"
        "class Mine:\n"
        "    game = 'liars-dice'\n"
        "    def act(self, view):\n"
        "        return -1 if view.bids_made else 0\n"
        "spec = {'game': 'liars-dice', 'players': ['random', Mine], 'deals': 5, 'seed': 1}\n"
        "print(len(sim.run(spec, in_process=True, out='a').standings))\n"
        "try:\n    sim.run(spec, out='b')\nexcept Exception as error:\n    print(error)\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )

    assert done.stderr == ""
    assert done.stdout.splitlines()[0] == "2"
    assert "sim.run(..., in_process=True)" in done.stdout.splitlines()[1]


def test_errors_of_the_fresh_program_are_errors_here(folder: Path) -> None:
    """`sim.run` raises what the command line says."""
    spec = {"game": "liars-dice", "players": ["random", "honest"], "deals": 5}
    (folder / "full").mkdir()
    (folder / "full/file").touch()
    (folder / "broken.py").write_text("1 / 0\n")

    with pytest.raises(UsageError, match="'full' is not empty"):
        sim.run(spec, out="full")
    with pytest.raises(PluginError, match=r"broken\.py does not load"):
        sim.run({**spec, "players": ["random", "broken.py"]}, out="a")
    with pytest.raises(UsageError, match="spec: unknown key 'dels': did you mean 'deals'"):
        sim.run({**spec, "dels": 5}, out="a")
    assert sorted(os.listdir(folder)) == ["broken.py", "full"]  # noqa: PTH208
