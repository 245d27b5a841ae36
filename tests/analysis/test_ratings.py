"""Ratings equal those of choix and statsmodels, their errors those of a bootstrap over deals."""

from collections.abc import Iterator
from dataclasses import replace
from math import log
from typing import Any

import choix
import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm  # type: ignore[import-untyped]
from statsmodels.discrete.conditional_models import (  # type: ignore[import-untyped]
    ConditionalLogit,
)

from sim.analysis.accumulate import Totals, accumulate
from sim.analysis.ratings import ELO, Fit, fit, fit_luce, fit_roles, table
from sim.analysis.stopping import sequence_critical
from sim.engines.base import Scoring
from tests.analysis.test_accumulate import totals_of
from tests.analysis.toy_runs import CARDS, DICE, cards, dice, in_parts, players_of

STRENGTHS = [0.0, 0.3, 0.6, 1.0]
SIDES = Scoring(
    headline="win_rate",
    win_baseline=0.5,
    rating="bradley-terry-roles",
    places=False,
    one_winner=False,
    clip=12,
)


def race(**more: Any) -> tuple[pd.DataFrame, Totals]:
    """Play a race of four at tables of three."""
    options: dict[str, Any] = {"deals": 60, "strengths": STRENGTHS, "luck": 0.3} | more
    games = dice(players=4, seats=3, **options)
    return games, totals_of(DICE, games, players=4, seats=3)


def centred(values: Any) -> Any:
    """Shift to mean 0."""
    return np.asarray(values) - np.mean(values)


def test_luce_is_choix_with_the_phantom_as_a_player() -> None:
    """Without seat effects the fit equals choix's, given half a win and half a loss a player."""
    games, totals = race(deals=15)
    who = players_of(games, 3)
    won = games[[f"won_{seat}" for seat in range(3)]].to_numpy()
    data = [
        (int(row[wins][0]), tuple(int(p) for p in row[~wins]))
        for row, wins in zip(who, won, strict=True)
    ] * 2
    phantom = 4
    data += [pair for p in range(4) for pair in ((p, (phantom,)), (phantom, (p,)))]
    expected = choix.mm_top1(5, data, tol=1e-9)
    # Equal wins of all seats make the seat terms 0.
    level = replace(totals, seat_wins=np.tile(totals.seat_wins.mean(axis=0), (3, 1)))

    assert fit_luce(level).theta[:4] == pytest.approx(expected[:4] - expected[4], abs=1e-6)


def long_form(games: pd.DataFrame) -> tuple[Any, Any, Any]:
    """Give for every (game, seat): won, game, and dummies of player and seat without the first."""
    who = players_of(games, 3)
    won = games[[f"won_{seat}" for seat in range(3)]].to_numpy().ravel().astype(float)
    player, seat = np.eye(4)[who.ravel()], np.tile(np.eye(3), (len(who), 1))
    dummies = np.concatenate([player[:, 1:], seat[:, 1:]], axis=1)
    return won, np.repeat(np.arange(len(who)), 3), dummies


def test_luce_with_seats_is_a_conditional_logit() -> None:
    """Strengths and seat terms equal statsmodels' conditional logit, a group for each game."""
    games, totals = race(seat_effects=[0.5, 0, -0.2])
    won, group, dummies = long_form(games)
    expected = ConditionalLogit(won, dummies, groups=group).fit(disp=0, method="newton").params
    found = fit_luce(totals, phantom=0).theta

    assert centred(found[:4]) == pytest.approx(centred([0, *expected[:3]]), abs=1e-6)
    assert found[4:] == pytest.approx(centred([0, *expected[3:]]), abs=1e-6)


def resampled(totals: Totals, count: int) -> Iterator[Totals]:
    """Draw whole deals with replacement."""
    source = np.random.Generator(np.random.Philox(5))
    for _ in range(count):
        deals = source.integers(0, totals.deals, totals.deals)
        yield replace(
            totals,
            wins=totals.wins[:, deals],
            seats_won=totals.seats_won[:, deals],
            seat_wins=totals.seat_wins[:, deals],
        )


