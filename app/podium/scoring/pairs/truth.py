"""Stores the canonical targets of pairs: one frame, written as Parquet, identified by its hash.

They are secret: no data that a participant sees may be computed from this module.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import polars as pl

from podium.scoring.kinds import kind_of
from podium.scoring.repeating import repeat
from podium.scoring.rows.truth import TrueRows
from podium.scoring.splits import SPLIT_NAMES
from podium.scoring.task import Task

LACKS = {
    "relevant in a split": "pair that is not 0: the metric is undefined",
    "both in a split": "pair that is 0, or none that is not: the metric is undefined",
    "both in a unit": "query with a pair that is 0 and one that is not: the metric is undefined",
}
"""The classes of targets that metrics need, and the words for their absence."""


@dataclass(frozen=True)
class TruePairs(TrueRows):
    """All pairs of a competition whose truth is known.

    `frame` has one row for each, in the order of `PublishedRows`: `pair` (UInt32, as numbered
    there; where all are known the numbers may be omitted, as they equal the row indices), and
    `target0` and so on for each objective in order (Float64, or UInt8 where all are small whole
    numbers), `unit` (UInt32: users, or contexts, in the order in which they first appear among the
    published pairs), `group` (UInt16, only where the task has groups) and `split` (UInt8, see
    `splits`), which is the same for all pairs of a unit. Published pairs without a row are decoys.
    """

    place: ClassVar[str] = "pair"
    row_word: ClassVar[str] = "pair"
    published_word: ClassVar[str] = "pair"
    content: ClassVar[str] = "targets of pairs"
    former_names: ClassVar[Mapping[str, str]] = {"user": "unit", "rating": "target0"}
    """Column names of earlier versions, which had ratings of users only."""

    @cached_property
    def units(self) -> pl.DataFrame:
        """The units that have pairs, in the order of their number: `unit`, `split`, and `pairs`
        (UInt32, their count)."""
        rows = self.frame.select("unit", "split")
        if not rows["unit"].is_sorted():
            by_unit = rows.group_by("unit").agg(pl.col("split").first(), pl.len().alias("pairs"))
            return by_unit.cast({"pairs": pl.UInt32}).sort("unit")
        # Consecutive pairs of a unit are counted in less memory.
        lengths, units = rows["unit"].rle().struct.unnest().get_columns()
        ends = lengths.cast(pl.UInt64).cum_sum()
        columns = {"unit": units, "split": rows["split"].gather(ends - 1), "pairs": lengths}
        return pl.DataFrame(columns)

    @cached_property
    def unit_slots(self) -> pl.Series:
        """The index in `units` for every row of `frame`, UInt32."""
        last = int(self.units["unit"][-1])
        if last + 1 == self.units.height:
            return self.frame["unit"]
        slot = repeat(0, last + 1, pl.UInt32)
        numbers = pl.int_range(self.units.height, dtype=pl.UInt32, eager=True)
        return slot.scatter(self.units["unit"], numbers).gather(self.frame["unit"])

    @cached_property
    def totals(self) -> Mapping[int, int]:
        """The number of pairs by split, without the ignored one."""
        by_split = self.units.group_by("split").agg(pl.col("pairs").cast(pl.UInt64).sum())
        counts = dict(by_split.iter_rows())
        return {split: counts[split] for split in sorted(counts) if split in SPLIT_NAMES}

    def unit_count(self, split: int) -> int:
        """Counts the users, or contexts, in a split."""
        return int((self.units["split"] == split).sum())

    @property
    def unit_word(self) -> str:
        """The unit: `user`, or `context`."""
        return self.task.unit

    @cached_property
    def groups(self) -> tuple[int, ...]:
        """The groups that have pairs in a scored split, in order."""
        scored = self.frame["split"].is_in(list(self.splits))
        return tuple(self.frame["group"].filter(scored).unique().sort())

    @property
    def pairs(self) -> pl.Series:
        """The number of each row's pair, UInt32."""
        if "pair" in self.frame.columns:
            return self.frame["pair"]
        return pl.int_range(self.frame.height, dtype=pl.UInt32, eager=True).alias("pair")

    def targets(self, position: int) -> pl.Series:
        """Returns the targets of an objective, for each row of `frame`."""
        return self.frame[f"target{position}"]

    @property
    def scored(self) -> pl.LazyFrame:
        """The rows of scored splits."""
        return self.frame.lazy().filter(pl.col("split").is_in(list(self.splits)))

    def lacking(self, position: int, classes: str) -> list[tuple[int, ...]]:
        """Finds the splits, and groups of them, whose targets of an objective lack the `classes`, a
        key of `LACKS`."""
        by = ["split", "group"] if self.task.group_column else ["split"]
        positive = pl.col(f"target{position}") > 0
        good = positive.any() & ~positive.all()
        if classes == "relevant in a split":
            good = positive.any()
        units = ["unit"] if classes == "both in a unit" else []
        parts = self.scored.group_by(*by, *units).agg(good=good).group_by(by)
        found = parts.agg(pl.col("good").any()).filter(~pl.col("good"))
        return found.sort(by).select(by).collect().rows()

    def summary(self) -> dict[str, Any]:
        """Adds to the summary of rows `lacks`: for each objective the classes of targets that a
        split, or a group of one, lacks, so that metrics that need them have no value."""
        lacks: list[list[str]] = [[]]
        if kind_of(self.task.kind).has_relevances:
            places = range(len(self.task.objectives))
            lacks = [[each for each in LACKS if self.lacking(n, each)] for n in places]
        return {**super().summary(), "lacks": lacks}

    @property
    def numbered(self) -> pl.DataFrame:
        """The frame with the numbers of its pairs."""
        return self.frame.select(self.pairs, pl.exclude("pair"))

    @property
    def stored(self) -> pl.DataFrame:
        """The frame with the numbers of its pairs."""
        return self.numbered

    @staticmethod
    def held(frame: pl.DataFrame, row_count: int) -> pl.DataFrame:
        """Drops the numbers of pairs where they equal the row indices: they would take as much
        memory as the units."""
        are_rows = frame["pair"].equals(pl.int_range(row_count, dtype=pl.UInt32, eager=True))
        return frame.drop("pair") if are_rows else frame

    @staticmethod
    def is_canonical(schema: Mapping[str, Any], task: Task) -> bool:
        """True for the columns of a stored frame, in their order."""
        wanted: dict[str, tuple[Any, ...]] = {"pair": (pl.UInt32,), "unit": (pl.UInt32,)}
        for position in range(len(task.objectives)):
            wanted[f"target{position}"] = (pl.Float64, pl.UInt8)
        if task.group_column:
            wanted["group"] = (pl.UInt16,)
        wanted["split"] = (pl.UInt8,)
        return list(schema) == list(wanted) and all(
            kind in wanted[name] for name, kind in schema.items()
        )
