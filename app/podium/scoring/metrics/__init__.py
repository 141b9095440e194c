"""Registers all metrics: one family per file; a metric is a frozen value, and its docstring is its
specification. A new one is added here and nowhere else."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Literal

from podium.add_ons import Later, lack_of
from podium.scoring.kernel.terms import Terms
from podium.scoring.kinds import KINDS, TaskKind
from podium.scoring.kinds.lists import LISTS
from podium.scoring.metrics.added import added, missing
from podium.scoring.metrics.answers import (
    F1,
    MeanF1,
    PrecisionAnswered,
    RPrecision,
    length_reader,
)
from podium.scoring.metrics.average_precision import (
    AveragePrecision,
    AveragePrecisionCapped,
    ReciprocalRank,
)
from podium.scoring.metrics.base import Average, Metric
from podium.scoring.metrics.beyond_accuracy import (
    Coverage,
    IntraListDiversity,
    Novelty,
    Serendipity,
    prediction_reader,
)
from podium.scoring.metrics.calibration import Miscalibration
from podium.scoring.metrics.cumulative_gain import (
    CumulativeGain,
    DiscountedExponentialGain,
    DiscountedGain,
    NormalizedExponentialGain,
    NormalizedGain,
)
from podium.scoring.metrics.exposure import AveragePopularity, Entropy, Gini, LongTailShare
from podium.scoring.metrics.ranked import ByObjective, Notes, RankMetric
from podium.scoring.metrics.recall import HitRate, Precision, Recall, RecallCapped
from podium.scoring.metrics.rows import (
    PAIR_METRICS,
    ROW_METRICS,
    TABLE_METRICS,
    RowMetric,
    is_column_mean,
    pair_metric_of,
    row_key_of,
    row_metric_of,
    table_metric_of,
)
from podium.scoring.metrics.user_models import (
    AverageReciprocalHitRank,
    ExpectedReciprocalRank,
    RankBiasedPrecision,
)
from podium.scoring.task import MAX_K

_RANKING: tuple[type[RankMetric], ...] = (
    Precision,
    Recall,
    RecallCapped,
    HitRate,
    ReciprocalRank,
    AveragePrecision,
    AveragePrecisionCapped,
    NormalizedGain,
    NormalizedExponentialGain,
    DiscountedGain,
    DiscountedExponentialGain,
    CumulativeGain,
    F1,
    MeanF1,
    RPrecision,
    PrecisionAnswered,
    RankBiasedPrecision,
    ExpectedReciprocalRank,
    AverageReciprocalHitRank,
)

_TELLING: tuple[type[RankMetric], ...] = (
    Coverage,
    Novelty,
    IntraListDiversity,
    Serendipity,
    Gini,
    Entropy,
    AveragePopularity,
    LongTailShare,
    Miscalibration,
)


def _of_lists(ours: Iterable[type[RankMetric]], *, ranks: bool) -> Mapping[str, type[RankMetric]]:
    others = added(RankMetric).values()  # type: ignore[type-abstract]  # of its subclasses
    every = (*ours, *(metric for metric in others if metric.ranks is ranks))
    return {metric.key: metric for metric in every}


RANK_METRICS: Mapping[str, type[RankMetric]] = Later(lambda: _of_lists(_RANKING, ranks=True))
"""Every rank metric by its name without K."""

PREDICTION_METRICS: Mapping[str, type[RankMetric]] = Later(lambda: _of_lists(_TELLING, ranks=False))
"""Every metric that needs the item file, by its name without K. They never rank teams."""

MetricFamily = Literal["rank", "prediction", "rating", "pair", "table", "label-set"]

SAMPLED = (
    "metrics over sampled negatives put models in another order than the same metrics over all"
    " items (Krichene & Rendle 2020), so there are none: rank all items, as hit_rate@K and mrr@K"
    " do, or publish the candidates of each query and use the task rerank"
)
"""The reason why there is no metric over sampled candidates, with alternatives."""

OF_GROUPS = (
    "mred compares groups of sessions, and is not a metric of lists: scores by segments have it"
    " (`podium segments`)"
)
"""The reason why the id of EvalRS's difference of groups is not a metric."""

