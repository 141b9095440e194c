"""Verdicts of custom metrics: the public run decides what everyone sees; the private score follows
and is reported to organizers only."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from podium.core.judging_states import METRIC_FAILED, State
from podium.judging.service.custom_runs import CustomRun, MeasuredRun, Outcome, RefusedRun
from podium.judging.service.verdicts import MetricPart, Verdict
from podium.sandbox.definitions.judging import Judged, SplitFigures
from podium.sandbox.definitions.tables import TableRead
from podium.scoring.engine import scorer_version
from podium.scoring.metrics import metric_of
from podium.scoring.metrics.rows import CustomMetricValue
from podium.scoring.problems import Code, Problem, Rejection
from podium.scoring.task import Task


def verdict_of(
    custom: CustomRun,
    outcomes: Mapping[str, Outcome],
    task: Task,
    read: TableRead,
    *,
    hits_sha256: str | None,
) -> Verdict:
    """Derives the verdict from the outcomes of an assignment's runs, of which the first decides.

    A file that the metric refuses is charged, because the metric's text may depend on the ground
    truth. A file on which it fails keeps its slot until organizers return it or rejudge: the team
    may have learned something about the ground truth.
    """
    first = outcomes[custom.splits[0]]
    notes = {split: _note(split, outcome) for split, outcome in outcomes.items()}
    part = MetricPart(custom.version, notes)
    if isinstance(first, MeasuredRun):
        judged = _judged(task, read, outcomes)
        return Verdict(state=State.SCORED, judged=judged, hits_sha256=hits_sha256, by_metric=part)
    if isinstance(first, RefusedRun) and not custom.is_only_private:
        problem = Rejection.of([Problem(Code.METRIC_REFUSED, first.text)]).to_dict()
        return Verdict(state=State.REJECTED, problem=problem, by_metric=part)
    last = first.note["report"].strip().rpartition("\n")[2]
    return Verdict(
        state=State.FAILED,
        problem={"code": METRIC_FAILED},
        failure=f"The metric failed: {last}",
        by_metric=part,
    )


def _note(split: str, outcome: Outcome) -> dict[str, Any]:
    """Returns the note of a run. The text of a refusal on the private split is a report for
    organizers: no participant is shown it."""
    if split == "private" and isinstance(outcome, RefusedRun):
        return outcome.note | {"report": outcome.text}
    return outcome.note


def _judged(task: Task, read: TableRead, outcomes: Mapping[str, Outcome]) -> Judged:
    """Returns the figures of the measured runs in the form in which a scoring child answers. There
    are no hits to count; the queries are the rows of the split."""
    runs = {split: run for split, run in outcomes.items() if isinstance(run, MeasuredRun)}
    return Judged(
        counts=read.counts,
        splits={split: _figures(task, run) for split, run in runs.items()},
        scorer_version=scorer_version(task),
        metrics={each.name: each.metric for each in task.objectives},
        scores={split: str(_score(task, run.head.exact)) for split, run in runs.items()},
        diagnostic_scores={
            split: {
                f"{CustomMetricValue.key}_{name}": str(value * _weight(task))
                for name, value in run.numbers.items()
            }
            for split, run in runs.items()
        },
        fingerprint=read.fingerprint,
        lists=None,
    )


def _figures(task: Task, run: MeasuredRun) -> SplitFigures:
    error = run.standard_error
    nothing = dict.fromkeys(task.names, 0)
    numbers = {f"{CustomMetricValue.key}_{name}": value for name, value in run.numbers.items()}
    return SplitFigures(
        hits=nothing,
        denominators=nothing,
        queries=dict.fromkeys(task.names, run.head.rows),
        values=dict.fromkeys(task.names, run.head.value),
        diagnostics={name: dict.fromkeys(task.names, str(v)) for name, v in numbers.items()},
        standard_error=None if error is None else error * float(_weight(task)),
        diagnostic_errors=dict.fromkeys(numbers),
        notes={},
    )


def _score(task: Task, value: Fraction) -> Fraction:
    """Σ weight · value; errors count as negative, so that higher is always better."""
    signs = (metric_of(o.metric, task.kind).higher_is_better for o in task.objectives)
    terms = zip(task.objectives, signs, strict=True)
    return sum((Fraction(o.weight) * (value if up else -value) for o, up in terms), Fraction(0))


def _weight(task: Task) -> Fraction:
    return sum((Fraction(objective.weight) for objective in task.objectives), Fraction(0))
