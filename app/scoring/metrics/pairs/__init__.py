"""Metrics of numbers for published pairs: one family per file; a metric is a frozen value, and its
docstring is its specification. A new one is added here and nowhere else."""

from __future__ import annotations

import re

from podium.scoring.metrics.pairs.base import PairMeasure, PairMetric
from podium.scoring.metrics.pairs.errors import MeanAbsoluteError, RootMeanSquaredError

PAIR_METRICS: dict[str, type[PairMetric]] = {
    metric.key: metric for metric in (MeanAbsoluteError, RootMeanSquaredError)
}
"""Every metric of pairs by its name without parameter."""


def pair_metric_of(metric_id: str) -> PairMetric:
    """The metric of pairs with this id. Raises ValueError for any other."""
    found = re.fullmatch(r"([a-z_]+)(?:@(\d+(?:\.\d+)?))?", metric_id)
    if found is None or found[1] not in PAIR_METRICS:
        known = ", ".join(PAIR_METRICS)
        raise ValueError(f"{metric_id!r} does not measure numbers of pairs: there are {known}")
    return PAIR_METRICS[found[1]].made(found[2])


__all__ = ["PAIR_METRICS", "PairMeasure", "PairMetric", "pair_metric_of"]
