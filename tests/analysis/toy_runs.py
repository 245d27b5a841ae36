"""Games of two made-up games, with known truths, in the columns of the stored games.

`DICE` is a race: everybody has a strength, and the order of finishing is drawn from the
Plackett-Luce model with luck keyed by (deal, seat), as the engines do it. `CARDS` has roles, teams,
heavy-tailed points and void games.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from sim.engines.base import Behaviour, Counter, Game, GameKernel, RuleOption, Scoring
from sim.engines.tabling import seat_players


@dataclass(frozen=True)
class Rules:
    """The rules of a made-up game."""

    seats: int

    def options(self) -> dict[str, str]:
        """No options."""
        return {}


@dataclass
class Toy:
    """A game that is only declared: enough for the analysis."""

    name: str
    title: str
    counters: tuple[Counter, ...]
    behaviours: tuple[Behaviour, ...]
    roles: tuple[str, ...] = ()
    has_rounds: bool = False
    rules_version: int = 1
    seat_counts: range = range(2, 7)
    default_seats: int = 3
    rule_options: tuple[RuleOption, ...] = ()

    def rules(self, seats: int, options: Mapping[str, str]) -> Rules:
        """Give the rules."""
        return Rules(seats)

    def rules_text(self) -> str:
        """Give the rules as text."""
        return "Somebody wins."

    def scoring(self, rules: Any) -> Scoring:
        """Rank by wins where there are no roles, else by points."""
        if self.roles:
            return Scoring(
                headline="score",
                win_baseline=None,
                rating=None,
                places=False,
                one_winner=False,
                clip=12,
            )
        return Scoring(
            headline="win_rate",
            win_baseline=1 / rules.seats,
            rating="luce",
            places=True,
            one_winner=True,
        )

    def line_ups(
        self, players: int, rules: Any, *, mixed: bool = False
    ) -> Sequence[tuple[int, ...]]:
        """Give every choice of players."""
        return list(combinations(range(players), rules.seats))

    def seatings(self, line_up: tuple[int, ...], rules: Any) -> tuple[tuple[int, ...], ...]:
        """Give the balanced seatings."""
        return seat_players(line_up)

    def kernel(self, rules: Any) -> GameKernel:
        """Refuse: nothing here is played."""
        raise NotImplementedError


DICE: Game = Toy(
    name="toy-dice",
    title="Toy dice",
    counters=(
        Counter(name="bids", label="bids", scope="seat"),
        Counter(name="lies", label="bids that were lies", scope="seat"),
        Counter(
            name="mood",
            label="mood",
            scope="seat",
            dtype="i1",
            kind="category",
            categories={0: "calm", 1: "angry"},
        ),
    ),
    behaviours=(
        Behaviour(name="lie_rate", label="lies", numerator="lies", denominator="bids"),
        Behaviour(
            name="bids_per_round", label="bids a round", numerator="bids", denominator="rounds"
        ),
        Behaviour(
            name="bids_per_game", label="bids a game", numerator="bids", denominator="appearances"
        ),
    ),
    has_rounds=True,
)

CARDS: Game = Toy(
    name="toy-cards",
    title="Toy cards",
    counters=(
        Counter(name="role", label="role", scope="seat", dtype="i1", kind="category"),
        Counter(name="bombs", label="bombs", scope="seat", dtype="i2"),
        Counter(
            name="final_bid",
            label="final bid",
            scope="game",
            dtype="i1",
            kind="category",
            categories={0: "none"},
        ),
        Counter(name="redeals", label="redeals", scope="game", dtype="i2"),
    ),
    behaviours=(
        Behaviour(
            name="bomb_rate", label="bombs a game", numerator="bombs", denominator="appearances"
        ),
    ),
    roles=("landlord", "farmer"),
)


def table(game: Game, *, players: int, seats: int, line_ups: Any = None) -> pd.DataFrame:
    """List the games of one deal: line_up, seating, player_0 ..."""
    rules = game.rules(seats, {})
    chosen = game.line_ups(players, rules) if line_ups is None else line_ups
    rows = [
        (number, seating, *order)
        for number, line_up in enumerate(chosen)
        for seating, order in enumerate(game.seatings(line_up, rules))
    ]
    names = ["line_up", "seating", *(f"player_{seat}" for seat in range(seats))]
    return pd.DataFrame(rows, columns=names)


def schedule(
    game: Game,
    *,
    players: int,
    seats: int,
    deals: int,
    line_ups: Any = None,
    first_deal: int = 0,
) -> pd.DataFrame:
    """List all games of all deals in schedule order, with the stored types."""
    one = table(game, players=players, seats=seats, line_ups=line_ups)
    games = pd.DataFrame(np.tile(one.to_numpy(), (deals, 1)), columns=one.columns)
    games.insert(0, "deal", first_deal + np.repeat(np.arange(deals), len(one)))
    types = dict.fromkeys(one.columns, "int16") | {"deal": "int64", "line_up": "int32"}
    return games.astype(types)


def per_seat(games: pd.DataFrame, name: str, values: Any, dtype: str) -> None:
    """Store (games, seats) as the columns `<name>_<seat>`."""
    for seat in range(values.shape[1]):
        games[f"{name}_{seat}"] = values[:, seat].astype(dtype)


def players_of(games: pd.DataFrame, seats: int) -> Any:
    """Give who sits where: (games, seats)."""
    return games[[f"player_{seat}" for seat in range(seats)]].to_numpy()


def dice(
    *,
    players: int = 3,
    seats: int = 3,
    deals: int = 40,
    seed: int = 1,
    strengths: Sequence[float] | None = None,
    seat_effects: Sequence[float] | None = None,
    line_ups: Any = None,
    salted: bool = False,
    luck: float = 1.0,
) -> pd.DataFrame:
    """Play DICE. Strengths and seat effects are on the log scale of the Luce model.

    `salted`: luck is keyed by player too, so that equal players do not play equal games. `luck`
    below 1 gives that share of the games the luck of the deal, the others their own.
    """
    rng = np.random.Generator(np.random.Philox(seed))
    games = schedule(DICE, players=players, seats=seats, deals=deals, line_ups=line_ups)
    who = players_of(games, seats)
    per_deal = len(games) // deals
    strength = np.zeros(players) if strengths is None else np.asarray(strengths, float)
    effect = np.zeros(seats) if seat_effects is None else np.asarray(seat_effects, float)
    deal = np.repeat(np.arange(deals), per_deal)
    if salted:
        noise = rng.gumbel(size=(deals, seats, players))
        noise = noise[deal[:, None], np.arange(seats)[None, :], who]
    else:
        noise = rng.gumbel(size=(deals, seats))[deal]
    own = rng.gumbel(size=who.shape)
    noise = np.where(rng.random((len(who), 1)) < luck, noise, own)
    keys = strength[who] + effect[None, :] + noise
    places = 1 + np.argsort(np.argsort(-keys, axis=1), axis=1)
    won = places == 1
    per_seat(games, "score", np.where(won, seats - 1, -1), "int32")
    per_seat(games, "place", places, "int8")
    per_seat(games, "won", won, "bool")
    per_seat(games, "fault", np.zeros(who.shape), "int8")
    games["decisions"] = rng.integers(5, 50, len(games)).astype("int32")
    games["rounds"] = rng.integers(2, 9, len(games)).astype("int16")
    games["void"] = False
    bids = rng.poisson(6 + who)
    per_seat(games, "bids", bids, "int32")
    per_seat(games, "lies", rng.binomial(bids, 0.3), "int32")
    per_seat(games, "mood", rng.integers(0, 2, who.shape), "int8")
    return games


def cards(
    *,
    players: int = 3,
    deals: int = 40,
    seed: int = 1,
    strengths: Sequence[float] | None = None,
    void: float = 0.05,
    line_ups: Any = None,
) -> pd.DataFrame:
    """Play CARDS: one landlord against two farmers for a heavy-tailed stake.

    What void games say of winners and roles must not count: some of them say something.
    """
    rng = np.random.Generator(np.random.Philox(seed))
    games = schedule(CARDS, players=players, seats=3, deals=deals, line_ups=line_ups)
    who = players_of(games, 3)
    count = len(games)
    strength = np.zeros(players) if strengths is None else np.asarray(strengths, float)
    landlord = rng.integers(0, 3, count)
    empty = rng.random(count) < void
    is_landlord = np.arange(3)[None, :] == landlord[:, None]
    edge = 1.5 * strength[who[np.arange(count), landlord]] - strength[who].sum(axis=1) / 2
    wins = rng.random(count) < 1 / (1 + np.exp(-edge))
    stake = rng.integers(1, 4, count) * 2 ** np.minimum(rng.geometric(0.6, count) - 1, 12)
    sign = np.where(wins, 1, -1)[:, None] * np.where(is_landlord, 2, -1)
    score = sign * stake[:, None] * ~empty[:, None]
    per_seat(games, "score", score, "int32")
    per_seat(games, "place", 1 + (score[:, None, :] > score[:, :, None]).sum(axis=2), "int8")
    per_seat(games, "won", np.where(empty[:, None], is_landlord, score > 0), "bool")
    per_seat(games, "fault", np.zeros(who.shape), "int8")
    games["decisions"] = rng.integers(20, 80, count).astype("int32")
    games["void"] = empty
    before_roles = empty & (rng.random(count) < 0.5)
    role = np.where(before_roles[:, None], -1, np.where(is_landlord, 0, 1))
    per_seat(games, "role", role, "int8")
    per_seat(games, "bombs", rng.poisson(0.2, who.shape), "int16")
    games["final_bid"] = np.where(empty, 0, rng.integers(1, 4, count)).astype("int8")
    games["redeals"] = rng.geometric(0.8, count).astype("int16")
    return games


def in_parts(games: pd.DataFrame, deals: int) -> list[pd.DataFrame]:
    """Cut into parts of so many deals, as the store does."""
    number = (games["deal"] - games["deal"].iloc[0]) // deals
    return [part.reset_index(drop=True) for _, part in games.groupby(number)]
