"""What a run has shown, in one place; and its verdict, the sentence that people read first."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb

from sim.analysis import figures
from sim.analysis.accumulate import Totals
from sim.analysis.comparisons import (
    Comparison,
    baseline_p,
    compare_all,
    not_separable,
    ranks,
)
from sim.analysis.cycles import beaten
from sim.analysis.markdown import Numbers, counted, escape, listing
from sim.analysis.statistics import Estimate, separable


@dataclass(frozen=True)
class Findings:
    """The estimates and comparisons of a run, worked out once for all that prints them."""

    totals: Totals
    labels: Sequence[str]
    """Of all players, in the order of the spec."""
    listed: Sequence[int]
    """Those that are ranked: all but the fill player."""
    focus: int | None = None
    """The player that sits in every line-up of a gauntlet: it never met itself and the others met
    it more than each other, so that figures of different players are not comparable."""

    @property
    def by_wins(self) -> bool:
        """Say whether win rate ranks the players, else points."""
        return self.totals.scoring.headline == "win_rate"

    @cached_property
    def ranking(self) -> list[tuple[int, int]]:
        """Give (rank, player), the best first."""
        return sorted(zip(ranks(self.totals, self.listed), self.listed, strict=True))

    @property
    def best(self) -> int:
        """Give the player with the highest headline figure (of equal ones the first by label)."""
        return self.ranking[0][1]

    @cached_property
    def headlines(self) -> dict[int, Estimate]:
        """Give the headline estimate of each listed player."""
        return {player: figures.headline(self.totals, player) for player in self.listed}

    @cached_property
    def comparisons(self) -> list[Comparison]:
        """Give the paired comparisons of all listed players."""
        return compare_all(self.totals, self.listed)

    @property
    def has_ranking(self) -> bool:
        """Say whether it means something to say who is best, and who is not separable from it."""
        return self.focus is None and len(self.listed) > 1 and self.totals.deals > 1

    @cached_property
    def level_with_best(self) -> tuple[int, ...]:
        """Give the players not separable from the best, itself first."""
        order = [player for _, player in self.ranking]
        return not_separable(self.comparisons, self.best, order)

    @property
    def equal_opponents(self) -> bool:
        """Say whether every two listed players met equally often."""
        layout, listed = self.totals.layout, len(self.listed)
        if layout is None:
            return True
        both = [set(pair) <= set(self.listed) for pair in layout.by_pair.keys.tolist()]
        sizes = layout.by_pair.sizes[both]
        return len(sizes) == comb(listed, 2) and len(set(sizes.tolist())) <= 1

    @cached_property
    def baseline_p(self) -> dict[int, float]:
        """Give for each listed player the corrected p-value against the baseline."""
        return dict(zip(self.listed, baseline_p(self.totals, self.listed), strict=True))

    @cached_property
    def numbers(self) -> Numbers:
        """Give the writer of headline figures."""
        return Numbers(self.headlines.values(), percent=self.by_wins)

    def name(self, player: int) -> str:
        """Write a player's label for Markdown."""
        return f"**{escape(self.labels[player])}**"

    @cached_property
    def _by_pair(self) -> dict[tuple[int, int], Comparison]:
        return {(found.first, found.second): found for found in self.comparisons}

    def comparison(self, first: int, second: int) -> Comparison:
        """Compare two players, as `first` minus `second`."""
        found = self._by_pair.get((first, second))
        return self._by_pair[second, first].turned if found is None else found

    def against_best(self, player: int) -> Comparison:
        """Compare the best player with another one, as best minus other."""
        return self.comparison(self.best, player)

    def against_baseline(self, player: int) -> str:
        """Say on which side of the baseline a player is, if that is more than chance."""
        baseline = figures.headline_baseline(self.totals)
        if baseline is None or self.totals.deals < 2:
            return ""
        if not separable(self.baseline_p[player]):
            return "within chance"
        return "above" if self.headlines[player].value > baseline else "below"


