"""One round of Liar's Dice between two seats on its whole tree: best responses, and their bounds.

For rounds too large for the linear program of `liars_dice_round.py`, whose nodes these are. Hands
are vectors. Solved by CFR+ (Tammelin 2014, "Solving large imperfect information games using CFR+",
https://arxiv.org/abs/1407.5042), weights growing with the square of the iteration. It proves
itself: the best responses to the two average strategies enclose the value.

    python -m tests.reference.liars_dice_tree 2,1 any 1000
"""

import sys
from typing import Any, Final

import numpy as np
from numba import njit
from numpy.typing import NDArray

from sim.engines.liars_dice.rules import Rules
from tests.reference.liars_dice_round import FOLLOWER, OPENER, Round, make_round

PLAY: Final = 0
"""Play what the regrets say, and add it to the average."""
AVERAGE: Final = 1
"""Play the average; a best response to it is looked for."""


class Tree:
    """Regrets and average strategies of both seats; all zero is the uniform strategy.

    Tables have a row for each action of each node: the challenge first, then the bids upwards.
    """

    def __init__(self, round_: Round) -> None:
        self.round = round_
        nodes = 1 << round_.bids
        self.starts = _starts(round_)
        hands = [len(chances) for chances in round_.chances]
        rows = int(self.starts[-1])
        self.regrets = [np.zeros((rows, count), np.float32) for count in hands]
        self.averages = [np.zeros((rows, count), np.float32) for count in hands]
        self.reach = [np.zeros((nodes, count)) for count in hands]
        self.called = [np.zeros((nodes, count)) for count in hands]
        self.values = [np.zeros((nodes, count)) for count in hands]
        self.locked = np.array([round_.locked(node) for node in range(nodes)])
        self.payoffs = (
            round_.payoffs,
            np.ascontiguousarray(-round_.payoffs.swapaxes(3, 4)),
        )
        self.iterations = 0

    def improve(self, iterations: int) -> None:
        """Let both seats learn, in turns."""
        for _ in range(iterations):
            self.iterations += 1
            for seat in (OPENER, FOLLOWER):
                self._pass(seat, PLAY, float(self.iterations) ** 2)

    def best_response(self, seat: int) -> float:
        """Give what `seat` wins at most against the average strategy of the other."""
        return self._pass(seat, AVERAGE, 0.0)

    def enclosure(self) -> tuple[float, float]:
        """Give two figures between which the value to the opener lies."""
        return -self.best_response(FOLLOWER), self.best_response(OPENER)

    def nash_conv(self) -> float:
        """Give what both seats together could win by a best response to the average strategies."""
        return self.best_response(OPENER) + self.best_response(FOLLOWER)

    def _pass(self, seat: int, mode: int, weight: float) -> float:
        other = 1 - seat
        table = self.averages[other] if mode == AVERAGE else self.regrets[other]
        reach = (self.reach[other], self.called[other])
        reach[0][0] = self.round.chances[other]
        forward(self.starts, other, table, *reach)
        if mode == PLAY:
            accumulate(self.starts, other, weight, self.averages[other], *reach)
        payoffs, values = self.payoffs[seat], self.values[seat]
        challenges(seat, payoffs, self.locked, *reach, values)
        backward(self.starts, seat, mode == PLAY, self.regrets[seat], values)
        return float(values[0] @ self.round.chances[seat])


def _starts(round_: Round) -> NDArray[np.int64]:
    """Give the first row of each node."""
    nodes = range(1 << round_.bids)
    counts = [round_.bids - node.bit_length() + (node > 0) for node in nodes]
    return np.cumsum([0, *counts], dtype=np.int64)


@njit(cache=True)
def _bids_made(node: int) -> int:
    """Count the bids of a node."""
    count = 0
    while node:
        node &= node - 1
        count += 1
    return count


@njit(cache=True)
def _shares(table: Any, begin: int, end: int, shares: Any) -> None:
    """Write the strategy of a node by hand: as its rows of `table`, or uniform where all are 0."""
    hands = table.shape[1]
    total = np.zeros(hands)
    for row in range(begin, end):
        for hand in range(hands):
            total[hand] += table[row, hand]
    for row in range(begin, end):
        for hand in range(hands):
            some = total[hand] > 0.0
            shares[row - begin, hand] = (
                table[row, hand] / total[hand] if some else 1 / (end - begin)
            )


