"""Metrics of tables: one family per file; a metric is a frozen value, and its docstring is its
specification. A new one is added here and nowhere else."""

from __future__ import annotations

import re

from podium.scoring.metrics.tables.base import TableMeasure, TableMetric, TargetRows
from podium.scoring.metrics.tables.own import (
    OWN,
    OwnMetricError,
    OwnMetricNumber,
    OwnMetricValue,
)

TABLE_METRICS: dict[str, type[TableMetric]] = {
    metric.key: metric for metric in (OwnMetricValue, OwnMetricError)
}
"""Every metric of tables by its name without parameter."""


def table_metric_of(metric_id: str) -> TableMetric:
    """The metric of tables with this id. Raises ValueError for any other."""
    own = OWN.fullmatch(metric_id)
    if own is not None and metric_id not in TABLE_METRICS:
        return OwnMetricNumber(own[1])
    found = re.fullmatch(r"([a-z][a-z0-9_]*)(?:@(\d+(?:\.\d+)?))?", metric_id)
    if found is None or found[1] not in TABLE_METRICS:
        known = ", ".join(TABLE_METRICS)
        raise ValueError(f"{metric_id!r} does not measure tables: there are {known}")
    return TABLE_METRICS[found[1]].made(found[2])


def table_key_of(metric_id: str) -> str:
    """The name without parameter of the metric of tables that an id means, if there is one.

    >>> table_key_of("own_novelty"), table_key_of("pinball@0.9")
    ('own', 'pinball')
    """
    is_number = OWN.fullmatch(metric_id) is not None and metric_id not in TABLE_METRICS
    return OwnMetricValue.key if is_number else metric_id.partition("@")[0]


__all__ = [
    "TABLE_METRICS",
    "TableMeasure",
    "TableMetric",
    "TargetRows",
    "table_key_of",
    "table_metric_of",
]
