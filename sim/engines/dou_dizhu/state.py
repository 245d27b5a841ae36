"""Dou Dizhu as people read it: an immutable state over cards, and its text.

A state holds one deal with all cards: it is for the table, tests and replays, never for a strategy,
which gets `state.view(seat)`. It is the slow twin of kernel.py and knows nothing of it; what may be
played it asks of combos.py, where cards are text.

    state = State.deal(Rules(), seed=7, deal=0)
    state = state.after(state.parse("3"))       # the first bidder bids three and leads
    state = state.after(state.parse("33444"))
    state = state.next_deal(seed=7, deal=0)     # only if all three passed in the auction

Text: `key=value` words in this order, those with their usual value left out:

    rules=auction:false         options that are not the default, `name:value` joined by `;`
    hands=3456.../.../...       cards as they were dealt, by seat
    bottom=3QR                  the three bottom cards
    first=1                     seat that calls first (0)
    redeals=2                   how often the cards were dealt again before this deal (0)
    calls=pass,1,3              the auction, oldest first
    plays=33444,pass,55777,...  plays and passes since, oldest first; the landlord began
"""

from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from sim.engines.dou_dizhu.combos import Combination, beats, classify, legal_plays
from sim.engines.dou_dizhu.dealing import deal_cards
from sim.engines.dou_dizhu.notation import (
    PACK,
    RANKS,
    card_count,
    cards_text,
    counts_of,
    parse_cards,
)
from sim.engines.dou_dizhu.position import read_number, read_words, verify_cards
from sim.engines.dou_dizhu.rules import (
    HIGHEST_BID,
    MOST_ACTIONS,
    MOST_CALLS,
    SEATS,
    Rules,
)
from sim.engines.dou_dizhu.shapes import Kind, class_code
from sim.engines.dou_dizhu.view import (
    ANTI_SPRING,
    AUCTION,
    FARMER,
    LANDLORD,
    NO_SPRING,
    NOBODY,
    PASS,
    PLAY,
    RANK_SLOTS,
    SPRING,
    WORD,
    View,
)
from sim.errors import IllegalAction, NotationError, UsageError

FORFEIT: Final = -1
"""Mark at the end of `State.calls` or `State.plays`: the seat in turn left the game."""

