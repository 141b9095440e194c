"""How a competition is scored, in words: for its page."""

from __future__ import annotations

from dataclasses import dataclass

from app.domain.competition_settings import CompetitionSettings, MetricChoice
from app.services.tasks import definition_of, formula_of


@dataclass(frozen=True, slots=True)
class MetricText:
    """A metric as text: its id, its formula in words, where the definition comes from."""

    id: str
    formula: str
    source: str


@dataclass(frozen=True, slots=True)
class Part:
    """An objective with its weight, and the metric that scores it."""

    name: str
    weight: str
    metric: MetricText


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What the score is made of, and what is computed beside it. `is_error`: less is better."""

    parts: list[Part]
    diagnostics: list[MetricText]
    is_error: bool


def evaluation_of(settings: CompetitionSettings) -> Evaluation:
    """The evaluation of a competition with these settings."""
    return Evaluation(
        parts=[
            Part(name, f"{weight.normalize():f}", _text(settings.metric_of(name)))
            for name, weight in settings.objectives.items()
        ],
        diagnostics=[_text(MetricChoice.model_validate(metric)) for metric in settings.diagnostics],
        is_error=not definition_of(settings.common_metric).higher_is_better,
    )


def metric_line(settings: CompetitionSettings) -> str:
    """The metric in a few words; competitions may have several."""
    metrics = {settings.metric_of(name).id for name in settings.objectives}
    if len(metrics) > 1:
        return f"{len(metrics)} metrics"
    metric = settings.common_metric
    return f"{metric.title}, {metric.average}" if metric.k else metric.title


def _text(metric: MetricChoice) -> MetricText:
    return MetricText(metric.id, formula_of(metric), definition_of(metric).source)
