"""The rules of Liar's Dice, rule by rule, on both engines.

A round is given by its hands and its actions, `25/13` and `1x5 2x5 challenge`. The numbers of the
rules are those of the page that the project began with; docs and `sim rules` tell the same rules.
"""

from typing import Any, cast

import pytest

from sim.engines.liars_dice.rules import Rules
from sim.engines.liars_dice.state import State
from sim.engines.liars_dice.view import View

from .tables import EXCEPTION, LISTENING, OUTSIDE, SEED, Row, Verdict, make_table, make_tasks, play
from .two_engines import ENGINES, Engine, Outcome, read_hands


@pytest.fixture(params=ENGINES, ids=lambda engine: engine.__name__)
def engine(request: pytest.FixtureRequest) -> Engine:
    """Give the engine to test: each test runs on both."""
    return cast(Engine, request.param)


def rules_of(hands: str, **options: Any) -> Rules:
    """Give rules under which a game begins with as many dice as these hands have."""
    dice = tuple(map(len, read_hands(hands)))
    return Rules(seats=len(dice), dice=dice, **options)


def play_round(engine: Engine, hands: str, words: str, **options: Any) -> Outcome:
    """Play the first round of a game."""
    return engine(rules_of(hands, **options), [(read_hands(hands), words.split())])


def play_rounds(engine: Engine, *rounds: str, **options: Any) -> Outcome:
    """Play rounds written as `25/13 1x5 challenge`; tell of the last."""
    split = [text.split() for text in rounds]
    rules = rules_of(split[0][0], **options)
    return engine(rules, [(read_hands(hands), words) for hands, *words in split])


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_L1_every_player_begins_with_five_dice(seats: int) -> None:
    """Two to six players, so at most 30 dice."""
    rules = Rules(seats=seats)
    table = make_table(rules, [OUTSIDE], make_tasks([[0] * seats]))
    table.advance()

    assert (5,) * seats == State.deal(rules, seed=SEED, deal=0).dice
    assert [5] * seats == table.views["dice_counts"][0][:seats].tolist()
    assert 5 * seats == table.views["dice_in_play"][0]


def test_L1_the_last_player_with_dice_wins(engine: Engine) -> None:
    """Seat 1 loses its only die, then seat 2; seat 0 is left."""
    first = "2/3/4 1x2 1x3 1x5 challenge"  # seat 2 bid a five, and there is none
    end = play_rounds(engine, first, "2/3/- 1x2 1x5 challenge")

    assert (end.winner, end.dice) == (0, (1, 0, 0))


def test_L2_a_seat_sees_its_own_dice_only() -> None:
    """Other hands than one's own change nothing in what either engine shows a seat in turn."""
    views = []
    for other in ((1, 1, 1), (6, 6, 6)):
        state = State(rules=Rules(seats=2, dice=(3, 3)), hands=(other, (2, 3, 4)), actions=(0,))
        table = make_table(state.rules, [OUTSIDE], make_tasks([[0, 0]]))
        table.advance()
        table.states["hands"][0, :2] = [sum(1 << 8 * f for f in hand) for hand in state.hands]
        table.states["answer"][0], table.states["verdict"][0] = 0, 0
        table.advance()
        views += [(state.view(1), table.views[0].tobytes())]

    assert views[0] == views[1]


def test_L2_all_roll_again_each_round() -> None:
    """A seat that has lost nothing holds other dice in the next round, nearly always."""
    hands: dict[tuple[int, int], bytes] = {}

    def answer(row: Row, view: View) -> int:
        hands[row.task, view.round] = view.own
        return view.bid + 1 if view.bids_made < 2 else -1

    play(Rules(seats=2, dice=(5, 5)), [OUTSIDE], make_tasks([[0, 0]], range(100)), answer)
    kept = [hands[task, 1] == hands[task, 2] for task in range(100)]

    assert sum(kept) < 10  # two hands of five dice are alike with chance 1/70 or so


@pytest.mark.parametrize("words", ["1x5 challenge", "2x5 challenge", "3x5 challenge"])
def test_L3_a_bid_says_at_least(engine: Engine, words: str) -> None:
    """With three fives on the table, bids of one, two and three fives are all true."""
    end = play_round(engine, "255/35", words)

    assert (end.actual, end.loser) == (3, 1)


