"""Registers metrics of rows, of pairs and of tables: one family per file; a metric is a frozen
value, and its docstring is its specification. A new one is listed here, under the kinds of task
that it supports."""

from __future__ import annotations

import re
from collections.abc import Mapping

from podium.add_ons import Later, require
from podium.scoring.kinds import KINDS, TaskKind, kind_of
from podium.scoring.kinds.label_sets import LABEL_SETS
from podium.scoring.kinds.pairs import CANDIDATES, RATINGS, SCORES
from podium.scoring.kinds.tables import TABLES
from podium.scoring.metrics.added import added
from podium.scoring.metrics.rows.agreement import AGREEMENTS
from podium.scoring.metrics.rows.base import MEAN, RowMeasure, RowMetric, WithHundredths
from podium.scoring.metrics.rows.binary.areas import (
    AREAS,
    AreaUnderCurve,
    MeanArea,
    WeightedMeanArea,
)
from podium.scoring.metrics.rows.binary.decisions import DECISIONS, BinaryAccuracy
from podium.scoring.metrics.rows.binary.gini import GINIS, BinaryGini
from podium.scoring.metrics.rows.binary.partial_areas import PARTIAL_AREAS
from podium.scoring.metrics.rows.binary.precision import AveragePrecisionOfRows, PrecisionRecallArea
from podium.scoring.metrics.rows.candidates.ranking import QUERY_METRICS
from podium.scoring.metrics.rows.correlation import CORRELATIONS
from podium.scoring.metrics.rows.custom import (
    OWN,
    CustomMetricError,
    CustomMetricNumber,
    CustomMetricValue,
    custom_numbers,
    is_custom,
)
from podium.scoring.metrics.rows.errors import ERRORS, MeanAbsoluteError, RootMeanSquaredError
from podium.scoring.metrics.rows.label_sets import LABEL_SET_METRICS
from podium.scoring.metrics.rows.labels import LABEL_METRICS
from podium.scoring.metrics.rows.masks import MASKS
from podium.scoring.metrics.rows.orders import ORDERS
from podium.scoring.metrics.rows.probabilities import (
    LOSSES,
    BrierScore,
    CalibrationError,
    LogLoss,
    NormalizedEntropy,
    RelativeCrossEntropy,
)
from podium.scoring.metrics.rows.texts import TEXT_METRICS
from podium.scoring.task import Task

_OF_KINDS: Mapping[TaskKind, tuple[type[RowMetric], ...]] = {
    RATINGS.key: (MeanAbsoluteError, RootMeanSquaredError),
    SCORES.key: (
        AreaUnderCurve,
        *PARTIAL_AREAS,
        BinaryGini,
        MeanArea,
        WeightedMeanArea,
        AveragePrecisionOfRows,
        PrecisionRecallArea,
        LogLoss,
        NormalizedEntropy,
        RelativeCrossEntropy,
        BrierScore,
        CalibrationError,
        BinaryAccuracy,
        *DECISIONS,
    ),
    CANDIDATES.key: (MeanArea, WeightedMeanArea, *QUERY_METRICS),
    TABLES.key: (
        *LABEL_METRICS,
        *AGREEMENTS,
        *AREAS,
        *PARTIAL_AREAS,
        *GINIS,
        AveragePrecisionOfRows,
        *LOSSES,
        *DECISIONS,
        PrecisionRecallArea,
        NormalizedEntropy,
        RelativeCrossEntropy,
        CalibrationError,
        *ERRORS,
        *CORRELATIONS,
        *ORDERS,
        *MASKS,
        *TEXT_METRICS,
        CustomMetricValue,
        CustomMetricError,
    ),
    LABEL_SETS.key: (*LABEL_SET_METRICS, CustomMetricValue, CustomMetricError),
}


def _by_kind() -> Mapping[TaskKind, Mapping[str, type[RowMetric]]]:
    """Combines built-in metrics and those of add-ons. A kind of an add-on has the metrics of the
    kind that it refers to."""
    others = added(RowMetric)  # type: ignore[type-abstract]  # of its subclasses
    kinds = [kind for kind in KINDS.values() if not kind.has_lists]
    for key, metric in others.items():
        is_suited = bool(metric.tasks) and set(metric.tasks) <= {kind.key for kind in kinds}
        require("metrics", key, is_suited, "names in `tasks` no kinds of task with rows")
    return {
        kind.key: {
            metric.key: metric
            for like in (kind.metrics_of, kind.key)
            for metric in (*_OF_KINDS.get(like, ()), *others.values())
            if like in metric.tasks or metric.key not in others
        }
        for kind in kinds
    }


ROW_METRICS: Mapping[TaskKind, Mapping[str, type[RowMetric]]] = Later(_by_kind)
"""Every metric of rows by the kind of task and its name without parameter."""

