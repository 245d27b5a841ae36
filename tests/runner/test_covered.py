"""The set of blocks that are there, against a plain set of numbers."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from sim.runner.feed import Feed
from sim.runner.schedule import Schedule
from sim.runner.store import Covered
from tests.runner.fake_game import GAME, fake_spec

RANGE = st.tuples(st.integers(0, 30), st.integers(1, 8)).map(lambda pair: (pair[0], sum(pair)))


@given(st.lists(st.tuples(st.booleans(), RANGE), max_size=20))
def test_ranges_behave_as_a_set(changes: list[tuple[bool, tuple[int, int]]]) -> None:
    """After any additions and removals: the same numbers, in ranges that do not touch."""
    covered, numbers = Covered(), set()
    for add, (first, stop) in changes:
        if add:
            covered.add(first, stop)
            numbers |= set(range(first, stop))
        else:
            covered.remove(first, stop)
            numbers -= set(range(first, stop))

    ranges = covered.ranges
    assert {n for first, stop in ranges for n in range(first, stop)} == numbers
    assert all(a[1] < b[0] for a, b in itertools.pairwise(ranges))
    missing = {n for first, stop in covered.gaps(5, 25) for n in range(first, stop)}
    assert missing == set(range(5, 25)) - numbers
    assert covered.count(5, 25) == 20 - len(missing)


@given(st.lists(st.tuples(st.integers(0, 9), st.floats(1e-9, 100)), max_size=30))
def test_the_feed_hands_out_every_block_once(events: list[tuple[int, float]]) -> None:
    """Whatever is put back and however long chunks take, what is handed out adds up."""
    spec = fake_spec(3, deals=30)
    schedule = Schedule(spec, GAME, GAME.rules(2, {}))
    feed = Feed(schedule, Covered())
    out: list[tuple[int, int]] = []
    for choice, seconds in events:
        if choice < 3 and out:
            feed.put_back(*out.pop(choice % len(out)))
        else:
            place = feed.take()
            if place is not None:
                out.append(place)
                feed.learn(place[1] - place[0], seconds)
    while (place := feed.take()) is not None:
        out.append(place)

    assert sorted(n for first, stop in out for n in range(first, stop)) == [*range(schedule.blocks)]
