"""Compiled players for tests, and their twins in Python where a test needs one."""

from typing import Any

from sim.engines.dou_dizhu.packed import count_plays, nth_play
from sim.engines.dou_dizhu.view import AUCTION, View
from sim.engines.events import ACT
from sim.engines.keyed import below
from sim.engines.rng import SeatRng


def passing(event: Any, view: Any, params: Any, memory: Any, rng: Any) -> Any:
    """Pass; as a leader that is illegal."""
    return 0


def uniform(event: Any, view: Any, params: Any, memory: Any, rng: Any) -> Any:
    """Any legal action, all alike."""
    if view.phase == AUCTION:
        step = below(rng, 4 - view.bid)
        return view.bid + step if step else 0
    plays = count_plays(view.hand, view.target)
    return nth_play(view.hand, view.target, below(rng, plays + (view.target != 0)))


def uniform_twin(view: View, rng: SeatRng) -> int:
    """Draw in Python what `uniform` draws compiled: the pass is last of the plays."""
    legal = view.legal()
    if view.phase != AUCTION and view.to_beat:
        legal = [*legal[1:], legal[0]]
    return rng.choice(legal)


def restless(event: Any, view: Any, params: Any, memory: Any, rng: Any) -> Any:
    """Play like `uniform`, seldom passing, and let what it remembers decide."""
    if event != ACT:
        memory[0] += view.score + event
        return below(rng, 2)
    memory[1] += view.seat + 1
    if view.phase == AUCTION:
        return 0 if view.bid == 3 or (memory[1] + below(rng, 3)) % 2 else view.bid + 1
    plays = count_plays(view.hand, view.target)
    if plays == 0:
        return 0
    return nth_play(view.hand, view.target, (memory[0] + memory[1] + below(rng, plays)) % plays)


def faulty(event: Any, view: Any, params: Any, memory: Any, rng: Any) -> Any:
    """Play like `uniform`, but on some calls raise or answer with garbage.

    `params`: share of calls that raise, share of turns answered with garbage.
    """
    luck = below(rng, 1000) / 1000
    if luck < params[0]:
        raise ValueError("on purpose")
    if event != ACT:
        return 0
    if luck < params[0] + params[1]:
        garbage = below(rng, 6)
        if garbage < 3:
            return (below(rng, 1 << 62) << 1) - (1 << 62) * garbage
        return -1 if garbage == 3 else (view.hand << 1) + garbage
    if view.phase == AUCTION:
        step = below(rng, 4 - view.bid)
        return view.bid + step if step else 0
    plays = count_plays(view.hand, view.target)
    return nth_play(view.hand, view.target, below(rng, plays + (view.target != 0)))


def scribbling(event: Any, view: Any, params: Any, memory: Any, rng: Any) -> Any:
    """Play like `uniform` and write over the view."""
    action = 0
    if view.phase == AUCTION:
        step = below(rng, 4 - view.bid)
        action = view.bid + step if step else 0
    else:
        plays = count_plays(view.hand, view.target)
        action = nth_play(view.hand, view.target, below(rng, plays + (view.target != 0)))
    view.hand = 1
    view.target = 99
    view.to_beat = 2
    view.bid = 3
    view.phase = 1
    view.landlord = 1
    view.multiplier = 64
    view.bottom = 7
    view.played_1 = 5
    for k in range(3):
        view.own[k] = 9
        view.cards_left[k] = 1
        view.actions[k] = 7
        view.calls[k] = 3
    return action
