"""One round of Liar's Dice between two seats as matrices, and its exact value by a linear program.

The tree of bids is the same for all hands: a *node* is the set of bids made, as a mask, so bid `b`
leads from node `m < 2**b` to node `m | 1 << b`; at a node with an even number of bids the opener is
in turn. Who loses, and what locks, is asked of the readable state.

The value is that of the sequence form (Koller, Megiddo and von Stengel 1996, "Efficient computation
of equilibria for extensive two-person games", https://doi.org/10.1006/game.1996.0051).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import coo_array

from sim.engines.liars_dice.rules import Rules
from sim.engines.liars_dice.state import State, all_hands
from sim.engines.liars_dice.view import CHALLENGE
from tests.reference.liars_dice_exact import round_nodes

OPENER: Final = 0
FOLLOWER: Final = 1


@dataclass(frozen=True)
class Round:
    """A round as matrices."""

    bids: int
    lock_mask: int
    """Bids that lock the ones."""
    start_locked: bool
    chances: tuple[NDArray[np.float64], NDArray[np.float64]]
    """Probability of each hand of the opener, and of the follower."""
    payoffs: NDArray[np.float64]
    """To the opener of a challenge: (bidder, last bid, locked, opener's hand, follower's hand)."""

    def locked(self, node: int) -> int:
        """Tell whether ones are locked at a node."""
        return int(self.start_locked or node & self.lock_mask != 0)

    def payoff(self, node: int) -> NDArray[np.float64]:
        """Give what a challenge at `node` brings the opener, by both hands."""
        bidder = 1 - node.bit_count() % 2
        payoff: NDArray[np.float64] = self.payoffs[bidder, node.bit_length() - 1, self.locked(node)]
        return payoff

    def bids_from(self, node: int) -> list[int]:
        """List the nodes that a bid at `node` leads to."""
        return [node | 1 << bid for bid in range(node.bit_length(), self.bids)]


def make_round(rules: Rules) -> Round:
    """Ask the readable state for all that matters of a round of two seats."""
    rolls = [all_hands(count) for count in rules.dice]
    states = [s for s, _ in round_nodes(rules, dice=rules.dice, out=(), opener=OPENER).values()]
    start = states[0]
    bids = start.legal()
    payoffs = np.zeros((2, len(bids), 2, len(rolls[0]), len(rolls[1])))
    for state in states[1:]:
        payoffs[1 - state.to_move, state.bid, int(state.locked)] = [
            [outcome(state, (mine, yours)) for yours, _ in rolls[1]] for mine, _ in rolls[0]
        ]
    ways = [np.array([ways for _, ways in hands], np.float64) for hands in rolls]
    return Round(
        bids=len(bids),
        lock_mask=sum(1 << bid for bid in bids if start.after(bid).locked),
        start_locked=start.locked,
        chances=(ways[0] / ways[0].sum(), ways[1] / ways[1].sum()),
        payoffs=payoffs,
    )


def outcome(like: State, hands: tuple[tuple[int, ...], ...]) -> int:
    """Give 1 if the opener wins the round by a challenge now, else -1."""
    return -1 if replace(like, hands=hands).after(CHALLENGE).loser == OPENER else 1


class Program:
    """The linear program whose value is that of a round.

    Variables: the opener's probability of every sequence of its own actions, by hand (a bid has the
    number of the node it leads to, a challenge that of the node it is made at), and what the
    follower's hands win at each of its nodes, weighted by the opener and by chance.
    """

    def __init__(self, round_: Round) -> None:
        self.round = round_
        self.mine, self.yours = (range(len(chances)) for chances in round_.chances)
        self.nodes = 1 << round_.bids

    def sequence(self, node: int, hand: int) -> int:
        """Give the column of a sequence of the opener."""
        return node * len(self.mine) + hand

    def won(self, node: int, hand: int) -> int:
        """Give the column of what the follower's `hand` wins from `node` on."""
        return self.nodes * len(self.mine) + node * len(self.yours) + hand

    def plans(self) -> Iterator[tuple[list[tuple[int, float]], float]]:
        """Give the equations: what goes on from a node of the opener is what came to it."""
        for node in range(self.nodes):
            if node.bit_count() % 2:
                continue
            for hand in self.mine:
                terms = [(self.sequence(child, hand), 1.0) for child in self.round.bids_from(node)]
                if not node:
                    yield terms, self.round.chances[OPENER][hand]
                    continue
                came_by = self.sequence(node ^ 1 << node.bit_length() - 1, hand)
                yield [*terms, (self.sequence(node, hand), 1.0), (came_by, -1.0)], 0.0

    def answers(self) -> Iterator[list[tuple[int, float]]]:
        """Give the inequalities (each at most 0): the follower takes the least for the opener."""
        for node in range(self.nodes):
            if node.bit_count() % 2 == 0:
                continue
            for hand in self.yours:
                won = (self.won(node, hand), 1.0)
                yield [won, *self.challenge(node, hand)]
                for child in self.round.bids_from(node):
                    ahead = [(self.won(n, hand), -1.0) for n in self.round.bids_from(child)]
                    yield [won, *self.challenge(child, hand), *ahead]

    def challenge(self, node: int, hand: int) -> list[tuple[int, float]]:
        """Give, negated, what a challenge at `node` brings the opener against the follower's hand.

        At its own nodes the opener comes by the bid that led there, which has their number, as the
        challenge at a node of its own has.
        """
        column = self.round.payoff(node)[:, hand] * self.round.chances[FOLLOWER][hand]
        return [(self.sequence(node, mine), -column[mine]) for mine in self.mine]

    def value(self) -> float:
        """Solve it."""
        columns = self.won(self.nodes, 0)
        plans = list(self.plans())
        sequences = self.won(0, 0)
        bounds = [(0.0, np.inf)] * sequences + [(-np.inf, np.inf)] * (columns - sequences)
        cost = np.zeros(columns)
        for node in self.round.bids_from(0):
            cost[[self.won(node, hand) for hand in self.yours]] = -1.0
        answers = _matrix(list(self.answers()), columns)
        solved = linprog(
            cost,
            A_ub=answers,
            b_ub=np.zeros(answers.shape[0]),
            A_eq=_matrix([terms for terms, _ in plans], columns),
            b_eq=[right for _, right in plans],
            bounds=bounds,
            method="highs-ds",
        )
        assert solved.fun is not None, solved.message
        return float(-solved.fun)


def _matrix(rows: list[list[tuple[int, float]]], columns: int) -> Any:
    entries = [(i, column, value) for i, row in enumerate(rows) for column, value in row]
    at_row, at_column, values = (np.array(part) for part in zip(*entries, strict=True))
    return coo_array((values, (at_row, at_column)), shape=(len(rows), columns))


def round_value(rules: Rules) -> float:
    """Give the value of a round to its opener: +1 a win, -1 a loss, both seats at their best."""
    return Program(make_round(rules)).value()
