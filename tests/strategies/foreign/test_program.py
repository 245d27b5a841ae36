"""Programs that speak the protocol: they play as in Python, and what they do wrong is a forfeit."""

import json
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from sim.engines.base import load_game
from sim.errors import UsageError
from sim.runner.arena import Arena
from sim.runner.entrants import read_entrant, read_table
from sim.runner.records import Chunk
from sim.runner.run import execute
from sim.runner.spec import Limits, PlayerSpec, RunSpec
from sim.runner.store import RunFolder
from sim.strategies.foreign.command import locate
from sim.strategies.foreign.pipes import say_goodbye
from sim.strategies.loading import load_bot

TALKER = Path(__file__).with_name("talker.py")
EXAMPLES = Path(__file__).parents[3] / "examples" / "foreign"

DEALS = 6


def spec(bot: str, *, game: str = "liars-dice", deals: int = DEALS, **limits: Any) -> RunSpec:
    """Give a run of `bot`, as player `x`, against the random strategy."""
    options = {"auction": "false"} if game == "dou-dizhu" else {"dice": "2"}
    rules = load_game(game).rules(load_game(game).default_seats, options)
    return RunSpec(
        game=game,
        rules=rules.options(),
        seats=rules.seats,
        deals=deals,
        seed=7,
        players=(PlayerSpec(label="a", bot="random"), PlayerSpec(label="x", bot=bot)),
        limits=Limits(**limits),
    )


def talker(misbehaviour: str, marker: Path) -> str:
    """Give the command of a talker."""
    return f"cmd:{shlex.join([sys.executable, str(TALKER), misbehaviour, str(marker)])}"


def play(bot: str, **options: Any) -> Chunk:
    """Play all blocks here."""
    arena = Arena(spec(bot, **options))
    return arena.play(0, arena.schedule.blocks)


@pytest.fixture(scope="module")
def well(tmp_path_factory: pytest.TempPathFactory) -> Chunk:
    """Give the games of a program that does nothing wrong."""
    chunk = play(talker("well", tmp_path_factory.mktemp("well") / "none"))
    assert chunk.faults == []
    return chunk


@pytest.mark.parametrize(
    ("misbehaviour", "category", "detail"),
    [
        ("dies", "crash", "its program ended with exit code 3"),
        ("killed", "crash", "its program ended with signal 9"),
        ("closes", "crash", "its program closed its standard output"),
        ("silent", "timeout", "thought longer than --move-timeout, which is 0.5 s"),
        ("garbage", "illegal", "answered 'garbage', which is no object"),
        ("list", "illegal", "answered '[1]', which is no object"),
        ("wrong-id", "illegal", "answered with id 0, but was asked with"),
        ("no-action", "illegal", "answered the action 'None', which is none"),
        ("bad-text", "illegal", "answered the action '3y4': '3y4' is no action"),
        ("illegal", "illegal", "action 1000 is not legal here"),
        ("huge", "illegal", "answered the action '1000"),
        ("long", "illegal", "wrote a line of more than 1048576 bytes"),
    ],
)
def test_what_a_program_does_wrong_forfeits_that_game_alone(
    tmp_path: Path, well: Chunk, misbehaviour: str, category: str, detail: str
) -> None:
    """One fault with its reason; all other games are as without it, in flight or to come."""
    limit = {"move_timeout": 0.5} if category == "timeout" else {}
    chunk = play(talker(misbehaviour, tmp_path / "done"), **limit)

    [fault] = chunk.faults
    assert (fault.player, fault.category) == ("x", category)
    assert detail in fault.detail
    assert fault.traceback == ""
    pairs = zip(chunk.results, well.results, strict=True)
    assert sum(one.tobytes() != other.tobytes() for one, other in pairs) == 1


def test_an_answer_too_many_is_found_at_the_next_request(tmp_path: Path) -> None:
    """It would be taken for the answer to another question."""
    chunk = play(talker("twice", tmp_path / "done"))

    [fault] = chunk.faults
    assert fault.category == "illegal"
    assert "without being asked" in fault.detail or "but was asked with" in fault.detail


def test_another_version_of_the_protocol_is_not_played(tmp_path: Path) -> None:
    """Each game is forfeited, and says why."""
    chunk = play(talker("version", tmp_path / "done"), deals=1)

    assert {fault.detail for fault in chunk.faults} == {"speaks protocol 99; this is protocol 1"}
    assert len(chunk.faults) == 2