PAIR_METRICS: Mapping[str, type[RowMetric]] = Later(
    lambda: {
        key: metric
        for kind in KINDS.values()
        if kind.has_numbers
        for key, metric in ROW_METRICS[kind.key].items()
    }
)
"""Metrics of numbers for pairs."""

TABLE_METRICS: Mapping[str, type[RowMetric]] = Later(lambda: ROW_METRICS[TABLES.key])
"""Metrics of tables, by their keys."""

_OF_COLUMNS: Mapping[str, type[RowMetric]] = Later(
    lambda: {
        key: metric
        for kind in KINDS.values()
        if kind.has_table
        for key, metric in ROW_METRICS[kind.key].items()
    }
)
"""Metrics of columns."""

_HUNDREDTHS = [each.key for each in _OF_KINDS[TABLES.key] if issubclass(each, WithHundredths)]

_WITH_HUNDREDTHS = re.compile(f"({'|'.join(_HUNDREDTHS)})_([0-9]{{2}})")
"""The pattern of a metric's name with hundredths, such as F1 with its threshold."""


def pair_metric_of(metric_id: str) -> RowMetric:
    """Finds the metric of pairs with this id. Raises ValueError for any other."""
    return row_metric_of(metric_id, SCORES.key)


def table_metric_of(metric_id: str) -> RowMetric:
    """Finds the metric of tables with this id. Raises ValueError for any other."""
    return row_metric_of(metric_id, TABLES.key)


def row_metric_of(metric_id: str, task: TaskKind) -> RowMetric:
    """Finds the metric with this id for a kind of task with rows. Raises ValueError for any
    other."""
    known, what = _known(task)
    own = OWN.fullmatch(metric_id)
    if own is not None and metric_id not in known and CustomMetricValue.key in known:
        return CustomMetricNumber(own[1])
    each = _of_each_column(metric_id)
    if each is not None and kind_of(task).has_table:
        return row_metric_of(each, task).over_columns()
    hundredths = _WITH_HUNDREDTHS.fullmatch(metric_id)
    if hundredths is not None and hundredths[1] in known:
        metric = known[hundredths[1]]
        assert issubclass(metric, WithHundredths)
        return metric(int(hundredths[2]))
    found = re.fullmatch(r"([a-z][a-z0-9_]*)(?:@(\d+(?:\.\d+)?))?", metric_id)
    if found is None or found[1] not in known:
        raise ValueError(f"{metric_id!r} does not measure {what}: there are {', '.join(known)}")
    return known[found[1]].made(found[2])


def _known(task: TaskKind) -> tuple[Mapping[str, type[RowMetric]], str]:
    """Lists the metrics whose ids are valid for a kind of task, and the words for the data they
    measure."""
    kind = kind_of(task)
    known = PAIR_METRICS if kind.has_numbers else ROW_METRICS[task]
    return known, kind.measured or kind.plural


def _of_each_column(metric_id: str) -> str | None:
    """Extracts the id of the metric whose mean over columns has this id; None for other ids.

    >>> _of_each_column("pinball_90_mean"), _of_each_column("auc_mean"), _of_each_column("own_mean")
    ('pinball_90', None, None)
    """
    each = metric_id.removesuffix(MEAN)
    if each == metric_id or metric_id in _OF_COLUMNS or OWN.fullmatch(metric_id) is not None:
        return None
    return each if row_key_of(each) in _OF_COLUMNS else None


def is_column_mean(metric_id: str) -> bool:
    """True for the id of a mean over columns of a metric of one column."""
    return _of_each_column(metric_id) is not None


def row_key_of(metric_id: str) -> str:
    """Extracts the name without parameter of the metric of rows from an id, if there is such a
    metric.

    >>> row_key_of("own_novelty"), row_key_of("pinball_90"), row_key_of("r2_mean")
    ('own', 'pinball', 'r2')
    """
    if OWN.fullmatch(metric_id) is not None and metric_id not in TABLE_METRICS:
        return CustomMetricValue.key
    each = _of_each_column(metric_id)
    if each is not None:
        return row_key_of(each)
    hundredths = _WITH_HUNDREDTHS.fullmatch(metric_id)
    return hundredths[1] if hundredths else metric_id.partition("@")[0]


def wants_probabilities(task: Task) -> bool:
    """True where a metric of a task of pairs accepts only probabilities."""
    return any(pair_metric_of(metric).needs_probabilities for metric in task.metrics)


__all__ = [
    "PAIR_METRICS",
    "ROW_METRICS",
    "TABLE_METRICS",
    "CustomMetricError",
    "CustomMetricValue",
    "RowMeasure",
    "RowMetric",
    "custom_numbers",
    "is_column_mean",
    "is_custom",
    "pair_metric_of",
    "row_key_of",
    "row_metric_of",
    "table_metric_of",
    "wants_probabilities",
]
