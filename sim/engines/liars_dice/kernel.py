"""Liar's Dice compiled: `advance` moves every game in flight on until it waits or is over.

The arrays and phases are described in sim/engines/flight.py, the records in layout.py. Nothing is
checked but what strategies answer. Speed comes from many games in flight: one pass gives each
game one decision, and games whose round ended are collected and settled together.

The engine keeps its own copy of all that matters in the state; a view is written, never read.
"""

from typing import Any, Final

import numpy as np

from sim.engines import calls, keyed
from sim.engines.base import MAX_SEATS
from sim.engines.botcall import ACT
from sim.engines.compiling import entry, inlined, inner
from sim.engines.flight import (
    COMPILED,
    DECIDE,
    DECIDED,
    ENDED_DTYPE,
    FINISHED,
    FORFEITED,
    FRESH,
    GAME_EVENTS,
    IDLE,
    ROUND_EVENTS,
    ROUND_SETTLED,
    UNANSWERED,
    WAIT_ACT,
    WAIT_GAME,
    WAIT_ROUND,
)
from sim.engines.liars_dice.layout import RESULT_DTYPE, RULES_DTYPE, STATE_DTYPE
from sim.engines.liars_dice.rules import FACES, MAX_BIDS, MAX_DICE
from sim.engines.liars_dice.view import CHALLENGE, FACE_SLOTS, NO_BID, NOBODY, VIEW_DTYPE
from sim.engines.pointers import record_at
from sim.engines.rng import LUCK, STRATEGY, STREAM_SHIFT

state_at = record_at(STATE_DTYPE)
view_at = record_at(VIEW_DTYPE)
_result_at = record_at(RESULT_DTYPE)
_rules_at = record_at(RULES_DTYPE)
_ended_at = record_at(ENDED_DTYPE)

_LUCK_BITS: Final = np.uint64(LUCK << STREAM_SHIFT)
_STRATEGY_BITS: Final = np.uint64(STRATEGY << STREAM_SHIFT)
# counters packed into one integer (layout.STATE_DTYPE, `tally`)
UNSUPPORTED_SHIFT: Final = 16
ON_ONES_SHIFT: Final = 32
TALLY_MASK: Final = 0xFFFF
_ROLLS: Final = FACES**MAX_DICE
_FACES: Final = np.uint32(FACES)


@inlined
def face_count(hand: int, face: int) -> int:
    """Count the dice of a packed hand (or of packed hands added up) that show `face`."""
    return (hand >> (8 * face)) & 0xFF


@inlined
def bid_count(bid: int) -> int:
    """Give the count of a bid's number, 0 .. 179, without a division: 171/1024 is near 1/6."""
    return (bid * 171 >> 10) + 1


@inlined
def bid_face(bid: int, ones_high: int) -> int:
    """Give the face of a bid's number."""
    rank = bid - FACES * (bid_count(bid) - 1)
    shifted = rank + ones_high
    # 5 + 1 wraps to 0; in signs, as a comparison would become a branch that nobody can predict
    return shifted + 1 - (FACES & ((FACES - 1 - shifted) >> 63))


@inner
def support(hand: int, face: int, locked: int) -> int:
    """Count the dice that support a bid on `face`: wild ones count too, unless locked."""
    ones = face_count(hand, 1)
    return face_count(hand, face) + ones * (1 - locked) * (face != 1)


@inner
def roll(state: Any, luck: Any, seats: int) -> None:
    """Roll all dice of a round. A seat's first k dice are the same whatever k is."""
    for seat in range(seats):
        luck.word = keyed.pack_word(_LUCK_BITS, seat, state.epoch)
        rest = np.uint32(keyed.below(luck, _ROLLS))
        dice = state.dice[seat]
        hand = np.int64(0)
        for k in range(MAX_DICE):  # all five, so that nothing depends on how many are left
            face = np.int64(rest % _FACES) + 1
            hand += np.int64(k < dice) << (8 * face)
            rest //= _FACES
        state.hands[seat] = hand