@njit(cache=True)
def forward(starts: Any, seat: int, table: Any, reach: Any, called: Any) -> None:
    """Carry the probability that `seat` plays towards each node through the tree, by hand.

    `called` takes the part of it that challenges there.
    """
    bids = starts[1]
    hands = reach.shape[1]
    shares = np.empty((bids + 1, hands))
    first = 0
    for node in range(len(starts) - 1):
        first += node >> first  # 1 once the node has a bid more to its left, else 0
        in_turn = _bids_made(node) & 1 == seat
        if in_turn:
            _shares(table, starts[node], starts[node + 1], shares)
        skip = 1 if node else 0
        for hand in range(hands):
            called[node, hand] = reach[node, hand] * shares[0, hand] if in_turn else 0.0
        for bid in range(first, bids):
            child = node | 1 << bid
            for hand in range(hands):
                share = shares[bid - first + skip, hand] if in_turn else 1.0
                reach[child, hand] = reach[node, hand] * share


@njit(cache=True)
def accumulate(
    starts: Any, seat: int, weight: float, averages: Any, reach: Any, called: Any
) -> None:
    """Add what `seat` played, weighted by how likely it came there, to its average strategy."""
    bids = starts[1]
    hands = reach.shape[1]
    first = 0
    for node in range(len(starts) - 1):
        first += node >> first
        if _bids_made(node) & 1 != seat:
            continue
        row = starts[node]
        if node:
            for hand in range(hands):
                averages[row, hand] += weight * called[node, hand]
            row += 1
        for bid in range(first, bids):
            for hand in range(hands):
                averages[row, hand] += weight * reach[node | 1 << bid, hand]
            row += 1


@njit(cache=True)
def challenges(seat: int, payoffs: Any, locked: Any, reach: Any, called: Any, values: Any) -> None:
    """Write what a challenge at each node, by whoever is in turn, is worth to each hand of `seat`.

    Weighted by the hands of the other, and how likely each came there.
    """
    last = -1
    for node in range(1, len(values)):
        last += node >> (last + 1)
        mover = _bids_made(node) & 1
        weights = reach[node] if mover == seat else called[node]
        payoff = payoffs[1 - mover, last, locked[node]]
        for hand in range(values.shape[1]):
            worth = 0.0
            for other in range(len(weights)):
                worth += payoff[hand, other] * weights[other]
            values[node, hand] = worth


@njit(cache=True)
def backward(starts: Any, seat: int, learn: bool, regrets: Any, values: Any) -> None:
    """Turn the worth of a challenge at each node into that of the node; update the regrets.

    Without `learn` the seat takes the best action instead.
    """
    bids = starts[1]
    hands = values.shape[1]
    shares = np.empty((bids + 1, hands))
    worth = np.empty((bids + 1, hands))
    for node in range(len(starts) - 2, -1, -1):
        skip = 1 if node else 0
        actions = starts[node + 1] - starts[node]
        first = bids - (actions - skip)
        if skip:
            worth[0] = values[node]
        for bid in range(first, bids):
            worth[bid - first + skip] = values[node | 1 << bid]
        if _bids_made(node) & 1 != seat:
            _sum(worth, actions, values[node])
        elif not learn:
            _best(worth, actions, values[node])
        else:
            table = regrets[starts[node] : starts[node + 1]]
            _shares(regrets, starts[node], starts[node + 1], shares)
            _learn(worth, shares, table, values[node])


@njit(cache=True)
def _sum(worth: Any, actions: int, value: Any) -> None:
    value[:] = 0.0
    for k in range(actions):
        for hand in range(len(value)):
            value[hand] += worth[k, hand]


@njit(cache=True)
def _best(worth: Any, actions: int, value: Any) -> None:
    value[:] = worth[0]
    for k in range(1, actions):
        for hand in range(len(value)):
            value[hand] = max(value[hand], worth[k, hand])


@njit(cache=True)
def _learn(worth: Any, shares: Any, regrets: Any, value: Any) -> None:
    value[:] = 0.0
    for k in range(len(regrets)):
        for hand in range(len(value)):
            value[hand] += shares[k, hand] * worth[k, hand]
    for k in range(len(regrets)):
        for hand in range(len(value)):
            regret = regrets[k, hand] + worth[k, hand] - value[hand]
            regrets[k, hand] = max(regret, 0.0)


def main(dice: str, ones_lock: str, iterations: str) -> None:
    """Print enclosures of the value as they shrink."""
    options = {"dice": dice, "ones_lock": ones_lock, "rounds": "1"}
    tree = Tree(make_round(Rules.from_options(2, options)))
    while tree.iterations < int(iterations):
        tree.improve(min(100, int(iterations)))
        low, high = tree.enclosure()
        print(f"{tree.iterations:6} {low:.9f} .. {high:.9f}, between {(low + high) / 2:.9f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
