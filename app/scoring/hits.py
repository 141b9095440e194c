"""Predictions ⋈ ground truth → hits: which labels were found, and at which rank.

Made once per judging, block by block, and driven by the labels: each is looked for in the text of
its row, so that the hundred million predictions are never taken apart. What is looked at later
(metrics, splits, intervals) are aggregations of the hits.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import polars as pl

from podium.scoring.lists.fast import Rows
from podium.scoring.predictions import Predictions
from podium.scoring.truth import GroundTruth

FOUND_SCHEMA = {"label": pl.UInt32, "rank": pl.UInt16}
"""`label`: row of the canonical ground truth. `rank`: 0-based place in the list."""


@dataclass(frozen=True)
class LabelIndex:
    """The labels by query: `slot[query]` is 0 without labels, else `first[slot]` and `count[slot]`
    say which rows of the canonical ground truth, sorted by query, are the query's."""

    items: pl.Series
    slot: pl.Series
    first: pl.Series
    count: pl.Series

    @classmethod
    def of(cls, truth: GroundTruth) -> LabelIndex:
        """Built once per judging; about 40 MB at full OTTO size."""
        with ThreadPoolExecutor(1) as beside:
            # The first hits wait for this, so its two long steps share the time.
            items = beside.submit(truth.frame["item"].cast, pl.String)
            queries = truth.queries
            none = pl.Series([0], dtype=pl.UInt32)
            slots = pl.int_range(1, queries.height + 1, dtype=pl.UInt32, eager=True)
            slot = pl.zeros(truth.query_count, dtype=pl.UInt32, eager=True)
            return cls(
                slot=slot.scatter(queries["query"], slots),
                first=pl.concat([none, queries["first"]]),
                count=pl.concat([none, queries["labels"]]),
                items=items.result(),
            )


def find_hits(rows: Rows, index: LabelIndex, k: int) -> pl.DataFrame:
    """The hits of some rows, `FOUND_SCHEMA`, in no particular order.

    Lists are cut to `k` before anything else; of an item that occurs twice only the first place
    counts, and later ones still occupy theirs.
    """
    slot = index.slot.gather(rows.query)
    labelled = slot > 0
    slot = slot.filter(labelled)
    text, item = pl.col("text"), pl.col("item")
    labels = pl.int_ranges("first", pl.col("first") + pl.col("count"), dtype=pl.UInt32)
    wanted = (
        pl.DataFrame(
            {
                "text": rows.text.filter(labelled),
                "skip": rows.skip.filter(labelled),
                "first": index.first.gather(slot),
                "count": index.count.gather(slot),
            }
        )
        .select("text", "skip", labels.alias("label"))
        .explode("label")
    )
    wanted = wanted.with_columns(index.items.gather(wanted["label"]).alias("item"))
    # Most labels are not even part of the text; only what may be a hit is worth padding.
    padded = (
        wanted.filter(text.str.contains(item, literal=True))
        .select(
            "label",
            _spaced(text.str.slice(pl.col("skip"))).alias("text"),
            _spaced(item).alias("item"),
        )
        .with_columns(text.str.find(item, literal=True).alias("at"))
        .drop_nulls("at")
    )
    # Bytes are compared side by side, where the search for a text goes through them one by one.
    before = text.cast(pl.Binary).bin.head(pl.col("at")).cast(pl.List(pl.UInt8))
    rank = before.list.count_matches(_SPACE)
    return padded.select("label", rank.cast(pl.UInt16).alias("rank")).filter(pl.col("rank") < k)


