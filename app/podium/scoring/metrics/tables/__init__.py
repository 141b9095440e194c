"""Metrics of tables: one family per file; a metric is a frozen value, and its docstring is its
specification. A new one is added to its family, and a new family here and nowhere else."""

from __future__ import annotations

import re
from collections.abc import Callable

from podium.scoring.metrics.tables.agreement import AGREEMENTS
from podium.scoring.metrics.tables.areas import AREAS
from podium.scoring.metrics.tables.base import TableMeasure, TableMetric, TargetRows
from podium.scoring.metrics.tables.correlation import CORRELATIONS
from podium.scoring.metrics.tables.errors import ERRORS, PinballLoss
from podium.scoring.metrics.tables.labels import LABEL_METRICS
from podium.scoring.metrics.tables.masks import MASKS
from podium.scoring.metrics.tables.orders import ORDERS
from podium.scoring.metrics.tables.own import (
    OWN,
    OwnMetricError,
    OwnMetricNumber,
    OwnMetricValue,
    is_own,
    own_numbers,
)
from podium.scoring.metrics.tables.pairs import F1_OF_TABLES, METRICS_OF_PAIRS
from podium.scoring.metrics.tables.probabilities import LOSSES
from podium.scoring.metrics.tables.texts import TEXT_METRICS

_ALL: tuple[type[TableMetric], ...] = (
    *LABEL_METRICS,
    *AGREEMENTS,
    *AREAS,
    *LOSSES,
    *METRICS_OF_PAIRS,
    *ERRORS,
    *CORRELATIONS,
    *ORDERS,
    *MASKS,
    *TEXT_METRICS,
    OwnMetricValue,
    OwnMetricError,
)

TABLE_METRICS: dict[str, type[TableMetric]] = {metric.key: metric for metric in _ALL}
"""Every metric of tables by its name without parameter."""

_IN_HUNDREDTHS: dict[str, Callable[[int], TableMetric]] = {
    F1_OF_TABLES.key: F1_OF_TABLES,
    PinballLoss.key: PinballLoss,
}

_WITH_HUNDREDTHS = re.compile(f"({'|'.join(_IN_HUNDREDTHS)})_([0-9]{{2}})")
"""The name of F1 with its threshold, or of the pinball loss with its quantile."""


def table_metric_of(metric_id: str) -> TableMetric:
    """The metric of tables with this id. Raises ValueError for any other."""
    own = OWN.fullmatch(metric_id)
    if own is not None and metric_id not in TABLE_METRICS:
        return OwnMetricNumber(own[1])
    hundredths = _WITH_HUNDREDTHS.fullmatch(metric_id)
    if hundredths is not None:
        return _IN_HUNDREDTHS[hundredths[1]](int(hundredths[2]))
    found = re.fullmatch(r"([a-z][a-z0-9_]*)(?:@(\d+(?:\.\d+)?))?", metric_id)
    if found is None or found[1] not in TABLE_METRICS:
        known = ", ".join(TABLE_METRICS)
        raise ValueError(f"{metric_id!r} does not measure tables: there are {known}")
    return TABLE_METRICS[found[1]].made(found[2])


def table_key_of(metric_id: str) -> str:
    """The name without parameter of the metric of tables that an id means, if there is one.

    >>> table_key_of("own_novelty"), table_key_of("pinball_90"), table_key_of("rmse")
    ('own', 'pinball', 'rmse')
    """
    if OWN.fullmatch(metric_id) is not None and metric_id not in TABLE_METRICS:
        return OwnMetricValue.key
    hundredths = _WITH_HUNDREDTHS.fullmatch(metric_id)
    return hundredths[1] if hundredths else metric_id.partition("@")[0]


__all__ = [
    "TABLE_METRICS",
    "OwnMetricError",
    "OwnMetricValue",
    "TableMeasure",
    "TableMetric",
    "TargetRows",
    "is_own",
    "own_numbers",
    "table_key_of",
    "table_metric_of",
]
