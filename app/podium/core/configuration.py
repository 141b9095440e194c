"""Converts a competition's settings to what `scoring` takes, and errors back to names of
settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import ValidationError

from podium.add_ons import contributed, lack_of, package_of, require
from podium.core.competition_settings import CompetitionSettings
from podium.core.competition_settings.choices import MetricChoice
from podium.core.competition_settings.presets import PRESETS
from podium.errors import InvalidInput, ProblemEntry, Unavailable, problem_entry
from podium.errors.codes import ErrorCode, OurCode
from podium.errors.reasons import hint_of, reason_of
from podium.errors.spelling import nearest
from podium.scoring.kinds import KINDS, TaskKind, kind_of
from podium.scoring.metrics import (
    REGISTRY,
    Metric,
    key_of,
    metric_for,
    metric_of,
    row_metric_of,
)
from podium.scoring.metrics.pages import page_of
from podium.scoring.metrics.rows.custom import custom_numbers, is_custom
from podium.scoring.task import PLAIN_FIELDS, Objective, Task

if TYPE_CHECKING:
    # The command line scores without a database, and starts in half the time without its library.
    from podium.core.models import Competition

Value = TypeVar("Value")


def settings_of(competition: Competition) -> CompetitionSettings:
    """Reads and validates the settings document of a competition."""
    return CompetitionSettings.model_validate(competition.settings)


def task_of(settings: CompetitionSettings) -> Task:
    """Builds the scoring task of a competition: its objectives, metrics and splits. Raises
    `InvalidInput` (`unknown-metric`) with the place of each metric that does not exist, or cannot
    be used there; and `Unavailable` where an add-on is missing."""
    if lacking := missing_add_ons(settings):
        raise Unavailable(
            f"This competition needs the add-on {' and '.join(lacking)}, which is not loaded here."
        )
    task = Task(
        objectives=tuple(
            Objective(
                _name_in_files(settings, name),
                weight,
                settings.metric_of(name).id,
                name,
                settings.objective_columns.get(name, ()),
            )
            for name, weight in settings.objectives.items()
        ),
        kind=settings.task,
        diagnostics=settings.diagnostics,
        table=tuple(each.column() for each in settings.table_columns),
        **{name: getattr(settings, name) for name in PLAIN_FIELDS if name != "kind"},
    )
    require_metrics(settings)
    return task


def require_metrics(settings: CompetitionSettings) -> None:
    """Raises `InvalidInput` (`unknown-metric`) with the place of each metric that does not exist,
    or cannot be used there."""
    if problems := list(metric_problems(settings)):
        raise refusal_of(ErrorCode.UNKNOWN_METRIC, problems)


def missing_add_ons(settings: CompetitionSettings) -> list[str]:
    """Lists the names of the add-ons that these settings need and this process lacks."""
    metrics = [settings.metric_of(name).id for name in settings.objectives]
    metrics += settings.diagnostics
    lacking = {settings.task} if lack_of("kinds", settings.task) else set()
    lacking |= {key for key in map(key_of, metrics) if lack_of("metrics", key)}
    return sorted({str(package_of(key)) for key in lacking})


def require_add_ons() -> None:
    """Loads everything that the add-ons of this installation contribute. Raises `NotConfigured`,
    with the name of the package, for an unusable part."""
    list(KINDS), list(REGISTRY["table"])
    for key in contributed("metrics"):
        try:
            page_of(key)
        except (LookupError, ValueError) as error:
            require("metrics", key, False, f"has no good page: {error}")
    for name in contributed("presets"):
        try:
            task_of(CompetitionSettings.model_validate(PRESETS[name]))
        except (ValueError, InvalidInput) as error:
            require("presets", name, False, f"has no good settings: {error}")


def by_objective_name(
    settings: CompetitionSettings, values: Mapping[str, Value]
) -> dict[str, Value]:
    """Values by the task's objectives, under the names that the organizer gave. Raises KeyError for
    an objective that the task lacks."""
    names = {_name_in_files(settings, name): name for name in settings.objectives}
    return {names[task_name]: value for task_name, value in values.items()}


def _name_in_files(settings: CompetitionSettings, name: str) -> str:
    """Finds the task's name of an objective: a single one has none, and ids are bare sessions."""
    return "" if len(settings.objectives) == 1 else name


def labelled_rows(objectives: Mapping[str, Any], settings: CompetitionSettings, split: str) -> int:
    """Counts the labeled rows of a split, from the counts of a ground truth: the lists of all
    objectives; a pair, or a row of a table, has a number for each objective and counts once."""
    each = [splits.get(split, {}).get("queries", 0) for splits in objectives.values()]
    return sum(each) if kind_of(settings.task).has_lists else max(each, default=0)


def definition_of(choice: MetricChoice, task: TaskKind | None = None) -> Metric:
    """Finds the definition of a metric; for a kind of task, where one is given."""
    return metric_of(choice.id, task)


