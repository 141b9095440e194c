"""How many relevant items were found: precision, recall in its forms, hit rate. Whole numbers until
the one division at the end."""

from __future__ import annotations

from typing import ClassVar

import polars as pl

from app.scoring.ground_truth import GroundTruth
from app.scoring.hits import Hits
from app.scoring.metrics.base import CountMetric


class Precision(CountMetric):
    """Σ hits / K: the share of the first K places that hold a relevant item.

    A list of fewer than K items is padded with misses, so it is divided by K all the same.
    Source: trec_eval's `P`.

    With K = 5, labels {1, 2, 3} and the list 1, 9, 2: 2 / 5.

    >>> Precision(k=5).name
    'precision@5'
    """

    key: ClassVar[str] = "precision"
    formula: ClassVar[str] = "hits among the first {k} items / {k}"
    source: ClassVar[str] = "trec_eval P"

    # A perfect list of a query with fewer than K relevant items stays below 1.
    is_bounded: ClassVar[bool] = False

    def gains(self, hits: Hits) -> pl.Series:
        """1 a hit."""
        return _ones(hits.top(self.k).height)

    def ideals(self, truth: GroundTruth) -> pl.Series:
        """K for every query."""
        return pl.repeat(self.k, truth.queries.height, dtype=pl.UInt32, eager=True)


class Recall(CountMetric):
    """Σ hits / m: the share of the m relevant items that is among the first K.

    Where m > K, even a perfect list stays below 1. Source: trec_eval's `recall`.

    With K = 2, labels {1, 2, 3} and the list 1, 2, 3: 2 / 3.

    >>> Recall(k=2, average="micro").id
    'recall@2:micro'
    """

    key: ClassVar[str] = "recall"
    formula: ClassVar[str] = "hits among the first {k} items / relevant items"
    source: ClassVar[str] = "trec_eval recall"
    is_bounded: ClassVar[bool] = False

    def gains(self, hits: Hits) -> pl.Series:
        """1 a hit."""
        return _ones(hits.top(self.k).height)

    def ideals(self, truth: GroundTruth) -> pl.Series:
        """The number of relevant items, m."""
        return truth.queries["labels"]


class RecallCapped(CountMetric):
    """Σ hits / min(m, K): recall whose denominator is capped at K, the metric of OTTO.

    Micro, Σ hits / Σ min(m, K) over the queries with labels, is OTTO's (its KAGGLE.md); macro, the
    mean over these queries, is BEIR's `R_cap`.

    With K = 2, labels {1, 2, 3} and the list 1, 9: 1 / 2.

    >>> RecallCapped(k=20, average="micro").name
    'recall_capped@20'
    """

    key: ClassVar[str] = "recall_capped"
    formula: ClassVar[str] = "hits among the first {k} items / min({k}, relevant items)"
    source: ClassVar[str] = "OTTO, KAGGLE.md (micro); BEIR R_cap (macro)"

    def gains(self, hits: Hits) -> pl.Series:
        """1 a hit."""
        return _ones(hits.top(self.k).height)

    def ideals(self, truth: GroundTruth) -> pl.Series:
        """min(m, K)."""
        return truth.queries["labels"].clip(0, self.k)


class HitRate(CountMetric):
    """1 if there is any hit among the first K items, else 0.

    With one relevant item a query it equals recall. Source: trec_eval's `success`.

    With K = 3, labels {1, 2} and the list 9, 1, 2: 1.

    >>> HitRate(k=3).name
    'hit_rate@3'
    """

    key: ClassVar[str] = "hit_rate"
    formula: ClassVar[str] = "1 if any of the first {k} items is relevant, else 0"
    source: ClassVar[str] = "trec_eval success"

    def gains(self, hits: Hits) -> pl.Series:
        """1 for the first hit of a query."""
        return hits.top(self.k)["ordinal"] == 1

    def ideals(self, truth: GroundTruth) -> pl.Series:
        """1 for every query."""
        return pl.repeat(1, truth.queries.height, dtype=pl.UInt32, eager=True)


def _ones(count: int) -> pl.Series:
    return pl.repeat(1, count, dtype=pl.UInt8, eager=True)
