"""Dou Dizhu compiled: `advance` moves every game in flight on until it waits or is over.

The arrays and phases are described in sim/engines/flight.py, the records in layout.py. Nothing is
checked but what strategies answer: any int64 may come back, and all but a legal action is a
forfeit. Speed comes from many games in flight: one pass gives each game one decision, and games
whose auction or play ended are collected and settled together (settling.py).

The engine keeps its own copy of all that matters in the state; a view is written, never read.
"""

from typing import Any, Final

import numpy as np

from sim.engines import calls
from sim.engines.botcall import ACT
from sim.engines.compiling import entry, inlined, inner
from sim.engines.dou_dizhu.bits import count_cards
from sim.engines.dou_dizhu.follows import count_follows
from sim.engines.dou_dizhu.layout import RULES_DTYPE
from sim.engines.dou_dizhu.packed import legal_class
from sim.engines.dou_dizhu.rules import HIGHEST_BID, SEATS
from sim.engines.dou_dizhu.settling import (
    ACTIONS,
    PLAYED,
    settle,
    show_seat,
    state_at,
    view_at,
    view_word,
)
from sim.engines.dou_dizhu.shapes import BOMB_SHAPE
from sim.engines.dou_dizhu.view import AUCTION, PASS
from sim.engines.flight import (
    COMPILED,
    DECIDE,
    DECIDED,
    ENDED_DTYPE,
    FORFEITED,
    IDLE,
    UNANSWERED,
    WAIT_ACT,
    WAIT_GAME,
)
from sim.engines.pointers import record_at

_rules_at = record_at(RULES_DTYPE)
_ended_at = record_at(ENDED_DTYPE)

_FIRST_BOMB: Final = 16 * BOMB_SHAPE
"""Class codes from here on are bombs and the rocket: they double (D13)."""


@inner
def forfeit(flight: Any, slot: int, state: Any, category: int, action: int) -> None:
    """Let the seat in turn forfeit."""
    calls.note_fault(flight, slot, state, state.turn, ACT, category, action)
    state.phase = FORFEITED


@inlined
def next_seat(seat: int) -> Any:
    """Give the seat that acts after `seat`."""
    return np.uint32(seat + 1 if seat + 1 < SEATS else 0)


@inner
def bid_or_pass(flight: Any, slot: int, state: Any, view: Any, action: int) -> Any:
    """Pass or bid in the auction (D3); give 1 if the game is to be settled."""
    if not ((action == PASS) | ((action > state.bid) & (action <= HIGHEST_BID))):
        forfeit(flight, slot, state, calls.ILLEGAL, action)
        return 1
    seat = state.turn
    made = state.calls_made
    state.auction[made] = action
    view.calls[made] = action
    made += 1
    state.calls_made = made
    view.calls_made = made
    if action == PASS:
        state.passes += 1
    else:
        state.passes = 0
        state.bid = action
        state.bidder = seat
        state.bids[seat] = action
        view.bid = action
        view.bidder = seat
    state.turn = next_seat(seat)
    over = (state.bid == HIGHEST_BID) | (state.passes == SEATS - (state.bid > 0))
    state.phase = DECIDED if over else DECIDE
    return np.int64(over)


@inner
def count_bomb(state: Any, view: Any, seat: int) -> None:
    """Count a bomb or the rocket, and double."""
    state.bombs[seat] += 1
    state.multiplier *= 2
    view.multiplier = state.multiplier


@inlined
def show_target(state: Any, view: Any, target: int, to_beat: int, seat: Any, passes: int) -> None:
    """Set what is to be beaten, and how often it was passed, in state and view."""
    state.target = target
    state.to_beat = to_beat
    state.to_beat_seat = seat
    state.passes = passes
    view.target = target
    view.to_beat = to_beat
    view.to_beat_seat = seat
    view.passes = passes


@inlined
def pass_turn(state: Any, view: Any, seat: int, target: int) -> None:
    """Pass (D5): after two passes in a row the last player to play leads again."""
    able = count_follows(state.hands[seat], target) > 0
    state.passes_able[seat] += able
    # all ones while there is still something to beat, else 0: no jump, it cannot be predicted
    passes = state.passes + 1
    beaten = (passes - (SEATS - 1)) >> 63
    owner = (state.to_beat_seat & beaten) + ~beaten
    show_target(state, view, target & beaten, state.to_beat & beaten, owner, passes & beaten)


