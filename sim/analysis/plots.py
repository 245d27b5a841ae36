"""Pictures of a run, as SVG and PNG, readable in black and white and for the colour-blind.

Nothing is told by colour alone: values stand in the cells, baselines are dashed, series differ by
marker. The same results give the same bytes at equal versions of matplotlib (extra `plots`), which
is imported on first use.
"""

from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from io import BytesIO
from math import isnan
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sim.analysis import figures
from sim.analysis.findings import Findings
from sim.analysis.statistics import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FOLDER: Final = "plots"

STYLE: Final[Any] = {
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "figure.dpi": 100,
    "savefig.dpi": 150,
    "svg.hashsalt": "bidsim",
    "svg.fonttype": "path",
    "axes.unicode_minus": False,
    "text.parse_math": False,
}
"""The salt makes the names inside an SVG the same each time; paths need no font of the reader."""

WIDTH: Final = 7.0
"""Inches."""

INK: Final = "black"
DARKEST: Final = "0.45"
"""Of the heat map: black figures can be read on it."""

MOST_CELLS: Final = 16
"""With more players the heat map has no values in its cells: they would not be readable."""

WIDE_SPAN: Final = 40
"""Points from which the axis of the score distribution is squeezed (symmetric logarithm)."""


def available() -> bool:
    """Say whether matplotlib is installed."""
    return find_spec("matplotlib") is not None


def render(figure: "Figure") -> dict[str, bytes]:
    """Give a figure as `svg` and `png`, without date, program or anything else that changes."""
    files = {}
    for kind, metadata in (("svg", {"Date": None, "Creator": None}), ("png", {"Software": None})):
        buffer = BytesIO()
        figure.savefig(buffer, format=kind, metadata=metadata)
        files[kind] = buffer.getvalue()
    return files


def draw(found: Findings) -> Iterator[tuple[str, dict[str, bytes]]]:
    """Draw all plots of a run that there is something to draw for: name and files of each."""
    import matplotlib as mpl

    if not found.totals.deals:
        return
    plots: dict[str, Callable[[Findings], Figure]] = {"standings": standings}
    if len(found.listed) > 1:
        plots["pairwise"] = pairwise
    plots |= {"seats": seats, "scores": scores}
    for name, plot in plots.items():
        with mpl.rc_context(STYLE):
            yield name, render(plot(found))


