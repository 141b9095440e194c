"""`podium score` and `validate`: the server's own judge on a file of one's own. No server, no
network, no split: the whole truth is one split."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.cli.outcome import Exit, complain, report_rejection
from app.cli.printing import AsJson, print_facts, print_json
from app.cli.tasks import task_for, task_to_validate
from app.cli.truths import canonical, unusable
from app.errors import NotConfigured

if TYPE_CHECKING:
    from app.scoring.kinds import Published
    from app.scoring.result import SplitScore
    from app.scoring.task import Task

File = Annotated[
    Path, typer.Argument(exists=True, dir_okay=False, help="CSV, gz, zst, zip or Parquet.")
]
Preset = Annotated[str | None, typer.Option(help="A known competition: otto (the default).")]
Metrics = Annotated[
    list[str] | None, typer.Option("--metric", help="One objective, e.g. recall_capped@20.")
]
Average = Annotated[str | None, typer.Option(help="macro or micro, with --metric.")]
MissingRows = Annotated[str, typer.Option(help="reject or zero: what a missing row means.")]


def score(
    file: File,
    truth: Annotated[Path, typer.Option(exists=True, dir_okay=False, help="The ground truth.")],
    preset: Preset = None,
    metric: Metrics = None,
    average: Average = None,
    missing_rows: MissingRows = "reject",
    as_json: AsJson = False,
) -> None:
    """Score a submission against a ground truth, exactly as the server does.

    Exit code 3, with every problem's line, if the file is rejected.
    """
    _regular(file, truth)
    task = task_for(truth, preset, metric, average, missing_rows)
    document = _judged(lambda: _score(file, truth, task))
    if as_json:
        print_json(document)
    elif document["status"] == "scored":
        print_facts({"score": document["score"], **_flat(document), **document["counts"]})
    _end(file, document)


def validate(
    file: File,
    sample: Annotated[
        Path | None, typer.Option(exists=True, dir_okay=False, help="The sample submission.")
    ] = None,
    truth: Annotated[
        Path | None, typer.Option(exists=True, dir_okay=False, help="The ground truth.")
    ] = None,
    preset: Preset = None,
    metric: Metrics = None,
    missing_rows: MissingRows = "reject",
    as_json: AsJson = False,
) -> None:
    """Check a submission as the server does, against the ids of a sample or of a ground truth.

    Exit code 3, with every problem's line, if the file would be rejected.
    """
    if (sample is None) == (truth is None):
        raise NotConfigured("Give either --sample or --truth: they say which ids are asked for.")
    _regular(file, *filter(None, (sample, truth)))
    if truth is not None:
        task = task_to_validate(truth, preset, metric, missing_rows)
        document = _judged(lambda: _validate(file, canonical(truth, task)[1], task))
    if sample is not None:
        task = task_to_validate(sample, preset, metric, missing_rows)
        document = _judged(lambda: _validate(file, _listed(sample, task), task))
    if as_json:
        print_json(document)
    elif document["status"] == "valid":
        print_facts({"status": "valid", **document["counts"]})
    _end(file, document)


def _regular(*files: Path) -> None:
    """Refuses pipes and devices, because files are read more than once."""
    for file in files:
        if not file.is_file():
            raise NotConfigured(f"{file} is not a regular file: save what it gives to one first.")


def _judged(judge: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    from app.scoring.problems import FileRejected

    try:
        return judge()
    except FileRejected as refusal:
        return {"status": "rejected", "problem": refusal.rejection.to_dict()}


def _end(file: Path, document: dict[str, Any]) -> None:
    if document["status"] == "rejected":
        report_rejection(str(file), document["problem"])
        raise typer.Exit(Exit.REJECTED)


def _score(file: Path, truth: Path, task: Task) -> dict[str, Any]:
    from app.scoring.engine import judge

    known, published = canonical(truth, task)
    for warning in known.warnings:
        complain(f"{truth}: {warning}.")
    with tempfile.TemporaryDirectory(prefix="podium-") as scratch:
        scored = judge(file, task=task, published=published, truth=known, scratch=Path(scratch))
    whole = scored.splits["all"]
    return {
        "status": "scored",
        "score": float(abs(whole.score(task))),
        "standard_error": whole.standard_error,
        "objectives": {
            name: {
                "score": float(whole.values[name]),
                "hits": whole.hits[name],
                "denominator": whole.denominators[name],
            }
            for name in task.names
        },
        "metrics": _metrics(whole, task),
        "counts": dict(scored.counts),
    }


def _metrics(whole: SplitScore, task: Task) -> dict[str, float]:
    """Each metric's weighted value by its name: the one that scores, if it is one, and the
    diagnostics."""
    from app.scoring.metrics import metric_of

    scoring = {objective.metric for objective in task.objectives}
    values = {
        metric_of(only).name: float(abs(whole.score(task))) for only in scoring if len(scoring) == 1
    }
    return values | {
        metric_of(metric).name: float(whole.diagnostic(metric, task)) for metric in task.diagnostics
    }


def _validate(file: Path, published: Published, task: Task) -> dict[str, Any]:
    from app.scoring import engine

    with tempfile.TemporaryDirectory(prefix="podium-") as scratch:
        counts = engine.validate(file, task=task, published=published, scratch=Path(scratch))
    return {"status": "valid", "counts": dict(counts)}


def _listed(sample: Path, task: Task) -> Published:
    from app.scoring.kinds import read_published
    from app.scoring.problems import FileRejected

    try:
        return read_published(sample, task=task)
    except FileRejected as refusal:
        raise unusable(sample, refusal) from None


def _flat(document: dict[str, Any]) -> dict[str, str]:
    """The objectives and metrics of a score as lines of text."""
    lines = {
        name: f"{part['score']}  ({part['hits']} of {part['denominator']})"
        for name, part in document["objectives"].items()
        if name
    }
    return lines | {name: str(value) for name, value in document["metrics"].items()}
