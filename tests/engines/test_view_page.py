"""docs/views.md says what the code says."""

from pathlib import Path

import pytest

from sim.engines import view_page
from sim.engines.base import installed_games, load_game

PAGE = Path(__file__).parents[2] / "docs" / "views.md"


def test_the_page_is_as_the_code() -> None:
    """Made again it is the same: python -m sim.engines.view_page > docs/views.md."""
    assert PAGE.read_text(encoding="utf-8") == view_page.page()


@pytest.mark.parametrize("name", sorted(installed_games()))
def test_every_field_is_documented(name: str) -> None:
    """No field of a view is without its type and sentence."""
    game = load_game(name)
    text = view_page.section(name)
    for field in game.kernel(game.rules(game.default_seats, {})).view_class._fields:
        (line,) = [line for line in text.splitlines() if line.startswith(f"| `{field}` |")]
        assert len(line.split(" | ")[2]) > 12, line
