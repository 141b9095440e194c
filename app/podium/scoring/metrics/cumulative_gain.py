"""Computes the cumulative gain of relevances, discounted by rank, and normalized by the ideal list.

A label without a relevance has relevance 1. The ideal list of a query has *all* its relevances in
descending order, cut to K; it is added up in the same order as a submission's, so that a perfect
list divides two equal numbers.
"""

from __future__ import annotations

import math
from itertools import accumulate
from typing import ClassVar

import polars as pl

from podium.scoring.hits import Hits
from podium.scoring.metrics.ranked import GainMetric
from podium.scoring.metrics.sums import sums_in_order
from podium.scoring.repeating import repeat
from podium.scoring.truth.canonical import GroundTruth


class CumulativeGain(GainMetric):
    """Σ rel_i over the first K items, not discounted and not normalized.

    Source: Järvelin & Kekäläinen, Cumulated gain-based evaluation of IR techniques, 2002.

    >>> CumulativeGain(k=3).of_one([9, 2, 1], {1: 3, 2: 2})
    5.0
    """

    key: ClassVar[str] = "cg"
    formula: ClassVar[str] = "Σ relevance of the first {k} items"
    source: ClassVar[str] = "Järvelin & Kekäläinen 2002"
    is_bounded: ClassVar[bool] = False
    upper_bound: ClassVar[int | None] = None

    def gains(self, hits: Hits) -> pl.Series:
        """Returns the relevance of each hit."""
        return hits.truth.relevances.gather(hits.top(self.depth)["label"])


class DiscountedGain(CumulativeGain):
    """DCG = Σ rel_i / log2(i + 1) over the first K items, not normalized.

    Source: Järvelin & Kekäläinen 2002, in the form that discounts from rank 2 on.

    >>> round(DiscountedGain(k=5).of_one([1, 2, 3, 4, 5], {1: 2, 2: 3, 3: 3, 4: 1, 5: 2}), 4)
    6.5972
    """

    key: ClassVar[str] = "dcg"
    formula: ClassVar[str] = "Σ relevance / log2(rank + 1) over the first {k} items"
    source: ClassVar[str] = "Järvelin & Kekäläinen 2002; trec_eval ndcg_cut"

    def gains(self, hits: Hits) -> pl.Series:
        """Returns the gain of each hit's relevance, discounted by rank."""
        top = hits.top(self.depth)
        gained = self._gained(hits.truth.relevances.gather(top["label"]))
        return gained * _discounts(self.depth).gather(top["rank"].cast(pl.UInt32) - 1)

    def _gained(self, relevances: pl.Series) -> pl.Series:
        """Maps a relevance to its gain."""
        return relevances


class DiscountedExponentialGain(DiscountedGain):
    """DCG with the gain 2**rel − 1, which tells high relevances further apart.

    The − 1 is not optional: without it, irrelevant items would gain. Source: Burges et al.,
    Learning to rank using gradient descent, 2005.

    >>> DiscountedExponentialGain(k=5).of_one([1], {1: 2})  # 2**2 - 1, not discounted at rank 1
    3.0
    """

    key: ClassVar[str] = "dcg_exp"
    formula: ClassVar[str] = "Σ (2^relevance − 1) / log2(rank + 1) over the first {k} items"
    source: ClassVar[str] = "Burges et al. 2005"

    def _gained(self, relevances: pl.Series) -> pl.Series:
        return _exponential(relevances)


class NormalizedGain(DiscountedGain):
    """DCG / IDCG, the discounted gain as a share of the ideal one.

    The ideal comes from all relevances of the query, sorted, first K; short lists are not excused.
    Source: Järvelin & Kekäläinen 2002; trec_eval's `ndcg_cut`.

    >>> round(NormalizedGain(k=5).of_one([1, 2, 3, 4, 5], {1: 2, 2: 3, 3: 3, 4: 1, 5: 2}), 4)
    0.9238
    """

    key: ClassVar[str] = "ndcg"
    formula: ClassVar[str] = (
        "Σ relevance / log2(rank + 1) over the first {k} items / the same of the ideal list"
    )
    is_bounded: ClassVar[bool] = True

    def ideals(self, truth: GroundTruth) -> pl.Series:
        """Computes IDCG, the discounted gain of the query's relevances in descending order."""
        discounts = _discounts(self.depth)
        if not truth.is_graded:
            # Without relevances the number of labels decides, and few numbers occur.
            gained = self._gained(repeat(1.0, self.depth, pl.Float64)) * discounts
            places = truth.queries["labels"].clip(1, self.depth) - 1
            return pl.Series(accumulate(gained), dtype=pl.Float64).gather(places)
        ideal = truth.ideal_lists
        place = ideal["place"]
        top = place < self.depth
        gained = self._gained(ideal["relevance"].filter(top))
        discounted = gained * discounts.gather(place.filter(top))
        return sums_in_order(ideal["slot"].filter(top), discounted, size=truth.queries.height)


class NormalizedExponentialGain(NormalizedGain):
    """DCG / IDCG with the gain 2**rel − 1. Source: Burges et al. 2005.

    >>> round(NormalizedExponentialGain(k=4).of_one([1, 9, 3, 4], {1: 2, 3: 3, 4: 2}), 5)
    0.74975
    """

    key: ClassVar[str] = "ndcg_exp"
    formula: ClassVar[str] = (
        "Σ (2^relevance − 1) / log2(rank + 1) over the first {k} items / the same of the ideal list"
    )
    source: ClassVar[str] = "Burges et al. 2005"

    def _gained(self, relevances: pl.Series) -> pl.Series:
        return _exponential(relevances)


def _exponential(relevances: pl.Series) -> pl.Series:
    return pl.Series([2.0]).pow(relevances) - 1.0 if len(relevances) else relevances


def _discounts(k: int) -> pl.Series:
    """Computes 1 / log2(rank + 1) for the ranks 1 to K."""
    return pl.Series([1.0 / math.log2(rank + 1) for rank in range(1, k + 1)], dtype=pl.Float64)
