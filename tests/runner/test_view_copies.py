"""What a user's compiled strategy writes into its view stays there."""

from pathlib import Path

import pytest

from sim.runner.arena import Arena
from sim.runner.spec import PlayerSpec, RunSpec

VANDAL = """
from sim.strategies.api import compiled

@compiled(game="liars-dice")
def vandal(event, view, params, memory, rng):
    for k in range(180):
        view.bids[k] = 7
    view.own[3] = 5
    return -1 if view.bids_made else 1
"""

WITNESS = """
class Witness:
    game = "liars-dice"

    def act(self, view):
        assert not any(view.bids[view.bids_made:]), view
        assert sum(view.own) == view.own_dice, view
        if view.bids_made < 3 and view.bid + 1 < 6 * view.dice_in_play:
            return view.bid + 1
        return -1
"""

ODD = """
from sim.strategies.api import compiled

@compiled(game="liars-dice")
def odd(event, view, params, memory, rng):
    return {number}
"""


def _play(tmp_path: Path, **bots: str) -> list[str]:
    players = []
    for label, source in sorted(bots.items()):
        path = tmp_path / f"{label}.py"
        path.write_text(source, encoding="utf-8")
        players.append(PlayerSpec(label=label, bot=str(path)))
    spec = RunSpec(game="liars-dice", seats=2, deals=20, seed=7, players=tuple(players))
    return [f"{fault.player}: {fault.category}" for fault in Arena(spec).play(0, 20).faults]


def test_the_next_seat_sees_the_table_as_it_is(tmp_path: Path) -> None:
    """A strategy that scribbles over its view misleads nobody else."""
    assert _play(tmp_path, vandal=VANDAL, witness=WITNESS) == []


@pytest.mark.parametrize("number", [-(2**63), -(2**63) + 1, 2**63 - 1, -2, 60, 10**9])
def test_any_integer_that_is_no_legal_action_forfeits(tmp_path: Path, number: int) -> None:
    """The ends of int64 are illegal like any other number: nothing overflows into legality."""
    text = str(number) if number > -(2**63) else "-9223372036854775807 - 1"

    faults = _play(tmp_path, odd=ODD.format(number=text), witness=WITNESS)

    # the odd one opens one of the two seatings, and is in turn second at the latest
    assert faults == ["odd: illegal"] * 40
