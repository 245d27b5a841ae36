"""The sections of report.md. Each is a function of the findings; an empty text leaves it out."""

from collections.abc import Callable, Iterable
from functools import partial
from math import isnan

import pandas as pd

from sim.analysis import figures
from sim.analysis.accumulate import Totals, categories, game_figures, sum_counters
from sim.analysis.cycles import find_cycles
from sim.analysis.findings import Findings
from sim.analysis.markdown import NONE, Numbers, count, escape, p_text, section, table
from sim.analysis.ratings import ELO, Fit, by_strength
from sim.analysis.statistics import Estimate, top_share
from sim.engines.base import FAULT_CATEGORIES, Counter

INTERVALS_IN_MATRIX = 6
"""With more players the cells of the pairwise matrix hold the rate alone, to stay readable."""

TIMEOUT = FAULT_CATEGORIES.index("timeout")

EstimateOf = Callable[[int], Estimate]


def standings(found: Findings) -> str:
    """Rank the players, with the baseline beside and who cannot be told apart from the best."""
    totals, scoring = found.totals, found.totals.scoring
    columns = [
        ("win rate %", True, partial(figures.win_rate, totals)),
        ("points a game", False, partial(figures.score, totals)),
    ]
    if not found.by_wins:
        columns.reverse()
    if scoring.places:
        columns.append(("place", False, partial(figures.place, totals)))
    cells = [column(found.listed, estimate, percent=percent) for _, percent, estimate in columns]
    baseline = figures.headline_baseline(totals)
    write = found.numbers
    level = found.level_with_best if found.has_ranking else ()
    if len(level) == 1:
        level = ()
    rows = []
    for rank, player in found.ranking:
        row = [str(rank), escape(found.labels[player]) + (" =" if player in level else "")]
        row += [count(totals.games_of(player)), cells[0][player]]
        row += [write.plain(baseline) if baseline is not None else NONE]
        row += [found.against_baseline(player) or NONE, *(column[player] for column in cells[1:])]
        rows.append([*row, count(int(totals.faults[player].sum()))])
    header = ["rank", "player", "games", columns[0][0], "baseline", "against it"]
    header += [*(name for name, _, _ in columns[1:]), "forfeits"]
    return section("Standings", table(header, rows, text_columns=2), _standings_notes(found, level))


def column(players: Iterable[int], estimate: EstimateOf, *, percent: bool) -> dict[int, str]:
    """Write one figure of each player with its interval."""
    found = {player: estimate(player) for player in players}
    write = Numbers(found.values(), percent=percent)
    return {player: write.interval(one) for player, one in found.items()}


def _standings_notes(found: Findings, level: tuple[int, ...]) -> str:
    notes = "In brackets: 95 % intervals."
    if level:
        notes += " `=`: not separable from the best (paired differences, Holm, all pairs)."
    if found.totals.deals == 1:
        notes += " One deal has no spread, so there is no interval for points and places."
    if not found.equal_opponents:
        notes += (
            " Not every two players met equally often, so these figures are against different "
            "opponents: compare with care, and see who is ahead of whom below."
        )
    return notes


def differences(found: Findings) -> str:
    """List how far the best is ahead of each other player."""
    if not found.has_ranking:
        return ""
    pairs = [found.against_best(player) for _, player in found.ranking if player != found.best]
    write = Numbers([pair.difference for pair in pairs], percent=found.by_wins)
    unit = "percentage points" if found.by_wins else "points a game"
    rows = [
        [escape(found.labels[p.second]), write.interval(p.difference), p_text(p.p_holm)]
        for p in pairs
    ]
    header = [f"{escape(found.labels[found.best])} ahead of", f"by ({unit})", "p (Holm)"]
    return section("Distance from the best", table(header, rows))


