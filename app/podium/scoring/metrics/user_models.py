"""Computes metrics that model a person who reads a list from its top: rank-biased precision,
expected reciprocal rank, and the reciprocal ranks of all hits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import polars as pl

from podium.scoring.hits import Hits
from podium.scoring.metrics.ranked import GainMetric
from podium.scoring.repeating import repeat


@dataclass(frozen=True)
class RankBiasedPrecision(GainMetric):
    """(1 − p) Σ h_i · p^(i − 1): the hits of a reader who goes on to the next item with chance p.

    p is written in hundredths behind the name: `rbp_95@20` has p = 0.95; `rbp@20` is `rbp_80@20`.
    A perfect list stays below 1, since the reader may look further than any list goes: the sum is
    at most 1 − p^K. Relevances count as 1. Source: Moffat & Zobel, Rank-biased precision for
    measurement of retrieval effectiveness, 2008.

    Hits at ranks 1 and 3, p = 0.5: 0.5 · (1 + 0.25) = 0.625.

    >>> RankBiasedPrecision(k=5, persistence=50).of_one([1, 9, 2], {1: 1, 2: 1})
    0.625
    """

    persistence: int = 80
    """The persistence p in hundredths, 1 to 99."""

    key: ClassVar[str] = "rbp"
    formula: ClassVar[str] = "(1 − p) Σ p^(rank − 1) over the hits among the first {k} items"
    source: ClassVar[str] = "Moffat & Zobel 2008"
    is_bounded: ClassVar[bool] = False

    def __post_init__(self) -> None:
        """Refuses also a p that is out of range."""
        super().__post_init__()
        if not 1 <= self.persistence <= 99:
            raise ValueError("the metric rbp_P needs a P of hundredths, 01 to 99")

    @property
    def family(self) -> str:
        """The name with p: `rbp_80`."""
        return f"{self.key}_{self.persistence:02}"

    @property
    def formula_of_one(self) -> str:
        """The formula, and p."""
        return f"{super().formula_of_one}, p = {self.persistence / 100:.2f}"

    def gains(self, hits: Hits) -> pl.Series:
        """Computes (1 − p) · p^(rank − 1) for each hit."""
        chance = self.persistence / 100
        weights = [(1 - chance) * chance**place for place in range(self.depth)]
        ranks = hits.top(self.depth)["rank"].cast(pl.UInt32)
        return pl.Series(weights, dtype=pl.Float64).gather(ranks - 1)

    def sums(self, hits: Hits) -> pl.Series:
        """Sums the gains of each labeled query, limited to 1 against rounding errors."""
        return super().sums(hits).clip(upper_bound=1.0)


class ExpectedReciprocalRank(GainMetric):
    """Σ (1 / i) · R_i · Π_(j < i) (1 − R_j), R = (2^g − 1) / 2^g_max: the expected 1 / rank where a
    reader is satisfied.

    g is the relevance of an item (0 if it is not relevant), and g_max is the greatest relevance of
    the whole ground truth, of all splits and objectives, so that public and private scores have the
    same scale; without relevances g_max = 1 and a hit satisfies with chance 1/2. A perfect list
    stays below 1. Source: Chapelle, Metzler, Zhang & Grinspan, Expected reciprocal rank for graded
    relevance, 2009.

    Relevances 2 and 1 at ranks 1 and 2, g_max = 2: 3/4 + (1/2) · (1/4) · (1/4) = 0.78125.

    >>> ExpectedReciprocalRank(k=5).of_one([1, 2], {1: 2, 2: 1})
    0.78125
    """

    key: ClassVar[str] = "err"
    formula: ClassVar[str] = (
        "Σ 1 / rank · R · Π (1 − R of the items before) over the first {k} items,"
        " R = (2^relevance − 1) / 2^(greatest relevance)"
    )
    source: ClassVar[str] = "Chapelle et al. 2009"
    is_bounded: ClassVar[bool] = False

    def gains(self, hits: Hits) -> pl.Series:
        """Computes the probability that the reader reaches the hit and is satisfied, divided by the
        rank."""
        top, relevances = hits.top(self.depth), hits.truth.relevances
        greatest = float(relevances.max() or 0.0)  # type: ignore[arg-type]
        # Powers of differences, as 2^1000 would overflow.
        distinct = relevances.unique().sort()
        satisfied = [2.0 ** (each - greatest) - 2.0**-greatest for each in distinct]
        chance = pl.Series(satisfied, dtype=pl.Float64)
        of_hit = chance.gather(distinct.search_sorted(relevances.gather(top["label"])))
        return _reached(top["ordinal"], 1.0 - of_hit) * of_hit / top["rank"]


class AverageReciprocalHitRank(GainMetric):
    """Σ 1 / rank over all hits among the first K items.

    With one relevant item a query, as in leave-one-out, it is `mrr`; with more it may exceed 1.
    Source: Deshpande & Karypis, Item-based top-N recommendation algorithms, 2004, where the mean is
    over users, with and without a hit.

    Hits at ranks 2 and 4: 1/2 + 1/4.

    >>> AverageReciprocalHitRank(k=5).of_one([9, 1, 8, 2], {1: 1, 2: 1})
    0.75
    """

    key: ClassVar[str] = "arhr"
    formula: ClassVar[str] = "Σ 1 / rank over the hits among the first {k} items"
    source: ClassVar[str] = "Deshpande & Karypis 2004"
    is_bounded: ClassVar[bool] = False
    upper_bound: ClassVar[int | None] = None

    def gains(self, hits: Hits) -> pl.Series:
        """Computes 1 / rank for each hit."""
        return 1.0 / hits.top(self.depth)["rank"].cast(pl.Float64)


def _reached(ordinals: pl.Series, left: pl.Series) -> pl.Series:
    """Multiplies, for each hit, `left` over the hits before it in its query; hits are in order, and
    `ordinals` are their positions among the query's.

    >>> _reached(pl.Series([1, 2, 3, 1, 1]), pl.Series([0.5, 0.25, 0.5, 0.25, 0.5])).to_list()
    [1.0, 0.5, 0.125, 1.0, 1.0]
    """
    reached = repeat(1.0, len(left), pl.Float64)
    rows, ordinal = (ordinals > 1).arg_true(), 2
    while len(rows):
        now = ordinals.gather(rows) == ordinal
        at = rows.filter(now)
        reached = reached.scatter(at, reached.gather(at - 1) * left.gather(at - 1))
        rows, ordinal = rows.filter(~now), ordinal + 1
    return reached