@inner
def begin_round(flight: Any, slot: int, state: Any, view: Any, rules: Any) -> None:
    """Roll, clear the bids, and give the turn to the opener."""
    seats = rules.seats
    round_ = state.epoch + 1
    state.epoch = round_
    roll(state, calls.stream(flight, slot, MAX_SEATS), seats)
    for seat in range(seats):
        calls.stream(flight, slot, seat).word = keyed.pack_word(_STRATEGY_BITS, seat, round_)
        view.dice_counts[seat] = state.dice[seat]
    state.turn = state.opener
    state.bid = NO_BID
    state.bids_made = 0
    state.locked = 1 - rules.ones_wild
    state.bidder = NOBODY
    state.phase = DECIDE
    view.round = round_
    view.opener = state.opener
    view.dice_in_play = state.in_play
    view.locked = state.locked
    view.bid = NO_BID
    view.bid_count = 0
    view.bid_face = 0
    view.bids_made = 0
    for k in range(MAX_BIDS):
        view.bids[k] = 0


@inner
def clear_shown(view: Any) -> None:
    """Forget the last finished round: there is none, or the last one was void."""
    for k in range(FACE_SLOTS * MAX_SEATS):
        view.shown[k] = 0
    view.shown_bid = NO_BID
    view.shown_bidder = NOBODY
    view.shown_challenger = NOBODY
    view.shown_actual = 0
    view.shown_loser = NOBODY


@inlined
def show_seat(view: Any, state: Any, seat: int) -> None:
    """Write what only `seat` may see into the view."""
    view.seat = seat
    view.own_dice = state.dice[seat]
    hand = state.hands[seat]
    for face in range(FACE_SLOTS):
        view.own[face] = (hand >> (8 * face)) & 0xFF


@inlined
def bid_or_challenge(state: Any, view: Any, action: int, rules: Any) -> Any:
    """Do a legal action, count it, pass the turn; give 1 if it was a challenge.

    Written without branches on the action: which of the two it is cannot be predicted.
    """
    seat = state.turn
    is_bid = np.int64(action != CHALLENGE)
    number = action if is_bid else state.bid
    count = bid_count(number)
    face = bid_face(number, rules.ones_high)
    on_ones = np.int64(face == 1)
    locked = state.locked | (is_bid & on_ones & rules.ones_lock)
    chance_sixths = 2 - (locked | on_ones)
    own = support(state.hands[seat], face, locked)
    excess = FACES * (count - own) - (state.in_play - state.dice[seat]) * chance_sixths
    tally = 1 + (np.int64(excess > 0) << UNSUPPORTED_SHIFT) + (on_ones << ON_ONES_SHIFT)
    state.tally[seat] += is_bid * tally
    state.excess_sixths[seat] += is_bid * excess
    state.locked = locked
    state.bid = number
    made = state.bids_made
    place = min(made, MAX_BIDS - 1)
    state.history[place] = number
    view.bids[place] = number
    state.bids_made = made + is_bid
    view.locked = locked
    view.bid = number
    view.bid_count = count
    view.bid_face = face
    view.bids_made = made + is_bid
    state.bidder = is_bid * np.int64(seat) + (1 - is_bid) * state.bidder
    return 1 - is_bid


@inner
def settle_challenge(state: Any, view: Any, rules: Any) -> None:
    """Show all dice and find who loses one (L7)."""
    seats = rules.seats
    total = 0
    for seat in range(seats):
        hand = state.hands[seat] if state.dice[seat] else 0
        total += hand
        for face in range(FACE_SLOTS):
            view.shown[FACE_SLOTS * seat + face] = (hand >> (8 * face)) & 0xFF
    if state.bids_made < MAX_BIDS:
        view.bids[state.bids_made] = 0  # the challenge was written there like a bid
    bid = state.bid
    challenger = state.turn
    actual = support(total, bid_face(bid, rules.ones_high), state.locked)
    right = np.int64(actual < bid_count(bid))
    state.challenges[challenger] += 1
    state.challenges_right[challenger] += right
    state.loser = state.bidder if right else challenger
    view.shown_bid = bid
    view.shown_bidder = state.bidder
    view.shown_challenger = challenger
    view.shown_actual = actual
    view.shown_loser = state.loser


@inner
def put_out(state: Any, seat: int, seats: int) -> None:
    """Take `seat` out of the game with all its dice; its place is the lowest still free."""
    for other in range(seats):
        if state.follower[other] == seat:
            state.follower[other] = state.follower[seat]
    state.in_play -= state.dice[seat]
    state.dice[seat] = 0
    state.in_round[seat] = 0
    state.place[seat] = state.remaining
    state.remaining -= 1


