"""From a stored run to what people read: report.md and .html, CSV files, plots, the result object.

Nothing is played here. The same stored games give the same bytes, so that nothing of the machine,
the folder or the time may get into these files: that is what manifest.json is for.
"""

import json
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import isnan
from pathlib import Path
from typing import Any, Final

import pandas as pd

from sim.analysis import html, method, ratings, sections, tables
from sim.analysis import plots as drawing
from sim.analysis.accumulate import Totals, accumulate, columns
from sim.analysis.cycles import nash_average
from sim.analysis.findings import Findings, verdict
from sim.analysis.markdown import count, counted, escape, section
from sim.analysis.repeat import command
from sim.engines.base import Game
from sim.runner.manifest import add_files, write_whole
from sim.runner.spec import RunSpec
from sim.runner.store import RunFolder, open_run

FORMAT: Final = "sim.result/1"

REPORT: Final = "report.md"
PAGE: Final = "report.html"


@dataclass(frozen=True)
class Result:
    """What a run has shown: the tables of its folder as frames, and the verdict."""

    folder: Path
    spec: RunSpec
    verdict: str
    """The sentence that the report begins with, as Markdown."""
    standings: pd.DataFrame
    pairwise: pd.DataFrame
    seats: pd.DataFrame
    faults: pd.DataFrame
    ratings: pd.DataFrame | None
    """None where the game has no rating."""
    behaviour: pd.DataFrame
    """One row a listed player: each figure that the game declares, `_low` and `_high`."""

    def to_json(self) -> str:
        """Give the result as one JSON document; a figure that does not exist is null."""
        document: dict[str, Any] = {
            "format": FORMAT,
            "folder": str(self.folder),
            "spec": self.spec.model_dump(mode="json"),
            "verdict": self.verdict,
        }
        for name in ("standings", "pairwise", "seats", "faults", "ratings", "behaviour"):
            frame: pd.DataFrame | None = getattr(self, name)
            if frame is None:
                continue
            document[name] = records(frame)
        return json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False)


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Give the rows of a frame as JSON can hold them.

    >>> records(pd.DataFrame({"player": ["a"], "low": [float("nan")]}))
    [{'player': 'a', 'low': None}]
    """
    return [
        {str(key): _json_value(value) for key, value in row.items()}
        for row in frame.to_dict("records")
    ]


def _json_value(value: Any) -> Any:
    return None if isinstance(value, float) and isnan(value) else value


def write(folder: Path, *, plots: bool | None = None, nash: bool = False) -> Result:
    """Analyse the run stored in `folder` and write its report, tables and plots there.

    `plots`: None draws them where matplotlib is installed. `nash`: with Nash averaging, which draws
    the run anew a few hundred times.
    """
    run = open_run(folder)
    totals = totals_of(run)
    labels = [player.label for player in run.spec.players]
    listed = range(len(run.spec.listed))
    focus = None if run.spec.focus is None else labels.index(run.spec.focus)
    found = Findings(totals, labels, listed, focus)
    rating = ratings.fit(totals)
    pictures = _pictures(found, drawing.available() if plots is None else plots)
    result = Result(
        folder=folder,
        spec=run.spec,
        verdict=verdict(found),
        standings=tables.standings(totals, labels, listed),
        pairwise=tables.pairwise(totals, labels, listed),
        seats=tables.seats(totals),
        faults=tables.faults(totals, labels),
        behaviour=tables.behaviour(totals, labels, listed),
        ratings=None if rating is None else ratings.table(rating, labels, listed),
    )
    more = [
        sections.superiority(found),
        sections.rating(found, rating),
        sections.cycles(found),
    ]
    if nash:
        more.append(sections.nash(nash_average(totals, labels, listed)))
    report = text(found, run.spec, run.game, run.manifest, pictures=pictures, more=more)
    texts = {
        "standings.csv": tables.to_csv(result.standings),
        "pairwise.csv": tables.to_csv(result.pairwise),
        "seats.csv": tables.to_csv(result.seats),
        "faults.csv": tables.to_csv(result.faults),
        REPORT: report,
        PAGE: html.page(report, pictures),
    }
    if result.ratings is not None:
        texts["ratings.csv"] = tables.to_csv(result.ratings)
    write_files(folder, texts, pictures)
    return result


def write_files(folder: Path, texts: Mapping[str, str], pictures: Mapping[str, bytes]) -> None:
    """Write files of a run, and first note in its manifest that they are its own."""
    add_files(folder, [*texts, *pictures])
    for name, content in texts.items():
        write_whole(folder / name, content)
    for name, data in pictures.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        temporary = path.with_name(path.name + ".tmp")
        temporary.write_bytes(data)
        temporary.replace(path)


def _pictures(found: Findings, wanted: bool) -> dict[str, bytes]:
    """Draw the plots: path in the folder of the run and content."""
    if not wanted:
        return {}
    return {
        f"{drawing.FOLDER}/{name}.{kind}": data
        for name, files in drawing.draw(found)
        for kind, data in files.items()
    }


def totals_of(run: RunFolder) -> Totals:
    """Sum up a stored run as far as it is stored without a gap.

    What a run that was interrupted holds beyond a gap is left alone: quick games come in first, so
    whatever happened to be finished would be a biased choice.
    """
    whole = without_gap(run.manifest["parts"])
    wanted = columns(run.game, run.spec.seats)
    totals = accumulate(
        islice(run.parts(wanted), whole),
        game=run.game,
        scoring=run.game.scoring(run.rules),
        seats=run.spec.seats,
        players=len(run.spec.players),
    )
    if run.spec.stop is not None:  # valid wherever the rule let it end, the last deal included
        totals.planned = run.spec.deals
    return totals


def without_gap(parts: Sequence[Mapping[str, Any]]) -> int:
    """Count the parts up to the first gap between their ranges of blocks.

    >>> without_gap([{"first": 0, "stop": 5}, {"first": 5, "stop": 9}, {"first": 12, "stop": 20}])
    2
    """
    stop = 0
    for number, part in enumerate(parts):
        if part["first"] != stop:
            return number
        stop = part["stop"]
    return len(parts)


def text(
    found: Findings,
    spec: RunSpec,
    game: Game,
    manifest: Mapping[str, Any],
    *,
    pictures: Iterable[str] = (),
    more: Iterable[str] = (),
) -> str:
    """Write report.md; it links to the `pictures`, and has `more` sections after the matrix."""
    parts = [
        f"# {game.title}: {counted(len(spec.listed), 'player')} at {spec.seats} seats",
        verdict(found),
        remarks(found, spec, manifest),
        how(found, spec, game),
        *_results(found, manifest, set(pictures), more),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _results(
    found: Findings, manifest: Mapping[str, Any], pictures: Container[str], more: Iterable[str]
) -> list[str]:
    """Write the sections about what came out; without a game there is nothing to write."""
    if not found.totals.deals:
        return []

    def shown(name: str, caption: str) -> str:
        path = f"{drawing.FOLDER}/{name}.svg"
        return f"![{caption}]({path})" if path in pictures else ""

    return [
        sections.standings(found),
        shown("standings", "Headline figure of each player with its interval"),
        sections.differences(found),
        sections.matrix(found),
        shown("pairwise", "How often one player finishes ahead of another"),
        *more,
        sections.seats(found),
        shown("seats", "How often each seat wins"),
        sections.roles(found),
        sections.points(found),
        shown("scores", "How many games ended with how many points"),
        sections.behaviour(found),
        sections.course(found),
        sections.faults(found, manifest["given_up"]),
        method.note(found),
    ]


def remarks(found: Findings, spec: RunSpec, manifest: Mapping[str, Any]) -> str:
    """Say before anything else what limits the result."""
    totals = found.totals
    remarks = []
    early = manifest["stopped_early"]
    if early:
        remarks.append(
            f"The run stopped early ({escape(early['reason'])}), after {count(totals.deals)} of at "
            f"most {counted(spec.deals, 'deal')}; intervals and tests are valid for that."
        )
    elif totals.deals < spec.deals:
        remarks.append(
            f"The run is not complete: {count(totals.deals)} of {counted(spec.deals, 'deal')}."
        )
    forfeits = int(totals.faults.sum())
    if forfeits:
        remarks.append(f"{counted(forfeits, 'forfeit')} happened: see Forfeits.")
    remarks += [f"{escape(label)} was given up: see Forfeits." for label in manifest["given_up"]]
    return " ".join(remarks)


def how(found: Findings, spec: RunSpec, game: Game) -> str:
    """Say what was played, and how to play it again."""
    rules = ", ".join(f"{name}={value}" for name, value in spec.rules.items())
    played = [
        f"- Seed {spec.seed}; {plan(found, spec)}.",
        f"- Rules of {spec.game}, version {game.rules_version}" + (f": {rules}." if rules else "."),
        "- Versions, machine, times and the hashes of plugins: manifest.json.",
    ]
    return section("How to repeat it", f"```\n{command(spec, game)}\n```", "\n".join(played))


def plan(found: Findings, spec: RunSpec) -> str:
    """Write "3 line-ups x 2,000 deals x 6 seatings = 36,000 games"."""
    layout = found.totals.layout
    if layout is None:
        return counted(spec.deals, "deal")
    line_ups = int(layout.line_up.max()) + 1
    seatings = layout.games / line_ups
    each = counted(layout.games // line_ups, "seating")
    if not seatings.is_integer():
        each = f"{seatings:.2f} seatings on average"
    deals = counted(found.totals.deals, "deal")
    games = counted(found.totals.games, "game")
    return f"{counted(line_ups, 'line-up')} x {deals} x {each} = {games}"
