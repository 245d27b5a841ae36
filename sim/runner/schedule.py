"""What a run plays, in order: blocks of (deal, line-up), each in all seatings; never listed whole.

Blocks are numbered deal by deal: block = (deal - first_deal) * len(line_ups) + line-up. Everything
here follows from the spec alone, so that any process can make any part of the schedule.

A game's seatings treat players alike: they follow from which seats of the line-up hold the same
player, not from who it is. So they are asked for once per pattern, (0, 0, 1) for every AAB.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb
from typing import Any, Final, overload

import numpy as np
from numpy.typing import NDArray

from sim.engines.base import (
    CONSTRUCTOR_CALL,
    FAULT_CATEGORIES,
    MAX_SEATS,
    NO_CALL,
    TASK_DTYPE,
    Game,
)
from sim.engines.tabling import Combinations
from sim.errors import UsageError, unknown
from sim.runner.sampling import sample_choices, sample_listed, sample_rng
from sim.runner.spec import FILL_LABEL, RunSpec

LineUp = tuple[int, ...]

MOST_LINE_UPS: Final = 2**31 - 1
"""Line-ups are stored as int32."""

MOST_PLAYERS: Final = 2**15 - 1
"""Players are stored as int16."""

MOST_DEALS: Final = 2**63
"""Deals are stored as int64."""

TEMPLATE_GAMES: Final = 1 << 16
"""Deals of up to this many games are kept as a ready-made piece of schedule (4 MB)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retired:
    """A player whose strategy is not asked any more after a certain game: it forfeits at once."""

    player: int
    deal: int
    line_up: int
    seating: int
    category: str

    @property
    def game(self) -> tuple[int, int, int]:
        """Give the last game in which it is asked."""
        return self.deal, self.line_up, self.seating

    def mark(self, tasks: NDArray[np.void]) -> None:
        """Let the player forfeit in those of `tasks` that come after."""
        after = np.zeros(len(tasks), np.bool_)
        for name in ("seating", "line_up", "deal"):
            last = getattr(self, name)
            after = (tasks[name] > last) | ((tasks[name] == last) & after)
        seats = (tasks["player"] == self.player) & after[:, None]
        tasks["inject_call"][seats] = CONSTRUCTOR_CALL
        tasks["inject_category"][seats] = FAULT_CATEGORIES.index(self.category)


class WithPlayer(Sequence[LineUp]):
    """The choices that one player is in, in the order of `Combinations`, never listed.

    >>> list(WithPlayer(1, Combinations(3, 2)))
    [(0, 1, 2), (0, 1, 3), (1, 2, 3)]
    """

    def __init__(self, player: int, others: Sequence[LineUp]) -> None:
        """`others` are choices among the other players, numbered as if `player` were not there."""
        self.player = player
        self.others = others

    def __len__(self) -> int:
        return len(self.others)

    @overload
    def __getitem__(self, index: int) -> LineUp: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[LineUp]: ...
    def __getitem__(self, index: int | slice) -> LineUp | Sequence[LineUp]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        others = (p + (p >= self.player) for p in self.others[index])
        return tuple(sorted((self.player, *others)))


def choose_line_ups(spec: RunSpec, game: Game, rules: Any) -> Sequence[LineUp]:
    """Give the line-ups that a run plays; UsageError where there are none, or not enough."""
    listed = len(spec.listed)
    if len(spec.players) > MOST_PLAYERS:
        raise UsageError(f"{len(spec.players)} players are more than a run takes ({MOST_PLAYERS})")
    _check_focus(spec)
    if spec.comparison is not None and spec.comparison.field:
        return _against_field(listed, spec.comparison.field, game, rules)
    if spec.has_fill:
        line_ups: Sequence[LineUp] = [_filled(listed, game, rules)]
    else:
        line_ups = game.line_ups(listed, rules, mixed=spec.mixed)
        if not line_ups:
            raise UsageError(
                f"{_count(listed, 'player')} cannot fill {_count(rules.seats, 'seat')}: add "
                "players with -p, or let --fill take the empty seats"
            )
        if spec.focus is not None:
            line_ups = _with_focus(line_ups, [p.label for p in spec.players].index(spec.focus))
    return _sampled(line_ups, spec)


