"""Metrics over hits: one family per file; a metric is a frozen value, and its docstring is its
specification. A new one is added here and nowhere else."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from podium.scoring.kernel.terms import Terms
from podium.scoring.metrics.average_precision import (
    AveragePrecision,
    AveragePrecisionCapped,
    ReciprocalRank,
)
from podium.scoring.metrics.base import Average, ByObjective, Notes, RankMetric
from podium.scoring.metrics.beyond_accuracy import (
    Coverage,
    IntraListDiversity,
    Novelty,
    Serendipity,
    prediction_reader,
)
from podium.scoring.metrics.cumulative_gain import (
    CumulativeGain,
    DiscountedExponentialGain,
    DiscountedGain,
    NormalisedExponentialGain,
    NormalisedGain,
)
from podium.scoring.metrics.pairs import PAIR_METRICS, PairMetric, pair_metric_of
from podium.scoring.metrics.recall import HitRate, Precision, Recall, RecallCapped
from podium.scoring.task import MAX_K, TaskKind

RANK_METRICS: dict[str, type[RankMetric]] = {
    metric.key: metric
    for metric in (
        Precision,
        Recall,
        RecallCapped,
        HitRate,
        ReciprocalRank,
        AveragePrecision,
        AveragePrecisionCapped,
        NormalisedGain,
        NormalisedExponentialGain,
        DiscountedGain,
        DiscountedExponentialGain,
        CumulativeGain,
    )
}
"""Every rank metric by its name without K."""

PREDICTION_METRICS: dict[str, type[RankMetric]] = {
    metric.key: metric for metric in (Coverage, Novelty, IntraListDiversity, Serendipity)
}
"""Every metric that needs the item file, by its name without K. They never rank teams."""

Kind = Literal["rank", "prediction", "rating", "pair"]

Metric = RankMetric | PairMetric

REGISTRY: dict[Kind, Mapping[str, type[Metric]]] = {
    "rank": RANK_METRICS,
    "prediction": PREDICTION_METRICS,
    "rating": {key: each for key, each in PAIR_METRICS.items() if each.tasks == ("rating",)},
    "pair": {key: each for key, each in PAIR_METRICS.items() if each.tasks != ("rating",)},
}
"""Every metric there is, by what it is computed from: the hits, the predictions, ratings, or other
numbers of pairs. A name that measures lists and pairs means the same for both."""


def metric_of(metric_id: str, task: TaskKind | None = None) -> Metric:
    """The metric with this id, for example `ndcg@20`, `recall_capped@20:micro` or `rmse`; of the
    task's kind, where one is given.

    Raises ValueError for a name, a K or an average that there is not.
    """
    if task is not None:
        return rank_metric_of(metric_id) if task == "ranking" else pair_metric_of(metric_id)
    try:
        return rank_metric_of(metric_id)
    except ValueError:
        if metric_id.partition("@")[0] not in PAIR_METRICS:
            raise
        return pair_metric_of(metric_id)


def rank_metric_of(metric_id: str) -> RankMetric:
    """The metric of ranked lists with this id. Raises ValueError for any other."""
    found = re.fullmatch(r"([A-Za-z_]+)@([1-9][0-9]{0,3})(?::(macro|micro))?", metric_id)
    known, key = RANK_METRICS | PREDICTION_METRICS, metric_id.partition("@")[0]
    if key in PAIR_METRICS and key not in known:
        raise ValueError(f"{metric_id} measures numbers of pairs, not ranked lists")
    if found is None or int(found[2]) > MAX_K:
        raise ValueError(f"{metric_id!r} is not a name@K with K from 1 to {MAX_K}")
    if found[1] not in known:
        raise ValueError(f"unknown metric {found[1]!r}")
    average: Average = "micro" if found[3] == "micro" else "macro"
    return known[found[1]](int(found[2]), average)


def metric_for(metric_id: str, *, task: TaskKind, ranks: bool) -> Metric:
    """The metric with this id for a task of this kind; `ranks`: teams shall be ranked by it.

    Raises ValueError, also for a metric of another kind, or one that only tells.
    """
    try:
        metric = metric_of(metric_id, task)
    except ValueError:
        suited = _suited(metric_of(metric_id))
        if task not in suited:
            raise _unsuited(metric_id, suited, task) from None
        raise
    if task not in _suited(metric):
        raise _unsuited(metric_id, _suited(metric), task)
    if ranks and metric.key in PREDICTION_METRICS:
        raise ValueError(f"{metric.key} would reward noise: it can only be a diagnostic")
    return metric


def _suited(metric: Metric) -> tuple[TaskKind, ...]:
    return metric.tasks if isinstance(metric, PairMetric) else ("ranking",)


def _unsuited(metric_id: str, suited: tuple[TaskKind, ...], task: TaskKind) -> ValueError:
    kinds = " and ".join(suited)
    return ValueError(f"{metric_id} is a metric of the task {kinds}, and the task is {task}")


__all__ = [
    "PAIR_METRICS",
    "PREDICTION_METRICS",
    "RANK_METRICS",
    "REGISTRY",
    "Average",
    "ByObjective",
    "Kind",
    "Metric",
    "Notes",
    "PairMetric",
    "RankMetric",
    "Terms",
    "metric_for",
    "metric_of",
    "pair_metric_of",
    "prediction_reader",
    "rank_metric_of",
]
