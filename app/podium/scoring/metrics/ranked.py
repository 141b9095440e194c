"""Defines the form of rank metrics: the gain of each hit, the ideal of each query, and exact sums
of both.

A metric is a frozen value with `name`, `higher_is_better` and `compute(hits, truth)`. A new one is
a subclass with two short methods, `gains` and `ideals`; everything else follows from them. For a
query, the value is Σ gains of its hits / its ideal. `macro` is the mean of these values over the
queries that have labels, `micro` is Σ gains / Σ ideals. Queries without a hit are 0 and count.

Results never depend on the order of rows, on chunks or on threads: whole numbers are summed as
such, a query's floats in the order of rank, and queries by `sums.exact_sums`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import ClassVar

import polars as pl

from podium.scoring.hits import Hits
from podium.scoring.kernel.terms import Terms, sums_by_ideal
from podium.scoring.metrics.base import Average, Metric, TakesK
from podium.scoring.metrics.sums import exact_sums, sums_in_order
from podium.scoring.splits import ALL
from podium.scoring.task import MAX_K, Objective, Task
from podium.scoring.truth.canonical import GroundTruth

ByObjective = dict[tuple[int, int], Fraction]
"""Exact values by (split, position of the objective), as `GroundTruth.totals` is keyed."""

Notes = dict[str, dict[tuple[int, int], int]]
"""Counts by name, then by split and objective, that help to interpret a value."""


@dataclass(frozen=True)
class RankMetric(Metric):
    """A metric of ranked lists, cut to their first `k` items; without a K, to `MAX_K`."""

    k: int | None = None
    average: Average = "macro"

    averages: ClassVar[tuple[Average, ...]] = ("macro",)
    """`micro` where gains and ideals are counts."""
    takes_k: ClassVar[TakesK] = "always"
    reads_lengths: ClassVar[bool] = False
    """True where it depends on the number of items of a list, found or not."""
    is_bounded: ClassVar[bool] = True
    is_mean: ClassVar[bool] = True
    """True where values are means over queries or ratios of sums, and so have terms and errors."""

    def __post_init__(self) -> None:
        """Refuses an average that the metric does not support, and a K that is missing, superfluous
        or out of range."""
        if self.average not in self.averages:
            raise ValueError(f"{self.key} has no {self.average} average")
        if self.k is None and self.takes_k == "always":
            raise ValueError(f"the metric {self.key} needs a K: {self.key}@20, from 1 to {MAX_K}")
        if self.k is not None and self.takes_k == "never":
            raise ValueError(f"the metric {self.key} takes no K: write {self.key}")

    @property
    def depth(self) -> int:
        """The number of items of a list that count."""
        return MAX_K if self.k is None else self.k

    @property
    def family(self) -> str:
        """The name without K, but with other parameters: `ndcg`, `rbp_80`."""
        return self.key

    @property
    def name(self) -> str:
        """The name with K where there is one, for example `ndcg@20`."""
        return self.family if self.k is None else f"{self.family}@{self.k}"

    @property
    def formula_of_one(self) -> str:
        """The formula for one query, with the parameters of this metric."""
        return self.formula.format(k=self.depth)

    @property
    def formula_in_full(self) -> str:
        """The formula, and the average over queries."""
        over = "over all queries that have a relevant item"
        if self.average == "micro":
            return f"{self.formula_of_one}; numerators and denominators are summed first, {over}"
        return f"mean of: {self.formula_of_one}; {over}"

    @property
    def id(self) -> str:
        """The name, and the average where it is not `macro`: `recall_capped@20:micro`."""
        return self.name if self.average == "macro" else f"{self.name}:{self.average}"

    def gains(self, hits: Hits) -> pl.Series | None:
        """Computes the gain of each row of `hits.top(depth)`, in the same order; None where all are
        1, so that no order is needed."""
        return None

    def ideals(self, truth: GroundTruth) -> pl.Series:
        """Computes the divisor of each row of `truth.queries`; above 0. It is 1 where the gains of
        a query are its value."""
        return truth.ones

    @abstractmethod
    def values_of(self, terms: Terms, truth: GroundTruth) -> ByObjective:
        """Computes the values by split and objective, from the result of `terms`."""

    def sums(self, hits: Hits) -> pl.Series:
        """Sums the gains of each labeled query, from hits that reach at least to rank K: Float64,
        added in the order of rank, or a count."""
        gains = self.gains(hits)
        if gains is None:
            return hits.per_query(self.depth)
        size = hits.truth.queries.height
        return sums_in_order(hits.top(self.depth)["slot"], gains, size=size)

    def compute(self, hits: Hits, truth: GroundTruth) -> ByObjective:
        """Computes the values by split and objective, from hits that reach at least to rank K."""
        return self.values_of(self.terms(hits, truth), truth)

    def of_one(self, ranked: Sequence[int], relevant: Mapping[int, float]) -> float:
        """Computes the value of one list for one query with these relevances: for notebooks and
        examples."""
        task = Task((Objective("", Decimal(1), self.id),))
        labels = pl.DataFrame(
            {"query": [0] * len(relevant), "item": list(relevant), "split": [ALL] * len(relevant)},
            schema={"query": pl.UInt32, "item": pl.Int32, "split": pl.UInt8},
        ).with_columns(relevance=pl.Series(relevant.values(), dtype=pl.Float64))
        truth = GroundTruth(labels.sort("item"), task, 1)
        places = {item: label for label, item in enumerate(truth.frame["item"])}
        first = {item: rank for rank, item in reversed(list(enumerate(ranked, start=1)))}
        found = [(places[item], rank) for item, rank in first.items() if item in places]
        lengths = pl.Series([min(len(ranked), self.depth)], dtype=pl.UInt32)
        frame = pl.DataFrame(found, schema=["label", "rank"], orient="row")
        hits = replace(Hits.of(frame, truth), lengths=lengths)
        return float(self.compute(hits, truth)[ALL, 0])

    def notes(self, hits: Hits, truth: GroundTruth) -> Notes:
        """Counts facts for organizers beside the values."""
        return {}

    def terms(self, hits: Hits, truth: GroundTruth) -> Terms:
        """Computes the terms of the metric, query by query, from hits that reach at least to rank
        K."""
        return Terms(self.sums(hits), self.ideals(truth), is_mean=self.average == "macro")


class CountMetric(RankMetric):
    """A metric whose gains and ideals are whole numbers; its values are exact fractions."""

    averages: ClassVar[tuple[Average, ...]] = ("macro", "micro")

    def sums(self, hits: Hits) -> pl.Series:
        """Sums the gains of each labeled query, UInt32."""
        return super().sums(hits).cast(pl.UInt32)

    def values_of(self, terms: Terms, truth: GroundTruth) -> ByObjective:
        """Computes the values by split and objective, from the result of `terms`."""
        if not terms.is_mean:
            above, below = truth.by_objective(terms.sums), truth.by_objective(terms.ideals)
            return {key: Fraction(above[key], below[key]) for key in truth.totals}
        # Few numbers remain, one for each ideal, so the sum is exact in whole numbers.
        means = {key: Fraction(0) for key in truth.totals}
        for ideal, number, gain in sums_by_ideal(terms, truth.query_keys):
            if truth.key(number) in means:
                means[truth.key(number)] += Fraction(gain, ideal)
        return {key: means[key] / totals.queries for key, totals in truth.totals.items()}


class GainMetric(RankMetric):
    """A metric of real numbers; each value is one float64, correctly rounded from the exact
    mean."""

    def values_of(self, terms: Terms, truth: GroundTruth) -> ByObjective:
        """Computes the values by split and objective, from the result of `terms`."""
        exact = exact_sums(terms.sums, truth.query_keys, terms.ideals)
        above = {truth.key(key): total for key, total in exact.items()}
        return {
            key: Fraction(float(above.get(key, Fraction(0)) / totals.queries))
            for key, totals in truth.totals.items()
        }