@pytest.mark.parametrize("word", ["4x2", "3x5", "3x6", "4x1", "6x6"])
def test_L4_higher_bids(engine: Engine, word: str) -> None:
    """After three fours: a larger count with any face, or the same count with a higher face."""
    end = play_round(engine, "222/333", f"3x4 {word}")

    assert (end.refused, end.to_move) == (None, 0)


@pytest.mark.parametrize("word", ["3x3", "2x6", "3x4", "3x1", "1x1"])
def test_L4_bids_that_are_not_higher(engine: Engine, word: str) -> None:
    """After three fours: three threes, two sixes and the same again are illegal."""
    assert word == play_round(engine, "222/333", f"3x4 {word}").refused


@pytest.mark.parametrize("rank", ["low", "high"])
def test_L4_order_of_all_bids(engine: Engine, rank: str) -> None:
    """Bids rise by count, then by face; each bid takes every higher one and no other."""
    faces = (1, 2, 3, 4, 5, 6) if rank == "low" else (2, 3, 4, 5, 6, 1)
    bids = [f"{count}x{face}" for count in (1, 2, 3) for face in faces]
    for low, before in enumerate(bids):
        for high, word in enumerate(bids):
            end = play_round(engine, "5/35", f"{before} {word}", ones_rank=rank)
            assert (end.refused is None) == (high > low), (before, word)


def test_L4_a_jump_may_be_of_any_size(engine: Engine) -> None:
    """From the lowest bid to the highest at once."""
    assert play_round(engine, "222/333", "1x1 6x6").refused is None


@pytest.mark.parametrize("word", ["4x2", "4x1", "31x6"])
def test_L5_no_more_than_the_dice_in_play(engine: Engine, word: str) -> None:
    """Three dice are in play: three sixes may be bid, four of anything may not."""
    assert play_round(engine, "2/23", "3x6").refused is None
    assert word == play_round(engine, "2/23", word).refused


def test_L5_dice_that_are_lost_do_not_count(engine: Engine) -> None:
    """Four may be bid with four dice in play, and no more once one of them is gone."""
    end = play_rounds(engine, "22/23 4x1 challenge", "2/23 4x1")

    assert end.refused == "4x1"


def test_L6_ones_count_as_every_face(engine: Engine) -> None:
    """A four and two ones are three fours."""
    assert play_round(engine, "14/13", "3x4 challenge").actual == 3


def test_L6_a_bid_on_ones_counts_ones_only(engine: Engine) -> None:
    """Not even itself twice: two ones among four dice are two."""
    assert play_round(engine, "14/13", "2x1 challenge").actual == 2


def test_L6_lock_by_the_opening_bid(engine: Engine) -> None:
    """After a bid on ones, a later bid on fours counts the four alone."""
    end = play_round(engine, "14/13", "1x1 1x4 challenge")

    assert (end.actual, end.locked) == (1, True)


def test_L6_lock_by_any_number_of_ones_at_any_time(engine: Engine) -> None:
    """Bids on fours before it do not matter, nor faces after it; nobody needs to hold a one."""
    assert not play_round(engine, "24/33", "1x4 1x5").locked
    end = play_round(engine, "24/13", "1x4 1x5 2x1 2x3 challenge")

    assert (end.actual, end.locked) == (1, True)


def test_L6_lock_is_in_the_view_at_once() -> None:
    """The seat after the bid on ones sees it locked; the seat that makes it did not."""
    seen = []

    def answer(row: Row, view: View) -> int:
        seen.append(view.locked)
        return 0 if not view.bids_made else -1

    play(Rules(seats=2, dice=(1, 1)), [OUTSIDE], make_tasks([[0, 0]]), answer)

    assert seen == [0, 1]


def test_L6_lock_ends_with_the_round(engine: Engine) -> None:
    """In the round after it ones are wild again."""
    end = play_rounds(engine, "14/13 1x1 1x4 challenge", "1/14 3x4 challenge")

    assert (end.actual, end.locked) == (3, False)


@pytest.mark.parametrize(
    ("words", "actual", "loser"),
    [("3x5 challenge", 3, 1), ("2x5 challenge", 3, 1), ("4x5 challenge", 3, 0)],
)
def test_L7_who_loses_a_die(engine: Engine, words: str, actual: int, loser: int) -> None:
    """The challenger if the count is reached or exceeded, else the bidder; one die."""
    end = play_round(engine, "255/53", words)
    left = (3 - (loser == 0), 2 - (loser == 1))

    assert (actual, loser, left) == (end.actual, end.loser, end.dice)


