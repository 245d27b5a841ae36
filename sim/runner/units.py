"""Which games share a batch: fixed groups of blocks, where a batched strategy is in the field.

A floating-point model may give other bytes for other numbers of rows. So a batch always has the
same number of rows, and a game the same row, whichever worker plays it with which other blocks:

    unit u    blocks u * unit_blocks .. (u + 1) * unit_blocks - 1, counted from the first of the run
    row       a game's place among the games of its unit

Only the games of the range in play are asked about; rows without one stay zero.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from sim.runner.schedule import Schedule


def unit_blocks(schedule: Schedule, entered: Sequence[Any]) -> int | None:
    """Give the blocks of a unit; None where no batched strategy is entered.

    `entered` have a `kind`, as bound strategies do.
    """
    if all(bot.kind != "batch" for bot in entered):
        return None
    return max(1, schedule.spec.batch_games // schedule.most_seatings)


def split(first: int, stop: int, unit: int | None) -> Iterator[tuple[int, int]]:
    """Split a range of blocks where units meet.

    >>> list(split(3, 12, 5)), list(split(3, 12, None))
    ([(3, 5), (5, 10), (10, 12)], [(3, 12)])
    """
    while unit is not None and first // unit < (stop - 1) // unit:
        end = (first // unit + 1) * unit
        yield first, end
        first = end
    yield first, stop
