"""Records and numbers shared by the kernels and the table: games in flight.

A kernel gets one record, the *flight*: the addresses of the arrays of S slots, each with room for
one game, and a few counters. Kernels reach a row through `pointers.record_at`: no array is passed
or counted, which made a decision 30 times cheaper than tuples of arrays did. The table keeps the
arrays alive. The record is the same for every game, so that the table and the pump know none.
"""

from typing import Final

import numpy as np

from sim.engines.base import MAX_SEATS
from sim.engines.botcall import MEMORY_SIZE

FLIGHT_DTYPE: Final = np.dtype(
    [
        # addresses of arrays, with their records and lengths
        ("states", "i8"),  # the game's STATE_DTYPE, SLOT_FIELDS first (S,)
        ("view_copy", "i8"),  # VIEW_DTYPE (1,): what a strategy that is not ours gets to see
        ("views", "i8"),  # the game's VIEW_DTYPE (S,): written before each call, never read
        ("rngs", "i8"),  # RNG_DTYPE (S, STREAMS): a stream a seat; the last is the deal's luck
        ("memory", "i8"),  # MEMORY_DTYPE (S, MAX_SEATS): what compiled strategies keep
        ("tasks", "i8"),  # TASK_DTYPE (T,)
        ("results", "i8"),  # the game's RESULT_DTYPE (T,): one row a task
        ("bots", "i8"),  # BOT_DTYPE (players,)
        ("params", "i8"),  # float64: the parameters of all players, one after the other
        ("waiting", "i8"),  # WAITING_DTYPE (S,): positions that wait for a strategy outside
        ("faults", "i8"),  # FAULT_DTYPE (FAULT_ROOM * S,)
        ("fault_states", "i8"),  # the game's STATE_DTYPE: copies of the states they happened in
        ("ended", "i8"),  # ENDED_DTYPE (S,): slots to settle after a pass
        ("rules", "i8"),  # the game's RULES_DTYPE (1,)
        ("pulse", "i8"),  # PULSE_DTYPE (1,); may lie in memory shared with a supervisor
        ("slot_count", "i8"),
        ("task_count", "i8"),
        ("seed", "u8"),
        ("salted", "i8"),
        # 1 if any player hears of the end of rounds, of games
        ("wants_round", "i8"),
        ("wants_game", "i8"),
        # counters
        ("next_task", "i8"),
        ("done", "i8"),
        ("waits", "i8"),
        ("fault_count", "i8"),
        # the compiled call that is running, for the table if it raises
        ("call_slot", "i8"),
        ("call_phase", "i8"),
    ]
)

STREAMS: Final = MAX_SEATS + 1
"""Random streams of a slot: one a seat, then the luck of the deal."""

SLOT_FIELDS: Final = [
    ("task", "i8"),
    ("phase", "i8"),
    # the seat to act, and the seat whose event comes next; unsigned, so that indexing by them
    # needs no test for negative numbers
    ("turn", "u4"),
    ("cursor", "u4"),
    # round or redeal: part of the key of random numbers
    ("epoch", "i8"),
    ("injected", "i8"),
    # answer from outside, and UNANSWERED, 0, or the category of a fault instead
    ("answer", "i8"),
    ("verdict", "i8"),
    ("player", "i4", (MAX_SEATS,)),
    ("calls", "i4", (MAX_SEATS,)),
    ("inject_call", "i4", (MAX_SEATS,)),
    ("inject_category", "i4", (MAX_SEATS,)),
    ("fault", "i4", (MAX_SEATS,)),
    # category of a fault in a round event: the seat is out before the next round
    ("pending", "i4", (MAX_SEATS,)),
    # 1 while the seat takes part in rounds, and so hears of their ends
    ("in_round", "i4", (MAX_SEATS,)),
]
"""What the state of every game begins with, as calls.py and table.py use it."""

MEMORY_DTYPE: Final = np.dtype([("words", "i8", (MEMORY_SIZE,))])
ENDED_DTYPE: Final = np.dtype([("slot", "i8")])
PULSE_DTYPE: Final = np.dtype(
    [
        ("task", "i8"),
        ("seat", "i8"),
        ("call", "i8"),
        ("player", "i8"),
        # nanoseconds (monotonic) at which a call outside the kernel began; 0 while none runs
        ("since", "i8"),
    ]
)

# phases of a slot
FRESH: Final = 0
"""No game yet: takes the next task."""
DECIDE: Final = 1
"""The seat in turn is to act."""
WAIT_ACT: Final = 2
WAIT_ROUND: Final = 3
WAIT_GAME: Final = 4
"""Waiting for an answer from outside: to a turn, a round event, a game event."""
FORFEITED: Final = 5
"""The seat in turn broke the rules of the table."""
DECIDED: Final = 6
"""The action in turn ended a round (Liar's Dice: a challenge)."""
ROUND_EVENTS: Final = 7
ROUND_SETTLED: Final = 8
GAME_EVENTS: Final = 9
FINISHED: Final = 10
IDLE: Final = 11
"""No game any more: all tasks are handed out."""

COMPILED: Final = 0
OUTSIDE: Final = 1
"""Kinds of a bot, as a kernel needs to know them."""

UNANSWERED: Final = -1
FAULT_ROOM: Final = 32
"""Rows for faults a slot; a pass begins only while half of them are free, and makes at most
1 + 2 * MAX_SEATS faults in a slot."""

BOT_DTYPE: Final = np.dtype(
    [
        ("address", "i8"),
        ("params_start", "i8"),
        ("params_count", "i8"),
        ("kind", "i1"),
        ("wants_round", "i1"),
        ("wants_game", "i1"),
        ("trusted", "i1"),
    ]
)

WAITING_DTYPE: Final = np.dtype(
    [
        ("slot", "i4"),
        ("seat", "i4"),
        ("player", "i4"),
        ("event", "i4"),
        ("epoch", "i4"),
        ("call", "i4"),
        ("task", "i8"),
    ]
)

FAULT_DTYPE: Final = np.dtype(
    [
        ("task", "i8"),
        ("action", "i8"),
        ("slot", "i4"),
        ("call", "i4"),
        ("seat", "i1"),
        ("category", "i1"),
        ("event", "i1"),
    ]
)