def _check_focus(spec: RunSpec) -> None:
    if spec.focus is None:
        return
    if spec.has_fill and spec.focus == FILL_LABEL:
        raise UsageError(f"focus {FILL_LABEL!r}: the fill player only takes empty seats")
    labels = [player.label for player in spec.listed]
    if spec.focus not in labels:
        raise UsageError(unknown("player to focus on", spec.focus, labels))


def _against_field(
    settings: int, field: tuple[int, ...], game: Game, rules: Any
) -> Sequence[LineUp]:
    """Give each setting its table: the field takes the other seats, repeated in the order given."""
    places = len(game.line_ups(rules.seats, rules)[0])
    others = sorted(field[i % len(field)] for i in range(places - 1))
    return [(setting, *others) for setting in range(settings)]


def _filled(listed: int, game: Game, rules: Any) -> LineUp:
    places = len(game.line_ups(max(listed, rules.seats), rules)[0])
    if listed >= places:
        raise UsageError(
            f"nothing to fill: {_count(listed, 'player')} and {_count(places, 'seat')}; leave out "
            "--fill, or ask for more seats"
        )
    return (*range(listed), *[listed] * (places - listed))


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _with_focus(line_ups: Sequence[LineUp], player: int) -> Sequence[LineUp]:
    if isinstance(line_ups, Combinations):
        players, size = _shape(line_ups)
        return WithPlayer(player, Combinations(players - 1, size - 1))
    return [line_up for line_up in line_ups if player in line_up]


def _shape(choices: Combinations) -> tuple[int, int]:
    """Give players and size of `choices`."""
    return choices.items, choices.size


def _sampled(line_ups: Sequence[LineUp], spec: RunSpec) -> Sequence[LineUp]:
    wanted = spec.line_ups
    if wanted is not None and wanted > len(line_ups):
        raise UsageError(f"{wanted} line-ups asked for, but there are only {len(line_ups)}")
    if wanted is None or wanted == len(line_ups):
        if len(line_ups) > MOST_LINE_UPS:
            raise UsageError(
                f"{len(line_ups)} line-ups are more than a run takes ({MOST_LINE_UPS}): play a "
                "balanced sample of N with --line-ups N"
            )
        return line_ups
    rng = sample_rng(spec.seed)
    if isinstance(line_ups, WithPlayer) and isinstance(line_ups.others, Combinations):
        others = sample_choices(*_shape(line_ups.others), wanted, rng)
        return WithPlayer(line_ups.player, others)
    if isinstance(line_ups, Combinations):
        return sample_choices(*_shape(line_ups), wanted, rng)
    return sample_listed(line_ups, wanted, rng)


def pattern_of(line_up: LineUp) -> LineUp:
    """Number the players of a line-up as they come: which seats hold the same player.

    >>> pattern_of((3, 3, 7))
    (0, 0, 1)
    """
    numbers: dict[int, int] = {}
    return tuple(numbers.setdefault(player, len(numbers)) for player in line_up)


