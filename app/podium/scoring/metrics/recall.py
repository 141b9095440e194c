"""Computes precision, recall in its variants, and hit rate. Whole numbers until the one division at
the end."""

from __future__ import annotations

from typing import ClassVar

import polars as pl

from podium.scoring.hits import Hits
from podium.scoring.metrics.ranked import CountMetric
from podium.scoring.repeating import repeat
from podium.scoring.truth.canonical import GroundTruth


class Precision(CountMetric):
    """Σ hits / K: the share of the first K places that hold a relevant item.

    A list of fewer than K items is padded with misses, so it is divided by K all the same.
    Source: trec_eval's `P`.

    >>> Precision(k=5).of_one([1, 9, 2], {1: 1, 2: 1, 3: 1})
    0.4
    """

    key: ClassVar[str] = "precision"
    formula: ClassVar[str] = "hits among the first {k} items / {k}"
    source: ClassVar[str] = "trec_eval P"

    # A perfect list of a query with fewer than K relevant items stays below 1.
    is_bounded: ClassVar[bool] = False

    def ideals(self, truth: GroundTruth) -> pl.Series:
        """Returns K for every query."""
        return repeat(self.depth, truth.queries.height, pl.UInt32)


class Recall(CountMetric):
    """Σ hits / m: the share of the m relevant items that is among the first K.

    Where m > K, even a perfect list stays below 1. Source: trec_eval's `recall`.

    >>> Recall(k=2).of_one([1, 2, 3], {1: 1, 2: 1, 3: 1, 4: 1})
    0.5
    """

    key: ClassVar[str] = "recall"
    formula: ClassVar[str] = "hits among the first {k} items / relevant items"
    source: ClassVar[str] = "trec_eval recall"
    is_bounded: ClassVar[bool] = False

    def ideals(self, truth: GroundTruth) -> pl.Series:
        """Returns the number of relevant items, m."""
        return truth.queries["labels"]


class RecallCapped(CountMetric):
    """Σ hits / min(m, K): recall whose denominator is capped at K, the metric of OTTO.

    Micro, Σ hits / Σ min(m, K) over the queries with labels, is OTTO's (its KAGGLE.md); macro, the
    mean over these queries, is BEIR's `R_cap`.

    >>> RecallCapped(k=2).of_one([1, 9, 2], {1: 1, 2: 1, 3: 1})
    0.5
    """

    key: ClassVar[str] = "recall_capped"
    formula: ClassVar[str] = "hits among the first {k} items / min({k}, relevant items)"
    source: ClassVar[str] = "OTTO, KAGGLE.md (micro); BEIR R_cap (macro)"

    def ideals(self, truth: GroundTruth) -> pl.Series:
        """Returns min(m, K)."""
        return truth.capped_labels(self.depth)


class HitRate(CountMetric):
    """1 if there is any hit among the first K items, else 0.

    With one relevant item a query it equals recall. Source: trec_eval's `success`.

    >>> HitRate(k=3).of_one([9, 1, 2], {1: 1, 2: 1})
    1.0
    """

    key: ClassVar[str] = "hit_rate"
    formula: ClassVar[str] = "1 if any of the first {k} items is relevant, else 0"
    source: ClassVar[str] = "trec_eval success"

    def sums(self, hits: Hits) -> pl.Series:
        """Returns 1 for each query that has a hit, 0 for the others."""
        return hits.per_query(self.depth).clip(0, 1)
