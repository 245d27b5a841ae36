"""Whole games of OpenSpiel's `dou_dizhu`, where it is installed (extra `peers`), replayed here."""

import random
from dataclasses import replace
from typing import Any

import pytest

from sim.engines.dou_dizhu.notation import cards_text, parse_cards
from sim.engines.dou_dizhu.rules import Rules
from sim.engines.dou_dizhu.state import State
from sim.engines.dou_dizhu.view import PLAY

from .positions import OPEN_SPIEL

RANKS = "3456789TJQKA2BR"
DEALT = 51
"""Cards dealt one by one, seat by seat; the action is 51 plus the number of the card."""


def rank_of(action: int) -> str:
    """Write the card that a chance action deals."""
    card = action - DEALT
    return "BR"[card - 52] if card >= 52 else RANKS[card % 13]


def deal_of(state: Any) -> State:
    """Give the deal of a game of OpenSpiel whose cards are dealt."""
    dealt = [rank_of(action) for action in state.history()[1:]]
    hands = [parse_cards("".join(dealt[seat::3])) for seat in range(3)]
    bottom = parse_cards(RANKS[:13] * 4 + "BR") - sum(hands)
    return State(
        rules=Rules(max_redeals=0),
        hands=(hands[0], hands[1], hands[2]),
        bottom=bottom,
        first=state.current_player(),
    )


def action_of(name: str) -> str:
    """Write an action of OpenSpiel as ours."""
    if name == "Pass":
        return "pass"
    return name.removeprefix("Bid ").replace("(BWJ)", "B").replace("(CJ)", "R").replace("-", "")


def play_along(game: Any, rng: random.Random) -> State:
    """Play a random game there, with plays that both allow, and follow it here."""
    theirs = game.new_initial_state()
    while theirs.is_chance_node():
        theirs.apply_action(rng.choice(theirs.legal_actions()))
    ours = deal_of(theirs)
    while not theirs.is_terminal():
        seat = theirs.current_player()
        assert seat == ours.to_move
        named = {
            ours.parse(action_of(theirs.action_to_string(seat, action))): action
            for action in theirs.legal_actions()
        }
        both = sorted(named.keys() & set(ours.legal()))
        if ours.phase != PLAY:
            assert sorted(named) == both == sorted(ours.legal())
        action = rng.choice(both)
        theirs.apply_action(named[action])
        ours = ours.after(action)
    assert list(ours.scores) == theirs.returns()
    return ours


def test_openspiel_scores_the_same_games_alike() -> None:
    """300 random games: turns, calls, who leads, springs, bombs and returns."""
    pyspiel = pytest.importorskip("pyspiel")
    game, rng = pyspiel.load_game("dou_dizhu"), random.Random(12)
    ends = [play_along(game, rng) for _ in range(300)]

    assert {end.winner for end in ends} == {-1, 0, 1}
    assert {end.bid for end in ends} == {0, 1, 2, 3}
    assert max(end.multiplier for end in ends) >= 2


def test_openspiel_replays_its_own_playthrough() -> None:
    """The golden game: the same cards and actions, returns [-6, 3, 3]."""
    pyspiel = pytest.importorskip("pyspiel")
    end = State.from_text(OPEN_SPIEL)
    theirs = pyspiel.load_game("dou_dizhu").new_initial_state()
    theirs.apply_action(18)  # the card shown before the deal, which gives seat 0 the first call
    left = {rank: [c for c in range(54) if rank_of(DEALT + c) == rank] for rank in RANKS}
    hands = [list(cards_text(hand)) for hand in end.hands]
    for number in range(DEALT):
        theirs.apply_action(DEALT + left[hands[number % 3].pop(0)].pop(0))
    ours = deal_of(theirs)
    for action in (*end.calls, *end.plays):
        seat = theirs.current_player()
        named = {
            ours.parse(action_of(theirs.action_to_string(seat, theirs_action))): theirs_action
            for theirs_action in theirs.legal_actions()
        }
        theirs.apply_action(named[action])
        ours = ours.after(action)

    assert replace(ours, rules=end.rules) == end
    assert theirs.returns() == [-6, 3, 3] == list(end.scores)