def test_the_messages_are_those_of_the_protocol(tmp_path: Path) -> None:
    """Greeting first; each game begins with its seat, and every decision has a seed of its own."""
    record = tmp_path / "record"
    play(talker("records", record), deals=2)
    say_goodbye()
    messages = [json.loads(line) for line in record.read_text().splitlines()]

    hello, *rest, bye = messages
    assert bye == {"type": "bye"}
    assert hello["type"] == "hello"
    assert (hello["protocol"], hello["plays"], hello["rules"]["dice"]) == (1, "liars-dice", "2")
    acts = [message for message in rest if message["type"] == "act"]
    assert [message["id"] for message in acts] == list(range(2, len(acts) + 2))
    assert acts[0].keys() == {"type", "game", "view", "challenge", "bids", "seed", "id"}
    assert len({message["seed"] for message in acts}) > len(acts) / 2  # seats share a deal's stream
    by_game: dict[int, list[str]] = {}
    for message in rest:
        by_game.setdefault(message["game"], []).append(message["type"])
    assert sorted(by_game) == [1, 2, 3, 4]
    for kinds in by_game.values():
        assert (kinds[0], kinds[-1]) == ("game", "game_over")
        assert "round_over" in kinds


def test_noise_on_standard_error_harms_nothing_and_is_logged(tmp_path: Path) -> None:
    """300 KB a decision, read all the time and bounded; the number of workers changes no game."""
    results = []
    for jobs in (1, 2):
        folder = tmp_path / str(jobs)
        outcome = execute(spec(talker("noisy", tmp_path / "none")), out=folder, jobs=jobs)
        assert outcome.faults == {}
        results.append((folder / "games" / "part-00000.parquet").read_bytes())

    assert results[0] == results[1]
    assert "worker 0 printed: noise" in (tmp_path / "1" / "run.log").read_text()


def test_a_program_that_falls_silent_in_a_worker(tmp_path: Path) -> None:
    """The forfeit is of the right player and position; the worker plays on."""
    silent = spec(talker("silent", tmp_path / "done"), move_timeout=0.5)
    outcome = execute(silent, out=tmp_path / "run", jobs=1)

    assert outcome.faults == {"x": {"timeout": 1}}
    [fault] = RunFolder(tmp_path / "run").faults()
    assert fault["detail"] == "thought longer than --move-timeout, which is 0.5 s"
    assert fault["position"]


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_example_in_javascript_plays() -> None:
    """It plays to the end, with its option, in both forms of a game."""
    chunk = play(f"cmd:node {EXAMPLES / 'bot.js'} --bold 1")

    assert chunk.faults == []


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
@pytest.mark.parametrize("game", ["liars-dice", "dou-dizhu"])
def test_the_example_in_c_plays(tmp_path: Path, game: str) -> None:
    """It compiles without a warning, and plays to the end."""
    command = ["gcc", "-O1", "-Wall", "-Wextra", "-Werror", "-o", str(tmp_path / "bot")]
    subprocess.run([*command, str(EXAMPLES / "bot.c")], check=True)
    chunk = play(f"cmd:{tmp_path / 'bot'}", game=game)

    assert chunk.faults == []


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("", "names no program"),
        ("'open", "no closing quotation"),
        ("./absent", "there is no file './absent'"),
        ("absent-program", "there is no program 'absent-program' on the PATH"),
        ("talker.py", "for the file here write ./talker.py"),
        ("./talker.py", "not executable: run chmod +x on it"),
    ],
)
def test_a_command_that_cannot_be_run_is_refused(command: str, sentence: str) -> None:
    """Before anything is played, and the sentence says what would be right."""
    with pytest.raises(UsageError) as caught:
        locate(command, TALKER.parent)
    assert sentence in str(caught.value)


def test_files_of_a_command_are_made_absolute_and_are_its_sources(tmp_path: Path) -> None:
    """Relative to where it was written; colons, commas and equals signs are the program's own."""
    (tmp_path / "my bot.py").write_text("")
    written = f"fast=cmd:{sys.executable} 'my bot.py' --at a:b=1,2"
    entrant = read_entrant(written, flag="-p", base=tmp_path)
    table = read_table({"bot": entrant.bot}, where="players[1]", base=Path("/"))
    bot = load_bot(entrant.bot, "liars-dice")

    assert entrant.label == "fast"
    assert entrant.bot == f"cmd:{sys.executable} '{tmp_path}/my bot.py' --at a:b=1,2"
    assert table.bot == entrant.bot
    assert tmp_path / "my bot.py" in bot.sources
    assert (bot.name, bot.trusted) == ("my-bot", False)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux can end a process with its parent")
def test_no_program_outlives_a_worker_that_was_killed() -> None:
    """Not even one that reads nothing: it could not notice that its input ended."""
    code = (
        "from sim.strategies.foreign.pipes import Program; import time;"
        "print(Program(['sleep', '600'], '/')._process.pid, flush=True); time.sleep(600)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        program = int(parent.stdout.readline())
        assert Path(f"/proc/{program}").exists()
        parent.kill()

    for _ in range(1000):
        if not is_alive(program):
            return
        time.sleep(0.01)
    pytest.fail("it still runs")


def is_alive(pid: int) -> bool:
    """Tell whether a process runs; one that nobody has waited for yet does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
