"""The balanced sample of line-ups."""

from collections import Counter
from itertools import combinations
from math import comb

import pytest

from sim.runner.sampling import sample_choices, sample_listed, sample_rng
from sim.runner.schedule import Schedule
from tests.runner.fake_game import GAME, fake_spec

LineUps = list[tuple[int, ...]]


def spread(counts: list[int]) -> int:
    """Give the widest difference."""
    return max(counts) - min(counts)


def appearances(sample: LineUps, players: int) -> list[int]:
    """Count the line-ups of each player."""
    counts = Counter(p for line_up in sample for p in line_up)
    return [counts[p] for p in range(players)]


def meetings(sample: LineUps, players: int) -> list[int]:
    """Count the line-ups of each pair."""
    counts = Counter(pair for line_up in sample for pair in combinations(line_up, 2))
    return [counts[pair] for pair in combinations(range(players), 2)]


@pytest.mark.parametrize("players", range(2, 8))
def test_every_small_sample_is_distinct_and_balanced(players: int) -> None:
    """For all sizes of table and sample: different line-ups, appearances differ by 1 at most."""
    for size in range(2, min(players, 6) + 1):
        for count in range(1, comb(players, size) + 1):
            sample = sample_choices(players, size, count, sample_rng(count))

            assert count == len(set(sample)) == len(sample)
            assert all(sorted(set(line_up)) == list(line_up) for line_up in sample)
            assert spread(appearances(sample, players)) <= 1


@pytest.mark.parametrize("count", [100, 1_000, 13_702, 13_703, 27_000])
def test_thirty_players_at_four_seats(count: int) -> None:
    """The case of the issue: 27,405 line-ups, balanced in players and nearly so in pairs."""
    sample = sample_choices(30, 4, count, sample_rng(7))

    assert count == len(set(sample))
    assert spread(appearances(sample, 30)) <= 1
    assert spread(meetings(sample, 30)) <= 4


def test_pairs_are_as_even_as_a_design_allows() -> None:
    """Seven triples of seven players can let every pair meet once (the Fano plane): they do."""
    assert {1} == set(meetings(sample_choices(7, 3, 7, sample_rng(7)), 7))


def test_the_sample_follows_from_the_seed() -> None:
    """Same seed, same sample; other seed, another."""
    samples = [sample_choices(12, 4, 20, sample_rng(seed)) for seed in (7, 7, 8)]

    assert samples[0] == samples[1] != samples[2]


def test_more_deals_play_the_same_line_ups() -> None:
    """A run can be extended: the sample does not depend on the number of deals."""
    short, long = (
        Schedule(fake_spec(12, seats=4, line_ups=20, deals=d), GAME, GAME.rules(4, {}))
        for d in (1, 500)
    )

    assert short.line_ups == long.line_ups


def test_a_focused_sample_balances_the_others() -> None:
    """The player in focus is in every line-up, the others in equally many."""
    spec = fake_spec(9, seats=4, line_ups=12, focus="p03")
    sample = list(Schedule(spec, GAME, GAME.rules(4, {})).line_ups)

    assert len(set(sample)) == 12
    counts = appearances(sample, 9)
    assert counts.pop(3) == 12
    assert spread(counts) <= 1


def test_tables_of_several_shapes_are_sampled_evenly() -> None:
    """Mixed tables: seats held differ by no more than a table can hold."""
    tables = list(GAME.line_ups(6, GAME.rules(3, {}), mixed=True))
    sample = sample_listed(tables, 20, sample_rng(7))

    assert len(set(sample)) == 20
    assert sample == [table for table in tables if table in set(sample)]
    assert spread(appearances(sample, 6)) <= 1