def assert_like_bootstrap(found: Fit, fits: list[Fit], players: int) -> None:
    """Hold the clustered errors against the spread of fits to resampled deals."""
    listed = range(players)
    for player in listed:
        spread = np.std([one.strength(player, listed).value for one in fits])
        assert found.strength(player, listed).error == pytest.approx(spread, rel=0.1)


def test_errors_are_those_of_a_bootstrap_over_deals() -> None:
    """Within 10 %: games that share their deal's luck are not treated as independent."""
    _, totals = race(deals=150, luck=0.7)

    assert_like_bootstrap(fit_luce(totals), [fit_luce(one) for one in resampled(totals, 600)], 4)


def test_two_seats_are_bradley_terry() -> None:
    """With two at a table Luce's model is Bradley and Terry's: a known odds ratio comes back."""
    games = dice(players=2, seats=2, deals=4000, strengths=[0, log(3)], luck=0)
    found = fit_luce(totals_of(DICE, games, players=2, seats=2))

    assert found.strength(1, [0]).value == pytest.approx(log(3), abs=0.1)


def test_a_player_in_several_seats_counts_each_seat() -> None:
    """A against two seats of an equal B wins a third, and is rated level."""
    games = dice(players=2, seats=3, deals=3000, line_ups=[(0, 1, 1)], luck=0)
    found = fit_luce(totals_of(DICE, games, players=2, seats=3)).strength(0, [1])

    assert abs(found.value) < 3 * found.error


def test_all_won_and_all_lost_have_finite_ratings() -> None:
    """The phantom keeps them finite, and the intervals too."""
    games = dice(players=3, seats=3, deals=10, strengths=[0, 50, 100])
    rows = table(fit_luce(totals_of(DICE, games, players=3, seats=3)), ["a", "b", "c"], range(3))

    assert np.isfinite(rows[["elo", "elo_low", "elo_high"]].to_numpy()).all()
    assert list(rows["player"]) == ["c", "b", "a"] or list(rows["player"]) == ["c", "a", "b"]


def test_intervals_cover_the_truth() -> None:
    """Over 400 tournaments of unequal players the 95 % interval covers in 92 to 98 %."""
    _, long = race(deals=400 * 40, luck=0.5, seed=3)
    truth = centred(STRENGTHS)
    covered = []
    for first in range(0, long.deals, 40):
        part = slice(first, first + 40)
        run = replace(
            long,
            deals=40,
            seats_won=long.seats_won[:, part],
            seat_wins=long.seat_wins[:, part],
        )
        found = fit_luce(run)
        estimates = [found.strength(player, range(4)) for player in range(4)]
        covered.append([e.low <= t <= e.high for e, t in zip(estimates, truth, strict=True)])

    assert 0.92 <= np.mean(covered) <= 0.98


def sides(
    deals: int, strengths: list[float], *, gauntlet: bool = False
) -> tuple[pd.DataFrame, Totals]:
    """Play CARDS by sides: one player alone at seat 0 against another one's two seats."""
    count, rho = len(strengths), 0.4
    pairs = [(a, b) for a in range(1 if gauntlet else count) for b in range(a + 1, count)]
    games = cards(players=count, deals=deals, void=0.0, line_ups=[(a, b, b) for a, b in pairs])
    games = games[games["seating"] < 2].reset_index(drop=True)
    each = len(games) // deals
    for row, (a, b) in enumerate(pair for pair in pairs for _ in range(2)):
        lone, team = (a, b) if row % 2 == 0 else (b, a)
        for seat in range(3):
            games.loc[row::each, f"player_{seat}"] = lone if seat == 0 else team
    source = np.random.Generator(np.random.Philox(8))
    strength = np.array(strengths)
    edge = strength[games["player_0"]] - strength[games["player_1"]] + rho
    deal_luck = np.repeat(source.logistic(size=deals), each)
    luck = np.where(source.random(len(games)) < 0.5, deal_luck, source.logistic(size=len(games)))
    lone_won = luck < edge
    for seat in range(3):
        games[f"won_{seat}"] = lone_won if seat == 0 else ~lone_won
        games[f"role_{seat}"] = np.int8(seat > 0)
    totals = accumulate(in_parts(games, 50), game=CARDS, scoring=SIDES, seats=3, players=count)
    return games, totals


