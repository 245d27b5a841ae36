"""The compiled side of Liar's Dice, put together for the table."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.engines.base import GameKernel
from sim.engines.liars_dice import layout
from sim.engines.liars_dice.kernel import advance
from sim.engines.liars_dice.rules import FACES, Rules
from sim.engines.liars_dice.state import State
from sim.engines.liars_dice.view import VIEW_DTYPE, View


def rule_record(rules: Rules) -> NDArray[Any]:
    """Give the rules as the kernel reads them."""
    record = np.zeros(1, layout.RULES_DTYPE)
    record["seats"] = rules.seats
    record["ones_wild"] = rules.ones_wild
    record["ones_lock"] = rules.ones_wild and rules.ones_lock == "any"
    record["ones_high"] = rules.ones_rank == "high"
    record["single_round"] = rules.rounds == "1"
    record["dice"][0, : rules.seats] = rules.dice
    return record


def read_state(row: Any, rules: Rules) -> State:
    """Read the round of a game in flight that was rolled last, without a challenge at its end.

    Hands and bids stay until the next roll. So who went out by this round is still in it.
    """
    seats = range(rules.seats)
    packed = row["hands"].tolist()
    gone = sorted((-int(row["place"][seat]), seat) for seat in seats if not packed[seat])
    return State(
        rules=rules,
        hands=tuple(
            tuple(face for face in range(1, FACES + 1) for _ in range(packed[s] >> 8 * face & 255))
            for s in seats
        ),
        round=int(row["epoch"]),
        out=tuple(seat for _, seat in gone),
        opener=int(row["opener"]),
        actions=tuple(map(int, row["history"][: int(row["bids_made"])])),
    )


def game_kernel(rules: Rules) -> GameKernel:
    """Give the compiled side of a table with these rules."""
    return GameKernel(
        advance=advance,
        state_dtype=layout.STATE_DTYPE,
        view_dtype=VIEW_DTYPE,
        view_class=View,
        result_dtype=layout.RESULT_DTYPE,
        rules=rule_record(rules),
        position_text=lambda row: str(read_state(row, rules)),
    )
