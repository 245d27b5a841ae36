"""What kernels of all games do alike: ask strategies, note faults, list who waits.

`flight` is a record of flight.FLIGHT_DTYPE. `state` is the state of any game: it begins with
flight.SLOT_FIELDS, and nothing else of it is touched here.
"""

from typing import Any, Final

import numpy as np

from sim.engines.base import FAULT_CATEGORIES, MAX_SEATS, NO_CALL, TASK_DTYPE
from sim.engines.botcall import GAME_OVER, MEMORY_SIZE, ROUND_OVER, call_bot
from sim.engines.compiling import inlined, inner
from sim.engines.flight import (
    BOT_DTYPE,
    COMPILED,
    FAULT_DTYPE,
    FAULT_ROOM,
    GAME_EVENTS,
    MEMORY_DTYPE,
    PULSE_DTYPE,
    ROUND_EVENTS,
    STREAMS,
    UNANSWERED,
    WAIT_ACT,
    WAIT_GAME,
    WAIT_ROUND,
    WAITING_DTYPE,
)
from sim.engines.keyed import deal_key, player_salt, seat_key
from sim.engines.pointers import copy_record, record_at, record_like
from sim.engines.rng import RNG_DTYPE

ILLEGAL: Final = FAULT_CATEGORIES.index("illegal")

task_at = record_at(TASK_DTYPE)
bot_at = record_at(BOT_DTYPE)
rng_at = record_at(RNG_DTYPE)
pulse_at = record_at(PULSE_DTYPE)
_memory_at = record_at(MEMORY_DTYPE)
_fault_at = record_at(FAULT_DTYPE)
_waiting_at = record_at(WAITING_DTYPE)


@inner
def stream(flight: Any, slot: int, seat: int) -> Any:
    """Give the random stream of a seat; seat MAX_SEATS is the luck of the deal."""
    return rng_at(flight.rngs, slot * STREAMS + seat)


@inner
def seat_player(flight: Any, slot: int, state: Any, seat: int) -> None:
    """Reset what the engine keeps about one seat for a new game in `slot`."""
    task = task_at(flight.tasks, state.task)
    player = task.player[seat]
    deal = np.uint64(task.deal)
    salt = player_salt(np.uint64(player)) if flight.salted else np.uint64(0)
    stream(flight, slot, seat).key = seat_key(flight.seed, deal) ^ salt
    stream(flight, slot, MAX_SEATS).key = deal_key(flight.seed, deal)
    state.player[seat] = player
    state.calls[seat] = 0
    state.fault[seat] = 0
    state.pending[seat] = 0
    state.in_round[seat] = 1
    state.inject_call[seat] = task.inject_call[seat]
    state.inject_category[seat] = task.inject_category[seat]
    state.injected |= task.inject_call[seat] != NO_CALL
    memory = _memory_at(flight.memory, slot * MAX_SEATS + seat)
    for k in range(MEMORY_SIZE):
        memory.words[k] = 0


@inner
def note_fault(
    flight: Any, slot: int, state: Any, seat: int, event: int, category: int, action: int
) -> None:
    """Record a fault and the state it happened in."""
    row = flight.fault_count
    flight.fault_count = row + 1
    fault = _fault_at(flight.faults, row)
    fault.task = state.task
    fault.slot = slot
    fault.call = state.calls[seat]
    fault.seat = seat
    fault.category = category
    fault.event = event
    fault.action = action
    copy_record(record_like(state, flight.fault_states, row), state)
    state.fault[seat] = category


@inner
def may_pass(flight: Any) -> bool:
    """Tell whether there is room for all faults that another pass could make."""
    return bool(2 * flight.fault_count <= FAULT_ROOM * flight.slot_count)