PASS_WORD: Final = "pass"
FORFEIT_WORD: Final = "forfeit"


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """One deal with all cards visible.

    >>> hands = "44555667889TQKAAR/334678999TTQKKA22/334778JJJJQQKA22B"
    >>> state = State.from_text(f"hands={hands} bottom=56T first=2 calls=3 plays=JJJJ,pass,pass,33")
    >>> state.landlord, state.to_move, state.multiplier, cards_text(state.held[2])
    (2, 0, 2, '456778TQQKA22B')
    >>> [state.name(action) for action in state.legal()]
    ['pass', '44', '55', '66', '88', 'AA']
    """

    rules: Rules
    hands: tuple[int, int, int]
    """Packed cards as they were dealt, by seat, 17 each."""
    bottom: int
    """The three bottom cards, packed."""
    first: int = 0
    """Seat that calls first."""
    redeals: int = 0
    """How often the cards were dealt again before."""
    calls: tuple[int, ...] = ()
    """The auction: PASS or a bid each; the last may be FORFEIT."""
    plays: tuple[int, ...] = ()
    """Packed cards or PASS each; the last may be FORFEIT."""

    @property
    def bid(self) -> int:
        """Highest bid so far, 0 before any; without an auction the bid is 1 (D-D4)."""
        return max((0, *self.calls)) if self.rules.auction else 1

    @property
    def bidder(self) -> int:
        """Seat that made the highest bid; NOBODY before any, and without an auction."""
        bids = [k for k, call in enumerate(self.calls) if call > PASS]
        return (self.first + bids[-1]) % SEATS if bids else NOBODY

    @property
    def passed_out(self) -> bool:
        """True if all passed: the cards are dealt again, or the game is void (D-D3)."""
        return self.calls == (PASS,) * SEATS

    @property
    def phase(self) -> int:
        """AUCTION, or PLAY once there is a landlord (D3)."""
        if not self.rules.auction:
            return PLAY
        two_passes = self.calls[-2:] == (PASS, PASS) and self.bid > 0
        return PLAY if self.bid == HIGHEST_BID or two_passes else AUCTION

    @property
    def landlord(self) -> int:
        """Seat of the landlord, NOBODY during the auction."""
        if self.phase == AUCTION:
            return NOBODY
        return self.bidder if self.rules.auction else 0

    @property
    def actions(self) -> tuple[int, ...]:
        """Plays and passes since the auction, without a forfeit at the end."""
        return self.plays[:-1] if FORFEIT in self.plays[-1:] else self.plays

    def played(self, seat: int) -> int:
        """Give all cards that a seat has played, packed."""
        if self.phase == AUCTION:
            return 0
        return sum(self.actions[(seat - self.landlord) % SEATS :: SEATS])

    @property
    def held(self) -> tuple[int, ...]:
        """Cards that each seat holds now, packed: the landlord took the bottom (D4)."""
        return tuple(
            hand + (self.bottom if seat == self.landlord else 0) - self.played(seat)
            for seat, hand in enumerate(self.hands)
        )

    @property
    def passes(self) -> int:
        """Passes since the last play: two of them, and its player leads again (D5)."""
        made = 0
        while made < len(self.actions) and self.actions[-1 - made] == PASS:
            made += 1
        return made

    @property
    def to_beat(self) -> int:
        """Play to beat, packed; 0 if the seat in turn leads, and during the auction."""
        if not self.actions or self.passes == SEATS - 1:
            return 0
        return self.actions[-1 - self.passes]

    @property
    def forfeited(self) -> bool:
        """True if the game is over because the seat in turn left it."""
        return FORFEIT in self.calls[-1:] or FORFEIT in self.plays[-1:]

    @property
    def is_void(self) -> bool:
        """True if all passed once too often: 0 points for all (D-D3)."""
        return self.passed_out and self.redeals == self.rules.max_redeals

    @property
    def is_over(self) -> bool:
        """True once the game is decided (D12), void or forfeited."""
        return self.forfeited or self.is_void or (self.phase == PLAY and 0 in self.held)

    @property
    def to_move(self) -> int:
        """Seat in turn; once the game is over, the seat that ended it."""
        if self.phase == AUCTION:
            calls = [call for call in self.calls if call != FORFEIT]
            return (self.first + len(calls) - self.is_void) % SEATS
        ended = self.is_over and not self.forfeited
        return (self.landlord + len(self.actions) - ended) % SEATS

    @property
    def winner(self) -> int:
        """Side that won: LANDLORD or FARMER; NOBODY if there are no sides, or not yet."""
        if not self.is_over or self.phase == AUCTION:
            return NOBODY
        landlord = self.to_move == self.landlord
        return LANDLORD if landlord != self.forfeited else FARMER

    @property
    def spring(self) -> int:
        """How a finished deal ended: SPRING, ANTI_SPRING or NO_SPRING (D13, D-D5)."""
        if self.winner == NOBODY or self.forfeited:
            return NO_SPRING
        farmers = [self.played(seat) for seat in range(SEATS) if seat != self.landlord]
        if self.winner == LANDLORD:
            return NO_SPRING if any(farmers) else SPRING
        landlords = [play for play in self.actions[::SEATS] if play != PASS]
        return ANTI_SPRING if len(landlords) == 1 else NO_SPRING

    @property
    def multiplier(self) -> int:
        """1, doubled for each bomb and rocket, and at the end for a spring (D13)."""
        bombs = [play for play in self.actions if play and _kind(play) in (Kind.BOMB, Kind.ROCKET)]
        doublings: int = len(bombs) + (self.spring != NO_SPRING)
        return 1 << doublings

    @property
    def scores(self) -> tuple[int, ...]:
        """Zero-sum score of each seat of a finished game (D13, and "Both games")."""
        if not self.is_over:
            raise IllegalAction(f"the game is not over: {self}")
        if self.is_void:
            return (0,) * SEATS
        unit = max(self.bid, 1) * self.multiplier
        if self.forfeited and self.to_move != self.landlord:
            others = unit if self.phase == AUCTION else 0
            gains = [others] * SEATS
            gains[self.to_move] = -2 * unit
            if self.phase == PLAY:
                gains[self.landlord] = 2 * unit
            return tuple(gains)
        gain = unit if self.winner == LANDLORD else -unit
        return tuple(2 * gain if seat == self.landlord else -gain for seat in range(SEATS))

    @property
    def won(self) -> tuple[bool, ...]:
        """Who has won a finished game: the winning side; nobody if it is void.

        The partner of a farmer that forfeited has not; in the auction all but the offender have.
        """
        return tuple(score > 0 for score in self.scores)

    @property
    def places(self) -> tuple[int, ...]:
        """Place of each seat of a finished game: one more than seats that scored more."""
        scores = self.scores
        return tuple(1 + sum(other > score for other in scores) for score in scores)

    def legal(self) -> list[int]:
        """List the legal actions: the pass, if there may be one, then bids or plays."""
        if self.is_over or self.passed_out:
            return []
        if self.phase == AUCTION:
            return [PASS, *range(self.bid + 1, HIGHEST_BID + 1)]
        hand = cards_text(self.held[self.to_move])
        if not self.to_beat:
            return [parse_cards(play) for play in legal_plays(hand)]
        follows = legal_plays(hand, cards_text(self.to_beat))
        return [PASS, *(parse_cards(play) for play in follows)]

    def verify(self, action: int) -> None:
        """Raise IllegalAction, saying what is wrong, unless `action` may be done."""
        if self.is_over:
            raise IllegalAction(f"the game is over: {self}")
        if self.passed_out:
            raise IllegalAction(f"all passed, so the cards are to be dealt again: {self}")
        if self.phase == PLAY:
            self._verify_play(action)
        elif action != PASS and not 1 <= action <= HIGHEST_BID:
            raise IllegalAction(f"action {action} is neither a bid from 1 to 3 nor {PASS} (pass)")
        elif PASS < action <= self.bid:
            raise IllegalAction(f"a bid of {action} is not higher than {self.bid}")

    def _verify_play(self, action: int) -> None:
        hand = self.held[self.to_move]
        if action == PASS:
            if not self.to_beat:
                raise IllegalAction("the leader may not pass")
            return
        if not _is_cards(action):
            raise IllegalAction(f"action {action} is neither packed cards nor {PASS} (pass)")
        cards = cards_text(action)
        have = zip(counts_of(action), counts_of(hand), strict=True)
        if any(wanted > held for wanted, held in have):
            raise IllegalAction(f"{cards} are not all in the hand {cards_text(hand)}")
        if classify(cards) is None:
            raise IllegalAction(f"{cards} is no combination")
        if self.to_beat and not beats(cards, cards_text(self.to_beat)):
            raise IllegalAction(f"{cards} does not beat {cards_text(self.to_beat)}")

    def after(self, action: int) -> "State":
        """Give the state after a legal action."""
        self.verify(action)
        return self._with(action)

    def after_forfeit(self) -> "State":
        """Give the state after the seat in turn forfeited: the game is over."""
        if self.is_over or self.passed_out:
            raise IllegalAction(f"nobody is in turn: {self}")
        return self._with(FORFEIT)

    def _with(self, action: int) -> "State":
        if self.phase == AUCTION:
            return replace(self, calls=(*self.calls, action))
        return replace(self, plays=(*self.plays, action))

    @classmethod
    def deal(cls, rules: Rules, *, seed: int, deal: int, redeal: int = 0) -> "State":
        """Give deal number `deal`, dealt again `redeal` times, as every program run deals it.

        >>> state = State.deal(Rules(), seed=7, deal=0)
        >>> cards_text(state.hands[0]), cards_text(state.bottom), state.first
        ('44555667889TQKAAR', '56T', 2)
        """
        dealt = deal_cards(seed=seed, deal=deal, redeal=redeal)
        return cls(
            rules=rules,
            hands=dealt.hands,
            bottom=dealt.bottom,
            first=dealt.first if rules.auction else 0,
            redeals=redeal,
        )

    def next_deal(self, *, seed: int, deal: int) -> "State":
        """Give the deal that follows after all passed."""
        if not self.passed_out or self.is_over:
            raise IllegalAction(f"the cards are not to be dealt again: {self}")
        return State.deal(self.rules, seed=seed, deal=deal, redeal=self.redeals + 1)

    def view(self, seat: int) -> View:
        """Give what `seat` may know."""
        in_play, to_beat = self.phase == PLAY, self.to_beat
        actions = b"".join(play.to_bytes(WORD, "little") for play in self.actions)
        leads = not to_beat
        calls = bytes(call for call in self.calls if call != FORFEIT)
        return View(
            seat=seat,
            seats=SEATS,
            phase=self.phase,
            role=(LANDLORD if seat == self.landlord else FARMER) if in_play else NOBODY,
            landlord=self.landlord,
            hand=self.held[seat],
            own=bytes(counts_of(self.held[seat])).ljust(RANK_SLOTS, b"\0"),
            cards_left=bytes(map(card_count, self.held)),
            bottom=self.bottom if in_play else 0,
            first_bidder=self.first if self.rules.auction else NOBODY,
            bid=self.bid,
            bidder=self.bidder,
            calls_made=len(calls),
            calls=calls.ljust(MOST_CALLS, b"\0"),
            redeals=self.redeals,
            max_redeals=self.rules.max_redeals if self.rules.auction else 0,
            target=_code(to_beat) if to_beat else 0,
            to_beat=to_beat,
            to_beat_seat=NOBODY if leads else (self._last_seat - self.passes) % SEATS,
            passes=0 if leads else self.passes,
            played_0=self.played(0),
            played_1=self.played(1),
            played_2=self.played(2),
            multiplier=self.multiplier,
            actions_made=len(self.actions),
            actions=actions.ljust(WORD * MOST_ACTIONS, b"\0"),
            winner=self.winner,
            won=int(self.is_over and self.won[seat]),
            spring=self.spring,
            score=self.scores[seat] if self.is_over else 0,
        )

    @property
    def _last_seat(self) -> int:
        """Seat of the last play or pass."""
        return (self.landlord + len(self.actions) - 1) % SEATS

    def name(self, action: int) -> str:
        """Write an action as people do."""
        if action == PASS:
            return PASS_WORD
        return str(action) if self.phase == AUCTION else cards_text(action)

    def parse(self, text: str) -> int:
        """Read an action as people write it; whether it is legal is for `verify`."""
        if text == PASS_WORD:
            return PASS
        if self.phase == PLAY:
            return parse_cards(text)
        if text not in ("1", "2", "3"):
            raise NotationError(f"{text!r} is no call: write 1, 2, 3 or {PASS_WORD}")
        return int(text)

    def __str__(self) -> str:
        """Write the state; `from_text` reads it back."""
        defaults = Rules().options()
        options = self.rules.options()
        changed = ";".join(f"{k}:{v}" for k, v in options.items() if defaults.get(k) != v)
        calls = [str(call) if call else PASS_WORD for call in self.calls]
        plays = [cards_text(play) if play > PASS else PASS_WORD for play in self.plays]
        if self.forfeited:
            (plays or calls)[-1] = FORFEIT_WORD
        values = {
            "rules": changed,
            "hands": "/".join(map(cards_text, self.hands)),
            "bottom": cards_text(self.bottom),
            "first": str(self.first) if self.first else "",
            "redeals": str(self.redeals) if self.redeals else "",
            "calls": ",".join(calls),
            "plays": ",".join(plays),
        }
        return " ".join(f"{key}={value}" for key, value in values.items() if value)

    @classmethod
    def from_text(cls, text: str) -> "State":
        """Read what `str` writes; every action is verified on the way."""
        words = read_words(text)
        pairs = (word.partition(":") for word in words.get("rules", "").split(";") if word)
        try:
            rules = Rules.from_options(SEATS, {key: value for key, _, value in pairs})
        except UsageError as error:
            raise NotationError(f"{error} (in {text!r})") from None
        hands = [parse_cards(hand) for hand in words["hands"].split("/")]
        bottom = parse_cards(words["bottom"])
        verify_cards(hands, bottom)
        state = cls(
            rules=rules,
            hands=(hands[0], hands[1], hands[2]),
            bottom=bottom,
            first=read_number(words.get("first", "0"), "first", most=SEATS - 1),
            redeals=read_number(words.get("redeals", "0"), "redeals", most=rules.max_redeals),
        )
        if not rules.auction and {"first", "redeals", "calls"} & words.keys():
            raise NotationError(
                f"without an auction there is no first=, redeals=, calls=: {text!r}"
            )
        state = _replay(state, words.get("calls", ""), phase=AUCTION)
        return _replay(state, words.get("plays", ""), phase=PLAY)


def _replay(state: State, actions: str, *, phase: int) -> State:
    """Do what is written in `calls=` or `plays=`."""
    for word in actions.split(",") if actions else ():
        if not state.is_over and state.phase != phase:
            when = "after the auction" if phase == AUCTION else "during the auction"
            raise NotationError(f"{word!r} in {actions!r} comes {when}: {state}")
        state = state.after_forfeit() if word == FORFEIT_WORD else state.after(state.parse(word))
    return state


@cache
def _combination(play: int) -> Combination:
    combination = classify(cards_text(play))
    assert combination is not None, "plays are verified"
    return combination


def _kind(play: int) -> Kind:
    return _combination(play).kind


def _code(play: int) -> int:
    """Give the class code of a play, as views have it."""
    combination = _combination(play)
    return class_code(combination.kind, combination.length, RANKS.index(combination.rank))


def _is_cards(action: int) -> bool:
    """Tell whether a number is packed cards of one pack."""
    if not 0 < action <= PACK:
        return False
    return all(n <= most for n, most in zip(counts_of(action), counts_of(PACK), strict=True))
