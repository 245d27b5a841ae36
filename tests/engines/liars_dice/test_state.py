"""The readable state: its text, and its three doors `legal`, `verify` and `after`."""

from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sim.engines.liars_dice.notation import action_text, hand_text, parse_action, parse_hand
from sim.engines.liars_dice.rules import FACES, MAX_BIDS
from sim.engines.liars_dice.state import FORFEIT, State, all_hands, roll_hands
from sim.engines.liars_dice.view import CHALLENGE, VIEW_DTYPE, View
from sim.errors import IllegalAction, NotationError

from .drawn import ANY_INT64, rules


@st.composite
def states(draw: st.DrawFn) -> State:
    """Draw a state that a game can reach: of any round, with seats out, with bids and an end."""
    table = draw(rules())
    state = State.deal(table, seed=draw(st.integers(0, 2**64 - 1)), deal=draw(st.integers(0, 99)))
    for _ in range(draw(st.integers(0, 8))):
        state = draw_end(draw, state)
        if state.game_over:
            return state
        state = state.next_deal(seed=draw(st.integers(0, 99)), deal=0)
    return draw_bids(draw, state) if draw(st.booleans()) else draw_end(draw, state)


def draw_bids(draw: st.DrawFn, state: State) -> State:
    """Make some bids."""
    for step in draw(st.lists(st.integers(1, 12), max_size=6)):
        state = state.after(min(state.bid + step, FACES * state.in_play - 1))
        if state.bid == FACES * state.in_play - 1:
            break
    return state


def draw_end(draw: st.DrawFn, state: State) -> State:
    """Play a round to its end."""
    state = draw_bids(draw, state)
    forfeits = draw(st.integers(0, 3)) == 0 or not state.bids
    return state.after_forfeit() if forfeits else state.after(CHALLENGE)


@given(states())
def test_text_round_trip(state: State) -> None:
    """`from_text` gives the state back that `str` wrote."""
    assert State.from_text(str(state)) == state


@given(states(), ANY_INT64)
@example(State.from_text("hands=2/5"), CHALLENGE)
@example(State.from_text("hands=2/5 bids=2x6"), 12)
def test_verify_passes_exactly_what_legal_lists(state: State, other: int) -> None:
    """Every number near the bids of the table, and any other."""
    legal = state.legal()
    assert legal == sorted(set(legal))
    for action in (*range(-3, MAX_BIDS + 2), other, FORFEIT):
        try:
            state.verify(action)
        except IllegalAction:
            assert action not in legal
            with pytest.raises(IllegalAction):
                state.after(action)
        else:
            assert action in legal
            assert state.after(action).actions == (*state.actions, action)


@given(states(), st.randoms(use_true_random=False))
def test_a_view_hides_the_hands_of_others(state: State, random: object) -> None:
    """Whatever the others hold, a seat sees the same."""
    seats = range(state.rules.seats)
    for seat in seats:
        for face in (1, 6):
            hands = [(face,) * len(hand) for hand in state.hands]
            hands[seat] = state.hands[seat]
            assert replace(state, hands=tuple(hands)).view(seat) == state.view(seat)


@given(states())
def test_a_view_lists_the_same_legal_actions(state: State) -> None:
    """`View.legal` is what the state allows the seat in turn."""
    if not state.round_over:
        view = state.view(state.to_move)

        assert view.legal() == state.legal()
        assert view.dice == state.hands[state.to_move]
        assert [view.number(count, face) for _, count, face in view.history] == list(state.bids)


@given(states())
def test_a_view_tells_who_bid_what(state: State) -> None:
    """`View.history` names the seats in the order they were in turn."""
    view = state.view(state.to_move)
    walk = replace(state, actions=())
    seats = []
    for bid in state.bids:
        seats.append(walk.to_move)
        walk = walk.after(bid)

    assert [seat for seat, _, _ in view.history] == seats


def test_a_view_and_its_record_agree() -> None:
    """The fields of the tuple and those of the compiled record, in the same order."""
    assert VIEW_DTYPE.names == View._fields


@pytest.mark.parametrize(
    ("position", "action", "why"),
    [
        ("hands=2/5", "challenge", "nothing has been bid, so there is nothing to challenge"),
        ("hands=2/5 bids=1x5", "1x5", "1x5 is not higher than 1x5"),
        ("hands=2/5 bids=1x5", "1x1", "1x1 is not higher than 1x5"),
        ("hands=2/5", "3x1", "3x1 counts more than the 2 dice in play"),
        ("hands=2/5 bids=1x5,challenge", "2x5", "the round is over: hands=2/5 bids=1x5,challenge"),
        ("hands=2/5 bids=forfeit", "2x5", "the round is over: hands=2/5 bids=forfeit"),
    ],
)
def test_refusal_of_an_action_says_why(position: str, action: str, why: str) -> None:
    """Each refusal names the fault in the words of the game."""
    state = State.from_text(position)

    with pytest.raises(IllegalAction) as caught:
        state.after(state.parse(action))
    assert str(caught.value) == why


