"""Recall in its forms. Pure arithmetic on hits; integers until the one division at the end."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import polars as pl

from app.scoring.ground_truth import GroundTruth
from app.scoring.hits import count_hits

ByObjective = dict[tuple[int, int], Fraction]
"""Exact values by (split, position of the objective), as `GroundTruth.totals` is keyed."""


@dataclass(frozen=True)
class RecallCapped:
    """Recall whose denominator is capped at K, the metric of OTTO.

    With h the hits among the first K items of a query and m its labels: micro, Σ h / Σ min(m, K)
    over the labelled queries (OTTO's KAGGLE.md); macro, the mean of h / min(m, K) (BEIR's `R_cap`).
    A query without a prediction counts as 0 hits; queries without labels do not count.

    >>> RecallCapped(k=20, average="micro").name
    'recall_capped@20'
    """

    k: int
    average: Literal["micro", "macro"]

    higher_is_better = True

    @property
    def name(self) -> str:
        """The id of the metric with its K."""
        return f"recall_capped@{self.k}"

    def compute(self, hits: pl.DataFrame, truth: GroundTruth) -> ByObjective:
        """Values from a hits frame (`HITS_SCHEMA`) made with the same K."""
        if self.average == "micro":
            counts = count_hits(hits, truth)
            return {
                key: Fraction(counts.get(key, 0), totals.denominator)
                for key, totals in truth.totals.items()
            }
        return self._macro(hits, truth)

    def _macro(self, hits: pl.DataFrame, truth: GroundTruth) -> ByObjective:
        found = truth.frame["query"].gather(hits["label"]).value_counts(name="hits")
        capped = pl.col("labels").clip(0, self.k)
        at = pl.col("query") % len(truth.task.objectives)
        # Few rows remain, one for each denominator, so the sum is exact in whole numbers.
        table = (
            truth.queries.join(found, on="query")
            .group_by("split", at.alias("at"), capped.alias("capped"))
            .agg(pl.col("hits").sum())
        )
        sums = dict.fromkeys(truth.totals, Fraction(0))
        for split, position, denominator, count in table.iter_rows():
            if (split, position) in sums:
                sums[split, position] += Fraction(count, denominator)
        return {key: sums[key] / totals.queries for key, totals in truth.totals.items()}
