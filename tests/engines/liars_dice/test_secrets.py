"""What a strategy that means ill could learn, or could make others believe."""

from typing import Any

from sim.engines.liars_dice.rules import Rules
from sim.engines.liars_dice.state import State
from sim.engines.liars_dice.view import CHALLENGE, View
from sim.engines.rng import deal_key

from .tables import OUTSIDE, SEED, Row, make_table, make_tasks, play, seat_compiled


def test_the_stream_of_a_seat_does_not_open_the_dice() -> None:
    """The key in a strategy's hands is not the one that rolls, and does not lead back to it."""
    table = make_table(Rules(seats=2), [OUTSIDE], make_tasks([[0, 0]], range(20)))
    table.advance()

    assert all(
        table.stream_key(slot, seat) != deal_key(SEED, slot)
        for slot in range(20)
        for seat in range(2)
    )


def forging(event: Any, view: Any, params: Any, memory: Any, rng: Any) -> Any:
    """Write over all that is public, then make the lowest bid."""
    bid = view.bid + 1
    view.dice_in_play = 77
    view.seats = 6
    view.locked = 1
    view.ones_high = 1
    view.dice_counts[1] = 99
    view.shown[9] = 9
    return bid


def test_nobody_sees_what_a_foreign_strategy_wrote_into_its_view() -> None:
    """The next seat is shown the game as it is."""
    seen: list[View] = []

    def answer(row: Row, view: View) -> int:
        seen.append(view)
        return CHALLENGE if view.bids_made else 0

    rules = Rules(seats=2)
    play(rules, [seat_compiled(forging, trusted=False), OUTSIDE], make_tasks([[0, 1]]), answer)

    assert seen[0] == State.deal(rules, seed=SEED, deal=0).after(0).view(1)
