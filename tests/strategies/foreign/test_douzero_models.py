"""Networks in DouZero's form: features as its own code makes them, shapes, and legal play."""

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sim.engines.base import load_game
from sim.engines.dou_dizhu.notation import parse_cards
from sim.engines.dou_dizhu.state import State
from sim.engines.dou_dizhu.view import View
from sim.engines.rng import SeatRng
from sim.errors import PluginError, UsageError
from sim.runner.arena import Arena
from sim.runner.records import Chunk
from sim.runner.spec import PlayerSpec, RunSpec
from sim.strategies.foreign.douzero_models import ROLES, features, role_of
from sim.strategies.loading import load_bot

FIXTURES = Path(__file__).parents[2] / "fixtures" / "douzero"

RECORDED: list[dict[str, Any]] = json.loads((FIXTURES / "features.json").read_text())


@pytest.fixture(scope="module")
def networks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder with three networks; the farmers' are the same."""
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed (extra onnx)")
    folder = tmp_path_factory.mktemp("networks") / "tiny"
    folder.mkdir()
    for role in ROLES:
        file = "landlord.onnx" if role == "landlord" else "farmer.onnx"
        shutil.copy(FIXTURES / file, folder / f"{role}.onnx")
    return folder


def view_of(entry: dict[str, Any]) -> View:
    """Give the view of the seat in turn in a recorded position."""
    state = State.from_text(entry["position"])
    return state.view(state.to_move)


def filled(size: int, ones: list[int]) -> Any:
    """Give zeros with ones at the places recorded."""
    array = np.zeros(size, np.float32)
    array[ones] = 1
    return array


def test_features_are_those_of_douzeros_own_code() -> None:
    """All 178 recorded positions, all three roles: history, state, and a row with its action."""
    for entry in RECORDED:
        view = view_of(entry)
        action = 0 if entry["action"] == "pass" else parse_cards(entry["action"])
        z, x = features(view, [action])
        state_size, row_size, *shape = entry["sizes"]

        assert role_of(view) == entry["role"]
        assert (x.shape, z.shape) == ((1, row_size), (1, *shape))
        assert x.dtype == z.dtype == np.float32
        assert x[0].nonzero()[0].tolist() == entry["x"]
        assert x[0, :state_size].nonzero()[0].tolist() == entry["x_no_action"]
        assert z.reshape(-1).nonzero()[0].tolist() == entry["z"]
        assert set(np.unique(x)) | set(np.unique(z)) <= {0, 1}
    assert {entry["role"] for entry in RECORDED} == set(ROLES)


def test_the_action_with_the_highest_value_is_played(networks: Path) -> None:
    """Checked row by row on DouZero's recorded numbers, against onnxruntime called directly."""
    onnxruntime = pytest.importorskip("onnxruntime")
    bot = load_bot(f"douzero:{networks}", "dou-dizhu").bind({}).create(SeatRng(1, 0))
    for entry in RECORDED[::6]:
        view, (size, width, *shape) = view_of(entry), entry["sizes"]
        session = onnxruntime.InferenceSession(str(networks / f"{entry['role']}.onnx"))
        z = filled(shape[0] * shape[1], entry["z"]).reshape(1, *shape)
        values = []
        for action in view.legal():
            x = filled(width, entry["x_no_action"])
            counts = [action >> 4 * rank & 15 for rank in range(15)]
            for rank, count in enumerate(counts):
                place = size + (4 * rank if rank < 13 else 52 + rank - 13)
                x[place : place + count] = 1
            values.append(float(session.run(None, {"z": z, "x": x[np.newaxis]})[0][0, 0]))
        best = max(values)

        assert bot.act(view) in [
            action
            for action, value in zip(view.legal(), values, strict=True)
            if np.isclose(value, best, rtol=1e-5)  # rows alone and in a batch round differently
        ]


def play(networks: Path, **options: str) -> Chunk:
    """Play both sides of ten deals against the random strategy."""
    rules = load_game("dou-dizhu").rules(3, options)
    arena = Arena(
        RunSpec(
            game="dou-dizhu",
            rules=rules.options(),
            seats=3,
            deals=10,
            seed=5,
            players=(
                PlayerSpec(label="net", bot=f"douzero:{networks}", parameters={"bid_from": 6}),
                PlayerSpec(label="random", bot="random"),
            ),
        )
    )
    return arena.play(0, arena.schedule.blocks)


@pytest.mark.parametrize("auction", ["true", "false"])
def test_whole_games_are_legal_and_the_same_again(networks: Path, auction: str) -> None:
    """With an auction and without; no fault, and the same bytes."""
    first, again = play(networks, auction=auction), play(networks, auction=auction)

    assert first.faults == []
    assert first.results.tobytes() == again.results.tobytes()


def test_a_path_with_role_in_it_names_three_files(networks: Path, tmp_path: Path) -> None:
    """They are its sources, and what is left of the name is its own."""
    for role in ROLES:
        shutil.copy(networks / f"{role}.onnx", tmp_path / f"{role}_adp.onnx")
    bot = load_bot(f"douzero:{tmp_path}/{{role}}_adp.onnx", "dou-dizhu")

    assert bot.name == "adp"
    assert [path.name for path in bot.sources] == [f"{role}_adp.onnx" for role in sorted(ROLES)]
    assert load_bot(f"douzero:{networks}", "dou-dizhu").name == "tiny"


def test_what_is_no_such_network_is_refused(networks: Path, tmp_path: Path) -> None:
    """A missing file, another game, garbage, and inputs of another size, each in a sentence."""
    with pytest.raises(UsageError, match="there is no file"):
        load_bot(f"douzero:{tmp_path}", "dou-dizhu")
    with pytest.raises(UsageError, match="plays dou-dizhu, not liars-dice"):
        load_bot(f"douzero:{networks}", "liars-dice")
    for role in ROLES:
        shutil.copy(networks / "landlord.onnx", tmp_path / f"{role}.onnx")
    with pytest.raises(PluginError, match=r"a landlord_down network takes z .* and x \(rows x 484"):
        load_bot(f"douzero:{tmp_path}", "dou-dizhu")
    (tmp_path / "landlord.onnx").write_bytes(b"garbage")
    with pytest.raises(PluginError, match=r"landlord\.onnx does not load"):
        load_bot(f"douzero:{tmp_path}", "dou-dizhu")
