"""From a competition's settings to what `scoring` takes, and back to names that people see."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from app.db.models import Competition
from app.domain.competition_settings import CompetitionSettings, MetricChoice
from app.scoring.task import Objective, Task

Value = TypeVar("Value")

FORMULAS = {
    ("recall_capped", "micro"): (
        "Σ hits among the first {k} items / Σ min({k}, relevant items), both sums over all"
        " queries that have a relevant item"
    ),
    ("recall_capped", "macro"): (
        "mean of hits among the first {k} items / min({k}, relevant items), over all queries that"
        " have a relevant item"
    ),
}
"""What people read as the metric's definition."""


def settings_of(competition: Competition) -> CompetitionSettings:
    """The validated settings document of a competition."""
    return CompetitionSettings.model_validate(competition.settings)


def task_of(settings: CompetitionSettings) -> Task:
    """What to score and how. The only objective of a competition has no name in its files, where
    ids are bare sessions."""
    is_single = len(settings.objectives) == 1
    return Task(
        objectives=tuple(
            Objective("" if is_single else name, weight)
            for name, weight in settings.objectives.items()
        ),
        metric=settings.metric.name,
        k=settings.metric.k,
        average=settings.metric.average,
        id_column=settings.id_column,
        labels_column=settings.labels_column,
        item_ids=settings.item_ids,
        missing_rows=settings.missing_rows,
        max_expanded_bytes=settings.max_expanded_bytes,
    )


def by_objective_name(
    settings: CompetitionSettings, values: Mapping[str, Value]
) -> dict[str, Value]:
    """Values by the task's objectives, under the names that the organizer gave."""
    names = {objective.name: name for objective, name in _pairs(settings)}
    return {names[task_name]: value for task_name, value in values.items()}


def formula_of(metric: MetricChoice) -> str:
    """The metric's formula as a sentence."""
    return FORMULAS[metric.name, metric.average].format(k=metric.k)


def _pairs(settings: CompetitionSettings) -> zip[tuple[Objective, str]]:
    return zip(task_of(settings).objectives, settings.objectives, strict=True)
