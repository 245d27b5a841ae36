"""The CSV files: columns, numbers and form, whatever comes out of a run."""

import io

import numpy as np
import pandas as pd
import pytest

from sim.analysis import tables
from sim.analysis.accumulate import Totals, accumulate
from tests.analysis.test_accumulate import by_hand, totals_of
from tests.analysis.toy_runs import CARDS, DICE, cards, dice

LABELS = ["ann", "bob", "cid", "dan"]


def test_standings_of_two_deals_by_hand() -> None:
    """Deal means of a are 1 and 1/2: mean .75, error .25; Wilson with min(3, 2 deals) trials.

    Points a game 1 and 0: .5 +- t(.975, 1) * .5, with t(.975, 1) = 12.706205.
    """
    found = tables.standings(totals_of(DICE, by_hand(), players=2, seats=2), LABELS, range(2))
    csv = tables.to_csv(found)

    assert csv == (
        "rank,player,games,wins,win_rate,win_rate_low,win_rate_high,baseline,"
        "score_mean,score_low,score_high,place_mean,faults\n"
        "1,ann,4,3,0.750000,0.197867,0.973323,0.500000,0.500000,-5.853102,6.853102,1.250000,0\n"
        "2,bob,4,1,0.250000,0.026677,0.802133,0.500000,-0.500000,-6.853102,5.853102,1.750000,0\n"
    )


def test_pairwise_of_two_deals_by_hand() -> None:
    """Both directions of a pair, mirrored; ahead in 3 of 4 games, one point a game."""
    found = tables.pairwise(totals_of(DICE, by_hand(), players=2, seats=2), LABELS, range(2))

    assert tables.to_csv(found) == (
        "player,opponent,games,ahead_rate,ahead_low,ahead_high,score_diff,diff_low,diff_high\n"
        "ann,bob,4,0.750000,0.197867,0.973323,1.000000,-11.706205,13.706205\n"
        "bob,ann,4,0.250000,0.026677,0.802133,-1.000000,-13.706205,11.706205\n"
    )


def test_seats_of_two_deals_by_hand() -> None:
    """Seat 0 won three of four games."""
    found = tables.seats(totals_of(DICE, by_hand(), players=2, seats=2))

    assert tables.to_csv(found) == (
        "seat,games,wins,win_rate,win_rate_low,win_rate_high\n"
        "0,4,3,0.750000,0.197867,0.973323\n"
        "1,4,1,0.250000,0.026677,0.802133\n"
    )


def test_role_columns_are_ratios_of_appearances() -> None:
    """Every role column equals what plain pandas makes of a player's seats."""
    games = cards(players=3, deals=30, void=0.2)
    found = tables.standings(totals_of(CARDS, games, players=3, seats=3), LABELS, range(3))
    seats = [
        games[[f"{name}_{seat}" for name in ("player", "role", "score", "won")]]
        .set_axis(["player", "role", "score", "won"], axis=1)
        .assign(void=games["void"])
        for seat in range(3)
    ]
    long = pd.concat(seats)
    for _, row in found.iterrows():
        own = long[(long["player"] == LABELS.index(row["player"])) & (long["role"] >= 0)]
        landlord, farmer = own[own["role"] == 0], own[own["role"] == 1]
        assert row["landlord_rate"] == pytest.approx(len(landlord) / len(own))
        assert row["score_landlord"] == pytest.approx(landlord["score"].mean())
        assert row["score_farmer"] == pytest.approx(farmer["score"].mean())
        judged = [held[~held["void"]]["won"].mean() for held in (landlord, farmer)]
        assert [row["win_rate_landlord"], row["win_rate_farmer"]] == pytest.approx(judged)
        points = long[long["player"] == LABELS.index(row["player"])]["score"]
        assert row["score_median"] == points.median()
        assert row["score_clipped"] == pytest.approx(points.clip(-12, 12).mean())
    assert list(found.columns)[13:] == [
        "landlord_rate",
        "score_landlord",
        "score_farmer",
        "win_rate_landlord",
        "win_rate_farmer",
        "score_median",
        "score_clipped",
    ]


def test_points_rank_where_they_are_the_headline() -> None:
    """In the card game the ranks follow score_mean, and win_rate has no baseline, places none."""
    games = cards(players=4, deals=40, strengths=[0, 2, 1, 3])
    found = tables.standings(totals_of(CARDS, games, players=4, seats=3), LABELS, range(4))

    assert list(found["rank"]) == [1, 2, 3, 4]
    assert found["score_mean"].is_monotonic_decreasing
    assert found["baseline"].isna().all()
    assert found["place_mean"].isna().all()


@pytest.mark.parametrize("deals", [1, 2, 12])
def test_all_won_and_all_lost_have_finite_intervals(deals: int) -> None:
    """0 % and 100 %: every rate lies inside an interval that is neither empty nor a point."""
    games = dice(players=2, seats=2, deals=deals, strengths=[0, 500])
    totals = totals_of(DICE, games, players=2, seats=2)
    standings = tables.standings(totals, LABELS, range(2))
    pairs = tables.pairwise(totals, LABELS, range(2))

    for rate, low, high in (
        *standings[["win_rate", "win_rate_low", "win_rate_high"]].to_numpy(),
        *pairs[["ahead_rate", "ahead_low", "ahead_high"]].to_numpy(),
    ):
        assert rate in (0, 1)
        assert 0 <= low <= rate <= high <= 1
        assert 0.1 < high - low < 1


