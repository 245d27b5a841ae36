"""Positions as text: what is written reads back, and what cannot be is refused in a sentence."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.engines.dou_dizhu.rules import Rules
from sim.engines.dou_dizhu.state import State
from sim.engines.rng import SeatRng
from sim.errors import IllegalAction, NotationError

from .drawn import rules
from .positions import FAST
from .test_play import CARDS


@given(rules(), st.integers(0, 2**40), st.integers(0, 200), st.booleans())
@settings(max_examples=40)
def test_every_position_reads_back(
    table_rules: Rules, deal: int, actions: int, forfeits: bool
) -> None:
    """After any number of random actions, forfeits and redeals included."""
    state = State.deal(table_rules, seed=3, deal=deal)
    rng = SeatRng(deal, 0)
    for _ in range(actions):
        if state.is_over:
            break
        if state.passed_out:
            state = state.next_deal(seed=3, deal=deal)
        else:
            legal = state.legal()
            state = state.after(rng.choice(legal[-20:]))
    if forfeits and not state.is_over and not state.passed_out:
        state = state.after_forfeit()

    assert State.from_text(str(state)) == state


@given(rules(), st.integers(0, 2**40))
@settings(max_examples=10)
def test_what_is_legal_is_exactly_what_is_accepted(table_rules: Rules, deal: int) -> None:
    """`legal` lists what `verify` lets pass: every listed action, and no play of another hand."""
    state = State.deal(table_rules, seed=3, deal=deal)
    rng = SeatRng(deal, 1)
    for _ in range(12):
        if state.is_over or state.passed_out:
            return
        legal = state.legal()
        others = {play for seat in range(3) for play in state.view(seat).legal()}
        for action in others | {0, 1, 2, 3, 4, -1, 1 << 62}:
            if action in legal:
                state.verify(action)
            else:
                with pytest.raises(IllegalAction):
                    state.verify(action)
        state = state.after(rng.choice(legal))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no hands= in ''"),
        ("hands=3/4/5", "no bottom="),
        ("hands=3/4/5 bottom=678 hand=3", "'hand=3' is no part of a position"),
        ("hands=3 hands=4 bottom=5", "hands= stands twice"),
        ("hands=3/4 bottom=678", "hands= names 2 hands: 3 are dealt"),
        ("hands=3/4/5 bottom=678", r"seat 0 has 1 cards \(3\): 17 are dealt"),
        (f"{FAST.replace('TJQ', 'TJ')}", "bottom=TJ has 2 cards: 3 are dealt"),
        (f"{FAST.replace('TJQ', 'TJK')}", "have 3 cards 'Q', not 4"),
        (f"{FAST} first=3", "first=3: must be a whole number from 0 to 2"),
        (f"{FAST} redeals=101", "redeals=101: must be a whole number from 0 to 100"),
        (f"rules=max_redeals:2 {FAST} redeals=3", "from 0 to 2"),
        (f"{FAST} redeals={'9' * 5000}", "must be a whole number from 0 to 100"),
        (f"rules=jokers:3 {FAST}", "unknown rule of dou-dizhu 'jokers'"),
        (f"rules=auction:false {FAST} first=1", "without an auction there is no first="),
        (f"rules=auction:false {FAST} calls=3", "without an auction there is no first="),
        (f"{FAST} calls=4", "'4' is no call: write 1, 2, 3 or pass"),
        (f"{FAST} calls=2,1", "a bid of 1 is not higher than 2"),
        (f"{FAST} calls=3,pass", "'pass' in '3,pass' comes after the auction"),
        (f"{FAST} calls=2 plays=8", "'8' in '8' comes during the auction"),
        (f"{FAST} calls=pass,pass,pass,1", "all passed, so the cards are to be dealt again"),
        (f"{CARDS} plays=34", "34 is no combination"),
        (f"{CARDS} plays=3X", "'X' is no card"),
        (f"{CARDS} plays=pass", "the leader may not pass"),
        (f"{CARDS} plays=3,forfeit,pass", "the game is over"),
    ],
)
def test_a_position_that_cannot_be_is_refused(text: str, why: str) -> None:
    """In one sentence that names the offending part."""
    with pytest.raises((NotationError, IllegalAction), match=why):
        State.from_text(text)
