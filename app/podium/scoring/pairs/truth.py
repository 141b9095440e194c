"""The canonical targets of pairs: one frame, stored as Parquet, known by its hash.

As secret as anything here gets: nothing that a participant sees is made from this module.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from podium.scoring.pairs.pairs import PublishedPairs
from podium.scoring.splits import SPLIT_NAMES
from podium.scoring.task import Task
from podium.scoring.truth.canonical import GroundTruthCorrupt, read_frame, write_frame

_FORMER_NAMES = {"user": "unit", "rating": "target0"}
"""Names in frames that were stored when there were ratings of users only."""


@dataclass(frozen=True)
class TruePairs:
    """All pairs of a competition the truth of which is known.

    `frame` has one row for each, in the order of `PublishedPairs`: `pair` (UInt32, as numbered
    there; where all are known the numbers may be left out, as they are those of the rows), and
    `target0` and so on for each objective in order (Float64, or UInt8 where all are small whole
    numbers), `unit` (UInt32: users, or contexts, in the order in which they first appear among the
    published pairs), `group` (UInt16, only where the task has groups) and `split` (UInt8, see
    `splits`), which is the same for all pairs of a unit. Published pairs without a row are decoys.
    """

    frame: pl.DataFrame
    task: Task
    pair_count: int
    warnings: tuple[str, ...] = ()

    @cached_property
    def units(self) -> pl.DataFrame:
        """The units that have pairs, in the order of their number: `unit`, `split`, and `pairs`
        (UInt32, how many)."""
        rows = self.frame.select("unit", "split")
        if not rows["unit"].is_sorted():
            by_unit = rows.group_by("unit").agg(pl.col("split").first(), pl.len().alias("pairs"))
            return by_unit.cast({"pairs": pl.UInt32}).sort("unit")
        # Pairs of a unit that stand together are counted in less memory.
        lengths, units = rows["unit"].rle().struct.unnest().get_columns()
        ends = lengths.cast(pl.UInt64).cum_sum()
        columns = {"unit": units, "split": rows["split"].gather(ends - 1), "pairs": lengths}
        return pl.DataFrame(columns)

    @cached_property
    def unit_slots(self) -> pl.Series:
        """For every row of `frame` the row of its unit in `units`, UInt32."""
        last = int(self.units["unit"][-1])
        if last + 1 == self.units.height:
            return self.frame["unit"]
        slot = pl.zeros(last + 1, dtype=pl.UInt32, eager=True)
        numbers = pl.int_range(self.units.height, dtype=pl.UInt32, eager=True)
        return slot.scatter(self.units["unit"], numbers).gather(self.frame["unit"])

    @cached_property
    def totals(self) -> Mapping[int, int]:
        """Pairs by split; the ignored split is left out."""
        by_split = self.units.group_by("split").agg(pl.col("pairs").cast(pl.UInt64).sum())
        counts = dict(by_split.iter_rows())
        return {split: counts[split] for split in sorted(counts) if split in SPLIT_NAMES}

    @property
    def splits(self) -> tuple[int, ...]:
        """The scored splits that occur, in order."""
        return tuple(self.totals)

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
        """The targets of an objective, for each row of `frame`."""
        return self.frame[f"target{position}"]

    def summary(self) -> dict[str, Any]:
        """For organizers, JSON-ready, in the words of ranked lists: a pair is a session with one
        query, its target the label."""
        of_split = {
            SPLIT_NAMES[split]: {"queries": pairs, "labels": pairs, "denominator": pairs}
            for split, pairs in self.totals.items()
        }
        return {
            "sessions": self.pair_count,
            "queries": self.frame.height,
            "unlabelled": self.pair_count - self.frame.height,
            "labels": self.frame.height,
            "objectives": dict.fromkeys(self.task.names, of_split),
            "warnings": list(self.warnings),
        }

    def write(self, path: Path) -> str:
        """Stores the rows; equal content gives equal bytes. Returns their sha256 in hex."""
        return write_frame(self.numbered, path)

    @property
    def numbered(self) -> pl.DataFrame:
        """The frame with its pairs."""
        return self.frame.select(self.pairs, pl.exclude("pair"))

    @classmethod
    def load(
        cls, path: Path, *, sha256: str | None, published: PublishedPairs, task: Task
    ) -> TruePairs:
        """Inverse of `write`. Raises GroundTruthCorrupt if the bytes do not have this hash, or do
        not fit the published pairs. Warnings are not stored."""
        frame = read_frame(path, sha256=sha256).rename(_FORMER_NAMES, strict=False)
        if not _is_canonical(dict(frame.schema), task) or not frame["pair"].is_sorted():
            raise GroundTruthCorrupt(f"{path.name} holds no canonical targets of pairs")
        if frame.height and int(frame["pair"][-1]) >= published.count:
            raise GroundTruthCorrupt(f"{path.name} holds pairs that are not published")
        if frame["pair"].equals(pl.int_range(published.count, dtype=pl.UInt32, eager=True)):
            # They number the rows, and would take as much memory as the units.
            frame = frame.drop("pair")
        return cls(frame, task, published.count)


def _is_canonical(schema: dict[str, Any], task: Task) -> bool:
    wanted: dict[str, tuple[Any, ...]] = {"pair": (pl.UInt32,), "unit": (pl.UInt32,)}
    for position in range(len(task.objectives)):
        wanted[f"target{position}"] = (pl.Float64, pl.UInt8)
    if task.group_column:
        wanted["group"] = (pl.UInt16,)
    wanted["split"] = (pl.UInt8,)
    return list(schema) == list(wanted) and all(
        kind in wanted[name] for name, kind in schema.items()
    )
