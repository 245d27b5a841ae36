"""Sums of stored games: by hand, against a slow twin, and the same however the parts are cut."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

from sim.analysis.accumulate import Totals, accumulate, columns
from sim.analysis.layout import WIN_UNIT, Layout
from sim.engines.base import Game
from sim.errors import RunError
from tests.analysis.toy_runs import CARDS, DICE, cards, dice, in_parts


def totals_of(
    game: Game, games: pd.DataFrame, *, players: int, seats: int, deals_per_part: int = 7
) -> Totals:
    """Sum up games given in parts."""
    return accumulate(
        in_parts(games, deals_per_part),
        game=game,
        scoring=game.scoring(game.rules(seats, {})),
        seats=seats,
        players=players,
    )


def by_hand() -> pd.DataFrame:
    """Give two deals of two players in both seatings: a wins 2, then 1 of its 2 games."""
    games = dice(players=2, seats=2, deals=2)
    outcome = {"won_0": [1, 0, 1, 1], "won_1": [0, 1, 0, 0]}
    outcome |= {"place_0": [1, 2, 1, 1], "place_1": [2, 1, 2, 2]}
    outcome |= {"score_0": [1, -1, 1, 1], "score_1": [-1, 1, -1, -1]}
    return games.assign(**outcome).astype({"won_0": "bool", "won_1": "bool"})


def test_two_deals_by_hand() -> None:
    """Seating 0 is (a, b), seating 1 (b, a): a wins both games of deal 0, one of deal 1."""
    found = totals_of(DICE, by_hand(), players=2, seats=2)

    assert found.games == 4
    assert found.wins.tolist() == [[2 * WIN_UNIT, WIN_UNIT], [0, WIN_UNIT]]
    assert found.scores.tolist() == [[2, 0], [-2, 0]]
    assert found.places is not None
    assert found.places.tolist() == [[2 * WIN_UNIT, 3 * WIN_UNIT], [4 * WIN_UNIT, 3 * WIN_UNIT]]
    assert found.pairs.tolist() == [[0, 1]]
    assert found.pair_ahead.tolist() == [[4, 2]]
    assert found.pair_score.tolist() == [[4, 0]]
    assert found.seat_wins.tolist() == [[1, 2], [1, 0]]
    assert found.score_tally == {0: {1: 3, -1: 1}, 1: {1: 1, -1: 3}}


def results(row: Any, seats: int) -> dict[int, dict[str, Fraction]]:
    """Give the one result a game of each player, by the definitions."""
    found: dict[int, dict[str, Fraction]] = {}
    for player in {row[f"player_{seat}"] for seat in range(seats)}:
        own = [seat for seat in range(seats) if row[f"player_{seat}"] == player]
        found[player] = {
            "win": Fraction(sum(bool(row[f"won_{seat}"]) for seat in own), len(own)),
            "score": Fraction(sum(int(row[f"score_{seat}"]) for seat in own)),
            "place": Fraction(sum(int(row[f"place_{seat}"]) for seat in own), len(own)),
        }
    return found


def slow_twin(games: pd.DataFrame, *, players: int, seats: int, places: bool) -> dict[str, Any]:
    """Work out the per-deal sums game by game, in fractions."""
    deals = sorted(set(games["deal"]))
    zero = {name: [[Fraction(0)] * len(deals) for _ in range(players)] for name in ("win", "score")}
    ahead: dict[tuple[int, int], list[Fraction]] = {}
    gaps: dict[tuple[int, int], list[Fraction]] = {}
    for _, row in games.iterrows():
        deal = deals.index(row["deal"])
        found = results(row, seats)
        for player, result in found.items():
            zero["win"][player][deal] += result["win"] * (not row["void"])
            zero["score"][player][deal] += result["score"]
        for a in found:
            for b in found:
                if a >= b:
                    continue
                mine, theirs = (found[p]["place" if places else "score"] for p in (a, b))
                better = mine < theirs if places else mine > theirs
                share = Fraction(1, 2) if mine == theirs else Fraction(int(better))
                met = ahead.setdefault((a, b), [Fraction(0)] * len(deals))
                met[deal] += share * (not row["void"])
                gap = gaps.setdefault((a, b), [Fraction(0)] * len(deals))
                gap[deal] += found[a]["score"] - found[b]["score"]
    return {**zero, "ahead": ahead, "gap": gaps}


def assert_like_twin(found: Totals, twin: dict[str, Any]) -> None:
    """Compare the sums of a run with those of the slow twin."""
    units = {"win": WIN_UNIT, "score": 1}
    for name, table in (("win", found.wins), ("score", found.scores)):
        assert table.tolist() == [[int(x * units[name]) for x in row] for row in twin[name]]
    assert [tuple(pair) for pair in found.pairs.tolist()] == sorted(twin["ahead"])
    for number, pair in enumerate(sorted(twin["ahead"])):
        assert found.pair_ahead[number].tolist() == [int(2 * x) for x in twin["ahead"][pair]]
        assert found.pair_score[number].tolist() == [int(x) for x in twin["gap"][pair]]


@pytest.mark.parametrize(
    ("players", "seats", "line_ups"),
    [
        (2, 2, None),
        (4, 3, None),
        (5, 4, [(0, 1, 2, 3), (1, 2, 3, 4)]),
        (2, 3, [(0, 1, 1)]),
        (2, 3, [(0, 0, 1), (0, 1, 1)]),
        (3, 5, [(0, 1, 1, 2, 2)]),
    ],
)
def test_race_sums_like_the_slow_twin(
    players: int, seats: int, line_ups: Sequence[tuple[int, ...]] | None
) -> None:
    """Wins, points and meetings follow the definitions, with players in several seats too."""
    games = dice(players=players, seats=seats, deals=5, line_ups=line_ups, luck=0.5)
    twin = slow_twin(games, players=players, seats=seats, places=True)

    assert_like_twin(totals_of(DICE, games, players=players, seats=seats), twin)


@pytest.mark.parametrize("line_ups", [None, [(0, 0, 1), (0, 1, 1)]])
def test_card_sums_like_the_slow_twin(line_ups: Sequence[tuple[int, ...]] | None) -> None:
    """The same with void games, ties, and points instead of places."""
    games = cards(players=3, deals=6, void=0.3, line_ups=line_ups)
    twin = slow_twin(games, players=3, seats=3, places=False)

    assert_like_twin(totals_of(CARDS, games, players=3, seats=3), twin)


def test_appearances_games_and_roles_by_pandas() -> None:
    """Behaviour, roles, tallies and faults equal what plain pandas makes of the games."""
    games = cards(players=3, deals=30, void=0.2, line_ups=[(0, 0, 1), (0, 1, 2)])
    games["fault_2"] = np.where(games["seating"] == 1, 3, 0).astype("int8")
    found = totals_of(CARDS, games, players=3, seats=3)
    names = ["player", "score", "won", "role", "bombs", "fault"]
    long = pd.concat(
        [
            games[[f"{name}_{seat}" for name in names]]
            .set_axis(names, axis=1)
            .assign(void=games["void"])
            for seat in range(3)
        ]
    )
    for player in (0, 1, 2):
        own = long[long["player"] == player]
        assert found.appearances_of(player) == len(own)
        assert found.behaviour["bomb_rate", player].x == own["bombs"].sum()
        assert found.faults[player].tolist()[3] == (own["fault"] == 3).sum()
        for role in (0, 1):
            held = own[own["role"] == role]
            assert found.role_rate[role, player].x == len(held)
            assert found.role_rate[role, player].n == (own["role"] >= 0).sum()
            assert found.role_score[role, player].x == held["score"].sum()
            judged = held[~held["void"]]
            assert found.role_wins[role, player].x == judged["won"].sum()
            assert found.role_wins[role, player].n == len(judged)
    assert found.void == games["void"].sum()
    assert found.game_tally["final_bid"] == games["final_bid"].value_counts().to_dict()
    assert found.game_sums["redeals"].x == games["redeals"].sum()


def test_wins_add_up_to_games_and_points_to_zero() -> None:
    """One winner a game and zero-sum points survive the sums, in every deal."""
    games = dice(players=4, seats=3, deals=25, strengths=[0, 1, 2, 3])
    found = totals_of(DICE, games, players=4, seats=3)
    assert found.layout is not None

    assert set(found.wins.sum(axis=0).tolist()) == {found.layout.games * WIN_UNIT}
    assert set(found.scores.sum(axis=0).tolist()) == {0}
    assert set(found.seat_wins.sum(axis=0).tolist()) == {found.layout.games}


@pytest.mark.parametrize("deals_per_part", [1, 3, 100])
def test_parts_may_be_cut_anywhere(deals_per_part: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cutting the games into other parts, and parts into other slices, changes no sum."""
    games = cards(players=4, deals=23)
    whole = totals_of(CARDS, games, players=4, seats=3)
    monkeypatch.setattr("sim.analysis.accumulate.SLICE_ENTRIES", 100)
    monkeypatch.setattr("sim.analysis.accumulate.FULL_TALLY", 10)
    cut = totals_of(CARDS, games, players=4, seats=3, deals_per_part=deals_per_part)

    for name, value in vars(whole).items():
        other = getattr(cut, name)
        if isinstance(value, np.ndarray):
            assert np.array_equal(value, other), name
        elif not isinstance(value, Layout):
            assert value == other, name