def matrix(found: Findings) -> str:
    """Show how often the player of a row finishes ahead of that of a column."""
    totals = found.totals
    if len(found.listed) < 2 or not totals.deals:
        return ""
    rates: dict[tuple[int, int], Estimate] = {}
    for pair, (first, second) in enumerate(totals.pairs.tolist()):
        rate = figures.ahead(totals, pair)
        rates[first, second] = rate
        turned = Estimate(1 - rate.value, 1 - rate.high, 1 - rate.low, rate.error, rate.deals)
        rates[second, first] = turned
    write = Numbers(rates.values(), percent=True)
    order = [player for _, player in found.ranking]
    wide = len(order) > INTERVALS_IN_MATRIX

    def cell(row: int, column: int) -> str:
        rate = rates.get((row, column))
        if rate is None:
            return NONE
        if not wide:
            return write.interval(rate)
        certain = rate.low > 0.5 or rate.high < 0.5
        return write.plain(rate.value) + ("\\*" if certain else "")

    rows = [[escape(found.labels[row]), *(cell(row, column) for column in order)] for row in order]
    header = ["% ahead of", *(escape(found.labels[column]) for column in order)]
    meaning = "finished in a better place" if totals.scoring.places else "scored more"
    note = f"How often the player of the row {meaning} than that of the column; level counts half."
    if wide:
        note += " `*`: the interval excludes 50 %; intervals are in pairwise.csv."
    return section("Against each other", table(header, rows), note)


def rating(found: Findings, fit: Fit | None) -> str:
    """Show ratings on the Elo scale, and what the seats or roles are worth."""
    totals = found.totals
    if fit is None or len(found.listed) < 2:
        return ""
    thetas = {player: fit.strength(player, found.listed) for player in found.listed}
    order = by_strength({player: theta.value for player, theta in thetas.items()})
    write = Numbers(_on_elo(theta) for theta in thetas.values())
    rows = [
        [escape(found.labels[player]), write.interval(_on_elo(thetas[player]))] for player in order
    ]
    terms = [_on_elo(fit.term(number, totals.players)) for number in range(len(fit.names))]
    write = Numbers(terms)
    extra = [[name, write.interval(term)] for name, term in zip(fit.names, terms, strict=True)]
    model = {
        "luce": "Luce's choice model with a term for each seat",
        "bradley-terry-roles": "Bradley and Terry's model with a term for the role",
    }[totals.scoring.rating or "luce"]
    note = (
        f"{model}: one maximum likelihood fit of all games, errors clustered on deals; 400 points "
        "are odds of 10 to 1, the mean of the players is 0. Every player has one phantom game "
        "more, half won and half lost, which keeps a rating finite."
    )
    return section("Ratings", table(["player", "Elo"], rows), table(["worth", "Elo"], extra), note)


def _on_elo(theta: Estimate) -> Estimate:
    value, low, high, error = (ELO * x for x in (theta.value, theta.low, theta.high, theta.error))
    return Estimate(value, low, high, error, theta.deals)


def cycles(found: Findings) -> str:
    """Say where "better than" goes in a circle."""
    if len(found.listed) < 3 or found.totals.deals < 2:
        return ""
    circles = find_cycles(found.totals, found.listed)
    if not circles:
        return section("Circles", "No three players beat each other in a circle beyond chance.")
    names = [[found.labels[player] for player in circle.players] for circle in circles]
    rows = [
        [" > ".join(map(escape, [*circle, circle[0]])), p_text(one.p)]
        for circle, one in zip(names, circles, strict=True)
    ]
    note = "Each finishes ahead of the next one beyond chance, so no single ranking is the truth."
    return section("Circles", table(["circle", "p (Holm)"], rows), note)


