"""The play (rules D5, D12, D13, D-D5): turns, passes, the end, multiplier, springs and scores."""

from typing import Final

import pytest

from sim.engines.dou_dizhu.notation import cards_text, parse_cards
from sim.engines.dou_dizhu.rules import Rules
from sim.engines.dou_dizhu.state import State
from sim.engines.dou_dizhu.view import ANTI_SPRING, FARMER, LANDLORD, NO_SPRING, SPRING, View
from sim.errors import IllegalAction
from tests.engines.liars_dice.tables import (
    ILLEGAL,
    OUTSIDE,
    SEED,
    TIMEOUT,
    Row,
    Verdict,
    make_tasks,
)
from tests.reference.dou_dizhu import ALL, BY_CARDS, legal_plays

from .positions import FAST
from .tables import play

CARDS: Final = (
    "hands=44555667889TQKAAR/334678999TTQKKA22/334778JJJJQQKA22B bottom=56T first=2 calls=3"
)
"""Seat 2 is the landlord at 3 and leads; it holds a bomb."""

AIRPLANE: Final = "33344455566677789TJQ"
"""All the landlord's cards below, and one combination."""


def after(text: str, plays: str = "") -> State:
    """Give a position and what was played from it."""
    return State.from_text(f"{text} plays={plays}" if plays else text)


def test_D5_the_leader_may_not_pass() -> None:
    """And has every combination of the hand to choose from."""
    state = after(CARDS)

    with pytest.raises(IllegalAction, match="the leader may not pass"):
        state.after(0)
    assert 0 not in state.legal()


@pytest.mark.parametrize(
    ("plays", "legal"),
    [
        ("22", ["pass"]),  # nothing beats it but a bomb or the rocket
        ("KA22", None),
        ("QQ", ["pass", "AA"]),
        ("JJJJ", ["pass"]),
        ("34567", ["pass", "45678", "56789", "6789T"]),
    ],
)
def test_D5_a_follower_passes_or_beats(plays: str, legal: list[str] | None) -> None:
    """Same kind, same size, higher; KA22 is no combination at all."""
    if legal is None:
        with pytest.raises(IllegalAction, match="KA22 is no combination"):
            after(CARDS, plays)
        return
    state = after(CARDS, plays)

    assert state.to_move == 0
    assert [state.name(action) for action in state.legal()] == legal


def test_D5_a_bomb_beats_every_ordinary_play() -> None:
    """And doubles (D13)."""
    state = after(CARDS, "33,pass,22,JJJJ")

    assert state.multiplier == 2
    assert cards_text(state.to_beat) == "JJJJ"


def test_D5_after_two_passes_the_last_player_leads_again() -> None:
    """With one pass there is still something to beat."""
    one = after(CARDS, "33,44,pass")
    two = after(CARDS, "33,44,pass,pass")

    assert (one.to_move, cards_text(one.to_beat), one.passes) == (2, "44", 1)
    assert (two.to_move, two.to_beat) == (0, 0)
    assert one.view(2).to_beat_seat == 0
    assert two.view(0).to_beat_seat == -1


@pytest.mark.parametrize(
    ("plays", "action", "why"),
    [
        ("", "9", "9 are not all in the hand"),
        ("", "34", "34 is no combination"),
        ("33", "4", "4 does not beat 33"),
        ("QQ", "66", "66 does not beat QQ"),
        ("QQ", "444", "444 are not all in the hand"),
    ],
)
def test_refusal_says_why(plays: str, action: str, why: str) -> None:
    """Each refusal names the fault in the words of the game."""
    state = after(CARDS, plays)

    with pytest.raises(IllegalAction, match=why):
        state.after(state.parse(action))


@pytest.mark.parametrize("action", [-1, 8, 5, 0xF, 1 << 60, (1 << 63) - 1, -(1 << 63), 2 << 52])
def test_what_is_no_cards_is_refused(action: int) -> None:
    """Any whole number may be tried: nine threes and two black jokers are no cards."""
    with pytest.raises(IllegalAction, match="neither packed cards nor 0"):
        after(CARDS).after(action)


def finished(plays: str, calls: str = "2,pass,pass") -> State:
    """Give a finished game of FAST; the landlord is seat 0 at a bid of 2."""
    state = after(f"{FAST} calls={calls}", plays)
    assert state.is_over
    return state


SPRING_PLAYS: Final = AIRPLANE
ANTI_SPRING_PLAYS: Final = "8,2,pass,pass,3456888999TTTJJJ"
FARMER_PLAYS: Final = "8,pass,pass,9,2,pass,pass,3456888999TTTJJJ"
LANDLORD_PLAYS: Final = "8,2,pass,pass,3,pass,9,pass,pass,3444555666777TJQ,pass,pass,33"


