"""Who sits where in the games of one deal.

Every deal is played by all line-ups in all their seatings, so its games have the same players in
the same order as those of any other deal. That makes all sums over games sums over columns of a
matrix (deals, games of a deal), grouped by indices that are worked out once, here.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

WIN_UNIT: Final = 60
"""A game's win of a player that holds k seats is a multiple of 1/k; 60 of these units make one
win, so that they are whole for k = 1..6."""


@dataclass(frozen=True, slots=True)
class Groups:
    """Consecutive runs of entries that are added up together."""

    keys: NDArray[np.int64]
    """What each group stands for (a player; a pair of players, two columns)."""
    starts: Ints
    """Where each group begins; it ends where the next one does."""
    sizes: Ints

    def sums(self, entries: NDArray[np.generic]) -> Ints:
        """Add up the columns of each group: (deals, entries) -> (deals, groups)."""
        if not self.starts.size:
            return np.zeros((len(entries), 0), np.int64)
        added: Ints = np.add.reduceat(entries, self.starts, axis=1, dtype=np.int64)
        return added


def grouped(keys: NDArray[np.int64]) -> Groups:
    """Find the runs of equal rows in sorted `keys`.

    >>> groups = grouped(np.array([2, 2, 5]))
    >>> groups.keys, groups.sizes
    (array([2, 5]), array([2, 1]))
    """
    rows = keys.reshape(len(keys), -1)
    new = np.ones(len(keys), np.bool_)
    new[1:] = (rows[1:] != rows[:-1]).any(axis=1)
    starts = np.flatnonzero(new)
    return Groups(keys[starts], starts, np.diff(starts, append=len(keys)))


@dataclass(frozen=True)
class Layout:
    """The games of one deal in schedule order, and the groups to add them up by.

    >>> layout = Layout(line_up=np.zeros(2), seating=np.arange(2),
    ...                 player=np.array([[0, 1], [1, 0]]))
    >>> layout.games, layout.by_player.sizes, layout.by_pair.keys
    (2, array([2, 2]), array([[0, 1]]))
    """

    line_up: NDArray[np.integer]
    """(games,)"""
    seating: NDArray[np.integer]
    """(games,)"""
    player: NDArray[np.integer]
    """(games, seats): who sits there."""

    @property
    def games(self) -> int:
        """Count the games of a deal."""
        return len(self.player)

    @property
    def seats(self) -> int:
        """Count the seats of a table."""
        return int(self.player.shape[1])

    @cached_property
    def seat_order(self) -> Ints:
        """Give all (game, seat), as game * seats + seat, by player and then by game."""
        return np.argsort(self.player.ravel(), kind="stable")

    @cached_property
    def seat_game(self) -> Ints:
        """Give the game of each entry of `seat_order`."""
        return self.seat_order // self.seats

    @cached_property
    def by_seat_player(self) -> Groups:
        """Group the entries of `seat_order` by player."""
        return grouped(self.player.ravel()[self.seat_order].astype(np.int64))

    @cached_property
    def sittings(self) -> Groups:
        """Group the entries of `seat_order` by (player, game): a player's seats in one game."""
        players = self.player.ravel()[self.seat_order].astype(np.int64)
        return grouped(np.stack([players, self.seat_game], axis=1))

    @cached_property
    def by_player(self) -> Groups:
        """Group the sittings by player."""
        return grouped(self.sittings.keys[:, 0])

    @cached_property
    def sitting_game(self) -> Ints:
        """Give the game of each sitting."""
        return self.sittings.keys[:, 1]

    @cached_property
    def _meetings(self) -> tuple[Ints, Ints, Ints]:
        """Give every meeting of two players in a game: their sittings, and the pairs, sorted."""
        order = np.argsort(self.sitting_game, kind="stable")
        tables = grouped(self.sitting_game[order])
        first: list[Ints] = []
        second: list[Ints] = []
        for i in range(self.seats):
            for j in range(i + 1, self.seats):
                begin = tables.starts[tables.sizes > j]
                first.append(order[begin + i])
                second.append(order[begin + j])
        one = np.concatenate(first) if first else np.zeros(0, np.int64)
        two = np.concatenate(second) if second else np.zeros(0, np.int64)
        pairs = np.stack([self.sittings.keys[one, 0], self.sittings.keys[two, 0]], axis=1)
        by_pair = np.lexsort((self.sitting_game[one], pairs[:, 1], pairs[:, 0]))
        return one[by_pair], two[by_pair], pairs[by_pair]

    @property
    def meeting_first(self) -> Ints:
        """Give the sitting of the lower player of each meeting."""
        return self._meetings[0]

    @property
    def meeting_second(self) -> Ints:
        """Give the sitting of the higher player of each meeting."""
        return self._meetings[1]

    @cached_property
    def by_pair(self) -> Groups:
        """Group the meetings by pair of players, the lower one first."""
        return grouped(self._meetings[2])

    def seat_counts(self, players: int) -> Ints:
        """Count how often each player sits in each seat in a deal: (players, seats).

        A player that never sits has zeros.
        """
        counts = np.zeros((players, self.seats), np.int64)
        np.add.at(counts, (self.player.astype(np.int64), np.arange(self.seats)[None, :]), 1)
        return counts

    def same_as(self, line_up: object, seating: object, player: NDArray[np.integer]) -> bool:
        """Say whether deals, (deals, games) and (deals, games, seats), all have this layout."""
        return bool(
            (self.line_up == line_up).all()
            and (self.seating == seating).all()
            and (self.player == player).all()
        )