_ID = re.compile(r"([A-Za-z][A-Za-z0-9_]*)(?:@([1-9][0-9]{0,3}))?(?::(macro|micro))?")

_RBP = re.compile(f"{RankBiasedPrecision.key}_([0-9]{{2}})")
"""The pattern of rank-biased precision with its p."""


def _of_rows(family: MetricFamily) -> Mapping[str, type[RowMetric]]:
    return {
        key: metric
        for kind in KINDS.values()
        if kind.family == family
        for key, metric in ROW_METRICS[kind.key].items()
    }


REGISTRY: dict[MetricFamily, Mapping[str, type[Metric]]] = {
    "rank": RANK_METRICS,
    "prediction": PREDICTION_METRICS,
    "rating": Later(lambda: _of_rows("rating")),
    "pair": Later(lambda: _of_rows("pair")),
    "table": Later(lambda: _of_rows("table")),
    "label-set": Later(
        lambda: {
            key: metric for key, metric in _of_rows("label-set").items() if key not in TABLE_METRICS
        }
    ),
}
"""All metrics by the data they are computed from: the hits, the predictions, ratings, other numbers
of pairs, columns of tables, or sets of labels. A name in several kinds has the same meaning in
each."""


def metric_of(metric_id: str, task: TaskKind | None = None) -> Metric:
    """Finds the metric with this id, for example `ndcg@20`, `recall_capped@20:micro` or `rmse`; of
    the task's kind, where one is given. For an add-on that is missing it is one without values.
    Raises ValueError for an unknown name, K or average."""
    if (lack := lack_of("metrics", key_of(metric_id))) is not None:
        return missing(key_of(metric_id), lack)
    if task is not None and lack_of("kinds", task) is None:
        return rank_metric_of(metric_id) if task == LISTS.key else row_metric_of(metric_id, task)
    key = row_key_of(metric_id)
    is_of_columns = key not in PAIR_METRICS or is_column_mean(metric_id)
    for kind in KINDS.values():
        if kind.has_table and key in ROW_METRICS[kind.key] and is_of_columns:
            return row_metric_of(metric_id, kind.key)
    try:
        return rank_metric_of(metric_id)
    except ValueError as of_lists:
        if key not in PAIR_METRICS:
            raise
        try:
            return pair_metric_of(metric_id)
        except ValueError:
            # A name of both kinds is most often intended for lists.
            if key in RANK_METRICS:
                raise of_lists from None
            raise


def rank_metric_of(metric_id: str) -> RankMetric:
    """Finds the metric of ranked lists with this id. Raises ValueError for any other."""
    key = row_key_of(metric_id)
    if key in PAIR_METRICS and key not in RANK_METRICS:
        raise ValueError(f"{metric_id} measures numbers of pairs, not ranked lists")
    found = _ID.fullmatch(metric_id)
    if found is None or int(found[2] or 1) > MAX_K:
        raise ValueError(f"{metric_id!r} is not a name@K with K from 1 to {MAX_K}")
    name, k = found[1], int(found[2]) if found[2] else None
    average: Average = "micro" if found[3] == "micro" else "macro"
    with_p = _RBP.fullmatch(name)
    if with_p is not None:
        return RankBiasedPrecision(k, average, persistence=int(with_p[1]))
    known = {**RANK_METRICS, **PREDICTION_METRICS}
    if name not in known:
        reason = SAMPLED if is_sampled(name) else f"unknown metric {name!r}"
        raise ValueError(OF_GROUPS if name == "mred" else reason)
    return known[name](k, average)


def key_of(metric_id: str) -> str:
    """Extracts the key of the metric from an id, even if there is no such metric.

    >>> key_of("recall_capped@20:micro"), key_of("rbp_95@20"), key_of("pinball_90"), key_of("map")
    ('recall_capped', 'rbp', 'pinball', 'map')
    """
    name = re.split("[@:]", metric_id, maxsplit=1)[0]
    return RankBiasedPrecision.key if _RBP.fullmatch(name) else row_key_of(name)


