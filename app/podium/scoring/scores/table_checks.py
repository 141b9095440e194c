"""Explains why a solution gives a metric no value."""

from __future__ import annotations

from collections.abc import Iterator

from podium.scoring.metrics import row_metric_of
from podium.scoring.metrics.rows.custom import CustomMetricValue
from podium.scoring.problems import Code, Problem
from podium.scoring.scores.perfect_tables import perfect_columns
from podium.scoring.scores.table_answers import TableAnswers, answer_columns, truth_columns
from podium.scoring.splits import SPLIT_NAMES
from podium.scoring.tables.truth import TrueTable
from podium.scoring.task import Task


def built_in(task: Task, position: int) -> list[str]:
    """Lists the built-in metrics of an objective: its own first, then the diagnostics; those of a
    custom metric are computed elsewhere."""
    asked = dict.fromkeys((task.objectives[position].metric, *task.diagnostics))
    metrics = {name: row_metric_of(name, task.kind) for name in asked}
    return [name for name, metric in metrics.items() if not isinstance(metric, CustomMetricValue)]


def undefined(truth: TrueTable) -> Iterator[Problem]:
    """Reports the metrics of the task that have no value in a split of the solution, whatever the
    answers."""
    task = truth.task
    asked = [(position, built_in(task, position)) for position in range(len(task.objectives))]
    if not any(metrics for _, metrics in asked):
        return
    lacking = list(_without_truth(truth, [position for position, metrics in asked if metrics]))
    if lacking:
        yield from lacking
        return
    perfect = TableAnswers.of(perfect_columns(truth), truth)
    for position, metrics in asked:
        for name in metrics:
            metric = row_metric_of(name, task.kind)
            rows = perfect.rows(position, metric)
            for split in truth.splits:
                reason = metric.refusal(rows.of_split(split))
                if reason is not None:
                    columns = ", ".join(answer_columns(task, position)[:3])
                    detail = f"{columns}: in the split {SPLIT_NAMES[split]}, {reason}"
                    yield Problem(Code.ZERO_DENOMINATOR, f"{detail} ({name})")


def _without_truth(truth: TrueTable, positions: list[int]) -> Iterator[Problem]:
    """Reports objectives without a column in the solution."""
    for position in positions:
        if truth_columns(truth.task, position, truth.own_columns) is None:
            wanted = ", ".join(answer_columns(truth.task, position)[:5])
            found = ", ".join(truth.own_columns[:5])
            detail = f"the solution has no column for {wanted}: there are {found}"
            hint = "Name its columns as those of a submission, or set the objective's key."
            yield Problem(Code.HEADER_MISMATCH, detail, 1, hint=hint)