def verdict(found: Findings) -> str:
    """Say in a sentence or two who is best and how sure that is.

    A player is called best only if it is separable from every other one.
    """
    totals = found.totals
    if not totals.deals:
        return "No deal has been finished yet: there is nothing to compare."
    if not found.headlines[found.best].deals:
        return "No game had a result: there is nothing to compare."
    if len(found.listed) == 1:
        return _one_player(found)
    if totals.deals == 1:
        return (
            f"Only one deal was played: {found.name(found.best)} {_did(found, found.best)}, "
            "but one deal says nothing about chance, so nobody is called better."
        )
    if found.focus is not None:
        return _gauntlet(found, found.focus)
    level = found.level_with_best
    if len(level) == 1:
        return _one_best(found)
    return _several(found, level)


def _did(found: Findings, player: int) -> str:
    """Say what a player achieved: "won 41.2 % of its games (...)"."""
    estimate, write = found.headlines[player], found.numbers
    baseline = figures.headline_baseline(found.totals)
    interval = f"95 % interval {write.range(estimate)}" if estimate.low == estimate.low else ""
    fair = ""
    if found.by_wins and baseline is not None:
        fair = f"equally good players: {write.plain(baseline)} %"
    notes = "; ".join(note for note in (interval, fair) if note)
    brackets = f" ({notes})" if notes else ""
    if found.by_wins:
        return f"won {write.plain(estimate.value)} % of its games{brackets}"
    return f"scored {write.plain(estimate.value)} points a game{brackets}"


def _one_player(found: Findings) -> str:
    player = found.best
    side = {
        "above": "more than equally good players would",
        "below": "less than equally good players would",
        "within chance": "which chance alone may explain",
        "": "",
    }[found.against_baseline(player)]
    return f"{found.name(player)} {_did(found, player)}{', ' + side if side else ''}."


def _gauntlet(found: Findings, focus: int) -> str:
    """Say how the player in focus does against each other one."""
    ordered = beaten(found.totals, found.listed, only=focus)
    groups: dict[str, list[str]] = {"ahead of": [], "behind": [], "not separable from": []}
    for player in found.listed:
        if (focus, player) in ordered:
            groups["ahead of"].append(found.name(player))
        elif (player, focus) in ordered:
            groups["behind"].append(found.name(player))
        elif player != focus:
            groups["not separable from"].append(found.name(player))
    parts = [f"{words} {listing(names)}" for words, names in groups.items() if names]
    return (
        f"{found.name(focus)} {_did(found, focus)}. One against one it is {listing(parts)} "
        f"(how often it finishes ahead, over {counted(found.totals.deals, 'deal')}, corrected for "
        f"{counted(len(found.listed) - 1, 'opponent')})."
    )


def _one_best(found: Findings) -> str:
    others = len(found.listed) - 1
    worse = "the other player" if others == 1 else f"each of the {others} other players"
    return (
        f"{found.name(found.best)} is the best of these {len(found.listed)} players: it "
        f"{_did(found, found.best)}, more than {worse} and beyond chance "
        f"over {counted(found.totals.deals, 'deal')}."
    )


def _several(found: Findings, level: tuple[int, ...]) -> str:
    others = [player for player in level if player != found.best]
    names = listing([found.name(player) for player in others])
    behind = len(found.listed) - len(level)
    rest = f" The other {behind} are behind beyond chance." if behind > 1 else ""
    if behind == 1:
        rest = " The remaining player is behind beyond chance."
    gap = ""
    if len(others) == 1:
        gap = f" ({_gap(found, found.against_best(others[0]))})"
    if all(rank == 1 for rank, player in found.ranking if player in level):
        same = listing([found.name(player) for player in level])
        return (
            f"No single best player: {same} did exactly equally well; "
            f"each {_did(found, found.best)}.{rest}"
        )
    return (
        f"No single best player: {found.name(found.best)} {_did(found, found.best)}, but "
        f"{names} cannot be told apart from it in {counted(found.totals.deals, 'deal')}{gap}.{rest}"
    )


def _gap(found: Findings, comparison: Comparison) -> str:
    """Write a paired difference: "difference 0.4 percentage points, -0.3 to 1.1"."""
    write = Numbers([comparison.difference], percent=found.by_wins)
    unit = "percentage points" if found.by_wins else "points a game"
    estimate = comparison.difference
    return f"difference {write.plain(estimate.value)} {unit}, {write.range(estimate)}"
