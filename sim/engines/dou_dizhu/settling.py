"""Dou Dizhu compiled, what happens once or a few times a game: the deal, the end of the auction
and of the deal, scores, events and results. kernel.py does what happens with each decision.
"""

from typing import Any, Final

import numpy as np

from sim.engines import calls, keyed
from sim.engines.base import MAX_SEATS
from sim.engines.compiling import inlined, inner
from sim.engines.dou_dizhu.bits import count_cards, nibbles_to_bytes
from sim.engines.dou_dizhu.layout import RESULT_DTYPE, STATE_DTYPE, WORD_DTYPE
from sim.engines.dou_dizhu.rules import MOST_CALLS, SEATS
from sim.engines.dou_dizhu.shuffling import shuffle
from sim.engines.dou_dizhu.view import (
    ANTI_SPRING,
    AUCTION,
    FARMER,
    LANDLORD,
    NO_SPRING,
    NOBODY,
    PASS,
    PLAY,
    SPRING,
    VIEW_DTYPE,
)
from sim.engines.flight import (
    DECIDE,
    DECIDED,
    FINISHED,
    FORFEITED,
    FRESH,
    GAME_EVENTS,
    IDLE,
)
from sim.engines.pointers import record_at
from sim.engines.rng import STRATEGY, STREAM_SHIFT

state_at = record_at(STATE_DTYPE)
view_at = record_at(VIEW_DTYPE)
_result_at = record_at(RESULT_DTYPE)
_word_at = record_at(WORD_DTYPE)

VIEW_SIZE: Final = VIEW_DTYPE.itemsize


def _offset(field: str) -> int:
    """Give where a field of a view begins."""
    fields = VIEW_DTYPE.fields
    assert fields is not None
    return int(fields[field][1])


OWN: Final = _offset("own")
PLAYED: Final = _offset("played_0")
ACTIONS: Final = _offset("actions")
"""Where those fields of a view begin that are written by the word."""

_STRATEGY_BITS: Final = np.uint64(STRATEGY << STREAM_SHIFT)


@inlined
def view_word(flight: Any, slot: int, offset: int, index: int) -> Any:
    """Give word number `index` from byte `offset` on in the view of a slot."""
    return _word_at(flight.views + (slot * VIEW_SIZE + offset), index)


@inlined
def show_seat(flight: Any, slot: int, state: Any, view: Any, seat: int) -> None:
    """Write what only `seat` may see into the view."""
    hand = state.hands[seat]
    landlord = state.landlord
    view.seat = seat
    view.role = np.int64(np.int64(seat) != landlord) if landlord >= 0 else NOBODY
    view.hand = hand
    view_word(flight, slot, OWN, 0).word = nibbles_to_bytes(hand)
    view_word(flight, slot, OWN, 1).word = nibbles_to_bytes(hand >> 32)


@inner
def begin_deal(flight: Any, slot: int, state: Any, view: Any, rules: Any) -> None:
    """Shuffle and deal, and begin the auction, or the play where there is none."""
    shuffle(state, calls.stream(flight, slot, MAX_SEATS))
    for seat in range(SEATS):
        calls.stream(flight, slot, seat).word = keyed.pack_word(_STRATEGY_BITS, seat, state.epoch)
        state.taken[seat] = state.hands[seat]
        view.cards_left[seat] = count_cards(state.hands[seat])
    for k in range(MOST_CALLS):
        view.calls[k] = 0
    state.calls_made = 0
    state.passes = 0
    state.bid = 0
    state.bidder = NOBODY
    state.stage = AUCTION
    state.phase = DECIDE
    state.turn = state.first
    view.redeals = state.epoch
    view.first_bidder = state.first
    view.calls_made = 0
    view.bid = 0
    view.bidder = NOBODY
    if not rules.auction:
        view.first_bidder = NOBODY
        state.bid = 1
        begin_play(flight, slot, state, view, 0)


@inner
def begin_play(flight: Any, slot: int, state: Any, view: Any, landlord: int) -> None:
    """Give the landlord the bottom cards and the lead (D4)."""
    state.hands[landlord] += state.bottom
    state.taken[landlord] = state.hands[landlord]
    state.landlord = landlord
    state.turn = landlord
    state.stage = PLAY
    state.passes = 0
    state.phase = DECIDE
    view.phase = PLAY
    view.landlord = landlord
    view.bottom = state.bottom
    view.bid = state.bid
    view.cards_left[landlord] = count_cards(state.hands[landlord])


@inner
def end_auction(flight: Any, slot: int, state: Any, view: Any, rules: Any) -> None:
    """Make the highest bidder the landlord; without a bid deal again, or end the game (D-D3)."""
    if state.bid:
        begin_play(flight, slot, state, view, state.bidder)
    elif state.epoch < rules.max_redeals:
        state.epoch += 1
        begin_deal(flight, slot, state, view, rules)
    else:
        state.void = 1
        state.phase = GAME_EVENTS
        state.cursor = 0


@inner
def score_side(state: Any, winner: int, unit: int) -> None:
    """Let a side win `unit`: each farmer wins or loses one, the landlord two (D13)."""
    state.winner = winner
    sign = 1 if winner == FARMER else -1
    for seat in range(SEATS):
        is_landlord = seat == state.landlord
        state.score[seat] = -2 * sign * unit if is_landlord else sign * unit
        state.won[seat] = is_landlord == (winner == LANDLORD)


