"""Splits its hand into the best set of plays, and leads, follows and bids by it (plans.py).

Values, and a turn's price that rises as hands shrink, are those of RuleBasedModelV2; how farmers
work together is what published rule-based bots agree on. The constants were set by playing:
a change was kept where it won more games, over some thousands, against `greedy` and against the
bot before it. Tried and left out, since nothing came of it: high singles of the farmer before the
landlord while the landlord still holds many cards; leading pairs to a partner with two.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numba import njit

from sim.engines.dou_dizhu.bits import at_least, count_cards, lowest_bit, popcount
from sim.engines.dou_dizhu.follows import bomb_at, bombs_over, cores_over
from sim.engines.dou_dizhu.notation import PACK
from sim.engines.dou_dizhu.packed import classify, nth_play
from sim.engines.dou_dizhu.shapes import SHAPES
from sim.engines.dou_dizhu.tables import CORE, LENGTH, RUN_MASK, WING_SIZE, WINGS
from sim.engines.dou_dizhu.view import AUCTION, LANDLORD, PASS, View
from sim.engines.dou_dizhu.wings import count_wings
from sim.strategies.api import Param, compiled
from sim.strategies.dou_dizhu.cards import fewest_enemy_cards, unseen
from sim.strategies.dou_dizhu.plans import (
    BOMBS,
    PLAYS,
    THROWAWAY,
    VALUE,
    loose_cards,
    plan,
    write_plan,
)

# All in tenths of a point, as VALUE.

PRICE: Final = 130
PRICE_FALL: Final = 6
"""A turn costs PRICE, less PRICE_FALL for each card of the opponent with the fewest."""

LANDLORD_LEAD: Final = 30
FARMER_LEAD: Final = 80
"""What it is worth to take the lead from an opponent."""

FEW: Final = 4
FEW_LEAD: Final = 150
LAST: Final = 2
LAST_LEAD: Final = 60
"""What it is worth more where an opponent holds FEW cards or fewer, and again for LAST."""

HOLDS: Final = 30
"""What it is worth more to play what nothing unseen beats in its kind."""

BLOCK: Final = 1000
"""What it is worth more to come between an opponent and the last cards."""

PER_CARD: Final = 10
"""For each card of a lead: of two plays as weak, the longer."""

LATE_BOMB: Final = 100
"""Bombs are led late."""

STRONG: Final = 40
"""A partner's play of that value or more is left alone: a single ace, a pair of kings, a bomb."""

SMALL: Final = 40
"""Only plays of that value or less go on a partner's: a single ace, a pair of queens.

At 20, a queen, it won .7753 of its games against `greedy` instead of .7873 (12,000 games)."""

SURE: Final = 100_000
"""More than all else: the rest of the hand wins."""

NEVER: Final = -(1 << 40)

BID_PRICE: Final = 60
"""Price of a turn in the auction."""

BID_FROM: Final = (-360, -320, -290)
"""Worth of 17 cards from which to bid 1, 2, 3 at bid_aggressiveness 1/2.

Among partitions the landlord, bottom cards still to come, wins .42 of the games from -320 to -280,
.50 from -198 to -150. Still these limits score more at one table than any 100 higher (54,000
games a setting): who passes leaves the landlord's place to a better hand.
"""

BID_SWING: Final = 480
"""By how much bid_aggressiveness 1 lies below 0."""

CARDS: Final = np.array([0, *(shape.cards for shape in SHAPES)], np.int64)
"""Cards of a play, by shape."""

ALONE: Final = 0
AFTER: Final = 1
BEFORE: Final = 2
"""Places: the landlord, the farmer who acts after the landlord, the one who acts before."""

PARAMETERS = (
    Param(
        "bid_aggressiveness",
        0.5,
        low=0,
        high=1,
        help="0 opens on one hand in six, 1/2 on seven in ten, 1 on nearly all",
    ),
)


class Sight(NamedTuple):
    """What one decision goes by, beside the hand and the play to beat."""

    unseen: int
    """Cards of the others, packed."""
    price: int
    """Price of a turn."""
    least: int
    """Cards of the opponent with the fewest."""
    most: int
    """Cards of the opponent with the most."""
    place: int
    """ALONE, AFTER or BEFORE."""
    partner: int
    """Cards of the partner; 0 for the landlord."""


