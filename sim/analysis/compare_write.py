"""Write the files of a comparison: compare.csv, compare.md, its page and its plots.

A confirmation on fresh deals, if it has been played, lies in the folder `confirm` of the run.
"""

import json
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from sim.analysis import compare, compare_report, html, plots, response_plot, sections, tables
from sim.analysis.compare import Response, Setting
from sim.analysis.comparisons import Comparison, between
from sim.analysis.findings import Findings
from sim.analysis.markdown import counted, escape
from sim.analysis.report import how, records, remarks, totals_of, write_files
from sim.runner.comparison import confirmation, setting_values
from sim.runner.manifest import CONFIRMATION, NAME
from sim.runner.spec import RunSpec
from sim.runner.store import RunFolder, open_run

REPORT = "compare.md"
TABLE = "compare.csv"
PAGE = "compare.html"


@dataclass(frozen=True)
class CompareResult:
    """What a comparison of settings has shown."""

    folder: Path
    spec: RunSpec
    verdict: str
    table: pd.DataFrame
    """The rows of compare.csv: one a setting, in the order of the grid."""
    best: int
    """Number of the best setting."""

    def to_json(self) -> str:
        """Give the result as a JSON document."""
        return json.dumps(
            {
                "format": "sim.compare/1",
                "folder": str(self.folder),
                "spec": self.spec.model_dump(mode="json"),
                "verdict": self.verdict,
                "settings": records(self.table),
                "best": self.best,
            },
            indent=2,
        )


def read_response(run: RunFolder) -> Response:
    """Sum up a stored comparison."""
    assert run.spec.comparison is not None
    labels = [player.label for player in run.spec.players]
    found = Findings(totals_of(run), labels, range(len(run.spec.listed)), None)
    values = setting_values(run.spec)
    default = run.spec.comparison.default
    settings = [Setting(n, chosen, n == default) for n, chosen in enumerate(values)]
    return Response(found, settings)


def read_confirmation(run: RunFolder, response: Response) -> Comparison | None:
    """Read best minus default on fresh deals; None if that has not been played to its end."""
    folder = run.folder / CONFIRMATION
    wanted = confirmation(run.spec, response.best.player)
    if wanted is None or not (folder / NAME).exists():
        return None
    played = open_run(folder)
    if played.manifest["status"] != "done" or played.spec != wanted:
        return None
    fresh = read_response(played)
    assert wanted.comparison is not None
    default = wanted.comparison.default
    assert default is not None
    return between(fresh.findings.comparisons, 1 - default, default)


def write(folder: Path, *, draw: bool | None = None) -> CompareResult:
    """Analyse the comparison stored in `folder` and write its files there.

    `draw`: None draws the plots where matplotlib is installed.
    """
    run = open_run(folder)
    response = read_response(run)
    found = response.findings
    confirmed = read_confirmation(run, response)
    frame = compare.table(response)
    wanted = plots.available() if draw is None else draw
    pictures = {
        f"{plots.FOLDER}/{name}.{kind}": data
        for name, files in (response_plot.draw(response) if wanted else ())
        for kind, data in files.items()
    }
    told = compare_report.verdict(response, confirmed)
    bot = run.spec.comparison.bot if run.spec.comparison is not None else ""
    many = counted(len(response.settings), "setting")
    parts = [
        f"# {run.game.title}: {many} of {escape(bot)}",
        told,
        remarks(found, run.spec, run.manifest),
        how(found, run.spec, run.game),
        *compare_report.sections(response, pictures),
        sections.faults(found, run.manifest["given_up"]),
    ]
    text = "\n\n".join(part for part in parts if part) + "\n"
    texts = {
        TABLE: tables.to_csv(frame),
        REPORT: text,
        PAGE: html.page(text, pictures),
        "faults.csv": tables.to_csv(tables.faults(found.totals, found.labels)),
    }
    write_files(folder, texts, pictures)
    return CompareResult(
        folder=folder, spec=run.spec, verdict=told, table=frame, best=response.best.player
    )