class Schedule:
    """The blocks and games of a run, made as they are asked for.

    >>> from sim.engines.base import load_game
    >>> from sim.runner.spec import PlayerSpec
    >>> game = load_game("liars-dice")
    >>> players = tuple(PlayerSpec(label=label, bot="random") for label in "abc")
    >>> spec = RunSpec(game="liars-dice", seats=2, deals=10, seed=7, players=players)
    >>> schedule = Schedule(spec, game, game.rules(2, {}))
    >>> list(schedule.line_ups), schedule.seatings(1), schedule.blocks, schedule.games
    ([(0, 1), (0, 2), (1, 2)], ((0, 2), (2, 0)), 30, 60)
    >>> tasks = schedule.tasks(4, 6)
    >>> tasks["deal"].tolist(), tasks["line_up"].tolist(), tasks["player"][:, :2].tolist()
    ([1, 1, 1, 1], [1, 1, 2, 2], [[0, 2], [2, 0], [1, 2], [2, 1]])
    """

    def __init__(self, spec: RunSpec, game: Game, rules: Any) -> None:
        self.spec = spec
        self.game = game
        self.rules = rules
        self.line_ups = choose_line_ups(spec, game, rules)
        self.first_deal = spec.first_deal
        self.deals = spec.deals
        if self.first_deal + self.deals > MOST_DEALS:
            raise UsageError(f"{self.deals} deals from deal {self.first_deal} on: too many")
        self.blocks = self.deals * len(self.line_ups)
        self.retired: tuple[Retired, ...] = ()
        """Players that forfeit without being asked, and from where on; the runner sets it."""
        self._patterns: dict[LineUp, tuple[LineUp, ...]] = {}
        self.games_per_deal = self._games_before_line_up(len(self.line_ups))
        self.games = self.deals * self.games_per_deal

    def seatings(self, line_up: int) -> tuple[LineUp, ...]:
        """Give the seatings of line-up number `line_up`: the player at seat 0, 1, ... of each."""
        players = self.line_ups[line_up]
        named = list(dict.fromkeys(players))
        return tuple(
            tuple(named[i] for i in seating) for seating in self._seat(pattern_of(players))
        )

    def _seat(self, pattern: LineUp) -> tuple[LineUp, ...]:
        if pattern not in self._patterns:
            self._patterns[pattern] = tuple(self.game.seatings(pattern, self.rules))
        return self._patterns[pattern]

    @cached_property
    def _all_different(self) -> int | None:
        """Seatings of each line-up where all have as many because no player sits twice."""
        source: Any = self.line_ups
        if isinstance(source, WithPlayer):
            source = source.others
        different = isinstance(source, Combinations) or all(
            len(set(line_up)) == len(line_up) for line_up in self.line_ups
        )
        return len(self._seat(tuple(range(len(self.line_ups[0]))))) if different else None

    @cached_property
    def _starts(self) -> NDArray[np.int64]:
        """Games of a deal before each line-up, where line-ups differ in shape; one more at last."""
        counts = [0, *(len(self._seat(pattern_of(line_up))) for line_up in self.line_ups)]
        return np.cumsum(counts, dtype=np.int64)

    @cached_property
    def most_seatings(self) -> int:
        """Games of the block that has most."""
        if self._all_different is not None:
            return self._all_different
        return int(np.diff(self._starts).max())

    def _games_before_line_up(self, line_up: int) -> int:
        if self._all_different is not None:
            return line_up * self._all_different
        return int(self._starts[line_up])

    def games_before(self, block: int) -> int:
        """Count the games of the blocks before `block`.

        `block` may be one past the last.
        """
        deal, line_up = divmod(block, len(self.line_ups))
        return deal * self.games_per_deal + self._games_before_line_up(line_up)

    def block_of_game(self, game: int) -> int:
        """Give the block of game number `game` (0 .. games - 1)."""
        deal, rest = divmod(game, self.games_per_deal)
        if self._all_different is not None:
            line_up = rest // self._all_different
        else:
            line_up = int(np.searchsorted(self._starts, rest, side="right")) - 1
        return deal * len(self.line_ups) + line_up

    def block_of(self, *, deal: int, line_up: int) -> int:
        """Give the number of a block."""
        return (deal - self.first_deal) * len(self.line_ups) + line_up

    def tasks(self, first_block: int, stop_block: int) -> NDArray[np.void]:
        """Give the games of blocks first_block .. stop_block - 1 as TASK_DTYPE rows, in order."""
        if not 0 <= first_block <= stop_block <= self.blocks:
            raise ValueError(f"blocks {first_block}..{stop_block} of {self.blocks}")
        n = len(self.line_ups)
        pieces = []
        block = first_block
        while block < stop_block:
            deal, line_up = divmod(block, n)
            whole = (stop_block - block) // n if line_up == 0 else 0
            if whole > 1 and self.games_per_deal <= TEMPLATE_GAMES:
                pieces.append(self._repeat_deal(deal, whole))
                block += whole * n
            else:
                stop = min(n, line_up + stop_block - block)
                pieces.append(self._part_of_deal(deal, line_up, stop))
                block += stop - line_up
        tasks = pieces[0] if len(pieces) == 1 else _joined(pieces)
        for retired in self.retired:
            retired.mark(tasks)
        return tasks

    def _repeat_deal(self, deal: int, count: int) -> NDArray[np.void]:
        """Lay the ready-made deal end to end and number the deals."""
        words = self._whole_deal.view(np.int64)
        rows = np.empty((count, len(words)), np.int64)
        rows[:] = words
        tasks: NDArray[np.void] = rows.reshape(-1).view(TASK_DTYPE)
        deals = np.arange(deal, deal + count, dtype=np.int64) + self.first_deal
        tasks.reshape(count, self.games_per_deal)["deal"] = deals[:, None]
        return tasks

    def _part_of_deal(self, deal: int, first: int, stop: int) -> NDArray[np.void]:
        if self.games_per_deal <= TEMPLATE_GAMES:
            games = slice(self._games_before_line_up(first), self._games_before_line_up(stop))
            tasks = _joined([self._whole_deal[games]])
        else:
            tasks = self._make_tasks(first, stop)
        tasks["deal"] = deal + self.first_deal
        return tasks

    @cached_property
    def _whole_deal(self) -> NDArray[np.void]:
        return self._make_tasks(0, len(self.line_ups))

    def _make_tasks(self, first: int, stop: int) -> NDArray[np.void]:
        """Make the tasks of line-ups first .. stop - 1, of deal 0."""
        if self._all_different is not None:
            seatings = self._seat(tuple(range(len(self.line_ups[0]))))
            players = line_up_rows(self.line_ups, first, stop)[:, seatings]
            return _tasks_of(np.arange(first, stop), players)
        return np.concatenate(
            [_tasks_of(np.array([i]), np.array([self.seatings(i)])) for i in range(first, stop)]
        )