@inner
def end_round(flight: Any, slot: int, state: Any, view: Any, rules: Any) -> None:
    """Settle who is out, then begin the next round or end the game."""
    seats = rules.seats
    over = False
    if state.phase == FORFEITED:
        opener = state.turn
        put_out(state, opener, seats)
        clear_shown(view)
    else:
        opener = state.loser
        state.dice[opener] -= 1
        state.in_play -= 1
        if rules.single_round:
            put_out(state, opener, seats)
            over = True
        elif state.dice[opener] == 0:
            put_out(state, opener, seats)
    for seat in range(seats):
        if state.pending[seat] and state.dice[seat] and state.remaining > 1 and not over:
            put_out(state, seat, seats)
    if over or state.remaining == 1:
        state.phase = GAME_EVENTS
        state.cursor = 0
        return
    state.opener = opener if state.dice[opener] else state.follower[opener]
    begin_round(flight, slot, state, view, rules)


@inner
def finish(row: Any, state: Any, rules: Any) -> None:
    """Write the result of a finished game (D-L5)."""
    seats = rules.seats
    row.rounds = state.epoch
    row.void = 0
    decisions = 0
    for seat in range(seats):
        won = state.place[seat] == 0
        row.won[seat] = won
        row.place[seat] = state.place[seat] + won
        row.score[seat] = seats - 1 if won else -1
        row.fault[seat] = state.fault[seat]
        tally = state.tally[seat]
        bids = tally & TALLY_MASK
        decisions += bids + state.challenges[seat]
        row.bids[seat] = bids
        row.challenges[seat] = state.challenges[seat]
        row.challenges_right[seat] = state.challenges_right[seat]
        row.bids_unsupported[seat] = tally >> UNSUPPORTED_SHIFT & TALLY_MASK
        # hundredths from sixths, rounded to nearest
        row.bid_excess[seat] = (2 * 100 * state.excess_sixths[seat] + FACES) // (2 * FACES)
        row.bids_on_ones[seat] = tally >> ON_ONES_SHIFT & TALLY_MASK
    row.decisions = decisions


@inner
def show_result(state: Any, view: Any, seat: int, rules: Any) -> None:
    """Write how the game ended for `seat` into the view of its game event."""
    for other in range(rules.seats):
        if state.place[other] == 0:
            view.winner = other
    won = view.winner == seat
    view.place = state.place[seat] + won
    view.score = rules.seats - 1 if won else -1
    view.dice_in_play = state.in_play
    for other in range(rules.seats):
        view.dice_counts[other] = state.dice[other]


@inner
def begin_game(flight: Any, slot: int, state: Any, view: Any, rules: Any) -> None:
    """Take the next task, or leave the slot idle."""
    if flight.next_task >= flight.task_count:
        state.phase = IDLE
        return
    state.task = flight.next_task
    flight.next_task += 1
    seats = rules.seats
    state.injected = 0
    state.in_play = 0
    state.remaining = seats
    state.epoch = 0
    state.opener = 0
    for seat in range(seats):
        calls.seat_player(flight, slot, state, seat)
        state.dice[seat] = rules.dice[seat]
        state.in_play += rules.dice[seat]
        state.follower[seat] = seat + 1 if seat + 1 < seats else 0
        state.place[seat] = 0
        state.tally[seat] = 0
        state.challenges[seat] = 0
        state.challenges_right[seat] = 0
        state.excess_sixths[seat] = 0
    view.seats = seats
    view.ones_wild = rules.ones_wild
    view.ones_lock = rules.ones_lock
    view.ones_high = rules.ones_high
    view.winner = NOBODY
    view.place = 0
    view.score = 0
    clear_shown(view)
    begin_round(flight, slot, state, view, rules)