def nash(averages: pd.DataFrame | None) -> str:
    """Show the Nash averages."""
    if averages is None:
        text = "There is none: not every two players met."
        return section("Nash averaging", text)
    rows = [
        [
            escape(row["player"]),
            f"{row['weight']:.3f}",
            NONE if isnan(row["support"]) else f"{row['support']:.0%}",
            f"{row['nash_rating']:.4f} ({row['nash_low']:.4f} to {row['nash_high']:.4f})",
        ]
        for row in averages.to_dict("records")
    ]
    note = (
        "The mixture of players that no player beats (Balduzzi et al. 2018), how often a player "
        "is part of it when the deals are drawn anew, and how much more often than half a player "
        "finishes ahead of that mixture."
    )
    header = ["player", "weight", "in the mixture", "rating"]
    return section("Nash averaging", table(header, rows), note)


def superiority(found: Findings) -> str:
    """Show the likelihood that the player of a row is better than that of a column."""
    if not found.has_ranking:
        return ""
    order = [player for _, player in found.ranking]

    def cell(row: int, column: int) -> str:
        if row == column:
            return NONE
        return f"{found.comparison(row, column).superiority:.1%}"

    rows = [[escape(found.labels[row]), *(cell(row, column) for column in order)] for row in order]
    header = ["better than", *(escape(found.labels[column]) for column in order)]
    note = (
        "From the paired difference of the two in the headline figure, each pair by itself; with "
        "many pairs some high ones are chance."
    )
    return section("Likelihood of superiority", table(header, rows), note)


def seats(found: Findings) -> str:
    """Show how often each seat wins, whoever sits there."""
    totals = found.totals
    if not totals.deals:
        return ""
    cells = column(range(totals.seats), partial(figures.seat_win_rate, totals), percent=True)
    wins = totals.seat_wins.sum(axis=1, dtype=int)
    rows = [
        [str(seat), count(totals.games), count(int(wins[seat])), cells[seat]]
        for seat in range(totals.seats)
    ]
    return section(
        "Seats", table(["seat", "games", "wins", "win rate %"], rows), _seat_note(totals)
    )


def _seat_note(totals: Totals) -> str:
    """Say whether the advantage of a seat can have helped anybody."""
    assert totals.layout is not None
    often = totals.layout.seat_counts(totals.players)
    if all(len(set(row)) == 1 for row in often.tolist()):
        return "Every player sat in each seat equally often, so no seat favours anybody here."
    return "Not every player sat in each seat equally often: a good seat may have helped."


def behaviour(found: Findings) -> str:
    """Show how the players play."""
    totals = found.totals
    if not totals.game.behaviours or not totals.deals:
        return ""
    header, columns = ["player"], []
    for figure in totals.game.behaviours:
        estimate = partial(figures.behaviour, totals, figure)
        columns.append(column(found.listed, estimate, percent=False))
        header.append(f"{figure.label} [{figure.unit}]" if figure.unit else figure.label)
    rows = [
        [escape(found.labels[player]), *(column[player] for column in columns)]
        for _, player in found.ranking
    ]
    return section("Behaviour", table(header, rows))


def roles(found: Findings) -> str:
    """Show how each player fares in each role, by appearance."""
    totals = found.totals
    if not totals.game.roles or not totals.deals:
        return ""
    header, columns = ["player"], []
    for number, role in enumerate(totals.game.roles):
        for name, percent, estimate in (
            (f"{role} in %", True, figures.role_rate),
            (f"points as {role}", False, figures.role_score),
            (f"wins as {role} %", True, figures.role_win_rate),
        ):
            if estimate is figures.role_rate and number:
                continue  # the other roles follow from the first
            header.append(name)
            columns.append(column(found.listed, partial(estimate, totals, number), percent=percent))
    rows = [
        [escape(found.labels[player]), *(column[player] for column in columns)]
        for _, player in found.ranking
    ]
    note = "Each seat counts by itself; games that ended before there were roles are left out."
    return section("By role", table(header, rows), note)


