"""The metric of a competition in a few words."""

from __future__ import annotations

from podium.core.competition_settings import CompetitionSettings


def metric_line(settings: CompetitionSettings) -> str:
    """The metric in a few words; competitions may have several."""
    metrics = {settings.metric_of(name).id for name in settings.objectives}
    if len(metrics) > 1:
        return f"{len(metrics)} metrics"
    metric = settings.common_metric
    return f"{metric.title}, {metric.average}" if metric.k else metric.title
