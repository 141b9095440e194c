"""Computes metrics of the ranking of each query's candidates: reciprocal ranks, cumulative gain,
hit rate and average precision. The area under the ROC curve of each query is in `areas`.

A value is that of each query, averaged over the queries of a split that have a relevant candidate;
the others are excluded, and counted in the notes. Relevant are the candidates whose target is above
0. Tied numbers count as the mean over all orders of the tied candidates (`ties`), so that a
constant answer has exactly the expectation of a random one.

A new one is a subclass with `of_queries`.
"""

from __future__ import annotations

import math
import re
from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Self

import polars as pl

from podium.scoring.metrics.rows.base import Classes, RowMeasure, RowMetric
from podium.scoring.metrics.rows.candidates.ties import (
    by_run,
    chance_within,
    means_over_ties,
    reciprocal_of_first,
)
from podium.scoring.metrics.rows.means import mean_over_units
from podium.scoring.metrics.rows.targets import Placed, TargetRows
from podium.scoring.metrics.sums import sums_in_order
from podium.scoring.repeating import repeat
from podium.scoring.task import MAX_K

_ROUNDING = 1e-12


class QueryMetric(RowMetric):
    """A metric of the ranking of each query's candidates, averaged over queries."""

    takes_weights: ClassVar[bool] = False
    is_bounded: ClassVar[bool] = True
    classes: ClassVar[Classes] = "relevant in a split"

    @abstractmethod
    def of_queries(self, placed: Placed) -> pl.Series:
        """Computes the value of each unit that has a relevant candidate, Float64; values of the
        others are ignored."""

    def of_one(self, numbers: Sequence[float], targets: Sequence[float]) -> float:
        """Computes the value of one query: for notebooks and examples."""
        one = repeat(0, len(numbers), pl.UInt32)
        given, true = (pl.Series(each, dtype=pl.Float64) for each in (numbers, targets))
        return float(self.of_queries(Placed.of(given, true, one, units=1))[0])

    def measure_part(self, rows: TargetRows) -> RowMeasure:
        """Averages by split over the queries that have a relevant candidate. `notes` count the
        others, as `units_without_relevant`."""
        placed = rows.placed
        counted = placed.positives > 0
        value = self.of_queries(placed)
        if self.is_bounded:
            # Sums in another order differ from those of a perfect one by rounding errors.
            value = value.zip_with((value - 1.0).abs() > _ROUNDING, pl.Series([1.0]))
        value, weights = value.set(~counted, 0.0), counted.cast(pl.Float64)
        return mean_over_units(value, weights, rows, left_out="units_without_relevant")


class ReciprocalRankOfFirst(QueryMetric):
    """1 / rank of the first relevant candidate.

    Source: Kantor & Voorhees 2000; trec_eval's `recip_rank`; RecSys Challenge 2019 (trivago).

    Numbers 3, 2, 1 with the second relevant: 1/2. Two tied ahead, one of them relevant: 3/4.

    >>> mrr = ReciprocalRankOfFirst()
    >>> mrr.of_one([3, 2, 1], [0, 1, 0]), mrr.of_one([2, 2, 1], [0, 1, 0])
    (0.5, 0.75)
    """

    key: ClassVar[str] = "mrr"
    formula: ClassVar[str] = "1 / rank of the first relevant candidate"
    source: ClassVar[str] = "Kantor & Voorhees 2000; trec_eval recip_rank"

    def of_queries(self, placed: Placed) -> pl.Series:
        """Averages over the orders of the first run with relevant candidates."""
        return _of_first_runs(reciprocal_of_first, placed)


