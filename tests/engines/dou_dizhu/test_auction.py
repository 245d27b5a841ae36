"""The auction (rules D3, D-D1, D-D3): its whole tree, who becomes landlord, and dealing again."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

from sim.engines.dou_dizhu.notation import PACK, card_count
from sim.engines.dou_dizhu.rules import MOST_CALLS, Rules
from sim.engines.dou_dizhu.state import State
from sim.engines.dou_dizhu.view import AUCTION, NOBODY, PLAY, View
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

from .tables import play

DEAL = State.deal(Rules(max_redeals=0), seed=SEED, deal=0)


def complete(state: State) -> Iterator[State]:
    """Give the end of each complete auction of a deal."""
    if state.phase == PLAY or state.passed_out:
        yield state
        return
    for call in state.legal():
        yield from complete(state.after(call))


def test_D3_the_tree_of_all_auctions() -> None:
    """oracles.md: 40 complete auctions, the longest of 7 calls, final bids 1 / 3 / 9 / 27."""
    ends = list(complete(DEAL))

    assert len(ends) == 40
    assert Counter(end.bid for end in ends) == {0: 1, 1: 3, 2: 9, 3: 27}
    assert max(len(end.calls) for end in ends) == MOST_CALLS == 7


def test_the_compiled_engine_plays_every_auction_of_the_tree() -> None:
    """Each of the 40, call by call, with the same seats in turn and the same landlord."""
    ends = [end for end in complete(DEAL) if not end.passed_out]
    seen: list[View] = [DEAL.view(0)] * len(ends)

    def answer(row: Row, view: View) -> int:
        seen[row.task] = view
        if view.phase == AUCTION:
            return ends[row.task].calls[view.calls_made]
        return -1  # forfeits, so that the game is over

    tasks = make_tasks([[0, 0, 0]] * len(ends))
    results = play(Rules(max_redeals=0), [OUTSIDE], tasks, answer).results

    assert seen == [end.view(end.landlord) for end in ends]
    assert [end.bid for end in ends] == results["final_bid"].tolist()


def unfinished(state: State) -> Iterator[State]:
    """Give every position of the auction in which somebody is to call."""
    if state.phase == AUCTION and not state.passed_out:
        yield state
        for call in state.legal():
            yield from unfinished(state.after(call))


def test_the_compiled_engine_accepts_exactly_the_legal_calls() -> None:
    """In every position of the tree: a call that is not listed is a forfeit, the others are not."""
    tries = [
        (state, call)
        for state in unfinished(DEAL)
        for call in (-(2**63), -1, 0, 1, 2, 3, 4, 1 << 32, DEAL.hands[0])
    ]

    def answer(row: Row, view: View) -> int | Verdict:
        state, call = tries[row.task]
        made = view.calls_made
        if view.phase != AUCTION or made > len(state.calls):
            return Verdict(TIMEOUT)
        return call if made == len(state.calls) else state.calls[made]

    tasks = make_tasks([[0, 0, 0]] * len(tries))
    match = play(Rules(max_redeals=0), [OUTSIDE], tasks, answer)
    refused = {fault.task for fault in match.faults if fault.category == ILLEGAL}

    assert len(tries) > 200
    assert refused == {
        task for task, (state, call) in enumerate(tries) if call not in state.legal()
    }


@pytest.mark.parametrize(
    ("calls", "over", "seat"),
    [
        ("", False, 1),
        ("pass", False, 2),
        ("pass,pass", False, 0),
        ("1", False, 2),
        ("1,pass", False, 0),
        ("1,pass,pass", True, 1),
        ("3", True, 1),
        ("1,2", False, 0),
        ("1,2,pass", False, 1),  # the first bidder may bid again (D-D1)
        ("1,2,pass,3", True, 1),
        ("1,2,pass,pass", True, 2),
        ("pass,1,pass,2,pass", False, 0),
        ("pass,pass,1,pass,2,pass,pass", True, 2),
    ],
)
def test_D3_when_the_auction_ends_and_who_is_in_turn(calls: str, over: bool, seat: int) -> None:
    """At a 3, or after two passes in a row that follow a bid; then the landlord leads."""
    state = replace(DEAL, first=1)
    for call in calls.split(",") if calls else ():
        state = state.after(state.parse(call))

    assert (state.phase == PLAY, state.to_move) == (over, seat)
    assert state.landlord == (seat if over else NOBODY)


@pytest.mark.parametrize(
    ("calls", "legal"),
    [("", [0, 1, 2, 3]), ("pass,1", [0, 2, 3]), ("pass,1,2", [0, 3]), ("pass,pass", [0, 1, 2, 3])],
)
def test_D3_each_bid_is_higher_than_the_one_before(calls: str, legal: list[int]) -> None:
    """Whoever passed may bid, and exactly what is listed is allowed."""
    state = DEAL
    for call in calls.split(",") if calls else ():
        state = state.after(state.parse(call))

    assert state.legal() == legal
    for action in (-1, 0, 1, 2, 3, 4, 1 << 40):
        if action not in legal:
            with pytest.raises(IllegalAction):
                state.verify(action)


def test_D4_the_landlord_takes_the_bottom_and_leads() -> None:
    """20 cards against 17 each; before that nobody sees the bottom."""
    before = replace(DEAL, first=2)
    after = before.after(3)

    assert [card_count(hand) for hand in after.held] == [17, 17, 20]
    assert after.held[2] == DEAL.hands[2] + DEAL.bottom
    assert after.to_move == after.landlord == 2
    assert {before.view(seat).bottom for seat in range(3)} == {0}
    assert {after.view(seat).bottom for seat in range(3)} == {DEAL.bottom}


def test_DD1_the_first_bidder_is_drawn_evenly() -> None:
    """Over 3,000 deals each seat calls first about 1,000 times (4 standard errors: 103)."""
    first = Counter(State.deal(Rules(), seed=SEED, deal=deal).first for deal in range(3000))

    assert all(abs(first[seat] - 1000) < 103 for seat in range(3))


def test_DD3_all_pass_and_the_cards_are_dealt_again() -> None:
    """Other cards, one redeal more, and none of those calls is shown."""
    state = State.deal(Rules(max_redeals=1), seed=SEED, deal=5)
    passed = state.after(0).after(0).after(0)
    again = passed.next_deal(seed=SEED, deal=5)

    assert passed.passed_out
    assert not passed.is_over
    assert passed.legal() == []
    assert (again.redeals, again.calls) == (1, ())
    assert again.hands != state.hands
    assert again.view(0).redeals == 1
    assert again.view(0).call_history == ()


def test_DD3_past_max_redeals_the_game_is_void() -> None:
    """0 points for all, nobody has won, every place is the first."""
    state = State.deal(Rules(max_redeals=1), seed=SEED, deal=5, redeal=1)
    end = state.after(0).after(0).after(0)

    assert end.is_void
    assert end.is_over
    assert (end.scores, end.won, end.places) == ((0, 0, 0), (False,) * 3, (1, 1, 1))
    with pytest.raises(IllegalAction, match="not to be dealt again"):
        end.next_deal(seed=SEED, deal=5)


@pytest.mark.parametrize("most", [0, 1, 100])
def test_DD3_the_compiled_engine_deals_again_up_to_the_limit(most: int) -> None:
    """Players who always pass: every redeal is another deal, as the state deals it."""
    seen = []

    def answer(row: Row, view: View) -> int:
        seen.append(view)
        return 0

    row = play(Rules(max_redeals=most), [OUTSIDE], make_tasks([[0, 0, 0]], [3]), answer).results[0]

    assert (row["void"], row["redeals"], row["decisions"]) == (1, most, 3 * most + 3)
    assert row["score"].tolist() == [0] * 6
    assert row["won"].tolist() == [0] * 6
    assert row["place"].tolist()[:3] == [1, 1, 1]
    assert row["role"].tolist()[:3] == [-1, -1, -1]
    assert (row["landlord"], row["final_bid"], row["multiplier"]) == (-1, 0, 1)
    rules = Rules(max_redeals=most)
    expected = []
    for redeal in range(most + 1):
        state = State.deal(rules, seed=SEED, deal=3, redeal=redeal)
        for _ in range(3):
            expected.append(state.view(state.to_move))
            state = state.after(0)
    assert seen == expected
    assert len({view.hand for view in seen}) == 3 * (most + 1)


def test_DD4_without_an_auction_seat_0_is_the_landlord_at_a_bid_of_1() -> None:
    """The same cards as with one."""
    state = State.deal(Rules(auction=False), seed=SEED, deal=9)
    view = state.view(1)

    assert (state.phase, state.landlord, state.bid, state.to_move) == (PLAY, 0, 1, 0)
    assert (view.first_bidder, view.bidder, view.bid, view.calls_made) == (NOBODY, NOBODY, 1, 0)
    assert state.hands == State.deal(Rules(), seed=SEED, deal=9).hands


def test_D1_every_deal_is_the_whole_pack() -> None:
    """17 cards each and three at the bottom, nothing twice and nothing missing."""
    for deal in range(300):
        state = State.deal(Rules(), seed=SEED, deal=deal, redeal=deal % 3)
        assert [card_count(hand) for hand in state.hands] == [17, 17, 17]
        assert card_count(state.bottom) == 3
        assert sum(state.hands) + state.bottom == PACK
