"""The custom metrics that presets bring."""

from __future__ import annotations

from pathlib import Path

from podium.core.competition_settings import CompetitionSettings
from podium.core.configuration import is_scored_by_custom_metric
from podium.custom_metric_runner import catalogue


def metric_file_of(preset: str, settings: CompetitionSettings) -> Path | None:
    """Returns the custom metric that a competition with these settings gets from its preset; None
    if the preset has none, or the settings were changed to a built-in metric."""
    return catalogue.file_of(preset) if is_scored_by_custom_metric(settings) else None