def points(found: Findings) -> str:
    """Show how far the mean rests on a few games, where points have heavy tails."""
    totals, clip = found.totals, found.totals.scoring.clip
    if clip is None or not totals.deals:
        return ""
    write = Numbers([figures.score(totals, player) for player in found.listed])
    rows = [
        [
            escape(found.labels[player]),
            write.plain(figures.score(totals, player).value),
            write.plain(figures.score_clipped(totals, player, clip)),
            f"{figures.score_median(totals, player):g}",
        ]
        for _, player in found.ranking
    ]
    share = top_share(dict(totals.stake_tally))
    note = "" if share != share else f"The top 1 % of the games moved {share:.1%} of all points."
    header = ["player", "mean", f"mean, games clipped at +-{clip}", "median"]
    return section("Points", table(header, rows), note)


def course(found: Findings) -> str:
    """Show what happened in the games: means per game, and shares of categories."""
    totals = found.totals
    if not totals.deals:
        return ""
    labels = {counter.name: counter.label for counter in totals.game.counters}
    names = [*game_figures(totals.game), *sum_counters(totals.game, "game")]
    means = {name: totals.game_sums[name].estimate(planned=totals.planned) for name in names}
    rows = [
        [labels.get(name, name), Numbers([mean]).interval(mean)] for name, mean in means.items()
    ]
    parts = [table(["per game", "mean"], rows)]
    for counter in categories(totals.game, "game"):
        tally: dict[int, int] = dict(totals.game_tally.get(counter.name, {}))
        shares = [
            [_category(counter, value), count(tally[value]), f"{tally[value] / totals.games:.2%}"]
            for value in sorted(tally)
        ]
        parts.append(table([counter.label, "games", "share"], shares))
    if not totals.scoring.one_winner:
        share = totals.void / totals.games
        parts.append(f"Games without a result: {count(totals.void)} ({share:.2%}).")
    return section("The games", *parts, *_seat_counters(found))


def _category(counter: Counter, value: int) -> str:
    return counter.categories.get(value, str(value))


def _seat_counters(found: Findings) -> Iterable[str]:
    """Show per-seat counters by player: means per game, and shares of categories."""
    totals = found.totals
    labels = {counter.name: counter.label for counter in totals.game.counters}
    names = sum_counters(totals.game, "seat")
    if names:
        columns = [
            column(found.listed, partial(figures.per_appearance, totals, name), percent=False)
            for name in names
        ]
        rows = [
            [escape(found.labels[player]), *(column[player] for column in columns)]
            for _, player in found.ranking
        ]
        yield table(["per game and seat", *(labels[name] for name in names)], rows)
    for counter in categories(totals.game, "seat"):
        tallies = totals.seat_tally.get(counter.name, {})
        values = sorted({value for player in found.listed for value in tallies.get(player, {})})
        rows = []
        for _, player in found.ranking:
            tally: dict[int, int] = dict(tallies.get(player, {}))
            every = sum(tally.values())
            shares = [f"{tally.get(value, 0) / every:.2%}" if every else NONE for value in values]
            rows.append([escape(found.labels[player]), *shares])
        yield table([counter.label, *(_category(counter, value) for value in values)], rows)


def faults(found: Findings, given_up: Iterable[str] = ()) -> str:
    """Show who forfeited and why."""
    totals = found.totals
    if not totals.faults.any():
        return section("Forfeits", "None.")
    rows = [
        [escape(label), *(count(int(number)) for number in totals.faults[player, 1:])]
        for player, label in enumerate(found.labels)
        if totals.faults[player].any()
    ]
    notes = ["A forfeit loses the game. Positions and tracebacks are in faults.jsonl."]
    if totals.faults[:, TIMEOUT].any():
        notes.append(
            "A time-out depends on the machine and its load: the games with `timeout` in "
            "faults.jsonl, and what was made of them here, may come out otherwise elsewhere."
        )
    for label in given_up:
        notes.append(
            f"**{escape(label)}** had to be stopped so often that it was given up: "
            "from then on it forfeited every game at its first turn."
        )
    header = ["player", *FAULT_CATEGORIES[1:]]
    return section("Forfeits", table(header, rows), " ".join(notes))
