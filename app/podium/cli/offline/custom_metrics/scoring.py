"""`podium score --metric-file`: scores a submission by a custom metric at home."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from podium.cli.offline.custom_metrics.running import (
    Arguments,
    MetricAtHome,
    arguments_at_home,
    metric_at_home,
    solution_at_home,
)
from podium.cli.offline.truths import hints_for_submission
from podium.cli.outcome import Exit, complain, report_rejection
from podium.cli.parameters.files import file_option
from podium.cli.printing import print_json, print_outcome
from podium.sandbox.serialization import encoded

if TYPE_CHECKING:
    from podium.cli.offline.custom_metrics.tables import SubmissionFiles
    from podium.cli.offline.tasks import TaskOptions
    from podium.custom_metric_runner.values import MetricRun


@dataclass(frozen=True)
class CustomMetricOptions:
    """A custom metric that scores instead of a built-in one, with its arguments."""

    metric_file: Annotated[
        Path | None,
        file_option(
            "A metric of your own for tables, a .py file or a zip with one package: runs in"
            " the same sandbox as on a server. --preset is then a file of the competition's"
            " settings; without it the columns are those of the solution, or those that --columns"
            " names."
        ),
    ] = None
    arguments: Arguments = None
    lower_is_better: Annotated[
        bool, typer.Option("--lower-is-better", help="With --metric-file: lower is better.")
    ] = False


def score_by_file(
    files: SubmissionFiles, custom: CustomMetricOptions, options: TaskOptions, *, as_json: bool
) -> None:
    """Scores each split of a solution, and prints the scores; ends the command unless all are
    measured."""
    assert custom.metric_file is not None, "the caller has it"
    file, preset, columns = files.submission, options.preset, options.columns
    with metric_at_home(custom.metric_file, "podium score --metric-file") as metric:
        solution = solution_at_home(metric, files, preset, columns, options.metrics or [])
        values = arguments_at_home(metric, custom.arguments)
        read = metric.canonical(file, solution.published)
        if not isinstance(read, Path):
            problem = encoded(read)
            if as_json:
                print_json({"status": "rejected", "problem": problem})
            report_refusal(metric, files, problem, preset or columns)
            raise typer.Exit(Exit.REJECTED)
        runs = {name: metric.run(read, part, values) for name, part in solution.parts.items()}
    document = _document(runs, lower_is_better=custom.lower_is_better)
    facts = _facts(runs, lower_is_better=custom.lower_is_better)
    print_outcome(document, facts, as_json=as_json)
    _end(file, custom.metric_file, runs)


def report_refusal(
    metric: MetricAtHome, files: SubmissionFiles, problem: dict[str, Any], named: str | None
) -> None:
    """Reports the problem of a submission; `named` are settings, or columns of an option."""
    report_rejection(str(files.submission), problem)
    assert metric.form is not None, "it is described before a file is read"
    free = {"is_free": named is None, "takes_ids": files.ids is None}
    for hint in hints_for_submission(files.submission, problem, metric.form.task, **free):
        complain(hint)


def number_of(run: MetricRun) -> float | None:
    """Returns the score as a float; None if there is none."""
    return None if run.score is None else float.fromhex(run.score)


def _document(runs: dict[str, MetricRun], *, lower_is_better: bool) -> dict[str, Any]:
    outcomes = {run.outcome for run in runs.values()}
    worst = next((each for each in ("failed", "refused") if each in outcomes), "measured")
    return {
        "status": {"measured": "scored", "refused": "rejected"}.get(worst, worst),
        "score": number_of(next(iter(runs.values()))),
        "lower_is_better": lower_is_better,
        "splits": {name: _split(run) for name, run in runs.items()},
        "processor": next(iter(runs.values())).processor,
    }


def _split(run: MetricRun) -> dict[str, Any]:
    numbers = {name: float.fromhex(text) for name, text in (run.numbers or {}).items()}
    return {
        "outcome": run.outcome,
        "score": number_of(run),
        "standard_error": run.standard_error,
        "numbers": numbers,
        "rows": run.rows,
        "text": run.text,
        "report": run.report,
        "output": run.output,
    }


def _facts(runs: dict[str, MetricRun], *, lower_is_better: bool) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    for name, run in runs.items():
        facts[name] = number_of(run) if run.outcome == "measured" else run.outcome
        if run.standard_error is not None:
            facts[f"{name} standard error"] = run.standard_error
        for number, text in (run.numbers or {}).items():
            facts[f"{name} {number}"] = float.fromhex(text)
        facts[f"{name} rows"] = run.rows
    return {**facts, "better is": "lower" if lower_is_better else "higher"}


def _end(file: Path, metric_file: Path, runs: dict[str, MetricRun]) -> None:
    """Ends the command if a split was not measured, after reporting each such split."""
    for name, run in runs.items():
        if run.outcome == "refused":
            complain(f"{file}, {name}: the metric refuses it: {run.text}")
        elif run.outcome == "failed":
            complain(f"{metric_file}, {name}: the metric failed.\n{run.report.rstrip()}")
            if run.output.strip():
                complain(f"It had printed:\n{run.output.rstrip()}")
    outcomes = {run.outcome for run in runs.values()}
    if "failed" in outcomes:
        raise typer.Exit(Exit.SERVER)
    if "refused" in outcomes:
        raise typer.Exit(Exit.REJECTED)
