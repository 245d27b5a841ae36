"""Compiled players for tests. Each has a twin in Python where a test needs one."""

from typing import Any

from sim.engines.events import ACT
from sim.engines.keyed import below
from sim.engines.liars_dice.view import CHALLENGE, View
from sim.engines.rng import SeatRng

from .tables import EXCEPTION, Verdict
from .twins import Twin


def uniform(event: Any, view: Any, params: Any, memory: Any, rng: Any) -> Any:
    """Any legal action, all alike."""
    first = view.bid + 1
    top = 6 * view.dice_in_play
    action = first + below(rng, top - first + (view.bids_made > 0))
    return action if action < top else CHALLENGE


def uniform_twin(event: int, view: View, rng: SeatRng, memory: list[int]) -> int:
    """Draw in Python what `uniform` draws compiled."""
    legal = view.legal()
    challenge = [legal.pop(0)] if view.bids_made else []
    return rng.choice(legal + challenge)


def script(event: Any, view: Any, params: Any, memory: Any, rng: Any) -> Any:
    """Make the bids in `params`, one after the other as bids of a round; then challenge."""
    made = view.bids_made
    return int(params[made]) if made < len(params) else CHALLENGE


def brisk(event: Any, view: Any, params: Any, memory: Any, rng: Any) -> Any:
    """Raise by one or challenge with chance 1/3; remember what was shown, and bid by it."""
    if event != ACT:
        memory[0] += view.shown_actual + 7 * view.shown_loser + event
        return below(rng, 2)
    memory[1] += 1
    room = 6 * view.dice_in_play - 1 - view.bid
    if view.bids_made and (room == 0 or below(rng, 3) == 0):
        return CHALLENGE
    return view.bid + 1 + (memory[0] + memory[1] + below(rng, 4)) % min(room, 4)


def brisk_twin(event: int, view: View, rng: SeatRng, memory: list[int]) -> int:
    """Act in Python as `brisk` acts compiled."""
    if event != ACT:
        memory[0] += view.shown_actual + 7 * view.shown_loser + event
        return rng.below(2)
    memory[1] += 1
    room = 6 * view.dice_in_play - 1 - view.bid
    if view.bids_made and (room == 0 or rng.below(3) == 0):
        return CHALLENGE
    step = (memory[0] + memory[1] + rng.below(4)) % min(room, 4)
    return view.bid + 1 + step


def faulty(event: Any, view: Any, params: Any, memory: Any, rng: Any) -> Any:
    """Play like `brisk` without memory, but on some calls raise or answer with garbage.

    `params`: share of calls that raise, share of turns answered with garbage.
    """
    luck = below(rng, 1000) / 1000
    if luck < params[0]:
        raise ValueError("on purpose")
    if event != ACT:
        return 0
    room = 6 * view.dice_in_play - 1 - view.bid
    if luck < params[0] + params[1]:
        return 6 * view.dice_in_play + below(rng, 1 << 40)
    if view.bids_made and (room == 0 or below(rng, 3) == 0):
        return CHALLENGE
    return view.bid + 1 + below(rng, min(room, 4))


def faulty_twin(raises: float, garbage: float) -> Twin:
    """Give the Python form of `faulty` with these parameters."""

    def play(event: int, view: View, rng: SeatRng, memory: list[int]) -> int | Verdict:
        luck = rng.below(1000) / 1000
        if luck < raises:
            return Verdict(EXCEPTION)
        if event != ACT:
            return 0
        room = 6 * view.dice_in_play - 1 - view.bid
        if luck < raises + garbage:
            return 6 * view.dice_in_play + rng.below(1 << 40)
        if view.bids_made and (room == 0 or rng.below(3) == 0):
            return CHALLENGE
        return view.bid + 1 + rng.below(min(room, 4))

    return play