@pytest.mark.parametrize(
    ("plays", "winner", "spring", "scores", "places"),
    [
        (SPRING_PLAYS, LANDLORD, SPRING, (8, -4, -4), (1, 2, 2)),
        (ANTI_SPRING_PLAYS, FARMER, ANTI_SPRING, (-8, 4, 4), (3, 1, 1)),
        (FARMER_PLAYS, FARMER, NO_SPRING, (-4, 2, 2), (3, 1, 1)),
        (LANDLORD_PLAYS, LANDLORD, NO_SPRING, (4, -2, -2), (1, 2, 2)),
    ],
    ids=["spring", "anti-spring", "farmer", "landlord"],
)
def test_D12_D13_how_a_deal_ends(
    plays: str,
    winner: int,
    spring: int,
    scores: tuple[int, ...],
    places: tuple[int, ...],
) -> None:
    """The landlord wins alone, or both farmers do; a spring doubles; the sum is zero."""
    state = finished(plays)

    assert (state.winner, state.spring) == (winner, spring)
    assert state.scores == scores
    assert state.places == places
    assert sum(scores) == 0
    assert state.won == tuple((winner == LANDLORD) == (seat == 0) for seat in range(3))
    with pytest.raises(IllegalAction, match="the game is over"):
        state.after(0)
    assert state.legal() == []


def test_D12_both_farmers_win_though_one_hand_is_not_empty() -> None:
    """The partner still holds all of its 17 cards."""
    state = finished(FARMER_PLAYS)

    assert state.held[2] == state.hands[2]
    assert state.won == (False, True, True)


@pytest.mark.parametrize(
    ("plays", "multiplier"),
    [
        ("8,pass,KKKK,pass,pass,AAAA,pass,pass,BR,pass,pass,7", 8),
        ("8,pass,KKKK,pass,pass,7", 2),
        ("8,pass,R,pass,pass,B", 1),  # two jokers are no rocket
        ("8,pass,pass,9,pass,K,pass,pass,KKK", 1),  # nor is a bomb played in parts
        ("8,pass,pass,9,pass,pass,T,pass,pass,J,pass,KKKK,pass,pass,AAAA", 4),
    ],
)
def test_D13_each_bomb_and_the_rocket_double(plays: str, multiplier: int) -> None:
    """The multiplier begins at 1."""
    state = after(f"{FAST} calls=1,pass,pass", plays)

    assert state.multiplier == multiplier
    assert state.view(1).multiplier == multiplier


@pytest.mark.parametrize(("calls", "unit"), [("1,pass,pass", 2), ("2,pass,pass", 4), ("3", 6)])
def test_D13_a_unit_is_bid_times_multiplier(calls: str, unit: int) -> None:
    """Here doubled by the spring."""
    assert finished(SPRING_PLAYS, calls).scores == (2 * unit, -unit, -unit)


def test_DD4_without_an_auction_the_bid_is_1() -> None:
    """The landlord's spring is worth 2 from each farmer."""
    state = after(f"rules=auction:false {FAST}", SPRING_PLAYS)

    assert state.scores == (4, -2, -2)


def test_D13_a_spring_needs_farmers_that_played_no_card() -> None:
    """One card of one farmer, and there is none; passing is not playing."""
    slow = "8,pass,pass,9,pass,pass,3444555666777TJQ,pass,pass,33"

    assert finished(slow).spring == SPRING
    assert finished(LANDLORD_PLAYS).spring == NO_SPRING


def test_D13_an_anti_spring_needs_a_landlord_that_played_once() -> None:
    """Twice, and there is none; passing is not playing."""
    assert finished(ANTI_SPRING_PLAYS).spring == ANTI_SPRING
    assert finished(FARMER_PLAYS).spring == NO_SPRING


@pytest.mark.parametrize("first", [None, "lowest single", "highest pair"])
def test_D5_the_compiled_engine_accepts_exactly_the_legal_plays(first: str | None) -> None:
    """All 24,639 combinations and the pass, tried as a lead, on a single and on a pair."""
    rules = Rules(auction=False)
    state = State.deal(rules, seed=SEED, deal=2)
    if first == "lowest single":
        state = state.after(state.legal()[0])
    elif first == "highest pair":
        pairs = [p for p in state.legal() if BY_CARDS[cards_text(p)].kind == "pair"]
        state = state.after(max(pairs))
    tries = [0, *(parse_cards(combination.cards) for combination in ALL)]

    def answer(row: Row, view: View) -> int | Verdict:
        if view.actions_made > len(state.plays):
            return Verdict(TIMEOUT)
        made = view.actions_made
        return tries[row.task] if made == len(state.plays) else state.plays[made]

    tasks = make_tasks([[0, 0, 0]] * len(tries), [2])
    match = play(rules, [OUTSIDE], tasks, answer)
    refused = {fault.task for fault in match.faults if fault.category == ILLEGAL}
    to_beat = BY_CARDS[cards_text(state.to_beat)] if state.to_beat else None
    legal = {play.cards for play in legal_plays(cards_text(state.held[state.to_move]), to_beat)}
    if to_beat:
        legal.add("")  # the pass

    assert {cards_text(tries[task]) for task in set(range(len(tries))) - refused} == legal
