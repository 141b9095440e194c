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
from podium.scoring.metrics.rating import MeanAbsoluteError, RatingMetric, RootMeanSquaredError
from podium.scoring.metrics.recall import HitRate, Precision, Recall, RecallCapped
from podium.scoring.task import MAX_K

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

RATING_METRICS: dict[str, type[RatingMetric]] = {
    metric.key: metric for metric in (MeanAbsoluteError, RootMeanSquaredError)
}
"""Every metric of predicted ratings by its name, which is its id."""

Kind = Literal["rank", "prediction", "rating"]

Metric = RankMetric | RatingMetric

REGISTRY: dict[Kind, Mapping[str, type[Metric]]] = {
    "rank": RANK_METRICS,
    "prediction": PREDICTION_METRICS,
    "rating": RATING_METRICS,
}
"""Every metric there is, by what it is computed from: the hits, the predictions, or ratings."""


def metric_of(metric_id: str) -> Metric:
    """The metric with this id, for example `ndcg@20`, `recall_capped@20:micro` or `rmse`.

    Raises ValueError for a name, a K or an average that there is not.
    """
    if metric_id in RATING_METRICS:
        return RATING_METRICS[metric_id]()
    return rank_metric_of(metric_id)


def rating_metric_of(metric_id: str) -> RatingMetric:
    """The metric of ratings with this id. Raises ValueError for any other."""
    if metric_id not in RATING_METRICS:
        known = " and ".join(RATING_METRICS)
        raise ValueError(f"{metric_id!r} does not measure ratings: there are {known}")
    return RATING_METRICS[metric_id]()


def rank_metric_of(metric_id: str) -> RankMetric:
    """The metric of ranked lists with this id. Raises ValueError for any other."""
    if metric_id in RATING_METRICS:
        raise ValueError(f"{metric_id} measures ratings, not ranked lists")
    found = re.fullmatch(r"([A-Za-z_]+)@([1-9][0-9]{0,3})(?::(macro|micro))?", metric_id)
    if found is None or int(found[2]) > MAX_K:
        raise ValueError(f"{metric_id!r} is not a name@K with K from 1 to {MAX_K}")
    known = RANK_METRICS | PREDICTION_METRICS
    if found[1] not in known:
        raise ValueError(f"unknown metric {found[1]!r}")
    average: Average = "micro" if found[3] == "micro" else "macro"
    return known[found[1]](int(found[2]), average)


def metric_for(metric_id: str, *, task: Literal["ranking", "rating"], ranks: bool) -> Metric:
    """The metric with this id for a task of this kind; `ranks`: teams shall be ranked by it.

    Raises ValueError, also for a metric of the other kind, or one that only tells.
    """
    metric = metric_of(metric_id)
    kind = next(kind for kind, known in REGISTRY.items() if metric.key in known)
    if (kind == "rating") != (task == "rating"):
        suited = "rated pairs" if kind == "rating" else "ranked lists"
        raise ValueError(f"{metric.key} is a metric of {suited}, and the task is {task}")
    if ranks and kind == "prediction":
        raise ValueError(f"{metric.key} would reward noise: it can only be a diagnostic")
    return metric


__all__ = [
    "PREDICTION_METRICS",
    "RANK_METRICS",
    "RATING_METRICS",
    "REGISTRY",
    "Average",
    "ByObjective",
    "Kind",
    "Metric",
    "Notes",
    "RankMetric",
    "RatingMetric",
    "Terms",
    "metric_for",
    "metric_of",
    "prediction_reader",
    "rank_metric_of",
    "rating_metric_of",
]