@inlined
def call_compiled(
    flight: Any, slot: int, state: Any, view: Any, seat: int, event: int, phase: int
) -> Any:
    """Call a compiled strategy. If it raises, the table puts the slot in `phase` (a WAIT_ one)."""
    player = state.player[seat]
    bot = bot_at(flight.bots, player)
    if not bot.trusted:  # ours neither raise nor hang
        flight.call_slot = slot
        flight.call_phase = phase
        pulse = pulse_at(flight.pulse, 0)
        pulse.task = state.task
        pulse.seat = seat
        pulse.call = state.calls[seat]
        pulse.player = player
        # a copy: whatever it writes there, the next seat sees the table as it is
        view = copy_record(record_like(view, flight.view_copy, 0), view)
    return call_bot(
        bot.address,
        event,
        view,
        flight.params + 8 * bot.params_start,
        bot.params_count,
        flight.memory + (slot * MAX_SEATS + seat) * (8 * MEMORY_SIZE),
        stream(flight, slot, seat),
    )


@inner
def wait_outside(state: Any, phase: int) -> None:
    """Leave a position to a strategy outside the kernel."""
    state.phase = phase
    state.verdict = UNANSWERED


@inner
def listener(flight: Any, state: Any, seats: int) -> int:
    """Find the next seat, from `cursor` on, that gets the event of this phase; `seats` if none.

    A forfeited strategy gets no further event, nor does one whose constructor failed.
    """
    is_round = state.phase == ROUND_EVENTS
    if not (flight.wants_round if is_round else flight.wants_game):
        return seats
    for seat in range(state.cursor, seats):
        bot = bot_at(flight.bots, state.player[seat])
        wanted = bot.wants_round and state.in_round[seat] if is_round else bot.wants_game
        if wanted and not state.fault[seat] and state.inject_call[seat] != 0:
            return seat
    return seats


@inner
def end_event_call(flight: Any, slot: int, state: Any, seat: int, verdict: int) -> None:
    """Take the verdict (0, or a fault) of an event call and move the cursor on.

    A fault in a round event puts the seat out before the next round; one in the game event
    changes no result.
    """
    is_round = state.phase == ROUND_EVENTS
    if verdict:
        event = ROUND_OVER if is_round else GAME_OVER
        note_fault(flight, slot, state, seat, event, verdict, 0)
        if is_round:
            state.pending[seat] = verdict
    state.cursor = seat + 1


@inner
def begin_event_call(flight: Any, slot: int, state: Any, seat: int) -> bool:
    """Count an event call of `seat`; False if it is to fail by injection (noted here)."""
    call = state.calls[seat] + 1
    state.calls[seat] = call
    if state.inject_call[seat] != call:
        return True
    end_event_call(flight, slot, state, seat, state.inject_category[seat])
    return False


@inner
def take_event_answer(flight: Any, slot: int, state: Any) -> None:
    """Go on after an event was handed outside and came back."""
    state.phase = ROUND_EVENTS if state.phase == WAIT_ROUND else GAME_EVENTS
    end_event_call(flight, slot, state, state.cursor, state.verdict)


@inner
def send_event(flight: Any, slot: int, state: Any, view: Any, seat: int) -> bool:
    """Give the event of this phase to `seat`, whose view is written; False if it waits outside."""
    is_round = state.phase == ROUND_EVENTS
    wait = WAIT_ROUND if is_round else WAIT_GAME
    event = ROUND_OVER if is_round else GAME_OVER
    state.cursor = seat
    if bot_at(flight.bots, state.player[seat]).kind != COMPILED:
        wait_outside(state, wait)
        return False
    call_compiled(flight, slot, state, view, seat, event, wait)
    state.cursor = seat + 1
    return True


@inner
def list_waiting(flight: Any, example: Any) -> int:
    """List the positions that wait outside; give their number. `example` is any state."""
    waits = 0
    for slot in range(flight.slot_count):
        state = record_like(example, flight.states, slot)
        phase = state.phase
        if phase == WAIT_ACT or phase == WAIT_ROUND or phase == WAIT_GAME:
            row = _waiting_at(flight.waiting, waits)
            waits += 1
            seat = state.turn if phase == WAIT_ACT else state.cursor
            row.slot = slot
            row.seat = seat
            row.player = state.player[seat]
            row.event = phase - WAIT_ACT
            row.epoch = state.epoch
            row.call = state.calls[seat]
            row.task = state.task
    flight.waits = waits
    return waits