@inlined
def play_cards(
    flight: Any, slot: int, state: Any, view: Any, seat: int, cards: int, code: int
) -> Any:
    """Play cards of class `code`; give the hand that is left."""
    hand = state.hands[seat] - cards
    state.hands[seat] = hand
    view.cards_left[seat] = count_cards(hand)
    view_word(flight, slot, PLAYED, seat).word = state.taken[seat] - hand
    show_target(state, view, code, cards, np.int64(seat), 0)
    if code >= _FIRST_BOMB:
        count_bomb(state, view, seat)
    return hand


@inlined
def play(flight: Any, slot: int, state: Any, view: Any, action: int) -> Any:
    """Play or pass (D5); give 1 if the game is to be settled."""
    seat = state.turn
    target = state.target
    over = False
    if action == PASS:
        if target == 0:
            forfeit(flight, slot, state, calls.ILLEGAL, action)
            return 1
        pass_turn(state, view, seat, target)
    else:
        code = legal_class(state.hands[seat], target, action)
        if code == 0:
            forfeit(flight, slot, state, calls.ILLEGAL, action)
            return 1
        over = play_cards(flight, slot, state, view, seat, action, code) == 0
    made = state.actions_made
    state.actions[np.uint64(made)] = action
    view_word(flight, slot, ACTIONS, made).word = action
    state.actions_made = made + 1
    view.actions_made = made + 1
    state.turn = seat if over else next_seat(seat)
    state.phase = DECIDED if over else DECIDE
    return np.int64(over)


@inlined
def act(flight: Any, slot: int, state: Any, view: Any, action: int) -> Any:
    """Do what the seat in turn answered; give 1 if the game is to be settled."""
    if state.stage == AUCTION:
        return bid_or_pass(flight, slot, state, view, action)
    return play(flight, slot, state, view, action)


@inner
def take_answer(flight: Any, slot: int) -> bool:
    """Take what came from outside, if anything did; tell whether the slot is to be settled."""
    state = state_at(flight.states, slot)
    phase = state.phase
    if phase == DECIDE or phase == IDLE:
        return False
    if phase != WAIT_ACT and phase != WAIT_GAME:
        return True
    if state.verdict == UNANSWERED:
        return False
    if phase == WAIT_GAME:
        calls.take_event_answer(flight, slot, state)
    elif state.verdict:
        forfeit(flight, slot, state, state.verdict, 0)
    else:
        return bool(act(flight, slot, state, view_at(flight.views, slot), state.answer))
    return True


@inner
def decide(flight: Any) -> tuple[int, int]:
    """Give every game that can have one a decision; give (slots to settle, games that moved)."""
    ended = 0
    moved = 0
    for slot in range(flight.slot_count):
        state = state_at(flight.states, slot)
        if state.phase != DECIDE:
            continue
        moved += 1
        seat = state.turn
        call = state.calls[seat] + 1
        state.calls[seat] = call
        view = view_at(flight.views, slot)
        show_seat(flight, slot, state, view, seat)
        _ended_at(flight.ended, ended).slot = slot
        if state.injected and (state.inject_call[seat] == call or state.inject_call[seat] == 0):
            forfeit(flight, slot, state, state.inject_category[seat], 0)
            ended += 1
        elif calls.bot_at(flight.bots, state.player[seat]).kind != COMPILED:
            calls.wait_outside(state, WAIT_ACT)
        else:
            action = calls.call_compiled(flight, slot, state, view, seat, ACT, WAIT_ACT)
            ended += act(flight, slot, state, view, action)
    return ended, moved


@entry
def advance(flight: Any) -> int:
    """Move every game on; give the number of positions that wait for an answer from outside."""
    rules = _rules_at(flight.rules, 0)
    ended = 0
    for slot in range(flight.slot_count):
        if take_answer(flight, slot):
            _ended_at(flight.ended, ended).slot = slot
            ended += 1
    while True:
        for k in range(ended):
            settle(flight, _ended_at(flight.ended, k).slot, rules)
        if not calls.may_pass(flight):
            break
        ended, moved = decide(flight)
        if not moved:
            break
    return calls.list_waiting(flight, state_at(flight.states, 0))