@dataclass(frozen=True)
class Hits:
    """All hits of a submission, from which every rank metric, split and interval is made.

    `found` has one row a hit (`FOUND_SCHEMA`), in any order; at most one for each label, and at
    most one for each place of a list.
    """

    found: pl.DataFrame
    truth: GroundTruth
    predictions: Predictions | None = None
    """The items of the lists, where the organizer gave an item file."""

    @cached_property
    def ranks(self) -> pl.Series:
        """The 1-based rank of every label, UInt16; 0 for those that were not found."""
        ranks = pl.zeros(self.truth.frame.height, dtype=pl.UInt16, eager=True)
        return ranks.scatter(self.found["label"], self.found["rank"] + 1)

    @cached_property
    def ordered(self) -> pl.DataFrame:
        """The hits by query, then rank: `label`, `slot` (row of `GroundTruth.queries`), `rank`
        (1-based, UInt16) and `ordinal` (1-based position among the query's hits, UInt32)."""
        # Labels are in the order of queries, and what is almost in order is sorted fast.
        label = self._labels()
        rank, slot = self.ranks.gather(label), self.truth.slots.gather(label)
        order = (slot.cast(pl.UInt64) * (1 << 16) + rank).arg_sort()
        slot = slot.gather(order)
        number = pl.int_range(len(slot), dtype=pl.UInt32, eager=True)
        starts = number.filter(slot != slot.shift(1, fill_value=self.truth.queries.height))
        return pl.DataFrame(
            {
                "label": label.gather(order),
                "slot": slot,
                "rank": rank.gather(order),
                "ordinal": number - starts.gather(slot.rle_id()) + 1,
            }
        )

    def top(self, k: int) -> pl.DataFrame:
        """The rows of `ordered` whose rank is at most K."""
        return self._top.setdefault(k, self.ordered.filter(self.ordered["rank"] <= k))

    def per_query(self, k: int) -> pl.Series:
        """Counts the hits of each row of `GroundTruth.queries` among its first K items, UInt32."""
        # Labels lie query by query, so that counting needs no order of ranks.
        found = (self.ranks > 0) & (self.ranks <= k)
        until = pl.concat([_NONE, found.cast(pl.UInt32).cum_sum()], rechunk=True)
        first = self.truth.queries["first"]
        return until.gather(first + self.truth.queries["labels"]) - until.gather(first)

    @cached_property
    def _top(self) -> dict[int, pl.DataFrame]:
        return {}

    def counts(self) -> dict[tuple[int, int], int]:
        """Hits by (split, position of the objective), of each objective at the K of its metric;
        keys without a hit are left out."""
        truth, found = self.truth, self.found
        keys = truth.keys.gather(found["label"])
        if any(k < truth.task.depth for k in truth.depths):
            depths = pl.Series(truth.depths, dtype=pl.UInt16)
            keys = keys.filter(found["rank"] < depths.gather(keys % len(truth.depths)))
        return {truth.key(key): count for key, count in keys.value_counts(name="hits").iter_rows()}

    def write(self, path: Path) -> None:
        """Stores `query`, `item`, `rank` (1-based) of every hit as Parquet, in canonical order."""
        found = self._labels()
        labels = self.truth.frame.select("query", "item")[found]
        labels = labels.with_columns(self.ranks.gather(found).alias("rank"))
        labels.write_parquet(path, compression="zstd", statistics=False)

    @classmethod
    def read(cls, path: Path, truth: GroundTruth) -> Hits:
        """Inverse of `write`, under the same or another version of the ground truth: what is no
        longer a label is no longer a hit."""
        stored = pl.read_parquet(path)
        labels = truth.frame.select("query", "item").with_row_index("label")
        found = stored.join(labels, on=["query", "item"], how="inner")
        return cls(found.select("label", (pl.col("rank") - 1).cast(pl.UInt16)), truth)

    def _labels(self) -> pl.Series:
        """The labels that were found, in order."""
        labels = pl.int_range(len(self.ranks), dtype=pl.UInt32, eager=True)
        return labels.filter(self.ranks > 0)


_NONE = pl.Series([0], dtype=pl.UInt32)

_SPACE = pl.lit(ord(" "), dtype=pl.UInt8)


def _spaced(text: pl.Expr) -> pl.Expr:
    space = pl.lit(" ")
    return pl.concat_str(space, text, space)