def test_L7_all_dice_are_shown() -> None:
    """The event of the round shows every hand by face, the bid, who made it, what it was worth."""
    events = []

    def answer(row: Row, view: View) -> int:
        if row.event:
            events.append(view)
        return view.bid + 1 if view.bids_made < 2 else -1

    rules = Rules(seats=3, dice=(2, 1, 3))
    play(rules, [LISTENING], make_tasks([[0] * 3]), answer)
    view, hands = events[0], State.deal(rules, seed=SEED, deal=0).hands

    for seat, hand in enumerate(hands):
        shown = view.shown[8 * seat : 8 * seat + 8]
        assert sorted(hand) == [face for face in range(1, 7) for _ in range(shown[face])]
    assert (view.shown_bid, view.shown_bidder, view.shown_challenger) == (1, 1, 2)
    assert view.shown_loser in (1, 2)


def test_L8_the_opener_may_not_challenge(engine: Engine) -> None:
    """There is nothing to challenge yet, in the first round and in any other."""
    assert play_round(engine, "25/13", "challenge").refused == "challenge"
    assert play_rounds(engine, "22/33 4x6 challenge", "2/33 challenge").refused == "challenge"


def test_L9_seat_0_opens_the_first_round(engine: Engine) -> None:
    """After one bid it is seat 1's turn."""
    assert play_round(engine, "25/13/44", "").to_move == 0
    assert play_round(engine, "25/13/44", "1x2").to_move == 1


@pytest.mark.parametrize(("words", "loser"), [("1x2 6x6 challenge", 1), ("1x2 1x4 challenge", 2)])
def test_L9_the_loser_opens(engine: Engine, words: str, loser: int) -> None:
    """Bidder or challenger, whoever lost a die."""
    end = play_round(engine, "25/13/44", words)

    assert (loser, loser) == (end.loser, end.opener)


def test_L9_after_a_loser_who_is_out_the_next_seat_opens(engine: Engine) -> None:
    """Seat 1 is out, so seat 2 opens; seat 2 of three is out, so seat 0 does."""
    assert play_round(engine, "25/3/44", "1x2 5x6 challenge").opener == 2
    assert play_round(engine, "25/33/4", "1x2 1x3 5x6 challenge").opener == 0


def test_L9_seats_that_are_out_do_not_open(engine: Engine) -> None:
    """With seat 2 out and seat 1 going out, seat 3 opens."""
    end = play_rounds(
        engine,
        "22/3/4/55 1x2 1x3 5x6 challenge",  # seat 2 out
        "22/3/-/55 1x5 1x6 challenge",  # seat 3 opened; seat 0 bid a six and loses a die
        "2/3/-/55 1x2 4x6 challenge",  # seat 1 out
    )

    assert (end.dice, end.opener) == ((1, 0, 0, 2), 3)


def test_L10_a_player_without_dice_is_out(engine: Engine) -> None:
    """It is passed over in turn, and nobody waits for it."""
    first = "22/3/44 1x2 5x6 challenge"  # seat 1 out, seat 2 opens
    turns = [
        play_rounds(engine, first, f"22/-/44 {words}").to_move for words in ("", "1x2", "1x2 1x4")
    ]

    assert turns == [2, 0, 2]


def test_DL1_ones_below_twos(engine: Engine) -> None:
    """The default: one two is higher than one one, and two ones than one six."""
    assert play_round(engine, "25/13", "1x1 1x2").refused is None
    assert play_round(engine, "25/13", "1x6 1x1").refused == "1x1"
    assert play_round(engine, "25/13", "1x6 2x1").refused is None


def test_DL1_ones_above_sixes(engine: Engine) -> None:
    """`ones_rank=high`: one one is higher than one six, and lower than two twos."""
    assert play_round(engine, "25/13", "1x6 1x1 2x2", ones_rank="high").refused is None
    assert play_round(engine, "25/13", "1x1 1x6", ones_rank="high").refused == "1x6"


def test_DL2_lock_off(engine: Engine) -> None:
    """`ones_lock=off`: ones stay wild after a bid on ones, which itself counts ones only."""
    end = play_round(engine, "14/13", "1x1 1x4 challenge", ones_lock="off")

    assert (end.actual, end.locked) == (3, False)
    assert play_round(engine, "14/13", "2x1 challenge", ones_lock="off").actual == 2


def test_DL2_no_wild_ones(engine: Engine) -> None:
    """`ones_wild=false`: ones count only as ones, from the start."""
    end = play_round(engine, "14/13", "1x4 challenge", ones_wild=False)

    assert (end.actual, end.locked) == (1, True)


