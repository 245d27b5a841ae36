"""Exact values of Liar's Dice by enumeration on the readable state, in fractions.

Every roll is played through every sequence of actions, by `State.legal` and `State.after`. Two
sequences that lead to the same last bid, lock and seat in turn (and so the same bidder) are
followed as one: nothing else in a round can matter to the rules, and policies look at nothing else.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod

from sim.engines.liars_dice.rules import Rules
from sim.engines.liars_dice.state import State, all_hands
from sim.engines.liars_dice.view import CHALLENGE

Policy = Callable[[State], dict[int, Fraction]]
"""What the seat in turn does: probabilities of actions. It may look at the seat in turn, its hand,
the last bid and the lock only."""

Key = tuple[int, bool, int]


def uniform(state: State) -> dict[int, Fraction]:
    """Every legal action alike."""
    actions = state.legal()
    return dict.fromkeys(actions, Fraction(1, len(actions)))


def game_values(rules: Rules, policy: Policy) -> tuple[list[Fraction], Fraction, Fraction]:
    """Give P(win) by seat, E[rounds] and E[decisions] of a game that all play by `policy`."""

    @cache
    def from_table(
        dice: tuple[int, ...], out: tuple[int, ...], opener: int
    ) -> tuple[tuple[Fraction, ...], Fraction, Fraction]:
        wins = [Fraction(0)] * rules.seats
        rounds = Fraction(0)
        ends, decisions = round_ends(rules, policy, dice=dice, out=out, opener=opener)
        for end, chance in ends:
            rounds += chance
            if end.winner is not None:
                wins[end.winner] += chance
                continue
            after, more_rounds, more_decisions = from_table(
                end.dice_after, end.out_after, end.next_opener
            )
            rounds += chance * more_rounds
            decisions += chance * more_decisions
            wins = [win + chance * more for win, more in zip(wins, after, strict=True)]
        return tuple(wins), rounds, decisions

    wins, rounds, decisions = from_table(rules.dice, (), 0)
    return list(wins), rounds, decisions


def round_ends(
    rules: Rules, policy: Policy, *, dice: tuple[int, ...], out: tuple[int, ...], opener: int
) -> tuple[list[tuple[State, Fraction]], Fraction]:
    """Give one end of the round for each loser, with its probability, and E[decisions]."""
    ends: dict[int, State] = {}
    chances = [Fraction(0)] * rules.seats
    decisions = Fraction(0)
    nodes = round_nodes(rules, dice=dice, out=out, opener=opener)
    for hands, chance in all_rolls(dice):
        weights = {next(iter(nodes)): chance}
        for key, (like, followers) in nodes.items():
            weight = weights.get(key)
            if not weight:
                continue
            decisions += weight
            state = replace(like, hands=hands)
            for action, share in policy(state).items():
                if action == CHALLENGE:
                    end = state.after(CHALLENGE)
                    ends[end.loser] = end
                    chances[end.loser] += weight * share
                else:
                    after = followers[action]
                    weights[after] = weights.get(after, 0) + weight * share
    return [(ends[loser], chances[loser]) for loser in ends], decisions


def all_rolls(dice: tuple[int, ...]) -> Iterator[tuple[tuple[tuple[int, ...], ...], Fraction]]:
    """Give every roll as sorted hands, with its probability."""
    for rolls in product(*(all_hands(count) for count in dice)):
        ways = prod(ways for _, ways in rolls)
        yield tuple(hand for hand, _ in rolls), Fraction(ways, 6 ** sum(dice))


def round_nodes(
    rules: Rules, *, dice: tuple[int, ...], out: tuple[int, ...], opener: int
) -> dict[Key, tuple[State, dict[int, Key]]]:
    """Give every state of a round with a bid to make or to challenge, by the last bid upwards.

    With each goes where its legal bids lead. The hands in them are any of the right size.
    """
    hands = tuple((1,) * count for count in dice)
    start = State(rules=rules, hands=hands, out=out, opener=opener)
    layers: list[dict[Key, State]] = [{} for _ in range(6 * start.in_play + 1)]
    layers[0][key_of(start)] = start
    nodes = {}
    for layer in layers:
        for key, state in layer.items():
            bids = [action for action in state.legal() if action != CHALLENGE]
            afters = {bid: state.after(bid) for bid in bids}
            for after in afters.values():
                layers[after.bid + 1][key_of(after)] = after  # the shortest way wins: it is faster
            nodes[key] = state, {bid: key_of(after) for bid, after in afters.items()}
    return nodes


def key_of(state: State) -> Key:
    """Give what matters of a state: last bid, lock and seat in turn."""
    return state.bid, state.locked, state.to_move