@pytest.mark.parametrize("gauntlet", [False, True])
def test_roles_are_a_logistic_regression(gauntlet: bool) -> None:
    """Strengths, role term and clustered errors equal statsmodels' logistic regression."""
    games, totals = sides(100, [0, 0.5, 1.0], gauntlet=gauntlet)
    design = np.eye(3)[games["player_0"]] - np.eye(3)[games["player_1"]]
    model = sm.Logit(games["won_0"].astype(float), np.c_[design[:, 1:], np.ones(len(games))])
    groups = {"groups": games["deal"].to_numpy(), "use_correction": False}
    expected = model.fit(disp=0, cov_type="cluster", cov_kwds=groups)
    found = fit_roles(totals, phantom=0)
    second, third = found.strength(1, [0]), found.strength(2, [0])
    few = np.sqrt(100 / 99)

    assert [second.value, third.value, found.term(0, 3).value] == pytest.approx(
        expected.params.tolist(), abs=1e-6
    )
    assert [second.error, third.error, found.term(0, 3).error] == pytest.approx(
        (expected.bse * few).tolist(), rel=1e-5
    )


def test_role_errors_are_those_of_a_bootstrap_over_deals() -> None:
    """Within 10 %, for the role model too."""
    _, totals = sides(150, [0, 0.5, 1.0])

    assert_like_bootstrap(fit_roles(totals), [fit_roles(one) for one in resampled(totals, 600)], 3)


def test_the_model_follows_from_the_game() -> None:
    """The declaration says which rating; none for the auction game, none without a deal."""
    _, totals = race(deals=5)
    auction = totals_of(CARDS, cards(deals=5), players=3, seats=3)
    luce, roles = fit(totals), fit(sides(20, [0, 1])[1])

    assert luce is not None
    assert luce.names == ["seat 0", "seat 1", "seat 2"]
    assert roles is not None
    assert roles.names == ["landlord"]
    assert fit(auction) is None


def test_the_table_is_on_the_elo_scale_with_mean_zero() -> None:
    """400 Elo are odds of ten to one; the listed players have mean 0; intervals hold the rating."""
    _, totals = race(deals=300, luck=0)
    rows = table(fit_luce(totals), ["ann", "bob", "cid", "dan"], range(4))

    assert rows["elo"].sum() == pytest.approx(0, abs=1e-9)
    assert list(rows["player"]) == ["dan", "cid", "bob", "ann"]
    assert rows["elo"][0] - rows["elo"][3] == pytest.approx(400 * 1.0 / log(10), abs=40)
    assert rows["elo"].tolist() == pytest.approx((rows["theta"] * ELO).tolist())
    assert (rows["elo_low"] < rows["elo"]).all()


def test_one_deal_has_ratings_without_intervals() -> None:
    """D = 1: nothing can be said about chance."""
    _, totals = race(deals=1)
    rows = table(fit_luce(totals), ["ann", "bob", "cid", "dan"], range(4))

    assert rows["elo"].notna().all()
    assert rows["elo_low"].isna().all()


def test_a_run_that_may_stop_early_has_wider_intervals() -> None:
    """They reach as far as a confidence sequence does."""
    _, totals = race()
    estimate = fit_luce(replace(totals, planned=100)).strength(3, range(4))

    reach = sequence_critical(60, 100, 0.05) * estimate.error
    assert estimate.high - estimate.value == pytest.approx(reach)
