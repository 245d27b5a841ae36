"""The method note of a report: what the figures mean, and what the run could have seen."""

from math import isnan

from sim.analysis.comparisons import least_certain, least_detectable
from sim.analysis.findings import Findings
from sim.analysis.markdown import Numbers, count, counted, section
from sim.analysis.statistics import FEW_EVENTS, Estimate, deals_needed


def note(found: Findings) -> str:
    """Write the section."""
    parts = [_unit(found), _intervals(found), _comparisons(found), power(found), _left_out(found)]
    return section("Method", "\n".join(f"- {part}" for part in parts if part))


def _unit(found: Findings) -> str:
    totals = found.totals
    return (
        f"The unit is the deal: {counted(totals.deals, 'deal')}, one figure each, the mean over "
        "all games of the deal in which a player sits. All games of a deal share its luck, so "
        "games are not independent, and are not treated so. A player has one result a game, "
        "however many seats it holds: the sum of their points, the mean of their wins."
    )


def _intervals(found: Findings) -> str:
    reach = "mean +- t * sd / sqrt(deals)"
    if found.totals.planned is not None:
        reach = (
            "as the run could stop early, they are confidence sequences, which hold at whatever "
            f"deal it stopped (Waudby-Smith et al. 2024; at most {count(found.totals.planned)} "
            "deals), and so do the p-values"
        )
    text = (
        f"Intervals cover 95 %: {reach}. A rate without spread, or with fewer "
        f"than {FEW_EVENTS} deals' worth of wins or of losses, has Wilson's interval instead. "
        "Figures of behaviour and roles are ratios of two sums, with errors clustered on deals. "
        "A mean that was the same in every deal has an interval of no width: that is no promise "
        "for the next deal."
    )
    if found.totals.deals < 2:
        text += " With fewer than two deals a mean of points has no interval: the field is empty."
    return text


def _comparisons(found: Findings) -> str:
    pairs = len(found.comparisons)
    if not pairs or found.totals.deals < 2:
        return ""
    if found.focus is not None:
        return (
            f"Only line-ups with {found.name(found.focus)} were played, so it is compared one "
            "against one, by how often it finishes ahead (t test on deals against one half, Holm); "
            "the figures of the others are against fewer opponents than its own."
        )
    return (
        "Players are compared by differences paired on deals (t test), at 5 % for all "
        f"{counted(pairs, 'pair')} together (Holm 1979), since the best is picked from the same "
        "games. The baseline is what equally good players would get; tested with Holm over "
        "players."
    )


def power(found: Findings) -> str:
    """Say which difference the run could have detected, and what half of it would need."""
    worst = least_certain(found.comparisons) if found.focus is None else None
    planned = found.totals.planned
    least = least_detectable(found.comparisons, corrected=False, planned=planned)
    if worst is None or isnan(least) or not least > 0:
        return ""
    deals = deals_needed(least / 2, worst.error, worst.deals, planned=planned)
    text = (
        f"The smallest difference between two players that this run could have detected (80 % "
        f"power at 5 %) is {_difference(found, least)} for one pair named beforehand"
    )
    pairs = len(found.comparisons)
    if pairs > 1:
        all_pairs = least_detectable(found.comparisons, corrected=True, planned=planned)
        text += f", {_difference(found, all_pairs)} for any of the {pairs} pairs"
    return f"{text}. Half of it would need {count(deals)} deals."


def _difference(found: Findings, value: float) -> str:
    """Write a difference with two digits."""
    size = Estimate(value, 0.0, value, 0.0, 0)
    write = Numbers([size], percent=found.by_wins)
    return f"{write.plain(value)} {'percentage points' if found.by_wins else 'points a game'}"


def _left_out(found: Findings) -> str:
    totals = found.totals
    parts = []
    if totals.void:
        parts.append(
            f"{counted(totals.void, 'game')} of {count(totals.games)} had no result: 0 points "
            "for all, left out of win rates and of the order of players."
        )
    unlisted = [label for i, label in enumerate(found.labels) if i not in found.listed]
    if unlisted:
        parts.append(f"`{unlisted[0]}` only takes empty seats and is not ranked.")
    return " ".join(parts)