class ReciprocalRankOfAll(QueryMetric):
    """Σ 1 / rank over all relevant candidates, divided by their number.

    The "MRR" of MIND and of RecSys Challenge 2024 (EB-NeRD). With several relevant candidates even
    a perfect order stays below 1. Source: Wu et al., MIND, 2020.

    Relevant candidates at the ranks 1 and 3: (1 + 1/3) / 2.

    >>> round(ReciprocalRankOfAll().of_one([3, 2, 1], [1, 0, 1]), 6)
    0.666667
    """

    key: ClassVar[str] = "mrr_all"
    formula: ClassVar[str] = "Σ 1 / rank over all relevant candidates / relevant candidates"
    source: ClassVar[str] = "Wu et al. 2020 (MIND); RecSys Challenge 2024 (EB-NeRD)"
    is_bounded: ClassVar[bool] = False

    def of_queries(self, placed: Placed) -> pl.Series:
        """Averages over the positions of each run, for each of its relevant candidates."""
        return _sums(means_over_ties(_reciprocal, placed.relevant), placed) / placed.positives


class AveragePrecisionOfQueries(QueryMetric):
    """Σ precision at the rank of each relevant candidate, divided by their number.

    Outbrain's MAP@12 (Kaggle 2016) is this, because no display has more candidates. Source:
    trec_eval's `map`.

    Relevant candidates at the ranks 1 and 3: (1/1 + 2/3) / 2.

    >>> round(AveragePrecisionOfQueries().of_one([3, 2, 1], [1, 0, 1]), 6)
    0.833333
    """

    key: ClassVar[str] = "map"
    formula: ClassVar[str] = (
        "Σ precision at the rank of each relevant candidate / relevant candidates"
    )
    source: ClassVar[str] = "trec_eval map"

    def of_queries(self, placed: Placed) -> pl.Series:
        """Averages precision over the positions of each run. In a run of n candidates after s
        others, with p relevant ones and R before it, the precision at one at position i has the
        mean (R + 1 + (i − 1)(p − 1) / (n − 1)) / (s + i).

        With H the mean of 1 / (s + i), its mean over positions is (R + 1) H + (p − 1) / (n − 1) ·
        (1 − (s + 1) H).
        """
        runs = placed.with_runs()
        above, tied, relevant = runs["above"], runs["tied"], runs["relevant"]
        mean = means_over_ties(_reciprocal, runs)
        others = (relevant - 1) / (tied - 1).clip(lower_bound=1)
        precision = (runs["before"] + 1) * mean + others * (1.0 - (above + 1) * mean)
        sums = sums_in_order(runs["slot"], precision * relevant, size=len(placed.positives))
        return sums / placed.positives


@dataclass(frozen=True)
class CutMetric(QueryMetric):
    """A metric of the first K candidates."""

    k: int = 10

    @classmethod
    def made(cls, parameter: str | None) -> Self:
        """Creates the metric with this K. Raises ValueError."""
        if parameter is None or not re.fullmatch("[1-9][0-9]{0,3}", parameter):
            raise ValueError(f"{cls.key} has a K: {cls.key}@10")
        if int(parameter) > MAX_K:
            raise ValueError(f"{cls.key}@{parameter}: K is from 1 to {MAX_K}")
        return cls(int(parameter))

    @property
    def name(self) -> str:
        """The name with K, for example `ndcg@10`."""
        return f"{self.key}@{self.k}"


class HitAmongCandidates(CutMetric):
    """1 if a relevant candidate is among the first K, else 0.

    Source: Deshpande & Karypis, Item-based top-N recommendation algorithms, 2004.

    Three tied candidates, one of them relevant: with K = 1 the first place has it in a third of
    their orders.

    >>> round(HitAmongCandidates(k=1).of_one([2, 2, 2, 1], [0, 1, 0, 0]), 6)
    0.333333
    """

    key: ClassVar[str] = "hit_rate"
    formula: ClassVar[str] = "1 if a relevant candidate is among the first {k}, else 0"
    source: ClassVar[str] = "Deshpande & Karypis 2004"

    def of_queries(self, placed: Placed) -> pl.Series:
        """Computes the probability for the first run with relevant candidates: if it has none
        within K, neither has a later one."""
        return _of_first_runs(partial(chance_within, self.k), placed)


