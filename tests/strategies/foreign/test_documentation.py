"""docs/protocol.md shows messages as they are."""

import json
from pathlib import Path
from typing import Any

from sim.engines.dou_dizhu.view import View as CardView
from sim.engines.liars_dice.view import View as DiceView
from sim.strategies.foreign.program import PROTOCOL
from tests.strategies.foreign.test_program import play, talker

PAGE = Path(__file__).parents[3] / "docs" / "protocol.md"


def shown() -> list[dict[str, Any]]:
    """Give the messages on the page."""
    blocks = PAGE.read_text(encoding="utf-8").split("```json\n")[1:]
    return [json.loads(block.partition("\n```")[0]) for block in blocks]


def test_each_message_is_shown_with_the_fields_that_it_has(tmp_path: Path) -> None:
    """Those of a played game, and the page is of this version; `bye` has none."""
    play(talker("records", tmp_path / "record"), deals=2)
    lines = (tmp_path / "record").read_text(encoding="utf-8").splitlines()
    sent = {message["type"]: message for message in map(json.loads, lines)}
    page = [message for message in shown() if "type" in message]
    dice = [message for message in page if "legal" not in message]

    assert {message["type"] for message in dice} == {*sent, "game_over", "bye"}
    for message in dice[:-1]:
        assert message.keys() == sent.get(message["type"], sent["round_over"]).keys()
    assert dice[0]["protocol"] == PROTOCOL
    assert PAGE.read_text(encoding="utf-8").startswith(
        f"# Protocol for programs, version {PROTOCOL}"
    )


def test_views_on_the_page_have_the_fields_of_the_view() -> None:
    """In both games, by name and in order."""
    views = [message["view"] for message in shown() if "view" in message]
    fields = [DiceView._fields if "own_dice" in view else CardView._fields for view in views]

    assert [tuple(view) for view in views] == fields
    assert set(fields) == {DiceView._fields, CardView._fields}
