"""`podium metric check`: whether a custom metric is accepted, and whether its scores are
reproducible."""

from __future__ import annotations

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
from podium.cli.offline.custom_metrics.scoring import number_of, report_refusal
from podium.cli.offline.custom_metrics.tables import SubmissionFiles
from podium.cli.offline.described import IdsFile
from podium.cli.outcome import Exit, complain
from podium.cli.parameters.files import file_argument, file_option
from podium.cli.printing import AsJson, print_outcome
from podium.errors import NotConfigured
from podium.sandbox.serialization import encoded

if TYPE_CHECKING:
    from podium.custom_metric_runner.values import CodeProblem, MetricChecked, MetricRun

HASH_SEEDS = (1, 2, 3)
"""Seeds of Python's hashes, one for each of the processes that must agree."""

SHUFFLED_BY = 1

TOLERANCE = 1e-9
"""The relative difference up to which scores with the rows in another order count as equal."""


def check(
    file: Annotated[Path, file_argument("The metric: .py, or a zip.")],
    solution: Annotated[Path | None, file_option("A solution to try it with.")] = None,
    submission: Annotated[Path | None, file_option("A submission to try it with.")] = None,
    published_ids: IdsFile = None,
    preset: Annotated[
        str | None,
        typer.Option(
            help="A file of the competition's settings; else the solution tells the columns."
        ),
    ] = None,
    columns: Annotated[
        str | None,
        typer.Option(metavar="NAMES", help="The submission's columns, such as id,low,high."),
    ] = None,
    arguments: Arguments = None,
    as_json: AsJson = False,
) -> None:
    """Check a custom metric as a server does before accepting it: load it, and run its doctests.

    With --solution and --submission it also scores them: three processes with different hash
    seeds (PYTHONHASHSEED) must agree to the last bit, and a score that depends on the order of
    rows is a warning.

    Exit code 3, with every problem's line, if the file would be refused or its score is not
    reproducible.
    """
    if (solution is None) != (submission is None):
        raise NotConfigured("Give both --solution and --submission, or neither.")
    with metric_at_home(file, "podium metric check") as metric:
        checked = metric.check()
        problems = [_line(file, problem) for problem in checked.problems]
        tried: dict[str, Any] = {}
        warnings: list[str] = []
        if not problems:
            arguments_at_home(metric, arguments)
        if solution is not None and submission is not None and not problems:
            files = SubmissionFiles(submission, solution, published_ids)
            tried, problems, warnings = _tried(metric, files, preset, columns, arguments)
    document = {
        "is_good": not problems,
        "checked": encoded(checked),
        "scores": tried,
        "disagreements": [] if checked.problems else problems,
        "warnings": warnings,
    }
    print_outcome(document, _facts(checked) | tried, as_json=as_json)
    for line in (*problems, *warnings):
        complain(line)
    if problems:
        raise typer.Exit(Exit.REJECTED)


def _tried(
    metric: MetricAtHome,
    files: SubmissionFiles,
    preset: str | None,
    named: str | None,
    arguments: list[str] | None,
) -> tuple[dict[str, Any], list[str], list[str]]:
    """Scores the submission; returns the scores by split, the problems and the warnings."""
    submission, solution = files.submission, solution_at_home(metric, files, preset, named, [])
    values = arguments_at_home(metric, arguments)
    columns = metric.canonical(submission, solution.published)
    if not isinstance(columns, Path):
        report_refusal(metric, files, encoded(columns), preset or named)
        raise typer.Exit(Exit.REJECTED)
    scores: dict[str, Any] = {}
    problems, warnings = [], []
    for name, part in solution.parts.items():
        runs = [metric.run(columns, part, values, hash_seed=seed) for seed in HASH_SEEDS]
        first = runs[0]
        scores[name] = number_of(first) if first.outcome == "measured" else first.outcome
        if first.outcome == "refused":
            warnings.append(f"{submission}, {name}: the metric refuses it: {first.text}")
        if problem := _disagreement(runs):
            problems.append(f"{metric.file}, {name}: {problem}")
        elif first.outcome == "measured":
            other = metric.run(columns, part, values, shuffled_by=SHUFFLED_BY)
            if not _agree(first, other):
                reordered = number_of(other) if other.outcome == "measured" else other.outcome
                warnings.append(
                    f"{metric.file}, {name}: the order of rows matters: {scores[name]!r}, and"
                    f" {reordered!r} in another one."
                )
    return scores, problems, warnings


def _disagreement(runs: list[MetricRun]) -> str | None:
    """Returns the reason why runs of the same files are not reproducible or failed; None if there
    is none."""
    if any(run.outcome == "failed" for run in runs):
        failed = next(run for run in runs if run.outcome == "failed")
        printed = f"\nIt had printed:\n{failed.output.rstrip()}" if failed.output.strip() else ""
        return f"it failed.\n{failed.report.rstrip()}{printed}"
    results = {
        (run.outcome, run.score, run.text, tuple((run.numbers or {}).items())) for run in runs
    }
    if len(results) == 1:
        return None
    scores = ", ".join(repr(number_of(run)) for run in runs)
    return f"processes with other hash seeds disagree: {scores}."


def _agree(first: MetricRun, other: MetricRun) -> bool:
    before, after = number_of(first), number_of(other)
    if before is None or after is None:
        return False
    return abs(before - after) <= TOLERANCE * max(abs(before), abs(after))


def _line(file: Path, problem: CodeProblem) -> str:
    place = ":".join(str(part) for part in (file, problem.file, problem.line) if part is not None)
    return f"{place}: {problem.detail}"


def _facts(checked: MetricChecked) -> dict[str, Any]:
    arguments = ", ".join(
        f"{each.name} ({each.type}{'' if each.is_required else f', {each.default}'})"
        for each in checked.arguments
    )
    return {
        "metric": "refused" if checked.problems else "good",
        "shape": checked.shape or "none",
        "arguments": arguments or "none",
        "per row": "yes" if checked.has_per_row else "no",
        "doctests": checked.doctests,
    }