def highest_score(settings: CompetitionSettings) -> float | None:
    """Computes the upper bound of the score; None where an objective's metric has none. The lower
    bound is 0."""
    total = Decimal(0)
    for name, weight in settings.objectives.items():
        bound = definition_of(settings.metric_of(name), settings.task).upper_bound
        if bound is None:
            return None
        total += weight * bound
    return float(total)


def is_of_errors(settings: CompetitionSettings) -> bool:
    """True where lower is better in every objective, so that the score is an error. Where errors
    are combined with other metrics, they count negative."""
    return not any(
        metric_of(settings.metric_of(name).id, settings.task).higher_is_better
        for name in settings.objectives
    )


def is_scored_by_custom_metric(settings: CompetitionSettings) -> bool:
    """True where a custom metric scores an objective."""
    return kind_of(settings.task).has_table and is_custom(
        settings.metric_of(name).id for name in settings.objectives
    )


def numbers_of_custom_metric(settings: CompetitionSettings) -> tuple[str, ...]:
    """Names, in the custom metric, of the further numbers that diagnostics show."""
    return custom_numbers(settings.diagnostics)


def formula_of(choice: MetricChoice, task: TaskKind) -> str:
    """Describes the metric's formula in a sentence, with the averaging of queries, in a task of
    this kind."""
    return definition_of(choice, task).formula_in_full


def invalid_settings(error: ValidationError) -> InvalidInput:
    """Converts pydantic's validation errors of settings to `InvalidInput`, with the place of
    each."""
    problems = [
        setting_problem(
            found["type"].replace("_", "-"),
            ".".join(str(part) for part in found["loc"]) or "settings",
            reason_of(found),
            hint_of(found, CompetitionSettings),
        )
        for found in error.errors(include_url=False)
    ]
    return refusal_of(ErrorCode.INVALID, problems)


def refusal_of(code: OurCode, problems: list[ProblemEntry]) -> InvalidInput:
    """Builds the error that lists the settings that are wrong, and the reasons."""
    first = problems[0]
    return InvalidInput(
        f"{first['column']}: {first['detail'].removesuffix('.')}.",
        code=code,
        problems=problems[:10],
        problem_count=len(problems),
    )


def setting_problem(code: str, place: str, detail: str, hint: str | None = None) -> ProblemEntry:
    """Builds the problem entry of one setting, with its place in the document."""
    return problem_entry(code, detail, column=place, hint=hint)


def metric_problems(settings: CompetitionSettings) -> Iterator[ProblemEntry]:
    """Finds metrics that do not exist, or cannot be used there, each with its place and the nearest
    known name."""
    if (lack := lack_of("kinds", settings.task)) is not None:
        yield setting_problem(ErrorCode.UNKNOWN_METRIC, "task", lack)
        return
    every = list(settings.objectives)
    others = [name for name in every if name not in settings.objective_metrics]
    named = [("metric", settings.metric.id, True, others)] if others else []
    named += [
        (f"objective_metrics.{name}", metric.id, True, [name])
        for name, metric in settings.objective_metrics.items()
    ]
    named += [
        (f"diagnostics.{place}", metric, False, every)
        for place, metric in enumerate(settings.diagnostics)
    ]
    for place, metric, ranks, objectives in named:
        try:
            metric_for(metric, task=settings.task, ranks=ranks)
        except ValueError as error:
            hint = nearest_metric(metric) or "The page Metrics and `podium metrics` list all."
            yield setting_problem(ErrorCode.UNKNOWN_METRIC, place, str(error), hint)
            continue
        if kind_of(settings.task).has_table:
            reason = next(_unsuited(settings, metric, objectives), None)
            if reason is not None:
                hint = "The columns are described in `table_columns`."
                yield setting_problem(ErrorCode.UNKNOWN_METRIC, place, reason, hint)


def _unsuited(
    settings: CompetitionSettings, metric_id: str, objectives: Sequence[str]
) -> Iterator[str]:
    """Yields the reasons for which a metric cannot score the columns of these objectives of a
    table."""
    metric = row_metric_of(metric_id, settings.task)
    for name in objectives:
        reason = metric.unsuited([each.column() for each in settings.columns_of(name)])
        if reason is not None:
            yield f"{name}: {reason}"


def nearest_metric(metric_id: str) -> str | None:
    """Suggests the known metric that a mistyped id resembles most; None where none does.

    >>> nearest_metric("ndgc@10"), nearest_metric("ndcg@10:micro"), nearest_metric("luck@5")
    ('Did you mean ndcg@10?', None, None)
    >>> nearest_metric("NDCG@10")
    'Did you mean ndcg@10?'
    """
    name = key_of(metric_id)
    known = [key for metrics in REGISTRY.values() for key in metrics]
    near = None if name in known else nearest(name.lower(), known)
    return None if near is None else f"Did you mean {near}{metric_id[len(name) :]}?"
