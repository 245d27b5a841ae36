"""The picture of a comparison of settings: a curve where one number is varied, else a list."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.analysis import figures
from sim.analysis.compare import Response
from sim.analysis.compare_report import name
from sim.analysis.plots import INK, STYLE, draw_intervals, new_figure, render
from sim.analysis.statistics import Estimate

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BAND = "0.85"


def draw(response: Response) -> Iterator[tuple[str, dict[str, bytes]]]:
    """Draw win rate and points by setting: name and files of each plot."""
    import matplotlib as mpl

    if not response.totals.deals:
        return
    for figure in ("win_rate", "score"):
        with mpl.rc_context(STYLE):
            yield f"response_{figure}", render(plot(response, figure))


def plot(response: Response, figure: str) -> "Figure":
    """Draw one figure: points with their intervals, over a band that covers all at once."""
    totals, rate = response.totals, figure == "win_rate"
    scale = 100 if rate else 1
    estimate = figures.win_rate if rate else figures.score
    points = [estimate(totals, setting.player) for setting in response.settings]
    band = response.band(figure)
    label = "games won [%]" if rate else "points a game"
    numbers = _numbers(response)
    if numbers is None:
        return _list(response, points, band, scale, label)
    order = np.argsort(numbers, kind="stable")
    x = numbers[order]
    canvas, axes = new_figure(3.6)
    lows, highs = (
        np.array([[band[i].low, band[i].high] for i in order]).T * scale
        if totals.deals > 1
        else np.full((2, len(x)), np.nan)
    )
    axes.fill_between(x, lows, highs, color=BAND, linewidth=0, label="band for all at once")
    values = np.array([points[i].value for i in order]) * scale
    axes.plot(x, values, color=INK, linewidth=1)
    sure = [not response.not_separable[i] for i in order]
    _points(axes, x, [points[i] for i in order], sure, scale)
    default = response.default
    if default is not None:
        at = numbers[response.settings.index(default)]
        axes.axvline(at, color=INK, linestyle=":", linewidth=1, label="default")
    baseline = totals.scoring.win_baseline if rate else 0.0
    if baseline is not None:
        axes.axhline(
            baseline * scale, color=INK, linestyle="--", linewidth=1, label="equally good players"
        )
    axes.set_xlabel(response.parameters[0])
    axes.set_ylabel(label)
    axes.grid(axis="y", color="0.9")
    canvas.legend(loc="outside lower center", ncols=3, fontsize=8, frameon=False)
    return canvas


def _points(axes: Any, x: Any, points: list[Estimate], sure: list[bool], scale: float) -> None:
    """Draw the intervals; settings not separable from the best are filled, the others hollow."""
    draw_intervals(axes, points, x, scale, upright=True)
    values = np.array([point.value for point in points]) * scale
    worse, level = np.array(sure), ~np.array(sure)
    style = {"color": INK, "linestyle": "", "marker": "o", "markersize": 6}
    if level.any():
        axes.plot(x[level], values[level], label="not separable from the best", **style)
    if worse.any():
        axes.plot(
            x[worse], values[worse], markerfacecolor="white", label="worse than the best", **style
        )


def _numbers(response: Response) -> Any:
    """Give the values of the varied parameter if it is one number a setting, else None."""
    if len(response.parameters) != 1:
        return None
    values = [setting.values[response.parameters[0]] for setting in response.settings]
    if any(isinstance(value, bool | str) for value in values):
        return None
    return np.array(values, np.float64)


def _list(
    response: Response, points: list[Estimate], band: list[Estimate], scale: float, label: str
) -> "Figure":
    """Draw settings that are no points on a line below each other."""
    canvas, axes = new_figure(1.4 + 0.3 * len(points))
    rows = np.arange(len(points))[::-1]
    if response.totals.deals > 1:
        lows = np.array([one.low for one in band]) * scale
        highs = np.array([one.high for one in band]) * scale
        axes.barh(
            rows, highs - lows, left=lows, height=0.6, color=BAND, label="band for all at once"
        )
    axes.use_sticky_edges = False
    draw_intervals(axes, points, rows, scale)
    values = np.array([point.value for point in points]) * scale
    worse = ~np.array(response.not_separable)
    style = {"color": INK, "linestyle": "", "marker": "o", "markersize": 6}
    if (~worse).any():
        axes.plot(values[~worse], rows[~worse], label="not separable from the best", **style)
    if worse.any():
        axes.plot(
            values[worse],
            rows[worse],
            markerfacecolor="white",
            label="worse than the best",
            **style,
        )
    names = [name(s) + (" (default)" if s.is_default else "") for s in response.settings]
    axes.set_yticks(rows, names)
    axes.set_xlabel(label + ", with 95 % intervals")
    axes.grid(axis="x", color="0.9")
    canvas.legend(loc="outside lower center", ncols=3, fontsize=8, frameon=False)
    return canvas
