"""Computes metrics of sets and of the number of answers: F1 in two forms, R-precision, and
precision over the answered positions. Whole numbers until the one division at the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

import polars as pl

from podium.scoring.hits import Hits
from podium.scoring.kernel.terms import Terms
from podium.scoring.metrics.base import Average
from podium.scoring.metrics.ranked import CountMetric, RankMetric
from podium.scoring.predictions import LengthReader
from podium.scoring.truth.canonical import GroundTruth


class F1(CountMetric):
    """2 · P · R / (P + R) = 2 Σ hits / (K + m), of precision P = hits / K and recall R = hits / m.

    A short list is divided by K all the same, as in `precision`; `mean_f1` divides by its length.
    Micro, 2 Σ hits / Σ (K + m), is the F1 of micro precision and micro recall. Source: van
    Rijsbergen, Information Retrieval, 1979; scikit-learn's `f1_score` of the first K items.

    Two hits among K = 4 items, m = 2: P = 1/2, R = 1, F1 = 2/3.

    >>> round(F1(k=4).of_one([1, 9, 2], {1: 1, 2: 1}), 4)
    0.6667
    """

    key: ClassVar[str] = "f1"
    formula: ClassVar[str] = "2 · hits among the first {k} items / ({k} + relevant items)"
    source: ClassVar[str] = "van Rijsbergen 1979; scikit-learn f1_score"
    is_bounded: ClassVar[bool] = False

    def sums(self, hits: Hits) -> pl.Series:
        """Counts the hits of each labeled query twice."""
        return hits.per_query(self.depth) * 2

    def ideals(self, truth: GroundTruth) -> pl.Series:
        """Returns K + m."""
        return truth.queries["labels"] + self.depth


class RPrecision(CountMetric):
    """Σ hits among the first m items / m: precision at the number of relevant items, without a K.

    There precision and recall are equal. Lists count up to 1000 items, so that a query with more
    relevant items stays below 1. Source: trec_eval's `Rprec`.

    Of three relevant items, one is among the first three: 1/3.

    >>> round(RPrecision().of_one([1, 8, 9, 2], {1: 1, 2: 1, 3: 1}), 4)
    0.3333
    """

    key: ClassVar[str] = "r_precision"
    formula: ClassVar[str] = (
        "hits among as many first items as there are relevant ones / relevant items"
    )
    source: ClassVar[str] = "trec_eval Rprec"
    takes_k: ClassVar[Literal["always", "perhaps", "never"]] = "never"
    is_bounded: ClassVar[bool] = False

    def gains(self, hits: Hits) -> pl.Series:
        """Returns 1 for a hit at a rank up to m, else 0."""
        top = hits.top(self.depth)
        return (top["rank"] <= hits.truth.queries["labels"].gather(top["slot"])).cast(pl.UInt8)

    def ideals(self, truth: GroundTruth) -> pl.Series:
        """Returns the number of relevant items, m."""
        return truth.queries["labels"]


class PrecisionAnswered(CountMetric):
    """Σ hits / min(K, length of the list): the share of the answered places that hold a hit.

    An empty list scores 0. A repeated item takes a place, as everywhere. It rewards lists of one
    sure item: rank by it only where the number of answers is part of the task. Source: trec_eval's
    `set_P`, of the first K items.

    One hit in a list of two items: 1/2, where `precision@5` is 1/5.

    >>> PrecisionAnswered(k=5).of_one([1, 9], {1: 1, 2: 1})
    0.5
    """

    key: ClassVar[str] = "precision_answered"
    formula: ClassVar[str] = "hits among the first {k} items / min({k}, items in the list)"
    source: ClassVar[str] = "trec_eval set_P"
    averages: ClassVar[tuple[Average, ...]] = ("macro",)
    is_bounded: ClassVar[bool] = False
    reads_lengths: ClassVar[bool] = True

    def terms(self, hits: Hits, truth: GroundTruth) -> Terms:
        """Returns the hits of each list and its length, 1 for an empty list."""
        return Terms(self.sums(hits), hits.answered(self.depth).clip(1), is_mean=True)


class MeanF1(CountMetric):
    """2 Σ hits / (m + length of the list), the F1 of two sets, without a K.

    The whole list counts, up to 1000 items, and its order does not; a repeated item takes a place,
    as everywhere. For "nothing", Instacart has the word `None` as an item of its own: with text ids
    (`item_ids: string`), write `None` in the ground truth and in lists, alone or beside others.
    Where ids are numbers, an id that no item has, such as 0, does the same. A query whose ground
    truth is empty does not count, and an empty list scores 0: both have to say `None`. Source:
    Kaggle's Instacart Market Basket Analysis, 2017.

    One of two relevant items in a list of three: P = 1/3, R = 1/2, F1 = 2/5.

    >>> MeanF1().of_one([1, 8, 9], {1: 1, 2: 1})
    0.4
    """

    key: ClassVar[str] = "mean_f1"
    formula: ClassVar[str] = "2 · hits in the list / (items in the list + relevant items)"
    source: ClassVar[str] = "Kaggle, Instacart Market Basket Analysis 2017"
    averages: ClassVar[tuple[Average, ...]] = ("macro",)
    takes_k: ClassVar[Literal["always", "perhaps", "never"]] = "never"
    is_bounded: ClassVar[bool] = False
    reads_lengths: ClassVar[bool] = True

    def sums(self, hits: Hits) -> pl.Series:
        """Counts the hits of each labeled query twice."""
        return hits.per_query(self.depth) * 2

    def ideals(self, truth: GroundTruth) -> pl.Series:
        """Returns the number of relevant items, to which `terms` adds the length of a submission's
        list."""
        return truth.queries["labels"]

    def terms(self, hits: Hits, truth: GroundTruth) -> Terms:
        """Returns twice the hits of each query, and the sizes of both sets."""
        both = self.ideals(truth) + hits.answered(self.depth)
        return Terms(self.sums(hits), both, is_mean=True)


def length_reader(metrics: Sequence[RankMetric], truth: GroundTruth) -> LengthReader | None:
    """Creates a reader of the lengths of lists for these metrics; None where none of them needs
    lengths."""
    return LengthReader(truth) if any(metric.reads_lengths for metric in metrics) else None
