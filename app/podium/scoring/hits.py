"""Joins predictions with the ground truth into hits: the labels that were found, and their ranks.

Computed once per judging, while the rows are read. Metrics, splits and intervals are aggregations
of the hits.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import polars as pl

from podium.scoring.kernel.runs import counts_of_ranks, order_hits
from podium.scoring.parquet.files import read_parquet
from podium.scoring.predictions import Predictions
from podium.scoring.repeating import repeat
from podium.scoring.truth.canonical import GroundTruth


@dataclass(frozen=True)
class Hits:
    """All hits of a submission, from which every rank metric, split and interval is computed.

    `ranks` has the 1-based rank of every label of the ground truth, UInt16, 0 for those that are
    not in their list; no two labels of a query have the same.
    """

    ranks: pl.Series
    truth: GroundTruth
    predictions: Predictions | None = None
    """The items of the lists, where the organizer gave an item file."""
    lengths: pl.Series | None = None
    """The number of items of the list of each row of `GroundTruth.queries`, UInt32, repetitions
    included, as far as lists are read; None where no metric of the task needs them."""

    @classmethod
    def of(cls, found: pl.DataFrame, truth: GroundTruth) -> Hits:
        """Creates hits from `label` (row of the ground truth) and `rank` (1-based), in any
        order."""
        ranks = repeat(0, truth.frame.height, pl.UInt16)
        return cls(ranks.scatter(found["label"], found["rank"].cast(pl.UInt16)), truth)

    @cached_property
    def ordered(self) -> pl.DataFrame:
        """The hits by query, then rank: `label`, `slot` (row of `GroundTruth.queries`), `rank`
        (1-based, UInt16) and `ordinal` (1-based position among the query's hits, UInt32)."""
        return order_hits(self.ranks, self.truth.queries["first"])

    def top(self, k: int) -> pl.DataFrame:
        """Selects the rows of `ordered` whose rank is at most K."""
        if k not in self._top:
            within = self.ordered["rank"] <= k
            self._top[k] = self.ordered if within.all() else self.ordered.filter(within)
        return self._top[k]

    def per_query(self, k: int) -> pl.Series:
        """Counts the hits of each row of `GroundTruth.queries` among its first K items, UInt32."""
        if k not in self._per_query:
            self._per_query[k] = counts_of_ranks(self.ranks, self.truth.queries["first"], k)
        return self._per_query[k]

    @cached_property
    def _per_query(self) -> dict[int, pl.Series]:
        return {}

    @cached_property
    def _top(self) -> dict[int, pl.DataFrame]:
        return {}

    def answered(self, k: int) -> pl.Series:
        """Counts the items among the first K of each row of `GroundTruth.queries`, UInt32. Raises
        ValueError where lengths were not stored."""
        if self.lengths is None:
            raise ValueError("these hits came without the lengths of lists")
        return self.lengths.clip(0, k)

    def counts(self) -> dict[tuple[int, int], int]:
        """Counts hits by (split, position of the objective), of each objective at the K of its
        metric."""
        depths = self.truth.depths
        found = {k: self.truth.by_objective(self.per_query(k)) for k in set(depths)}
        return {
            (split, place): found[depths[place]][split, place] for split, place in self.truth.totals
        }

    def write(self, path: Path) -> None:
        """Stores `query`, `item`, `rank` (1-based) of every hit as Parquet, in canonical order.

        Where lengths are counted, a row without an item follows for each labeled query: its `rank`
        is the length of its list.
        """
        found = self._labels()
        labels = self.truth.frame.select("query", "item")[found]
        labels = labels.with_columns(self.ranks.gather(found).alias("rank"))
        if self.lengths is not None:
            ends = self.truth.queries.select(
                "query",
                item=pl.lit(None, dtype=labels.schema["item"]),
                rank=self.lengths.cast(pl.UInt16),
            )
            labels = pl.concat([labels, ends])
        labels.write_parquet(path, compression="zstd", statistics=False)

    @classmethod
    def read(cls, path: Path, truth: GroundTruth) -> Hits:
        """Reads stored hits, with the same or another version of the ground truth: items that are
        no longer labels are no longer hits."""
        stored = read_parquet(path)
        labels = truth.frame.select("query", "item").with_row_index("label")
        found = stored.join(labels, on=["query", "item"], how="inner")
        ends = stored.filter(pl.col("item").is_null()).select("query", length="rank")
        if ends.is_empty():
            return cls.of(found, truth)
        lengths = truth.queries.join(ends, on="query", how="left", maintain_order="left")["length"]
        return replace(cls.of(found, truth), lengths=lengths.fill_null(0).cast(pl.UInt32))

    def _labels(self) -> pl.Series:
        """Lists the labels that were found, in order."""
        labels = pl.int_range(len(self.ranks), dtype=pl.UInt32, eager=True)
        return labels.filter(self.ranks > 0)
