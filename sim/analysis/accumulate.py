"""Stored games in, sums out: reads the parts one by one and never holds all games.

Kept are whole numbers only: per deal what a player won and scored, how each pair met and each seat
fared; and for every other figure the handful of sums that its estimate needs. So the result does
not depend on where one part ends and the next begins. The cells of the per-deal tables are as small
as their numbers allow: 10 million games of two players need about 100 MB.
"""

from collections import Counter as Tally
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sim.analysis.layout import WIN_UNIT, Groups, Ints, Layout
from sim.analysis.statistics import RatioSums
from sim.engines.base import FAULT_CATEGORIES, Counter, Game, Scoring
from sim.errors import RunError

Numbers = NDArray[np.integer[Any]]

SLICE_ENTRIES: Final = 1 << 20
"""Meetings (or seats) worked on at a time: bounds the memory for temporary arrays."""

FULL_TALLY: Final = 1 << 22
"""Above so many cells a tally is counted by sorting instead of by one array of counts."""


def columns(game: Game, seats: int) -> list[str]:
    """Name the columns of the stored games that the analysis reads."""
    per_seat = ["player", "score", "place", "won", "fault"]
    per_seat += [counter.name for counter in game.counters if counter.scope == "seat"]
    per_game = ["deal", "line_up", "seating", *game_figures(game), "void"]
    per_game += [counter.name for counter in game.counters if counter.scope == "game"]
    return per_game + [f"{name}_{seat}" for name in per_seat for seat in range(seats)]


def game_figures(game: Game) -> list[str]:
    """Name the whole-number columns that every game of this kind has, beside its counters."""
    return ["decisions", "rounds"] if game.has_rounds else ["decisions"]


@dataclass
class Totals:
    """The sums of a run. P players, D deals, n seats, M pairs that met; players in spec order."""

    game: Game
    scoring: Scoring
    players: int
    seats: int
    planned: int | None = None
    """The most deals of a run with a rule to stop early, None without one: see statistics.py."""
    layout: Layout | None = None
    """None while there is no deal."""
    first_deal: int = 0
    deals: int = 0
    void: int = 0
    """Games without a result."""
    wins: Numbers = field(default_factory=lambda: np.zeros((0, 0), np.int32))
    """(P, D), in WIN_UNIT: the sum of a deal's wins."""
    seats_won: Numbers = field(default_factory=lambda: np.zeros((0, 0), np.int32))
    """(P, D): seats that won, each counted, where `wins` counts the share of a player's seats."""
    judged: Numbers = field(default_factory=lambda: np.zeros((0, 0), np.int32))
    """(P, D): games that were not void."""
    scores: Numbers = field(default_factory=lambda: np.zeros((0, 0), np.int32))
    """(P, D): the sum of points."""
    places: Numbers | None = None
    """(P, D), in WIN_UNIT: the sum of places; None where places mean nothing."""
    pairs: Ints = field(default_factory=lambda: np.zeros((0, 2), np.int64))
    """(M, 2): the lower player first."""
    pair_ahead: Numbers = field(default_factory=lambda: np.zeros((0, 0), np.int32))
    """(M, D), in halves: 2 where the lower player finished ahead, 1 where they were level."""
    pair_judged: Numbers = field(default_factory=lambda: np.zeros((0, 0), np.int32))
    """(M, D): games of both that were not void."""
    pair_score: Numbers = field(default_factory=lambda: np.zeros((0, 0), np.int32))
    """(M, D): points of the lower player minus points of the higher."""
    seat_wins: Numbers = field(default_factory=lambda: np.zeros((0, 0), np.int32))
    """(n, D)"""
    seat_judged: Numbers = field(default_factory=lambda: np.zeros(0, np.int32))
    """(D,): games that were not void."""
    faults: Ints = field(default_factory=lambda: np.zeros((0, 0), np.int64))
    """(P, categories): forfeits, one for each (game, seat)."""
    score_tally: dict[int, Tally[int]] = field(default_factory=dict)
    """By player: how many games ended with how many points."""
    stake_tally: Tally[int] = field(default_factory=Tally)
    """How many games moved how many points (the sum of what each seat won or lost)."""
    seat_tally: dict[str, dict[int, Tally[int]]] = field(default_factory=dict)
    """By per-seat category counter and player: how often each value."""
    game_tally: dict[str, Tally[int]] = field(default_factory=dict)
    """By per-game category counter: how often each value."""
    game_sums: dict[str, RatioSums] = field(default_factory=dict)
    """By per-game figure: per game."""
    seat_sums: dict[tuple[str, int], RatioSums] = field(default_factory=dict)
    """By (per-seat counter, player): per appearance."""
    behaviour: dict[tuple[str, int], RatioSums] = field(default_factory=dict)
    """By (behaviour, player)."""
    seat_roles: dict[int, set[int]] = field(default_factory=dict)
    """By seat: the roles that it ever had."""
    role_rate: dict[tuple[int, int], RatioSums] = field(default_factory=dict)
    """By (role, player): share of the appearances with any role."""
    role_score: dict[tuple[int, int], RatioSums] = field(default_factory=dict)
    """By (role, player): points of the seat."""
    role_wins: dict[tuple[int, int], RatioSums] = field(default_factory=dict)
    """By (role, player): wins of the seat."""

    @property
    def games(self) -> int:
        """Count the games."""
        return self.deals * self.layout.games if self.layout else 0

    def games_per_deal(self, player: int) -> int:
        """Count the games of a player in one deal, each once however many seats it held."""
        return _size_of(self.layout.by_player, player) if self.layout else 0

    @property
    def lone_seat(self) -> int | None:
        """Give the seat that always has the first role, if one does and no other seat ever has."""
        always = [seat for seat, roles in self.seat_roles.items() if roles == {0}]
        never = [seat for seat, roles in self.seat_roles.items() if 0 not in roles]
        return always[0] if len(always) == 1 and len(never) == self.seats - 1 else None

    def meetings_per_deal(self, pair: int) -> int:
        """Count the games of a deal in which both players of a pair sit."""
        return int(self.layout.by_pair.sizes[pair]) if self.layout else 0

    def games_of(self, player: int) -> int:
        """Count the games of a player, each once however many seats it held."""
        return self.deals * self.games_per_deal(player)

    def appearances_of(self, player: int) -> int:
        """Count the (game, seat) of a player."""
        return self.deals * _size_of(self.layout.by_seat_player, player) if self.layout else 0


