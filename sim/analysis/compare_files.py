"""From a stored comparison to its files: compare.md, compare.csv and plots."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pandas as pd

from sim.analysis import compare_report, html, response_plot, sections, tables
from sim.analysis import plots as drawing
from sim.analysis.compare import Response, Setting, table
from sim.analysis.comparisons import Comparison, compare_all
from sim.analysis.findings import Findings
from sim.analysis.markdown import counted, section
from sim.analysis.report import plan, records, remarks, totals_of, write_files
from sim.runner.spec import RunSpec, Value
from sim.runner.store import open_run

FORMAT: Final = "sim.comparison/1"


@dataclass(frozen=True)
class CompareResult:
    """What a comparison of settings has shown."""

    folder: Path
    spec: RunSpec
    verdict: str
    """The sentences that the report begins with, as Markdown."""
    table: pd.DataFrame
    """One row a setting: compare.csv."""

    def to_json(self) -> str:
        """Give the result as one JSON document; a figure that does not exist is null."""
        document: dict[str, Any] = {
            "format": FORMAT,
            "folder": str(self.folder),
            "spec": self.spec.model_dump(mode="json"),
            "verdict": self.verdict,
            "settings": records(self.table),
        }
        return json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False)


def write(
    folder: Path,
    settings: Mapping[str, Mapping[str, Value]],
    *,
    default: str | None,
    command: str,
    confirmation: Path | None = None,
    plots: bool | None = None,
) -> CompareResult:
    """Analyse the comparison stored in `folder` and write its files there.

    `settings`: by label, the values of the varied parameters; the other players are the field.
    `default`: the label of the setting with the strategy's own values. `confirmation`: the folder
    of a run on fresh deals with the best setting and the default.
    """
    run = open_run(folder)
    labels = [player.label for player in run.spec.players]
    chosen = [
        Setting(labels.index(label), values, label == default) for label, values in settings.items()
    ]
    findings = Findings(totals_of(run), labels, [setting.player for setting in chosen])
    response = Response(findings, chosen)
    confirmed = None if confirmation is None else confirm(confirmation, response)
    words = compare_report.verdict(response, confirmed)
    pictures = _pictures(response, drawing.available() if plots is None else plots)
    first = settings[next(iter(settings))]
    parts = [
        f"# {run.game.title}: {counted(len(chosen), 'setting')} of {', '.join(first)}",
        words,
        remarks(findings, run.spec, run.manifest),
        section("How to repeat it", f"```\n{command}\n```", f"{plan(findings, run.spec)}."),
        *compare_report.sections(response, pictures),
    ]
    if findings.totals.deals:
        parts.append(sections.faults(findings, run.manifest["given_up"]))
    text = "\n\n".join(part for part in parts if part) + "\n"
    frame = table(response)
    texts = {
        "compare.csv": tables.to_csv(frame),
        "compare.md": text,
        "compare.html": html.page(text, pictures),
    }
    write_files(folder, texts, pictures)
    return CompareResult(folder, run.spec, words, frame)


def confirm(folder: Path, response: Response) -> Comparison | None:
    """Compare the best setting with the default on fresh deals; None if there is nothing to do."""
    default = response.default
    if default is None or default == response.best:
        return None
    run = open_run(folder)
    labels = [player.label for player in run.spec.players]
    names = response.findings.labels
    pair: Sequence[int] = [labels.index(names[s.player]) for s in (response.best, default)]
    (found,) = compare_all(totals_of(run), pair)
    return found


def _pictures(response: Response, wanted: bool) -> dict[str, bytes]:
    if not wanted:
        return {}
    return {
        f"{drawing.FOLDER}/{name}.{kind}": data
        for name, files in response_plot.draw(response)
        for kind, data in files.items()
    }