def _joined(pieces: list[NDArray[np.void]]) -> NDArray[np.void]:
    """Join pieces of schedule: as 64-bit words, which copy faster than records."""
    words = [piece.view(np.int64) for piece in pieces]
    return (np.concatenate(words) if words else np.empty(0, np.int64)).view(TASK_DTYPE)


def _tasks_of(line_ups: NDArray[np.int64], players: NDArray[np.int64]) -> NDArray[np.void]:
    """Make tasks of `players` (line-up, seating, seat)."""
    count, seatings, seats = players.shape
    tasks = np.zeros((count, seatings), TASK_DTYPE)
    tasks["line_up"] = line_ups[:, None]
    tasks["seating"] = np.arange(seatings)
    tasks["player"] = -1
    tasks["player"][:, :, :seats] = players
    tasks["inject_call"] = NO_CALL
    return tasks.reshape(-1)


def line_up_rows(line_ups: Sequence[LineUp], first: int, stop: int) -> NDArray[np.int64]:
    """Give line-ups first .. stop - 1, all of one size, as rows.

    Choices are unranked in bulk: with c = total - 1 - index written as C(c_k, k) + ... + C(c_1, 1)
    where c_k > ... > c_1 (the combinatorial number system), the choice holds the n - 1 - c_i.

    >>> line_up_rows(Combinations(30, 4), 27403, 27405)
    array([[25, 27, 28, 29],
           [26, 27, 28, 29]])
    """
    if isinstance(line_ups, WithPlayer):
        others = line_up_rows(line_ups.others, first, stop)
        others += others >= line_ups.player
        player = np.full((len(others), 1), line_ups.player)
        return np.sort(np.hstack([player, others]), axis=1)
    if not isinstance(line_ups, Combinations):
        return np.array(line_ups[first:stop], dtype=np.int64)
    players, seats = _shape(line_ups)
    rest = len(line_ups) - 1 - np.arange(first, stop, dtype=np.int64)
    rows = np.empty((stop - first, seats), np.int64)
    for column, size in enumerate(range(seats, 0, -1)):
        table = np.array([comb(c, size) for c in range(players)], dtype=np.int64)
        chosen = np.searchsorted(table, rest, side="right") - 1
        rest -= table[chosen]
        rows[:, column] = players - 1 - chosen
    return rows


assert TASK_DTYPE.itemsize % 8 == 0, "tasks are copied as 64-bit words"
assert TASK_DTYPE["player"].shape == (MAX_SEATS,)