def are_errors(metric_ids: Iterable[str]) -> bool:
    """True where lower is better for each of these metrics, so that their combined score is an
    error.

    >>> are_errors(["log_loss", "brier"]), are_errors(["log_loss", "auc"]), are_errors(["rce"])
    (True, False, False)
    """
    return not any(metric_of(metric).higher_is_better for metric in metric_ids)


def is_sampled(name: str) -> bool:
    """True for the name of a metric over sampled candidates, such as `sampled_hit_rate`."""
    return not {"sampled", "sample"}.isdisjoint(name.lower().split("_"))


def metric_for(metric_id: str, *, task: TaskKind, ranks: bool) -> Metric:
    """Finds the metric with this id for a task of this kind; `ranks` requires one that can rank
    teams. Raises ValueError, also for a metric of another kind, a diagnostic one, and one of a
    missing add-on."""
    if (lack := lack_of("metrics", key_of(metric_id))) is not None:
        raise ValueError(lack)
    try:
        metric = metric_of(metric_id, task)
    except ValueError:
        suited = _suited_by_name(metric_id, task)
        if task not in suited:
            raise _unsuited(metric_id, suited, task) from None
        raise
    if task not in _suited(metric):
        raise _unsuited(metric_id, _suited(metric), task)
    if ranks and not metric.ranks:
        raise ValueError(f"{metric.key} {metric.unranked_reason}: it can only be a diagnostic")
    return metric


def kinds_of_task(metric_id: str) -> tuple[TaskKind, ...]:
    """Lists the kinds of task that have a metric with this id, lists before pairs, and these before
    tables; empty for an unknown id."""
    found = []
    for kind in KINDS:
        with suppress(ValueError):
            if kind in _suited(metric_of(metric_id, kind)):
                found.append(kind)
    return tuple(found)


def _suited(metric: Metric) -> tuple[TaskKind, ...]:
    """Lists the kinds of task that have a metric of this name, of lists or of rows."""
    if not isinstance(metric, RowMetric):
        return (LISTS.key,)
    return tuple(
        kind
        for kind, known in ROW_METRICS.items()
        if metric.key in known and (KINDS[kind].has_table or not metric.is_column_mean)
    )


def _suited_by_name(metric_id: str, task: TaskKind) -> tuple[TaskKind, ...]:
    """Lists the same for an id that is not valid for this kind of task. Raises ValueError for an
    id that is valid for none, unless its name alone says that it is one of lists."""
    try:
        return _suited(metric_of(metric_id))
    except ValueError:
        key = key_of(metric_id)
        if key in RANK_METRICS and key not in ROW_METRICS.get(task, RANK_METRICS):
            return (LISTS.key,)
        raise


def _unsuited(metric_id: str, suited: tuple[TaskKind, ...], task: TaskKind) -> ValueError:
    reason = f"{metric_id} is a metric of the task {' and '.join(suited)}, and the task is {task}"
    decided = f"{key_of(metric_id)}_binary"
    is_known = decided in ROW_METRICS.get(task, {})
    return ValueError(f"{reason}: {decided} looks at decisions" if is_known else reason)


__all__ = [
    "PAIR_METRICS",
    "PREDICTION_METRICS",
    "RANK_METRICS",
    "REGISTRY",
    "SAMPLED",
    "TABLE_METRICS",
    "Average",
    "ByObjective",
    "Metric",
    "MetricFamily",
    "Notes",
    "RankMetric",
    "RowMetric",
    "Terms",
    "are_errors",
    "is_column_mean",
    "is_sampled",
    "key_of",
    "kinds_of_task",
    "length_reader",
    "metric_for",
    "metric_of",
    "pair_metric_of",
    "prediction_reader",
    "rank_metric_of",
    "row_metric_of",
    "table_metric_of",
]