def test_DL3_dice_by_seat(engine: Engine) -> None:
    """Two dice against one: three may be bid."""
    end = play_round(engine, "22/2", "3x2 challenge")

    assert (end.actual, end.loser, end.dice, end.winner) == (3, 1, (2, 0), 0)


def test_DL3_a_single_round(engine: Engine) -> None:
    """`rounds=1`: who loses the die loses the game, whatever is left."""
    end = play_round(engine, "2555/3444", "1x2 8x6 challenge", rounds="1")

    assert (end.loser, end.winner, end.places, end.scores) == (1, 0, (1, 2), (1, -1))


def test_DL4_only_the_player_in_turn_acts(engine: Engine) -> None:
    """Bids go round in seat order, and so the challenger is the seat after the bidder."""
    turns = [
        play_round(engine, "25/13/44", words).to_move
        for words in ("", "1x2", "1x2 1x3", "1x2 1x3 1x4", "1x2 1x3 1x4 1x5")
    ]

    assert turns == [0, 1, 2, 0, 1]


def test_DL4_only_the_last_bid_is_challenged(engine: Engine) -> None:
    """Two sixes were a lie, three fives are true: the challenger loses."""
    end = play_round(engine, "255/35", "2x6 3x5 challenge")

    assert (end.actual, end.loser) == (3, 0)


def test_DL5_scores_and_places(engine: Engine) -> None:
    """The winner has place 1 and n - 1 points, the first to go out place n; the rest -1 each."""
    end = play_rounds(
        engine,
        "2/3/4/5 1x2 1x3 4x6 challenge",  # seat 2 is the first out
        "2/3/-/5 1x5 3x6 challenge",  # seat 3 opens, seat 0 goes out
        "-/3/-/5 2x6 challenge",  # seat 1 opens and lies
    )

    assert end.winner == 3
    assert end.places == (3, 2, 4, 1)
    assert end.scores == (-1, -1, -1, 3)


def test_forfeit_takes_all_dice_and_voids_the_round(engine: Engine) -> None:
    """Nobody else loses a die; the next seat that is left opens the next round."""
    end = play_round(engine, "222/333/444", "1x2 1x1")

    assert (end.refused, end.actual) == ("1x1", None)
    assert (end.dice, end.opener, end.winner) == ((3, 0, 3), 2, None)


def test_forfeit_of_the_last_seat_in_order_lets_the_first_open(engine: Engine) -> None:
    """After seat 2 of three comes seat 0, or seat 1 if that is out."""
    assert play_round(engine, "2/3/4", "1x2 1x3 1x1").opener == 0
    end = play_rounds(engine, "2/33/44/55 6x6 challenge", "-/33/44/55 1x2 1x3 1x4 1x1")

    assert (end.dice, end.opener) == ((0, 0, 2, 2), 2)


def test_forfeit_of_the_last_but_one_ends_the_game(engine: Engine) -> None:
    """With one player left the game is over; place and score as for anybody who goes out then."""
    end = play_rounds(engine, "22/33/4 1x2 1x3 1x1", "22/33/- challenge")

    assert (end.winner, end.places, end.scores) == (1, (2, 1, 3), (-1, 2, -1))


def test_forfeit_ends_a_single_round(engine: Engine) -> None:
    """`rounds=1`: the offender has lost."""
    end = play_round(engine, "22/33", "1x2 1x2", rounds="1")

    assert (end.winner, end.scores) == (0, (1, -1))


def test_forfeit_shows_no_dice() -> None:
    """What was shown before is gone, and nothing of the void round is shown, in both engines."""
    seen = []

    def answer(row: Row, view: View) -> int | Verdict:
        seen.append(view)
        if view.round == 2 and view.bids_made == 1:
            return Verdict(EXCEPTION)
        return view.bid + 1 if not view.bids_made else -1

    rules = Rules(seats=3)
    play(rules, [OUTSIDE], make_tasks([[0] * 3]), answer)
    second = next(view for view in seen if view.round == 2)
    third = next(view for view in seen if view.round == 3)
    state = State.from_text("hands=22/33/44").after_forfeit()

    assert (second.shown_bid, second.shown_actual > 0) == (0, any(second.shown))
    assert not any(third.shown)
    assert (third.shown_bid, third.shown_bidder, third.shown_challenger) == (-1, -1, -1)
    assert (third.shown_loser, third.shown_actual) == (-1, 0)
    assert state.shown is None
