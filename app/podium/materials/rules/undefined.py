"""Metrics that have no value on a ground truth of pairs, by what it was found to lack."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from podium.core.competition_settings import CompetitionSettings
from podium.scoring.metrics import RowMetric, metric_of


def undefined_metrics(
    settings: CompetitionSettings, summary: Mapping[str, Any]
) -> Iterator[tuple[str, str]]:
    """Objective and metric, diagnostics included, where a split lacks the classes of targets that
    the metric needs; by the summary of the ground truth, which says so only of pairs."""
    for objective, lacks in zip(settings.objectives, summary.get("lacks", ()), strict=False):
        for metric_id in (settings.metric_of(objective).id, *settings.diagnostics):
            metric = metric_of(metric_id, settings.task)
            if isinstance(metric, RowMetric) and metric.classes in lacks:
                yield objective, metric_id