@njit(cache=True, nogil=True)
def holds_lead(code: int, sight: Sight) -> bool:
    """Tell whether no opponent can beat class `code` in its own kind."""
    return bool(CARDS[code >> 4] > sight.most or cores_over(sight.unseen, code) == 0)


@njit(cache=True, nogil=True)
def count_weak(plays: int, sight: Sight, memory: Any) -> int:
    """Count the plays of the plan in `memory` that may lose the lead."""
    weak = 0
    for k in range(plays):
        if not holds_lead(classify(memory[PLAYS + k]), sight):
            weak += 1
    return weak


@njit(cache=True, nogil=True)
def choose_lead(hand: int, sight: Sight, memory: Any) -> int:
    """Choose a play of the plan to lead."""
    plan(hand, 0, sight.price, sight.unseen, memory)
    plays = write_plan(hand, memory)
    sure = count_weak(plays, sight, memory) <= 1
    if sight.partner == 1 and sight.least > 1 and not sure:
        return 1 << lowest_bit(at_least(hand, 1))
    best = 0
    best_score = NEVER
    for k in range(plays):
        play = memory[PLAYS + k]
        score = lead_score(play, sight, sure)
        if score > best_score:
            best_score = score
            best = play
    return best


@njit(cache=True, nogil=True)
def lead_score(play: int, sight: Sight, sure: bool) -> int:
    """Give how much a play of the plan is to be led now; `sure`: all others but one hold."""
    code = classify(play)
    holds = holds_lead(code, sight)
    value = int(VALUE[code])
    if sure:
        # the weak one last; before it bombs, which would double, and first the others
        return (SURE if code < BOMBS else SURE // 2) + value if holds else 0
    cards = count_cards(play)
    if cards == sight.least and cards <= LAST and not holds:
        return value - SURE  # an opponent could go out on it: rather none, else the highest
    score = PER_CARD * cards - value
    return score - LATE_BOMB if code >= BOMBS else score


@njit(cache=True, nogil=True)
def core_play(hand: int, target: int, shift: int, n: int, sight: Sight, memory: Any) -> int:
    """Give the play on `target` with its core at `shift`; play number n has that core, too.

    Kickers are cards that the plan for the rest of the hand has loose; if it has too few,
    those of play number n: the lowest.
    """
    shape = target >> 4
    play = int(CORE[shape] << shift)
    if WINGS[shape] == 0:
        return play
    core = RUN_MASK[LENGTH[shape]] << shift
    plan(hand - play, WINGS[shape], sight.price, sight.unseen, memory)
    loose = loose_cards(hand - play, memory)
    size = WING_SIZE[shape]
    free = at_least(loose, size) & ~at_least(loose, 3) & THROWAWAY & ~core
    lone = free & ~at_least(loose, size + 1)
    if popcount(lone) >= WINGS[shape]:
        free = lone
    if popcount(free) < WINGS[shape]:
        return nth_play(hand, target, n)
    for _ in range(WINGS[shape]):
        play += size * (free & -free)
        free &= free - 1
    return play


@njit(cache=True, nogil=True)
def gain_of(hand: int, play: int, kept: int, sight: Sight, memory: Any) -> int:
    """Give what playing changes in the worth of the hand, `kept`; SURE more if it wins."""
    gain = plan(hand - play, 0, sight.price, sight.unseen, memory) - kept
    if holds_lead(classify(play), sight):
        gain += HOLDS
        if count_weak(write_plan(hand - play, memory), sight, memory) <= 1:
            gain += SURE
    return gain


@njit(cache=True, nogil=True)
def must_block(target: int, sight: Sight) -> bool:
    """Tell whether an opponent acts next who could go out on `target`, whoever played it."""
    cards = CARDS[target >> 4]
    follows = sight.place != AFTER and sight.least == cards and cards <= LAST
    return bool(follows and not holds_lead(target, sight))


@njit(cache=True, nogil=True)
def least_gain(target: int, sight: Sight, partners: bool) -> int:
    """Give the gain from which on beating `target` is better than a pass."""
    if partners:
        strong = VALUE[target] >= STRONG or target >= BOMBS or holds_lead(target, sight)
        return SURE // 2 if strong else 0
    bonus = LANDLORD_LEAD if sight.place == ALONE else FARMER_LEAD
    if sight.least <= FEW:
        bonus += FEW_LEAD
    if sight.least <= LAST:
        bonus += LAST_LEAD
    return -bonus


@njit(cache=True, nogil=True)
def block_worth(play: int, sight: Sight) -> int:
    """Give what it is worth to come between with a play: all alike that hold, else the highest."""
    code = classify(play)
    return BLOCK + (BLOCK if holds_lead(code, sight) else 10 * int(VALUE[code]))


@njit(cache=True, nogil=True)
def choose_follow(hand: int, target: int, sight: Sight, memory: Any, partners: bool) -> int:
    """Choose a play that beats `target`, or the pass; `partners`: it is the partner's."""
    shape = target >> 4
    cores = cores_over(hand, target)
    sets = count_wings(hand, LENGTH[shape], shape)
    if sets == 0:
        cores = 0
    bombs = bombs_over(hand, shape)
    if cores | bombs == 0:
        return PASS
    kept = plan(hand, 0, sight.price, sight.unseen, memory)
    block = must_block(target, sight)
    best = PASS
    best_gain = NEVER if block else least_gain(target, sight, partners)
    n = 0
    while cores | bombs:
        if cores:
            play = core_play(hand, target, lowest_bit(cores), n, sight, memory)
            n += sets
            cores &= cores - 1
        else:
            play = bomb_at(lowest_bit(bombs))
            bombs &= bombs - 1
        if play == hand:
            return play
        gain = gain_of(hand, play, kept, sight, memory)
        if block:
            gain += block_worth(play, sight)
        elif partners and VALUE[classify(play)] > SMALL and gain < SURE // 2:
            continue
        if gain > best_gain:
            best_gain = gain
            best = play
    return best


@njit(cache=True, nogil=True)
def choose_bid(hand: int, bid: int, aggressiveness: float, memory: Any) -> int:
    """Bid what the worth of the hand allows, above `bid`, else pass."""
    worth = plan(hand, 0, BID_PRICE, PACK - hand, memory)
    worth += int(BID_SWING * (aggressiveness - 0.5))
    wanted = PASS
    for k in range(3):
        if worth >= BID_FROM[k]:
            wanted = k + 1
    return wanted if wanted > bid else PASS


@njit(cache=True, nogil=True)
def look(view: View) -> Sight:
    """Gather what a decision goes by."""
    after, before = (view.seat + 1) % 3, (view.seat + 2) % 3
    least = int(fewest_enemy_cards(view))
    most, place, partner = least, ALONE, 0
    if view.role == LANDLORD:
        most = int(max(view.cards_left[after], view.cards_left[before]))
    else:
        place = AFTER if before == view.landlord else BEFORE
        partner = int(view.cards_left[after if place == AFTER else before])
    return Sight(
        unseen=unseen(view),
        price=PRICE - PRICE_FALL * least,
        least=least,
        most=most,
        place=place,
        partner=partner,
    )


@compiled(
    game="dou-dizhu",
    name="partition",
    parameters=PARAMETERS,
    sources=(
        "RHCP hand values, as in the programs doudizhu-C and awesome-landlord-bot",
        "RuleBasedModelV2: values, price of a turn, opponents and partners with one card",
    ),
)
def partition(event: Any, view: View, params: Any, memory: Any, rng: Any) -> int:
    """Split the hand into its best set of plays; lead and follow by it.

    Leads the weakest play of the set, the longer the rather; if all but one of them hold the lead,
    those first. Follows where the rest of the hand is worth more than the hand, counting
    the lead and how near an opponent is to going out. A farmer leaves its partner's strong plays
    alone and puts only small ones on others, except to win; leads its lowest single to a
    partner with one card. Does not lead what an opponent with one or two cards could go out on, or
    then the highest; one who acts before such an opponent comes between, on its partner's play too.
    Bids by the worth of its 17 cards.
    """
    hand = view.hand
    if view.phase == AUCTION:
        return choose_bid(hand, view.bid, params[0], memory)
    target = view.target
    if target == 0 and classify(hand):
        return hand
    sight = look(view)
    if target == 0:
        return choose_lead(hand, sight, memory)
    partners = view.role != LANDLORD and view.to_beat_seat != view.landlord
    return choose_follow(hand, target, sight, memory, partners)