def test_equal_players_get_equal_sums() -> None:
    """Two labels of one bot, whose luck is keyed by seat, differ by exactly nothing."""
    found = totals_of(DICE, dice(players=3, seats=3, deals=20), players=3, seats=3)

    assert found.wins[0].tolist() == found.wins[1].tolist() == found.wins[2].tolist()
    assert set(found.pair_score.ravel().tolist()) == {0}


def test_only_the_columns_named_are_needed() -> None:
    """The analysis reads the columns that `columns` names, and no others."""
    games = dice(players=3, seats=3, deals=4)[columns(DICE, 3)]

    assert totals_of(DICE, games, players=3, seats=3).deals == 4


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"deal": 7}, "deal 7 where deal 1 should be"),
        ({"line_up": 3}, "other line-ups or seatings"),
        ({"player_0": 1}, "other line-ups or seatings"),
        ({"won_0": True, "won_1": True}, "seating 5 has 2 winners"),
    ],
)
def test_games_that_cannot_be_are_refused(change: dict[str, Any], message: str) -> None:
    """Games out of order or against the rules of the table are an error that says where."""
    games = dice(players=3, seats=3, deals=3)
    row = len(games) // 3 * 2 - 1
    for column, value in change.items():
        games.loc[row, column] = value

    with pytest.raises(RunError, match=message):
        accumulate(
            [games],
            game=DICE,
            scoring=DICE.scoring(DICE.rules(3, {})),
            seats=3,
            players=3,
        )


def test_half_a_deal_is_refused() -> None:
    """A part holds whole deals."""
    games = dice(players=3, seats=3, deals=3).iloc[:-1]

    with pytest.raises(RunError, match="not a multiple of the 6 games of a deal"):
        totals_of(DICE, games, players=3, seats=3, deals_per_part=3)