def test_refusal_of_a_number_that_is_no_action() -> None:
    """Neither a bid nor the challenge."""
    with pytest.raises(IllegalAction) as caught:
        State.from_text("hands=2/5").verify(-7)
    assert str(caught.value) == "action -7 is neither a bid nor -1 (challenge)"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no hands= in ''"),
        ("round=2", "no hands= in 'round=2'"),
        ("hands", "'hands' is no part of a position: use rules=, hands=, "),
        ("hands=2/5 dice=3", "'dice=3' is no part of a position"),
        ("hands=2/5 hands=3/4", "hands= stands twice in 'hands=2/5 hands=3/4'"),
        ("hands=27/5", "'7' in hand '27' is no die: dice show 1 to 6"),
        ("hands=2", "seats=1: liars-dice is played by 2 to 6 seats (in 'hands=2')"),
        ("rules=ones_rank:up hands=2/5", "rule ones_rank=up: must be low or high (in "),
        ("rules=lock:any hands=2/5", "unknown rule of liars-dice 'lock'"),
        ("rules=dice:1 hands=22/5", "seat 0 holds 2 dice but began with 1"),
        ("hands=222222/5", "seat 0 holds 6 dice but began with 5"),
        ("hands=2/5 round=x", "round=x: must be a whole number of at most 9 digits"),
        ("hands=2/5 round=0", "round=0: rounds are counted from 1"),
        ("hands=2/5 opener=2", "opener=2 is no seat that holds dice"),
        ("hands=-/5/3 out=0", "opener=0 is no seat that holds dice"),
        ("hands=2/-/3", "out=: must name the seats without dice, once each"),
        ("hands=2/-/3 out=2", "out=2: must name the seats without dice, once each"),
        ("hands=2/-/3 out=1,1", "out=1,1: must name the seats without dice, once each"),
        ("hands=2/- out=1", "a round needs two seats with dice"),
        ("hands=2/5 bids=1y5", "'1y5' is no action: write a bid as 3x4 (three fours), or "),
        ("hands=2/5 bids=01x5", "'01x5' is no action"),
        ("hands=2/5 bids=0x5", "'0x5' is no action"),
        ("hands=2/5 bids=1x7", "'1x7' is no action"),
        ("hands=2/5 bids=1x2,1x2", "1x2 is not higher than 1x2"),
        ("hands=2/5 bids=challenge", "nothing has been bid"),
        ("hands=2/5 bids=1x2,challenge,1x3", "the round is over"),
        ("hands=2/5 bids=1x2,forfeit,forfeit", "the round is over"),
        ("hands=2/5 bids=", "'' is no action"),
    ],
)
def test_refusal_of_a_text_says_why(text: str, why: str) -> None:
    """One sentence that quotes what was wrong."""
    with pytest.raises((NotationError, IllegalAction)) as caught:
        State.from_text(text)
    assert str(caught.value).startswith(why)
    assert "\n" not in str(caught.value)


KEYS = ("rules", "hands", "round", "out", "opener", "bids", "=", " ", "/", ",", ";", ":")
VALUES = ("1x5", "challenge", "forfeit", "-", "dice:2,1", "ones_rank:high", "0", "25", "9")
WORDS = st.sampled_from((*KEYS, *VALUES))


@given(st.text() | st.lists(WORDS, max_size=12).map("".join))
@example("hands=2/5 round=" + "9" * 5000)
@example("hands=2/5 bids=" + "9" * 5000 + "x1")
@example("hands=2/5 opener=²")
@example("hands=2/5 round=٣")
@example("rules=dice hands=2/5")
@example("rules=dice:" + "9" * 5000 + " hands=2/5")
@example("hands=" + "/".join("2" * 50))
@example("hands=2/5\x00")
def test_a_text_is_read_or_refused_with_a_sentence(text: str) -> None:
    """Whatever is written: a state that writes itself so that it is read again, or a refusal."""
    try:
        state = State.from_text(text)
    except (NotationError, IllegalAction):
        return
    assert State.from_text(str(state)) == state


@given(st.integers(-1, MAX_BIDS - 1), st.sampled_from(("low", "high")))
def test_actions_round_trip(action: int, rank: str) -> None:
    """Every action is read as it is written."""
    assert parse_action(action_text(action, ones_rank=rank), ones_rank=rank) == action


@given(st.lists(st.integers(1, 6), max_size=5))
def test_hands_round_trip(hand: list[int]) -> None:
    """A hand is sorted, and read as it is written."""
    assert parse_hand(hand_text(hand)) == tuple(sorted(hand))


def test_the_next_round_is_refused_where_there_is_none() -> None:
    """A state never goes on by itself where the rules do not say how."""
    over = State.from_text("rules=dice:1 hands=2/5 bids=1x2,challenge")
    with pytest.raises(IllegalAction, match="the game is over"):
        over.next_round(((2,), (5,)))
    running = State.from_text("hands=2/5 bids=1x2")
    for question in ("loser", "dice_after", "next_opener"):
        with pytest.raises(IllegalAction, match="nobody has lost yet"):
            getattr(running, question)
    with pytest.raises(IllegalAction, match="the game is not over"):
        _ = running.places
    ended = State.from_text("hands=22/5 bids=1x3,challenge")
    with pytest.raises(IllegalAction, match=r"rolled with \(1, 1\) dice by seat"):
        ended.next_round(((2, 2), (5,)))


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**40), st.integers(1, 29))
def test_fewer_dice_are_the_first_of_more(seed: int, deal: int, number: int) -> None:
    """A seat's first k dice of a round are the same whatever k is, and whoever else rolls."""
    five = roll_hands((5, 5), seed=seed, deal=deal, round=number)
    for count in range(1, 5):
        fewer = roll_hands((count, 5, 3), seed=seed, deal=deal, round=number)
        assert fewer[1] == five[1]
        rest = list(five[0])
        for die in fewer[0]:
            rest.remove(die)


def test_all_hands_are_all_rolls() -> None:
    """Multinomial numbers of ways add up to 6 ** k."""
    assert [sum(ways for _, ways in all_hands(k)) for k in range(6)] == [6**k for k in range(6)]
