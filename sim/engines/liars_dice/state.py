"""Liar's Dice as people read it: an immutable state over plain tuples, and its text.

A state holds all dice of the current round: it is for the table, tests and replays, never for a
strategy, which gets `state.view(seat)`. It is the slow twin of kernel.py and knows nothing of it.

    state = State.from_text("hands=25/13 bids=1x5,2x5")
    state = state.after(state.parse("challenge"))     # dice are shown
    state = state.next_round(hands)                   # the loser has lost a die, all roll again

Text: `key=value` words in this order, those with their usual value left out:

    rules=ones_rank:high;dice:2,1   options that are not the default, `name:value` joined by `;`
    hands=13556/224/-               dice by seat; `-` is out
    round=3                         number of the round (1)
    out=2                           seats in the order they went out
    opener=1                        seat that opened this round (0)
    bids=2x3,3x4,challenge          what was done in this round, oldest first
"""

from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from typing import Final

from sim.engines.liars_dice.notation import (
    FORFEIT_WORD,
    MOST_DIGITS,
    action_text,
    hand_counts,
    hand_text,
    parse_action,
    parse_hand,
)
from sim.engines.liars_dice.rules import FACES, MAX_BIDS, MAX_DICE, Rules, count_of, face_of
from sim.engines.liars_dice.view import CHALLENGE, FACE_SLOTS, NO_BID, NOBODY, View
from sim.engines.rng import LUCK, SeatRng, deal_key, pack_word
from sim.errors import IllegalAction, NotationError, UsageError

FORFEIT: Final = -2
"""Mark in `State.actions`: the seat in turn left the game (an offence, not a move)."""

