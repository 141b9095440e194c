"""Computes metrics of the ranks of hits: reciprocal rank, and average precision in its two
normalizations."""

from __future__ import annotations

from typing import ClassVar, Literal

import polars as pl

from podium.scoring.hits import Hits
from podium.scoring.metrics.ranked import GainMetric
from podium.scoring.truth.canonical import GroundTruth


class ReciprocalRank(GainMetric):
    """1 / rank of the first hit among the first K items, else 0.

    Source: Kantor & Voorhees, The TREC-5 Confusion Track, 2000; trec_eval's `recip_rank`.

    >>> ReciprocalRank(k=5).of_one([9, 2, 1], {1: 1, 2: 1})
    0.5
    """

    key: ClassVar[str] = "mrr"
    formula: ClassVar[str] = "1 / rank of the first relevant item among the first {k}, else 0"
    source: ClassVar[str] = "Kantor & Voorhees 2000; trec_eval recip_rank"

    def gains(self, hits: Hits) -> pl.Series:
        """Returns 1 / rank for the first hit of a query, 0 for the others."""
        top = hits.top(self.depth)
        return (top["ordinal"] == 1).cast(pl.Float64) / top["rank"]


class _AveragePrecision(GainMetric):
    """Σ P@i over the positions i ≤ K that hold a hit; P@i is the share of hits among the first
    i."""

    def gains(self, hits: Hits) -> pl.Series:
        """Returns P@i = j / i, where the hit is the j-th of its query, at rank i."""
        top = hits.top(self.depth)
        return top["ordinal"].cast(pl.Float64) / top["rank"]


class AveragePrecision(_AveragePrecision):
    """(1 / m) Σ P@i · h_i: average precision over all m relevant items.

    Where m > K, even a perfect list stays below 1. `map` without K looks at the whole list, up to
    1000 items. Source: trec_eval's `map_cut`, and `map` without K.

    >>> AveragePrecision(k=4).of_one([1, 9, 8, 2], {1: 1, 2: 1})  # (1/1 + 2/4) / 2
    0.75
    """

    key: ClassVar[str] = "map"
    formula: ClassVar[str] = "Σ precision at each hit among the first {k} items / relevant items"
    source: ClassVar[str] = "trec_eval map_cut"
    takes_k: ClassVar[Literal["always", "perhaps", "never"]] = "perhaps"
    is_bounded: ClassVar[bool] = False

    def ideals(self, truth: GroundTruth) -> pl.Series:
        """Returns the number of relevant items, m."""
        return truth.queries["labels"]


class AveragePrecisionCapped(_AveragePrecision):
    """(1 / min(m, K)) Σ P@i · h_i: average precision as Kaggle's MAP@K divides it.

    Source: Kaggle's MAP@K.

    >>> AveragePrecisionCapped(k=1).of_one([1], {1: 1, 2: 1})  # where map@1 is 1/2
    1.0
    """

    key: ClassVar[str] = "map_capped"
    formula: ClassVar[str] = (
        "Σ precision at each hit among the first {k} items / min({k}, relevant items)"
    )
    source: ClassVar[str] = "Kaggle MAP@K"

    def ideals(self, truth: GroundTruth) -> pl.Series:
        """Returns min(m, K)."""
        return truth.capped_labels(self.depth)