class GainOfCandidates(CutMetric):
    """DCG / IDCG, with DCG = Σ target / log2(rank + 1) over the first K candidates.

    The ideal has the highest targets first. Where targets are 0 and 1, this is also the nDCG of
    MIND and of RecSys Challenge 2024 (EB-NeRD), which have the gain 2**target − 1.
    Source: Järvelin & Kekäläinen 2002; trec_eval's `ndcg_cut`; Kaggle's Expedia 2013 (K = 38).

    Targets 0, 2, 1 in the order of ranks: (2 / log2(3) + 1 / 2) / (2 + 1 / log2(3)).

    >>> round(GainOfCandidates(k=5).of_one([3, 2, 1], [0, 2, 1]), 6)
    0.669672
    """

    key: ClassVar[str] = "ndcg"
    formula: ClassVar[str] = (
        "Σ target / log2(rank + 1) over the first {k} candidates / the same of the ideal order"
    )
    source: ClassVar[str] = "Järvelin & Kekäläinen 2002; trec_eval ndcg_cut"

    def of_queries(self, placed: Placed) -> pl.Series:
        """Weighs the gain of each relevant candidate by the mean discount over the positions of its
        run."""
        gains = self.gains(placed.relevant["target"])
        discounts = means_over_ties(self._discount, placed.relevant)
        return _sums(gains * discounts, placed) / self._ideals(gains, placed)

    def gains(self, targets: pl.Series) -> pl.Series:
        """Maps each target to its gain."""
        return targets.cast(pl.Float64)

    def _discount(self, place: int) -> float:
        return 1.0 / math.log2(place + 1) if place <= self.k else 0.0

    def _ideals(self, gains: pl.Series, placed: Placed) -> pl.Series:
        ideal = pl.DataFrame({"slot": placed.relevant["slot"], "gain": gains})
        if gains.min() != gains.max():
            ideal = ideal.sort("slot", "gain", descending=[False, True])
        first = (placed.positives.cum_sum() - placed.positives).gather(ideal["slot"])
        places = pl.int_range(len(gains), dtype=pl.UInt32, eager=True) - first
        alone = pl.DataFrame({"above": places}).with_columns(tied=pl.lit(1, dtype=pl.UInt32))
        return _sums(ideal["gain"] * means_over_ties(self._discount, alone), placed)


class ExponentialGainOfCandidates(GainOfCandidates):
    """DCG / IDCG with the gain 2**target − 1, which tells high targets further apart.

    Source: Burges et al., Learning to rank using gradient descent, 2005.

    Targets 0, 2, 1 in the order of ranks: (3 / log2(3) + 1 / 2) / (3 + 1 / log2(3)).

    >>> round(ExponentialGainOfCandidates(k=5).of_one([3, 2, 1], [0, 2, 1]), 6)
    0.659002
    """

    key: ClassVar[str] = "ndcg_exp"
    formula: ClassVar[str] = (
        "Σ (2^target − 1) / log2(rank + 1) over the first {k} candidates"
        " / the same of the ideal order"
    )
    source: ClassVar[str] = "Burges et al. 2005"

    def gains(self, targets: pl.Series) -> pl.Series:
        """Maps each target to its gain."""
        return pl.Series([2.0]).pow(targets.cast(pl.Float64)) - 1.0


def _sums(values: pl.Series, placed: Placed) -> pl.Series:
    """Sums over the relevant candidates of each unit, in the order of positions."""
    return sums_in_order(placed.relevant["slot"], values, size=len(placed.positives))


def _of_first_runs(value: Callable[[int, int, int], float], placed: Placed) -> pl.Series:
    """Applies the function to the first run of each unit that has a relevant candidate; 0 for the
    others."""
    runs = placed.with_runs()
    runs = runs.filter(runs["before"] == 0)
    nothing = repeat(0, len(placed.positives), pl.Float64)
    return nothing.scatter(runs["slot"], by_run(value, runs))


def _reciprocal(place: int) -> float:
    return 1.0 / place


QUERY_METRICS: tuple[type[RowMetric], ...] = (
    ReciprocalRankOfFirst,
    ReciprocalRankOfAll,
    GainOfCandidates,
    ExponentialGainOfCandidates,
    HitAmongCandidates,
    AveragePrecisionOfQueries,
)
"""The metrics of this family."""
