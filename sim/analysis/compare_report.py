"""compare.md: the response to a setting, the set that may be best, and how the settings play."""

from collections.abc import Iterable
from functools import partial

from sim.analysis import figures
from sim.analysis.compare import Gap, Response, Setting
from sim.analysis.comparisons import Comparison
from sim.analysis.markdown import Numbers, counted, escape, listing, p_text, section, table
from sim.analysis.method import power
from sim.analysis.resample import REPLICATES
from sim.analysis.sections import column
from sim.analysis.statistics import separable


def name(setting: Setting) -> str:
    """Name a setting by its varied values.

    >>> name(Setting(0, {"aggressiveness": 0.5, "cautious": True}))
    'aggressiveness=0.5, cautious=true'
    """
    return ", ".join(f"{key}={_value(value)}" for key, value in setting.values.items())


def _value(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)


def bold(setting: Setting) -> str:
    """Name a setting for Markdown."""
    return f"**{escape(name(setting))}**"


def verdict(response: Response, confirmed: Comparison | None = None) -> str:
    """Say which setting did best, which others may be as good, and what fresh deals say.

    `confirmed`: best minus default on deals that were not used to find the best.
    """
    found, best = response.findings, response.best
    if not found.totals.deals:
        return "No deal has been finished yet: there is nothing to compare."
    if found.totals.deals == 1:
        return "Only one deal was played: it says nothing about chance, so no setting is better."
    estimate, write = found.headlines[best.player], found.numbers
    unit = " % of its games" if found.by_wins else " points a game"
    verb = "won" if found.by_wins else "scored"
    did = f"{verb} {write.plain(estimate.value)}{unit} (95 % interval {write.range(estimate)})"
    level = [
        setting
        for setting, same in zip(response.settings, response.not_separable, strict=True)
        if same and setting != best
    ]
    if level:
        names = listing([escape(name(setting)) for setting in level])
        text = f"{bold(best)} did best: it {did}; {names} cannot be told apart from it."
    elif len(response.settings) == 1:
        text = f"{bold(best)} {did}; there is no other setting to compare it with."
    else:
        others = counted(len(response.settings) - 1, "other setting")
        text = f"{bold(best)} is the best of these settings: it {did}, more than the {others}."
    return " ".join([text, *_about_default(response), *_confirmation(response, confirmed)])


def _about_default(response: Response) -> list[str]:
    default = response.default
    if default is None:
        return ["The default setting was not among them."]
    if default == response.best:
        return ["It is the default."]
    gap = next(g for g in response.to_default if g.comparison.first == response.best.player)
    return [f"The default, {escape(name(default))}, is {_size(response, gap.comparison)} behind."]


def _confirmation(response: Response, confirmed: Comparison | None) -> list[str]:
    if confirmed is None:
        return []
    deals = counted(confirmed.difference.deals, "fresh deal")
    size = _size(response, confirmed)
    if separable(confirmed.p) and confirmed.difference.value > 0:
        return [f"Confirmed: on {deals} it was ahead of the default by {size}."]
    return [f"Not confirmed: on {deals} it was ahead of the default by {size}."]


def _size(response: Response, comparison: Comparison) -> str:
    """Write a difference with its interval."""
    write = Numbers([comparison.difference], percent=response.findings.by_wins)
    unit = "percentage points" if response.findings.by_wins else "points a game"
    value, interval = comparison.difference.value, write.range(comparison.difference)
    return f"{write.plain(value)} {unit} ({interval})"


def sections(response: Response, pictures: Iterable[str] = ()) -> list[str]:
    """Write all sections after the verdict and the command."""
    if not response.totals.deals:
        return []
    drawn = set(pictures)
    images = [
        f"![{caption}](plots/{plot}.svg)"
        for plot, caption in (
            ("response_win_rate", "Games won by setting, with pointwise and simultaneous bands"),
            ("response_score", "Points by setting, with pointwise and simultaneous bands"),
        )
        if f"plots/{plot}.svg" in drawn
    ]
    return [
        curve(response),
        *images,
        gaps(response, "Distance from the best", response.best, response.to_best),
        ""
        if response.default == response.best
        else gaps(response, "Distance from the default", response.default, response.to_default),
        behaviour(response),
        roles(response),
        method(response),
    ]


