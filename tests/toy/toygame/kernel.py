"""High Card compiled."""

from typing import Any

import numpy as np

from sim.engines import calls, keyed
from sim.engines.base import MAX_SEATS
from sim.engines.compiling import entry, inner
from sim.engines.events import ACT
from sim.engines.flight import COMPILED, DECIDE, IDLE, UNANSWERED, WAIT_ACT
from sim.engines.pointers import record_at
from sim.engines.rng import STRATEGY, STREAM_SHIFT
from toygame import MOST, RESULT_DTYPE, RULES_DTYPE, STATE_DTYPE, VIEW_DTYPE

_state_at = record_at(STATE_DTYPE)
_view_at = record_at(VIEW_DTYPE)
_result_at = record_at(RESULT_DTYPE)
_rules_at = record_at(RULES_DTYPE)
_STRATEGY = np.uint64(STRATEGY << STREAM_SHIFT)


@inner
def begin(flight: Any, slot: int, state: Any, seats: int) -> None:
    """Take the next task and deal, or stay idle."""
    if flight.next_task >= flight.task_count:
        state.phase = IDLE
        return
    state.task = flight.next_task
    flight.next_task += 1
    state.injected = 0
    for seat in range(seats):
        calls.seat_player(flight, slot, state, seat)
        luck = calls.stream(flight, slot, MAX_SEATS)
        luck.word = keyed.pack_word(np.uint64(0), seat, 0)
        state.card[seat] = keyed.below(luck, 13) + 1
        state.stake[seat] = 0
        calls.stream(flight, slot, seat).word = keyed.pack_word(_STRATEGY, seat, 0)
    state.turn = 0
    state.phase = DECIDE


@inner
def finish(flight: Any, state: Any, seats: int) -> None:
    """Write the result."""
    row = _result_at(flight.results, state.task)
    best, winner, pot = 0, -1, 0
    for seat in range(seats):
        pot += state.stake[seat]
        if state.card[seat] > best and not state.fault[seat]:
            best = state.card[seat]
            winner = seat
    row.pot = pot
    row.decisions = seats
    row.void = winner < 0
    for seat in range(seats):
        row.won[seat] = seat == winner
        row.place[seat] = 1 if seat == winner else 2
        row.score[seat] = 0 if winner < 0 else -state.stake[seat] + pot * (seat == winner)
        row.fault[seat] = state.fault[seat]
        row.stake[seat] = state.stake[seat]
    flight.done += 1


@inner
def stake(flight: Any, slot: int, state: Any, action: int, verdict: int, seats: int) -> None:
    """Take the action of the seat in turn, or its forfeit; go on or finish."""
    seat = state.turn
    if not verdict and not 0 <= action <= MOST:
        verdict = calls.ILLEGAL
    if verdict:
        calls.note_fault(flight, slot, state, seat, ACT, verdict, action)
        action = MOST
    state.stake[seat] = action
    state.turn = seat + 1
    state.phase = DECIDE
    if seat + 1 == seats:
        finish(flight, state, seats)
        begin(flight, slot, state, seats)


@inner
def decide(flight: Any, slot: int, state: Any, seats: int) -> None:
    """Ask the seat in turn."""
    seat = state.turn
    view = _view_at(flight.views, slot)
    view.seat = seat
    view.seats = seats
    view.card = state.card[seat]
    for other in range(seats):
        view.staked[other] = state.stake[other]
    call = state.calls[seat] + 1
    state.calls[seat] = call
    if state.inject_call[seat] == call or state.inject_call[seat] == 0:
        stake(flight, slot, state, 0, state.inject_category[seat], seats)
    elif calls.bot_at(flight.bots, state.player[seat]).kind != COMPILED:
        calls.wait_outside(state, WAIT_ACT)
    else:
        action = calls.call_compiled(flight, slot, state, view, seat, ACT, WAIT_ACT)
        stake(flight, slot, state, action, 0, seats)


@entry
def advance(flight: Any) -> int:
    """Move every game on; give the number of positions that wait for an answer."""
    seats = _rules_at(flight.rules, 0).seats
    for slot in range(flight.slot_count):
        state = _state_at(flight.states, slot)
        if state.phase == WAIT_ACT and state.verdict != UNANSWERED:
            stake(flight, slot, state, state.answer, state.verdict, seats)
        elif state.phase != DECIDE and state.phase != IDLE and state.phase != WAIT_ACT:
            begin(flight, slot, state, seats)
        while state.phase == DECIDE and calls.may_pass(flight):
            decide(flight, slot, state, seats)
    return calls.list_waiting(flight, _state_at(flight.states, 0))