def test_one_deal_leaves_the_intervals_of_points_empty() -> None:
    """D = 1: no interval for a score, and an empty field instead of nan."""
    totals = totals_of(DICE, dice(players=3, seats=3, deals=1), players=3, seats=3)
    csv = tables.to_csv(tables.standings(totals, LABELS, range(3)))

    assert csv.splitlines()[1] == (
        "1,ann,6,2,0.333333,0.025336,0.905814,0.333333,0.000000,,,2.000000,0"
    )
    assert "nan" not in csv


def test_no_deal_gives_empty_tables() -> None:
    """A run without a finished deal lists its players, with no figures."""
    scoring = DICE.scoring(DICE.rules(3, {}))
    totals = accumulate([], game=DICE, scoring=scoring, seats=3, players=3)

    assert tables.to_csv(tables.standings(totals, LABELS, range(3))).splitlines()[1] == (
        ",ann,0,0,,,,0.333333,,,,,0"
    )
    assert len(tables.pairwise(totals, LABELS, range(3))) == 0
    assert tables.seats(totals)["wins"].tolist() == [0, 0, 0]


def test_shares_of_wins_keep_their_decimals() -> None:
    """A player in two of three seats wins halves of games: 1.5 is not made 2."""
    games = dice(players=2, seats=3, deals=1, seed=3, line_ups=[(0, 0, 1)])
    found = tables.standings(totals_of(DICE, games, players=2, seats=3), LABELS, range(2))
    fields = {line.split(",")[1]: line.split(",")[3] for line in tables.to_csv(found).splitlines()}

    assert found["wins"].sum() == 3 - found.loc[found["player"] == "ann", "wins"].item()
    assert fields["ann"] in {"0.500000", "1", "1.500000"}
    assert fields["bob"] in {"0", "1", "2"}


def test_fill_is_in_no_standings_and_no_pairs() -> None:
    """Only listed players are ranked and compared; faults of the fill player are told."""
    games = dice(players=3, seats=3, deals=5)
    games.loc[0, "fault_2"] = 2
    totals = totals_of(DICE, games, players=3, seats=3)
    labels = ["ann", "bob", "fill"]

    assert set(tables.standings(totals, labels, range(2))["player"]) == {"ann", "bob"}
    assert set(tables.pairwise(totals, labels, range(2))["player"]) == {"ann", "bob"}
    assert tables.to_csv(tables.faults(totals, labels)) == (
        "player,category,count\nfill,exception,1\n"
    )


def test_behaviour_has_an_interval_for_every_figure() -> None:
    """Each figure equals the ratio of its sums in plain pandas and lies in its interval."""
    games = dice(players=3, seats=3, deals=30)
    found = tables.behaviour(totals_of(DICE, games, players=3, seats=3), LABELS, range(3))
    own = [games[f"player_{seat}"] == 1 for seat in range(3)]
    lies = sum(int(games[f"lies_{seat}"][own[seat]].sum()) for seat in range(3))
    bids = sum(int(games[f"bids_{seat}"][own[seat]].sum()) for seat in range(3))
    rounds = sum(int(games["rounds"][own[seat]].sum()) for seat in range(3))
    bob = found.loc[found["player"] == "bob"].iloc[0]

    assert bob["lie_rate"] == pytest.approx(lies / bids)
    assert bob["bids_per_round"] == pytest.approx(bids / rounds)
    assert bob["lie_rate_low"] < bob["lie_rate"] < bob["lie_rate_high"]


def reordered(games: pd.DataFrame, order: list[int]) -> Totals:
    """Number the players otherwise: player i becomes order[i], games and luck stay."""
    renumber = np.array(order, np.int16)
    names = [f"player_{seat}" for seat in range(3)]
    renamed = games.assign(**{name: renumber[games[name]] for name in names})
    return totals_of(DICE, renamed, players=4, seats=3)


def test_the_order_of_players_changes_no_figure() -> None:
    """Other numbers for the same players: the same rows."""
    games = dice(players=4, seats=3, deals=20, strengths=[0, 0.2, 0.5, 0.9])
    one = tables.standings(totals_of(DICE, games, players=4, seats=3), LABELS, range(4))
    order = [2, 0, 3, 1]
    labels = [LABELS[order.index(number)] for number in range(4)]
    other = tables.standings(reordered(games, order), labels, range(4))

    assert tables.to_csv(one) == tables.to_csv(other)


def test_csv_is_read_back() -> None:
    """pandas reads the file as it was, to six decimals."""
    games = dice(players=4, seats=3, deals=20, strengths=[0, 0.2, 0.5, 0.9])
    frame = tables.standings(totals_of(DICE, games, players=4, seats=3), LABELS, range(4))
    back = pd.read_csv(io.StringIO(tables.to_csv(frame)))

    pd.testing.assert_frame_equal(back, frame, check_dtype=False, atol=5e-7, rtol=0)


def test_no_negative_zero_is_written() -> None:
    """What rounds to zero has no sign, so that the last bit cannot change a file."""
    frame = pd.DataFrame({"x": [-1e-9, -0.0, 1e-9, -1e-6]})

    assert tables.to_csv(frame).split() == ["x", "0.000000", "0.000000", "0.000000", "-0.000001"]