@inner
def end_play(state: Any) -> None:
    """Score a deal that ended with an empty hand (D12, D13)."""
    landlord = state.landlord
    farmers_played = 0
    for seat in range(SEATS):
        farmers_played |= (seat != landlord) & (state.hands[seat] != state.taken[seat])
    landlord_plays = 0
    for k in range(0, state.actions_made, SEATS):
        landlord_plays += state.actions[k] != PASS
    if np.int64(state.turn) == landlord:
        winner = LANDLORD
        state.spring = NO_SPRING if farmers_played else SPRING
    else:
        winner = FARMER
        state.spring = ANTI_SPRING if landlord_plays == 1 else NO_SPRING
    state.multiplier *= 1 + (state.spring != NO_SPRING)
    score_side(state, winner, state.bid * state.multiplier)
    state.phase = GAME_EVENTS
    state.cursor = 0


@inner
def end_by_forfeit(state: Any) -> None:
    """Score a deal whose seat in turn forfeited ("Both games" of the rules, D-D5)."""
    offender = state.turn
    unit = max(state.bid, 1) * state.multiplier
    if state.stage == AUCTION:
        for seat in range(SEATS):
            state.score[seat] = unit
            state.won[seat] = 1
        state.score[offender] = -2 * unit
        state.won[offender] = 0
    elif np.int64(offender) == state.landlord:
        score_side(state, FARMER, unit)
    else:
        score_side(state, LANDLORD, unit)
        for seat in range(SEATS):
            if seat != state.landlord:
                state.score[seat] = 0
        state.score[offender] = -2 * unit
    state.phase = GAME_EVENTS
    state.cursor = 0


@inner
def finish(row: Any, state: Any) -> None:
    """Write the result of a finished game."""
    row.decisions = SEATS * state.epoch + state.calls_made + state.actions_made
    row.void = state.void
    row.landlord = state.landlord
    row.final_bid = state.bid if state.stage == PLAY else 0
    row.multiplier = state.multiplier
    row.spring = state.spring
    row.redeals = state.epoch
    for seat in range(SEATS):
        place = 1
        for other in range(SEATS):
            place += state.score[other] > state.score[seat]
        row.place[seat] = place
        row.score[seat] = state.score[seat]
        row.won[seat] = state.won[seat]
        row.fault[seat] = state.fault[seat]
        is_landlord = seat == state.landlord
        row.role[seat] = (LANDLORD if is_landlord else FARMER) if state.stage == PLAY else NOBODY
        row.bid[seat] = state.bids[seat]
        row.bid_won[seat] = state.bids[seat] if is_landlord else 0
        row.passes_able[seat] = state.passes_able[seat]
        row.bombs[seat] = state.bombs[seat]


@inner
def show_result(state: Any, view: Any, seat: int) -> None:
    """Write how the game ended for `seat` into the view of its game event."""
    view.winner = state.winner
    view.won = state.won[seat]
    view.spring = state.spring
    view.multiplier = state.multiplier
    view.score = state.score[seat]


@inner
def clear_view(flight: Any, slot: int, state: Any, view: Any) -> None:
    """Forget the last game of the slot; `state` is still as that left it."""
    for k in range(state.actions_made):
        view_word(flight, slot, ACTIONS, k).word = 0
    for seat in range(SEATS):
        view_word(flight, slot, PLAYED, seat).word = 0
    view.phase = AUCTION
    view.landlord = NOBODY
    view.bottom = 0
    view.target = 0
    view.to_beat = 0
    view.to_beat_seat = NOBODY
    view.passes = 0
    view.multiplier = 1
    view.actions_made = 0
    view.winner = NOBODY
    view.won = 0
    view.spring = NO_SPRING
    view.score = 0


@inner
def begin_game(flight: Any, slot: int, state: Any, view: Any, rules: Any) -> None:
    """Take the next task, or leave the slot idle."""
    if flight.next_task >= flight.task_count:
        state.phase = IDLE
        return
    state.task = flight.next_task
    flight.next_task += 1
    clear_view(flight, slot, state, view)
    state.injected = 0
    state.epoch = 0
    state.target = 0
    state.to_beat = 0
    state.to_beat_seat = NOBODY
    state.actions_made = 0
    state.landlord = NOBODY
    state.multiplier = 1
    state.winner = NOBODY
    state.spring = NO_SPRING
    state.void = 0
    for seat in range(SEATS):
        calls.seat_player(flight, slot, state, seat)
        state.passes_able[seat] = 0
        state.bombs[seat] = 0
        state.bids[seat] = 0
        state.score[seat] = 0
        state.won[seat] = 0
    view.seats = SEATS
    view.max_redeals = rules.max_redeals
    begin_deal(flight, slot, state, view, rules)


@inner
def settle(flight: Any, slot: int, rules: Any) -> None:
    """Bring a slot to its next decision, or to where it waits or is idle."""
    state = state_at(flight.states, slot)
    view = view_at(flight.views, slot)
    if state.phase == DECIDED:
        if state.stage == AUCTION:
            end_auction(flight, slot, state, view, rules)
        else:
            end_play(state)
    elif state.phase == FORFEITED:
        end_by_forfeit(state)
    while True:
        phase = state.phase
        if phase == GAME_EVENTS:
            seat = calls.listener(flight, state, SEATS)
            if seat == SEATS:
                state.phase = FINISHED
            elif calls.begin_event_call(flight, slot, state, seat):
                show_seat(flight, slot, state, view, seat)
                show_result(state, view, seat)
                if not calls.send_event(flight, slot, state, view, seat):
                    return
        elif phase == FINISHED:
            finish(_result_at(flight.results, state.task), state)
            flight.done += 1
            begin_game(flight, slot, state, view, rules)
        elif phase == FRESH:
            begin_game(flight, slot, state, view, rules)
        else:
            return
