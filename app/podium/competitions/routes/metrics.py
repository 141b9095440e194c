"""Routes about what there is to choose from: every metric, and the presets. The same for all
installations of one version, and open to everybody."""

from __future__ import annotations

from podium.accounts.authentication.callers import MaybeActor
from podium.competitions.schemas.metrics import (
    MetricDefinitionOut,
    PresetOut,
    metric_definitions,
)
from podium.core.competition_settings.presets import PRESETS
from podium.http.paging import Listed
from podium.http.streaming.strict_json import strict_router

router = strict_router(tag="metrics")


@router.get("/metrics", operation_id="listMetrics", summary="Every metric there is")
def get_metrics(_: MaybeActor) -> Listed[MetricDefinitionOut]:
    """What each id means: formula, source, averages, and where the id may stand in the settings."""
    return Listed(items=list(metric_definitions()), next_cursor=None)


@router.get("/presets", operation_id="listPresets", summary="Starting points of a competition")
def get_presets(_: MaybeActor) -> Listed[PresetOut]:
    """Each with the settings that it differs in from the defaults."""
    items = [PresetOut.of(name) for name in PRESETS]
    return Listed(items=items, next_cursor=None)