def new_figure(height: float, **more: Any) -> tuple["Figure", Any]:
    """Give a figure of the usual width and its axes, without any global state of pyplot."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    return figure, figure.subplots(**more)


def standings(found: Findings) -> "Figure":
    """Draw the headline figure of each player with its interval: a forest plot."""
    order = [player for _, player in found.ranking]
    figure, axes = new_figure(1.2 + 0.32 * len(order))
    scale = 100 if found.by_wins else 1
    estimates = [found.headlines[player] for player in order]
    rows = np.arange(len(order))[::-1]
    draw_intervals(axes, estimates, rows, scale)
    level = found.level_with_best if found.has_ranking else ()
    names = [
        found.labels[player] + (" =" if player in level and len(level) > 1 else "")
        for player in order
    ]
    axes.set_yticks(rows, names)
    axes.set_ylim(-0.7, len(order) - 0.3)
    baseline = figures.headline_baseline(found.totals)
    if baseline is not None:
        axes.axvline(baseline * scale, color=INK, linestyle="--", linewidth=1)
        note = "equally good players"
        axes.annotate(
            note,
            (baseline * scale, 1.0),
            xycoords=("data", "axes fraction"),
            xytext=(0, 3),
            textcoords="offset points",
            ha="center",
            fontsize=8,
        )
    axes.set_xlabel(_unit(found) + ", with 95 % intervals")
    if len(level) > 1:
        figure.supxlabel("=  not separable from the best", fontsize=8, x=0.99, ha="right")
    axes.grid(axis="x", color="0.9")
    return figure


def _unit(found: Findings) -> str:
    return "games won [%]" if found.by_wins else "points a game"


def draw_intervals(
    axes: "Axes", estimates: Sequence[Estimate], rows: Any, scale: float, *, upright: bool = False
) -> None:
    """Draw points with whiskers; a point without an interval is left hollow."""
    for row, found in zip(rows, estimates, strict=True):
        value = found.value * scale
        if not isnan(found.low):
            ends = (found.low * scale, found.high * scale)
            line = ([row, row], ends) if upright else (ends, [row, row])
            axes.plot(*line, color=INK, linewidth=1.5, solid_capstyle="butt")
        face = "white" if isnan(found.low) else INK
        x, y = (row, value) if upright else (value, row)
        axes.plot(x, y, "o", color=INK, markerfacecolor=face, markersize=4.5)


def pairwise(found: Findings) -> "Figure":
    """Draw how often the player of a row finishes ahead of that of a column: a heat map."""
    from matplotlib.colors import LinearSegmentedColormap

    totals = found.totals
    order = [player for _, player in found.ranking]
    place = {player: row for row, player in enumerate(order)}
    rates = np.full((len(order), len(order)), np.nan)
    for pair, (first, second) in enumerate(totals.pairs.tolist()):
        if first in place and second in place:
            rate = figures.ahead(totals, pair).value * 100
            rates[place[first], place[second]] = rate
            rates[place[second], place[first]] = 100 - rate
    size = max(3.0, 1.4 + 0.5 * len(order))
    figure, axes = new_figure(min(size, 9.0))
    greys = LinearSegmentedColormap.from_list("greys", ["white", DARKEST])
    axes.patch.set(facecolor="white", edgecolor="0.8", hatch="////")  # where no pair met
    image = axes.imshow(rates, cmap=greys, vmin=0, vmax=100, aspect="auto")
    names = [found.labels[player] for player in order]
    axes.set_xticks(range(len(order)), names, rotation=45, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(len(order)), names)
    axes.tick_params(length=0)
    for side in ("top", "right", "bottom", "left"):
        axes.spines[side].set_visible(False)
    if len(order) <= MOST_CELLS:
        for (row, column), rate in np.ndenumerate(rates):
            if not isnan(rate):
                axes.text(column, row, f"{rate:.1f}", ha="center", va="center", fontsize=9)
    what = "in a better place than" if totals.scoring.places else "with more points than"
    axes.set_xlabel(f"... {what} this player")
    axes.set_ylabel("this player finishes ...")
    figure.colorbar(image, ax=axes, label="games [%], level counts half")
    return figure


def seats(found: Findings) -> "Figure":
    """Draw how often each seat wins, whoever sits there."""
    totals = found.totals
    figure, axes = new_figure(3.0)
    estimates = [figures.seat_win_rate(totals, seat) for seat in range(totals.seats)]
    draw_intervals(axes, estimates, range(totals.seats), 100, upright=True)
    if totals.scoring.one_winner:
        axes.axhline(100 / totals.seats, color=INK, linestyle="--", linewidth=1)
        axes.annotate(
            "fair share",
            (1.0, 100 / totals.seats),
            xycoords=("axes fraction", "data"),
            xytext=(-2, 3),
            textcoords="offset points",
            ha="right",
            fontsize=8,
        )
    axes.set_xticks(range(totals.seats))
    axes.set_xlim(-0.5, totals.seats - 0.5)
    axes.set_xlabel("seat")
    axes.set_ylabel("games won [%],\nwith 95 % intervals")
    axes.grid(axis="y", color="0.9")
    return figure


def scores(found: Findings) -> "Figure":
    """Draw how many games ended with how many points, player by player."""
    order = [player for _, player in found.ranking]
    tallies = [dict(found.totals.score_tally[player]) for player in order]
    values = sorted(set().union(*tallies))
    figure, rows = new_figure(
        1.0 + 0.75 * len(order), nrows=len(order), sharex=True, sharey=True, squeeze=False
    )
    wide = values[-1] - values[0] > WIDE_SPAN
    highest = 0.0
    for axes, player, tally in zip(rows[:, 0], order, tallies, strict=True):
        games = sum(tally.values())
        points = sorted(tally)
        shares = [100 * tally[value] / games for value in points]
        highest = max(highest, *shares)
        axes.vlines(points, 0, shares, color=INK, linewidth=2)
        mean = figures.score(found.totals, player).value
        axes.plot(mean, 0, "^", color=INK, markerfacecolor="white", clip_on=False, zorder=3)
        axes.set_title(found.labels[player], loc="left", fontsize=9, pad=2)
        if wide:
            axes.set_xscale("symlog", linthresh=10)
            axes.xaxis.set_major_formatter(_plain_number)
        elif len(values) <= 12:
            axes.set_xticks(values)
    rows[-1, 0].set_ylim(0, highest * 1.08)
    rows[-1, 0].set_xlabel("points in a game (triangle: the mean)")
    figure.supylabel("games [%]", fontsize=10)
    return figure


def _plain_number(value: float, _: int) -> str:
    return f"{value:,.0f}"