_KEYS: Final = ("rules", "hands", "round", "out", "opener", "bids")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A finished round as everybody saw it."""

    hands: tuple[tuple[int, ...], ...]
    bid: int
    bidder: int
    challenger: int
    actual: int
    loser: int


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """One round of a game with all dice visible.

    >>> state = State.from_text("hands=25/13 bids=1x5,2x5")
    >>> state.to_move, [state.name(action) for action in state.legal()][-3:]
    (0, ['4x4', '4x5', '4x6'])
    >>> end = state.after(state.parse("challenge"))
    >>> str(end), end.shown.actual, end.loser  # one 5 and the wild 1: the bid was true
    ('hands=25/13 bids=1x5,2x5,challenge', 2, 0)
    >>> end.dice_after, end.next_opener
    ((1, 2), 0)
    """

    rules: Rules
    hands: tuple[tuple[int, ...], ...]
    """Faces 1..6, ascending, one tuple a seat; empty when out."""
    round: int = 1
    out: tuple[int, ...] = ()
    """Seats that went out before this round, in that order."""
    opener: int = 0
    actions: tuple[int, ...] = ()
    """Bids of this round; the last may be CHALLENGE or FORFEIT."""

    @property
    def dice(self) -> tuple[int, ...]:
        """Dice that each seat holds in this round."""
        return tuple(map(len, self.hands))

    @property
    def in_play(self) -> int:
        """Dice of all seats together."""
        return sum(self.dice)

    @property
    def bids(self) -> tuple[int, ...]:
        """Bids of this round as numbers."""
        return tuple(action for action in self.actions if action >= 0)

    @property
    def bid(self) -> int:
        """Number of the last bid, NO_BID before any."""
        return self.bids[-1] if self.bids else NO_BID

    @property
    def round_over(self) -> bool:
        """True once somebody challenged or forfeited."""
        return bool(self.actions) and self.actions[-1] < 0

    @property
    def forfeited(self) -> bool:
        """True if the round is void because the seat in turn forfeited."""
        return bool(self.actions) and self.actions[-1] == FORFEIT

    def _seats_from(self, seat: int) -> list[int]:
        """List the seats still in, in turn order from `seat` on."""
        order = [(seat + i) % self.rules.seats for i in range(self.rules.seats)]
        return [seat for seat in order if self.hands[seat]]

    @property
    def to_move(self) -> int:
        """Seat in turn; once the round is over, the seat that ended it."""
        order = self._seats_from(self.opener)
        return order[len(self.bids) % len(order)]

    @property
    def locked(self) -> bool:
        """True if ones count only as ones (L6, D-L2)."""
        if not self.rules.ones_wild:
            return True
        ones = any(self.face(bid) == 1 for bid in self.bids)
        return ones and self.rules.ones_lock == "any"

    def face(self, bid: int) -> int:
        """Give the face of a bid under these rules."""
        return face_of(bid, ones_rank=self.rules.ones_rank)

    def actual(self, bid: int) -> int:
        """Count the dice on the table that support `bid` as the round stands."""
        face = self.face(bid)
        faces = [die for hand in self.hands for die in hand]
        wild = 0 if self.locked or face == 1 else faces.count(1)
        return faces.count(face) + wild

    def legal(self) -> list[int]:
        """List the legal actions: CHALLENGE if there is a bid, then every higher bid."""
        if self.round_over:
            return []
        raises = list(range(self.bid + 1, FACES * self.in_play))
        return [CHALLENGE, *raises] if self.bids else raises

    def verify(self, action: int) -> None:
        """Raise IllegalAction, saying what is wrong, unless `action` may be done."""
        if self.round_over:
            raise IllegalAction(f"the round is over: {self}")
        if action == CHALLENGE:
            if not self.bids:
                raise IllegalAction("nothing has been bid, so there is nothing to challenge")
            return
        if action < 0:
            raise IllegalAction(f"action {action} is neither a bid nor {CHALLENGE} (challenge)")
        if count_of(action) > self.in_play:
            raise IllegalAction(
                f"{self.name(action)} counts more than the {self.in_play} dice in play"
            )
        if action <= self.bid:
            raise IllegalAction(f"{self.name(action)} is not higher than {self.name(self.bid)}")

    def after(self, action: int) -> "State":
        """Give the state after a legal action."""
        self.verify(action)
        return replace(self, actions=(*self.actions, action))

    def after_forfeit(self) -> "State":
        """Give the state after the seat in turn forfeited: the round is void."""
        if self.round_over:
            raise IllegalAction(f"the round is over: {self}")
        return replace(self, actions=(*self.actions, FORFEIT))

    @property
    def loser(self) -> int:
        """Seat that loses by this finished round: one die, or all by a forfeit."""
        if not self.round_over:
            raise IllegalAction(f"nobody has lost yet: {self}")
        if self.forfeited or self.actual(self.bid) >= count_of(self.bid):
            return self.to_move
        order = self._seats_from(self.opener)
        return order[(len(self.bids) - 1) % len(order)]

    @property
    def shown(self) -> Shown | None:
        """What everybody saw at the end of this round; None while it runs, or if it is void."""
        if not self.round_over or self.forfeited:
            return None
        order = self._seats_from(self.opener)
        return Shown(
            hands=self.hands,
            bid=self.bid,
            bidder=order[(len(self.bids) - 1) % len(order)],
            challenger=self.to_move,
            actual=self.actual(self.bid),
            loser=self.loser,
        )

    @property
    def dice_after(self) -> tuple[int, ...]:
        """Dice of each seat after this finished round (L7, forfeits)."""
        left = list(self.dice)
        left[self.loser] = 0 if self.forfeited else left[self.loser] - 1
        return tuple(left)

    @property
    def out_after(self) -> tuple[int, ...]:
        """Seats out after this finished round, in the order they went."""
        gone = self.dice_after[self.loser] == 0 or self.rules.rounds == "1"
        return (*self.out, self.loser) if gone else self.out

    @property
    def game_over(self) -> bool:
        """True if this finished round decided the game."""
        return self.round_over and len(self.out_after) == self.rules.seats - 1

    @property
    def winner(self) -> int | None:
        """Seat that won the game, None while it runs."""
        if not self.game_over:
            return None
        (winner,) = set(range(self.rules.seats)) - set(self.out_after)
        return winner

    @property
    def places(self) -> tuple[int, ...]:
        """Finishing place of each seat of a finished game; the winner is 1 (D-L5)."""
        if not self.game_over:
            raise IllegalAction(f"the game is not over: {self}")
        order = (*self.out_after, self.winner)
        return tuple(self.rules.seats - order.index(seat) for seat in range(self.rules.seats))

    @property
    def scores(self) -> tuple[int, ...]:
        """Zero-sum score of each seat of a finished game (D-L5)."""
        return tuple(self.rules.seats - 1 if place == 1 else -1 for place in self.places)

    @property
    def next_opener(self) -> int:
        """Seat that opens the next round: the loser, or the next one still in (L9)."""
        order = [(self.loser + i) % self.rules.seats for i in range(self.rules.seats)]
        return next(seat for seat in order if self.dice_after[seat])

    def next_round(self, hands: tuple[tuple[int, ...], ...]) -> "State":
        """Give the next round with newly rolled `hands`."""
        if self.game_over:
            raise IllegalAction(f"the game is over: {self}")
        if tuple(map(len, hands)) != self.dice_after:
            raise IllegalAction(f"the next round is rolled with {self.dice_after} dice by seat")
        return State(
            rules=self.rules,
            hands=tuple(tuple(sorted(hand)) for hand in hands),
            round=self.round + 1,
            out=self.out_after,
            opener=self.next_opener,
        )

    def next_deal(self, *, seed: int, deal: int) -> "State":
        """Give the next round of deal number `deal`, with the dice that every program run rolls."""
        dice = self.dice_after
        return self.next_round(roll_hands(dice, seed=seed, deal=deal, round=self.round + 1))

    @classmethod
    def deal(cls, rules: Rules, *, seed: int, deal: int) -> "State":
        """Give the first round of deal number `deal`.

        >>> str(State.deal(Rules(seats=2, dice=(3, 2)), seed=7, deal=0))
        'rules=dice:3,2 hands=166/33'
        """
        return cls(rules=rules, hands=roll_hands(rules.dice, seed=seed, deal=deal, round=1))

    def view(self, seat: int, shown: Shown | None = None) -> View:
        """Give what `seat` may know; `shown` is the last finished round, if any."""
        bids = self.bids
        hands = shown.hands if shown else ((),) * self.rules.seats
        return View(
            seat=seat,
            seats=self.rules.seats,
            round=self.round,
            opener=self.opener,
            own_dice=len(self.hands[seat]),
            own=hand_counts(self.hands[seat]),
            dice_in_play=self.in_play,
            dice_counts=bytes(self.dice).ljust(6, b"\0"),
            ones_wild=int(self.rules.ones_wild),
            ones_lock=int(self.rules.ones_wild and self.rules.ones_lock == "any"),
            ones_high=int(self.rules.ones_rank == "high"),
            locked=int(self.locked),
            bid=self.bid,
            bid_count=count_of(bids[-1]) if bids else 0,
            bid_face=self.face(bids[-1]) if bids else 0,
            bids_made=len(bids),
            bids=bytes(bids).ljust(MAX_BIDS, b"\0"),
            shown=b"".join(map(hand_counts, hands)).ljust(6 * FACE_SLOTS, b"\0"),
            shown_bid=shown.bid if shown else NO_BID,
            shown_bidder=shown.bidder if shown else NOBODY,
            shown_challenger=shown.challenger if shown else NOBODY,
            shown_actual=shown.actual if shown else 0,
            shown_loser=shown.loser if shown else NOBODY,
            winner=NOBODY,
            place=0,
            score=0,
        )

    def name(self, action: int) -> str:
        """Write an action as people do."""
        return action_text(action, ones_rank=self.rules.ones_rank)

    def parse(self, text: str) -> int:
        """Read an action as people write it; whether it is legal is for `verify`."""
        return parse_action(text, ones_rank=self.rules.ones_rank)

    def __str__(self) -> str:
        """Write the state; `from_text` reads it back."""
        defaults = Rules(seats=self.rules.seats).options()
        options = self.rules.options()
        changed = ";".join(f"{k}:{v}" for k, v in options.items() if defaults.get(k) != v)
        words = [
            FORFEIT_WORD if action == FORFEIT else self.name(action) for action in self.actions
        ]
        values = {
            "rules": changed,
            "hands": "/".join(map(hand_text, self.hands)),
            "round": str(self.round) if self.round != 1 else "",
            "out": ",".join(map(str, self.out)),
            "opener": str(self.opener) if self.opener else "",
            "bids": ",".join(words),
        }
        return " ".join(f"{key}={value}" for key, value in values.items() if value)

    @classmethod
    def from_text(cls, text: str) -> "State":
        """Read what `str` writes; every action is verified on the way."""
        words = _read_words(text)
        hands = tuple(parse_hand(hand) for hand in words["hands"].split("/"))
        pairs = (word.partition(":") for word in words.get("rules", "").split(";") if word)
        try:
            rules = Rules.from_options(len(hands), {key: value for key, _, value in pairs})
        except UsageError as error:
            raise NotationError(f"{error} (in {text!r})") from None
        state = cls(
            rules=rules,
            hands=hands,
            round=_read_number(words.get("round", "1"), "round"),
            out=tuple(_read_number(s, "out") for s in words.get("out", "").split(",") if s),
            opener=_read_number(words.get("opener", "0"), "opener"),
        )
        _verify_table(state)
        for word in words.get("bids", "").split(",") if "bids" in words else ():
            state = (
                state.after_forfeit() if word == FORFEIT_WORD else state.after(state.parse(word))
            )
        return state


def _read_words(text: str) -> dict[str, str]:
    """Split `key=value` words; refuse unknown, repeated and missing keys."""
    words: dict[str, str] = {}
    for word in text.split():
        key, equals, value = word.partition("=")
        if not equals or key not in _KEYS:
            raise NotationError(f"{word!r} is no part of a position: use {'=, '.join(_KEYS)}=")
        if key in words:
            raise NotationError(f"{key}= stands twice in {text!r}")
        words[key] = value
    if "hands" not in words:
        raise NotationError(f"no hands= in {text!r}")
    return words


def _read_number(text: str, key: str) -> int:
    if not (text.isascii() and text.isdigit()) or len(text) > MOST_DIGITS:
        raise NotationError(f"{key}={text}: must be a whole number of at most {MOST_DIGITS} digits")
    return int(text)


def _verify_table(state: State) -> None:
    """Refuse a table that no game can reach."""
    seats = range(state.rules.seats)
    if state.opener not in seats or not state.hands[state.opener]:
        raise NotationError(f"opener={state.opener} is no seat that holds dice")
    if state.round < 1:
        raise NotationError(f"round={state.round}: rounds are counted from 1")
    empty = {seat for seat in seats if not state.hands[seat]}
    if set(state.out) != empty or len(state.out) != len(empty):
        raise NotationError(
            f"out={','.join(map(str, state.out))}: must name the seats without dice, once each"
        )
    if len(empty) > len(seats) - 2:
        raise NotationError("a round needs two seats with dice")
    for seat in seats:
        if len(state.hands[seat]) > state.rules.dice[seat]:
            raise NotationError(
                f"seat {seat} holds {len(state.hands[seat])} dice but began with "
                f"{state.rules.dice[seat]}"
            )


def roll_hands(
    dice: tuple[int, ...], *, seed: int, deal: int, round: int
) -> tuple[tuple[int, ...], ...]:
    """Roll the dice of a round: the same that the compiled engine rolls.

    A seat's first k dice are the same whatever k is: one draw below 6**5 gives five faces.
    """
    rng = SeatRng(deal_key(seed, deal), seat=0)
    hands = []
    for seat, count in enumerate(dice):
        rng._word = pack_word(stream=LUCK, seat=seat, epoch=round)
        rest = rng.below(FACES**MAX_DICE)
        faces = []
        for _ in range(count):
            rest, remainder = divmod(rest, FACES)
            faces.append(remainder + 1)
        hands.append(tuple(sorted(faces)))
    return tuple(hands)


def all_hands(count: int) -> list[tuple[tuple[int, ...], int]]:
    """List the distinct hands of `count` dice, each with the number of rolls that give it.

    >>> all_hands(2)[:3], sum(ways for _, ways in all_hands(2))
    ([((1, 1), 1), ((1, 2), 2), ((1, 3), 2)], 36)
    """
    from math import factorial, prod

    return [
        (hand, factorial(count) // prod(factorial(hand.count(f)) for f in set(hand)))
        for hand in combinations_with_replacement(range(1, FACES + 1), count)
    ]
