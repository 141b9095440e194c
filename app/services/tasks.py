"""From a competition's settings to what `scoring` takes, and back to names that people see."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from app.db.models import Competition
from app.domain.competition_settings import CompetitionSettings, MetricChoice
from app.errors import InvalidInput
from app.scoring.metrics import metric_of
from app.scoring.task import Objective, Task

Value = TypeVar("Value")


def settings_of(competition: Competition) -> CompetitionSettings:
    """The validated settings document of a competition."""
    return CompetitionSettings.model_validate(competition.settings)


def task_of(settings: CompetitionSettings) -> Task:
    """What to score and how. The only objective of a competition has no name in its files, where
    ids are bare sessions. Raises `InvalidInput` for a metric that there is not."""
    is_single = len(settings.objectives) == 1
    task = Task(
        objectives=tuple(
            Objective("" if is_single else name, weight, settings.metric_of(name).id, name)
            for name, weight in settings.objectives.items()
        ),
        kind=settings.task,
        diagnostics=settings.diagnostics,
        id_column=settings.id_column,
        item_column=settings.item_column,
        labels_column=settings.labels_column,
        query_ids=settings.query_ids,
        item_ids=settings.item_ids,
        missing_rows=settings.missing_rows,
        duplicates=settings.duplicates,
        max_expanded_bytes=settings.max_expanded_bytes,
    )
    try:
        for metric in task.metrics:
            metric_of(metric)
    except ValueError as error:
        raise InvalidInput(f"{error}.", code="unknown-metric") from error
    return task


def by_objective_name(
    settings: CompetitionSettings, values: Mapping[str, Value]
) -> dict[str, Value]:
    """Values by the task's objectives, under the names that the organizer gave."""
    names = {objective.name: name for objective, name in _pairs(settings)}
    return {names[task_name]: value for task_name, value in values.items()}


def formula_of(choice: MetricChoice) -> str:
    """The metric's formula as a sentence, with the way in which queries are brought together."""
    metric = metric_of(choice.id)
    over = "over all queries that have a relevant item"
    formula = metric.formula.format(k=metric.k)
    if metric.average == "micro":
        return f"{formula}; numerators and denominators are summed first, {over}"
    return f"mean of: {formula}; {over}"


def _pairs(settings: CompetitionSettings) -> zip[tuple[Objective, str]]:
    return zip(task_of(settings).objectives, settings.objectives, strict=True)