def _size_of(groups: Groups, key: int) -> int:
    return int(groups.sizes[groups.keys == key].sum())


def accumulate(
    parts: Iterable[pd.DataFrame], *, game: Game, scoring: Scoring, seats: int, players: int
) -> Totals:
    """Sum up the stored games; `parts` hold whole deals in schedule order."""
    sums = _Accumulator(Totals(game, scoring, players, seats))
    for part in parts:
        if len(part):
            sums.add(part)
    return sums.finish()


class _Accumulator:
    """Adds parts to totals; per-deal tables grow as lists of blocks and are joined at the end."""

    def __init__(self, totals: Totals) -> None:
        self.totals = totals
        self.blocks: dict[str, list[Numbers]] = {}
        totals.faults = np.zeros((totals.players, len(FAULT_CATEGORIES)), np.int64)

    def add(self, part: pd.DataFrame) -> None:
        """Add a part, some deals at a time."""
        layout = self._layout(part)
        deals, rest = divmod(len(part), layout.games)
        if rest:
            raise RunError(
                f"a part of the stored games has {len(part)} games, "
                f"not a multiple of the {layout.games} games of a deal"
            )
        entries = max(layout.games * self.totals.seats, len(layout.meeting_first), 1)
        step = max(1, SLICE_ENTRIES // entries)
        arrays = {name: part[name].to_numpy() for name in part.columns}
        for begin in range(0, deals, step):
            end = min(begin + step, deals)
            rows = slice(begin * layout.games, end * layout.games)
            games = _Slice({name: array[rows] for name, array in arrays.items()}, layout)
            self._add_slice(games)

    def _layout(self, part: pd.DataFrame) -> Layout:
        """Take the layout from the first deal stored."""
        totals = self.totals
        if totals.layout is None:
            deals = part["deal"].to_numpy()
            stop = int(np.count_nonzero(deals == deals[0]))
            seats = [part[f"player_{seat}"].to_numpy()[:stop] for seat in range(totals.seats)]
            totals.layout = Layout(
                line_up=part["line_up"].to_numpy()[:stop].copy(),
                seating=part["seating"].to_numpy()[:stop].copy(),
                player=np.stack(seats, axis=1),
            )
            totals.first_deal = int(deals[0])
            totals.pairs = totals.layout.by_pair.keys
        return totals.layout

    def _add_slice(self, games: "_Slice") -> None:
        totals = self.totals
        _check(games, totals)
        totals.deals += games.deals
        totals.void += games.deals * games.layout.games - int(games.valid.sum())
        self._add_results(games)
        self._add_tallies(games)
        self._add_ratios(games)
        if totals.game.roles:
            self._add_roles(games)

    def _add_results(self, games: "_Slice") -> None:
        """Add wins, points, places, pairs and seats, deal by deal."""
        layout, totals = games.layout, self.totals
        won = games.seat("won") & games.valid[:, :, None]
        share = (WIN_UNIT // layout.sittings.sizes).astype(np.int32)
        wins = games.sittings(won) * share
        scores = games.sittings(games.seat("score"))
        self._keep("wins", self._by_player(wins, games))
        self._keep("seats_won", self._by_player(games.sittings(won), games))
        self._keep("scores", self._by_player(scores, games))
        self._keep("judged", self._by_player(games.valid[:, layout.sitting_game], games))
        result = scores
        if totals.scoring.places:
            places = games.sittings(games.seat("place")) * share
            places *= games.valid[:, layout.sitting_game]
            self._keep("places", self._by_player(places, games))
            result = -places
        self._keep("seat_wins", won.sum(axis=1, dtype=np.int64))
        self._keep("seat_judged", games.valid.sum(axis=1, dtype=np.int64)[:, None])
        first, second = layout.meeting_first, layout.meeting_second
        lower, higher = result[:, first], result[:, second]
        ahead = 1 + (lower > higher).view(np.int8) - (lower < higher).view(np.int8)
        valid = games.valid[:, layout.sitting_game[first]]
        self._keep("pair_ahead", layout.by_pair.sums(ahead * valid))
        self._keep("pair_judged", layout.by_pair.sums(valid))
        self._keep("pair_score", layout.by_pair.sums(scores[:, first] - scores[:, second]))
        self._tally_scores(scores, games)

    def _keep(self, name: str, block: Ints) -> None:
        """Keep (deals, columns) in the smallest type that holds them."""
        lowest, highest = (int(block.min()), int(block.max())) if block.size else (0, 0)
        dtype = np.promote_types(np.min_scalar_type(lowest), np.min_scalar_type(highest))
        self.blocks.setdefault(name, []).append(block.astype(dtype))

    def _by_player(self, sittings: NDArray[Any], games: "_Slice") -> Ints:
        return self._spread(games.layout.by_player, sittings)

    def _spread(self, groups: Groups, entries: NDArray[Any]) -> Ints:
        """Add up by player; one that never sits has 0."""
        sums = np.zeros((len(entries), self.totals.players), np.int64)
        sums[:, groups.keys] = groups.sums(entries)
        return sums

    def _tally_scores(self, scores: Numbers, games: "_Slice") -> None:
        totals = self.totals
        players = np.broadcast_to(games.layout.sittings.keys[:, 0], scores.shape)
        for player, tally in tally_by(players, scores).items():
            totals.score_tally.setdefault(player, Tally()).update(tally)
        if totals.scoring.clip is not None:
            stakes = np.abs(games.seat("score").astype(np.int64)).sum(axis=2)
            totals.stake_tally.update(tally_of(stakes))

    def _add_tallies(self, games: "_Slice") -> None:
        """Count faults and the values of category counters."""
        totals = self.totals
        faults = games.seat("fault")
        forfeits = faults != 0
        if forfeits.any():
            players = np.broadcast_to(games.layout.player, faults.shape)[forfeits]
            np.add.at(totals.faults, (players.astype(np.int64), faults[forfeits]), 1)
        for counter in categories(totals.game, "game"):
            tally = tally_of(games.game(counter.name))
            totals.game_tally.setdefault(counter.name, Tally()).update(tally)
        for counter in categories(totals.game, "seat"):
            values = games.seat(counter.name)
            by_player = totals.seat_tally.setdefault(counter.name, {})
            players = np.broadcast_to(games.layout.player, values.shape)
            for player, tally in tally_by(players, values).items():
                by_player.setdefault(player, Tally()).update(tally)

    def _add_ratios(self, games: "_Slice") -> None:
        """Add what means per game, per appearance and behaviour figures need."""
        totals, layout = self.totals, games.layout
        played = np.full(games.deals, layout.games)
        for name in [*game_figures(totals.game), *sum_counters(totals.game, "game")]:
            per_deal = games.game(name).sum(axis=1, dtype=np.int64)
            totals.game_sums.setdefault(name, RatioSums()).add(per_deal, played)
        found: dict[str, Ints] = {}
        appearances = self._appearances(games, "appearances", found)
        for name in sum_counters(totals.game, "seat"):
            counted = self._appearances(games, name, found)
            _add_each(totals.seat_sums, name, counted, appearances)
        for figure in totals.game.behaviours:
            above = self._appearances(games, figure.numerator, found)
            below = self._appearances(games, figure.denominator, found)
            _add_each(totals.behaviour, figure.name, above, below)

    def _appearances(self, games: "_Slice", name: str, found: dict[str, Ints]) -> Ints:
        """Sum a column over the appearances of each player: (deals, P)."""
        if name not in found:
            layout = games.layout
            if name == "appearances":
                ones = np.ones((1, layout.seat_order.size), np.int64)
                sums = self._spread(layout.by_seat_player, ones)
                found[name] = np.broadcast_to(sums, (games.deals, self.totals.players))
            else:
                found[name] = self._spread(layout.by_seat_player, games.ordered(name))
        return found[name]

    def _add_roles(self, games: "_Slice") -> None:
        totals, groups, order = self.totals, games.layout.by_seat_player, games.layout.seat_order
        for seat in range(totals.seats):
            had = tally_of(games.columns[f"role_{seat}"])
            totals.seat_roles.setdefault(seat, set()).update(had)
        roles = games.ordered("role")
        scores, wins = games.ordered("score"), games.ordered("won")
        any_role = self._spread(groups, roles >= 0)
        valid = games.valid[:, order // totals.seats]
        for role in range(len(totals.game.roles)):
            held = roles == role
            count = self._spread(groups, held)
            _add_each(totals.role_rate, role, count, any_role)
            _add_each(totals.role_score, role, self._spread(groups, scores * held), count)
            judged = self._spread(groups, held & valid)
            _add_each(totals.role_wins, role, self._spread(groups, wins & held & valid), judged)

    def finish(self) -> Totals:
        """Join the blocks into tables with one row a player (pair, seat) and one column a deal."""
        if not self.totals.deals:
            nothing = np.zeros((self.totals.players, 0), np.int64)
            self.totals.wins = self.totals.judged = self.totals.scores = nothing
            self.totals.seats_won = nothing
        for name in list(self.blocks):
            joined = np.concatenate(self.blocks.pop(name), axis=0)
            table = np.ascontiguousarray(joined.T)
            setattr(self.totals, name, table[0] if name == "seat_judged" else table)
        return self.totals


class _Slice:
    """The games of some whole deals, column by column."""

    def __init__(self, columns: dict[str, NDArray[Any]], layout: Layout) -> None:
        self.columns = columns
        self.layout = layout
        self.deals = len(columns["deal"]) // layout.games
        self.valid: NDArray[np.bool_] = ~self.game("void").astype(np.bool_)

    def game(self, name: str) -> NDArray[Any]:
        """Give a column as (deals, games of a deal)."""
        return self.columns[name].reshape(self.deals, self.layout.games)

    def seat(self, name: str) -> NDArray[Any]:
        """Give the columns `<name>_<seat>` as (deals, games of a deal, seats)."""
        seats = [self.columns[f"{name}_{seat}"] for seat in range(self.layout.seats)]
        return np.stack(seats, axis=1).reshape(self.deals, self.layout.games, len(seats))

    def ordered(self, name: str) -> NDArray[Any]:
        """Give a column by appearance, as (deals, entries of `seat_order`)."""
        if name in self.columns:
            return self.game(name)[:, self.layout.seat_game]
        return self.seat(name).reshape(self.deals, -1)[:, self.layout.seat_order]

    def sittings(self, values: NDArray[Any]) -> Numbers:
        """Add up (deals, games, seats) over the seats of a player in a game: (deals, sittings)."""
        flat = values.reshape(self.deals, -1)[:, self.layout.seat_order]
        if self.layout.sittings.starts.size == flat.shape[1]:
            return flat.astype(np.int32)
        return self.layout.sittings.sums(flat)


def _check(games: _Slice, totals: Totals) -> None:
    """Refuse games that are not whole deals in schedule order, or break a promise of the game."""
    layout = games.layout
    deals = games.game("deal")
    expected = totals.first_deal + totals.deals + np.arange(games.deals)
    wrong = np.argwhere(deals != expected[:, None])
    if wrong.size:
        deal, game = wrong[0]
        raise RunError(
            f"the stored games are not in schedule order: deal {int(deals[deal, game])} "
            f"where deal {int(expected[deal])} should be"
        )
    if not layout.same_as(games.game("line_up"), games.game("seating"), games.seat("player")):
        raise RunError(
            f"the stored games of deals {int(expected[0])} to {int(expected[-1])} "
            "have other line-ups or seatings than the deals before them"
        )
    if totals.scoring.one_winner:
        winners = games.seat("won").sum(axis=2)
        bad = np.argwhere((winners != 1) & games.valid)
        if bad.size:
            deal, game = bad[0]
            raise RunError(
                f"deal {int(expected[deal])}, line-up {int(layout.line_up[game])}, "
                f"seating {int(layout.seating[game])} has {int(winners[deal, game])} winners "
                "in a game that has one"
            )


def _add_each(
    into: dict[Any, RatioSums], key: object, numerators: Ints, denominators: Ints
) -> None:
    """Add (deals, P) sums to the ratio of each player."""
    for player in range(numerators.shape[1]):
        ratio = into.setdefault((key, player), RatioSums())
        ratio.add(numerators[:, player], denominators[:, player])


def categories(game: Game, scope: str) -> Iterator[Counter]:
    """Give the category counters of a scope; `role` is told by the role tables."""
    for counter in game.counters:
        if counter.scope == scope and counter.kind == "category" and counter.name != "role":
            yield counter


def sum_counters(game: Game, scope: str) -> list[str]:
    """Name the counters of a scope that are summed."""
    return [c.name for c in game.counters if c.scope == scope and c.kind == "sum"]


def tally_of(values: NDArray[Any]) -> dict[int, int]:
    """Count how often each value occurs.

    >>> tally_of(np.array([3, -1, 3]))
    {-1: 1, 3: 2}
    """
    return tally_by(np.zeros(values.shape, np.int64), values).get(0, {})


def tally_by(groups: NDArray[Any], values: NDArray[Any]) -> dict[int, dict[int, int]]:
    """Count how often each value occurs in each group (0 or more).

    >>> tally_by(np.array([0, 0, 1]), np.array([5, 5, 7]))
    {0: {5: 2}, 1: {7: 1}}
    """
    if not values.size:
        return {}
    lowest, span = int(values.min()), int(values.max()) - int(values.min()) + 1
    codes = (groups.astype(np.int64) * span + (values.astype(np.int64) - lowest)).ravel()
    if int(groups.max() + 1) * span <= FULL_TALLY:
        every = np.bincount(codes)
        seen = np.flatnonzero(every)
        times = every[seen]
    else:
        seen, times = np.unique(codes, return_counts=True)
    found: dict[int, dict[int, int]] = {}
    for code, count in zip(seen.tolist(), times.tolist(), strict=True):
        group, value = divmod(code, span)
        found.setdefault(group, {})[value + lowest] = count
    return found