def curve(response: Response) -> str:
    """Show win rate and points of each setting, with intervals and bands."""
    totals = response.totals
    players = [setting.player for setting in response.settings]
    bands = {figure: response.band(figure) for figure in ("win_rate", "score")}
    wins = column(players, partial(figures.win_rate, totals), percent=True)
    points = column(players, partial(figures.score, totals), percent=False)
    rows = []
    for number, setting in enumerate(response.settings):
        marks = " =" if response.not_separable[number] and sum(response.not_separable) > 1 else ""
        marks += " (default)" if setting.is_default else ""
        cells = [escape(name(setting)) + marks, wins[setting.player]]
        cells.append(Numbers(bands["win_rate"], percent=True).range(bands["win_rate"][number]))
        cells += [points[setting.player], Numbers(bands["score"]).range(bands["score"][number])]
        rows.append(cells)
    note = (
        "In brackets: the 95 % interval of each setting by itself. Band: covers all settings at "
        "once in 95 % of runs. `=`: not separable from the best."
    )
    header = ["setting", "win rate %", "band", "points a game", "band"]
    return section("Response", table(header, rows), note)


def gaps(response: Response, title: str, reference: Setting | None, found: list[Gap]) -> str:
    """Show paired differences to a setting, with both corrected p-values."""
    if reference is None or response.totals.deals < 2:
        return ""
    by_player = response.by_player
    shown = [gap for gap in found if gap.comparison.first != reference.player]
    if not shown:
        return ""
    by_wins = response.findings.by_wins
    write = Numbers([gap.comparison.difference for gap in shown], percent=by_wins)
    rows = [
        [
            escape(name(by_player[gap.comparison.first])),
            write.interval(gap.comparison.difference),
            p_text(gap.comparison.p_holm),
            p_text(gap.p_max_t),
        ]
        for gap in shown
    ]
    unit = "percentage points" if by_wins else "points a game"
    header = [f"minus {escape(name(reference))}", unit, "p (Holm)", "p (max-T)"]
    return section(title, table(header, rows))


def behaviour(response: Response) -> str:
    """Show how each setting plays: why the outcome may be what it is."""
    totals = response.totals
    if not totals.game.behaviours:
        return ""
    players = [setting.player for setting in response.settings]
    header, columns = ["setting"], []
    for figure in totals.game.behaviours:
        estimate = partial(figures.behaviour, totals, figure)
        columns.append(column(players, estimate, percent=False))
        header.append(f"{figure.label} [{figure.unit}]" if figure.unit else figure.label)
    rows = [
        [escape(name(setting)), *(cells[setting.player] for cells in columns)]
        for setting in response.settings
    ]
    return section("Behaviour", table(header, rows))


def roles(response: Response) -> str:
    """Show how each setting fares in each role."""
    totals = response.totals
    if not totals.game.roles:
        return ""
    players = [setting.player for setting in response.settings]
    first = totals.game.roles[0]
    header = ["setting", f"{first} in %"]
    columns = [column(players, partial(figures.role_rate, totals, 0), percent=True)]
    for number, role in enumerate(totals.game.roles):
        header.append(f"points as {role}")
        columns.append(column(players, partial(figures.role_score, totals, number), percent=False))
    rows = [
        [escape(name(setting)), *(cells[setting.player] for cells in columns)]
        for setting in response.settings
    ]
    return section("By role", table(header, rows))


def method(response: Response) -> str:
    """Say what the figures mean, and what the run could have seen."""
    pairs = len(response.findings.comparisons)
    best = (
        "All settings play the same deals in the same seats against the same field, so differences "
        "are paired on deals. What is said about the best is corrected for all "
        f"{counted(pairs, 'pair')} of settings, since it is picked from the same games; what is "
        "said about the default for the other settings only."
    )
    sequential = response.totals.planned is not None
    how = (
        "The run could stop early: intervals and p-values are confidence sequences, valid at any "
        "time; bands divide the level by the number of settings, and there is no max-T."
        if sequential
        else f"Bands and max-T p-values (Westfall and Young 1993, step-down) are from {REPLICATES} "
        "draws of whole deals with replacement; Holm is valid without them. The set not separable "
        "from the best is that of max-T."
    )
    parts = [best, how, power(response.findings)]
    return section("Method", "\n".join(f"- {part}" for part in parts if part))
