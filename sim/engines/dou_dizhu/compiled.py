"""The compiled side of Dou Dizhu, put together for the table."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.engines.base import GameKernel
from sim.engines.dou_dizhu import layout
from sim.engines.dou_dizhu.kernel import advance
from sim.engines.dou_dizhu.rules import Rules
from sim.engines.dou_dizhu.state import State
from sim.engines.dou_dizhu.view import AUCTION, VIEW_DTYPE, View


def rule_record(rules: Rules) -> NDArray[Any]:
    """Give the rules as the kernel reads them."""
    record = np.zeros(1, layout.RULES_DTYPE)
    record["auction"] = rules.auction
    record["max_redeals"] = rules.max_redeals if rules.auction else 0
    return record


def read_state(row: Any, rules: Rules) -> State:
    """Read the position of a game in flight, or the last one of a finished game."""
    taken = row["taken"].tolist()
    bottom = int(row["bottom"])
    if row["stage"] != AUCTION:
        taken[int(row["landlord"])] -= bottom
    return State(
        rules=rules,
        hands=tuple(taken),
        bottom=bottom,
        first=int(row["first"]) if rules.auction else 0,
        redeals=int(row["epoch"]),
        calls=tuple(map(int, row["auction"][: int(row["calls_made"])])),
        plays=tuple(map(int, row["actions"][: int(row["actions_made"])])),
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