@inner
def settle(flight: Any, slot: int, rules: Any) -> None:
    """Bring a slot to its next decision, or to where it waits or is idle."""
    state = state_at(flight.states, slot)
    view = view_at(flight.views, slot)
    seats = rules.seats
    if state.phase == DECIDED:
        settle_challenge(state, view, rules)
        state.phase = ROUND_EVENTS
        state.cursor = 0
    while True:
        phase = state.phase
        if phase == ROUND_EVENTS or phase == GAME_EVENTS:
            seat = calls.listener(flight, state, seats)
            if seat == seats:
                state.phase = ROUND_SETTLED if phase == ROUND_EVENTS else FINISHED
                continue
            if not calls.begin_event_call(flight, slot, state, seat):
                continue
            show_seat(view, state, seat)
            if phase == GAME_EVENTS:
                show_result(state, view, seat, rules)
            if not calls.send_event(flight, slot, state, view, seat):
                return
        elif phase == ROUND_SETTLED or phase == FORFEITED:
            end_round(flight, slot, state, view, rules)
        elif phase == FINISHED:
            finish(_result_at(flight.results, state.task), state, rules)
            flight.done += 1
            begin_game(flight, slot, state, view, rules)
        elif phase == FRESH:
            begin_game(flight, slot, state, view, rules)
        else:
            return


@inner
def forfeit(flight: Any, slot: int, state: Any, category: int, action: int) -> None:
    """Let the seat in turn forfeit."""
    calls.note_fault(flight, slot, state, state.turn, ACT, category, action)
    state.phase = FORFEITED


@inlined
def is_legal(state: Any, action: int) -> bool:
    """Tell whether the seat in turn may do `action` (L4, L5, L7, L8).

    In signs, not in truth values, so that one predictable branch is left: `no_bid` is negative
    unless the action is a bid above the last one and within the dice in play.
    """
    no_bid = (action - state.bid - 1) | (FACES * state.in_play - 1 - action)
    challenge = (action == CHALLENGE) & (state.bids_made > 0)
    return bool((no_bid & (np.int64(challenge) - 1)) >= 0)


@inlined
def act(state: Any, view: Any, action: int, rules: Any) -> Any:
    """Do a legal action of the seat in turn; give 1 if the round ended by it."""
    challenge = bid_or_challenge(state, view, action, rules)
    seat = state.turn
    state.turn = seat if challenge else state.follower[seat]
    state.phase = DECIDED if challenge else DECIDE
    return challenge


@inner
def take_answer(flight: Any, slot: int, rules: Any) -> bool:
    """Take what came from outside, if anything did; tell whether the slot is to be settled."""
    state = state_at(flight.states, slot)
    phase = state.phase
    if phase == DECIDE or phase == IDLE:
        return False
    if phase != WAIT_ACT and phase != WAIT_ROUND and phase != WAIT_GAME:
        return True
    if state.verdict == UNANSWERED:
        return False
    if phase != WAIT_ACT:
        calls.take_event_answer(flight, slot, state)
    elif state.verdict:
        forfeit(flight, slot, state, state.verdict, 0)
    elif not is_legal(state, state.answer):
        forfeit(flight, slot, state, calls.ILLEGAL, state.answer)
    else:
        return bool(act(state, view_at(flight.views, slot), state.answer, rules))
    return True


@inner
def decide(flight: Any, rules: Any) -> tuple[int, int]:
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
        show_seat(view, state, seat)
        if state.injected and (state.inject_call[seat] == call or state.inject_call[seat] == 0):
            forfeit(flight, slot, state, state.inject_category[seat], 0)
            _ended_at(flight.ended, ended).slot = slot
            ended += 1
        elif calls.bot_at(flight.bots, state.player[seat]).kind != COMPILED:
            calls.wait_outside(state, WAIT_ACT)
        else:
            action = calls.call_compiled(flight, slot, state, view, seat, ACT, WAIT_ACT)
            _ended_at(flight.ended, ended).slot = slot
            if is_legal(state, action):
                ended += act(state, view, action, rules)
            else:
                forfeit(flight, slot, state, calls.ILLEGAL, action)
                ended += 1
    return ended, moved


@entry
def advance(flight: Any) -> int:
    """Move every game on; give the number of positions that wait for an answer from outside."""
    rules = _rules_at(flight.rules, 0)
    ended = 0
    for slot in range(flight.slot_count):
        if take_answer(flight, slot, rules):
            _ended_at(flight.ended, ended).slot = slot
            ended += 1
    while True:
        for k in range(ended):
            settle(flight, _ended_at(flight.ended, k).slot, rules)
        if not calls.may_pass(flight):
            break
        ended, moved = decide(flight, rules)
        if not moved:
            break
    return calls.list_waiting(flight, state_at(flight.states, 0))
