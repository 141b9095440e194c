"""The canonical solution of a table: one frame, stored as Parquet, known by its hash.

As secret as anything here gets: nothing that a participant sees is made from this module.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from podium.scoring.pairs.pairs import PublishedPairs, type_of
from podium.scoring.splits import BOTH, SPLIT_NAMES
from podium.scoring.task import USAGE, Task
from podium.scoring.truth.canonical import GroundTruthCorrupt, read_frame, write_frame

PLACE = "place"
"""The column with the number of the published id, from 0."""

OWN_TYPES = {
    pl.Int64: "integer",
    pl.Float64: "number",
    pl.Boolean: "boolean",
    pl.String: "text",
}
"""The types of the solution's own columns, and their names for people."""


@dataclass(frozen=True)
class TrueTable:
    """All rows of a table whose solution is known.

    `frame` has one row for each, in published order: `place` (UInt32, as numbered by the published
    ids), `Usage` (UInt8, see `splits`; `BOTH` is in either), the id under its name (Int32 or
    String), and the solution's own columns (see `OWN_TYPES`; a missing value is a null). Published
    ids without a row count nowhere.
    """

    frame: pl.DataFrame
    task: Task
    id_count: int
    warnings: tuple[str, ...] = ()

    @property
    def own_columns(self) -> list[str]:
        """The names of the solution's own columns, in their order."""
        return self.frame.columns[3:]

    @cached_property
    def totals(self) -> Mapping[int, int]:
        """Rows by split; the ignored ones are left out."""
        counts = dict(self.frame.group_by(USAGE).len().iter_rows())
        both = counts.get(BOTH, 0)
        return {split: counts[split] + both for split in sorted(counts) if split in SPLIT_NAMES}

    @property
    def splits(self) -> tuple[int, ...]:
        """The scored splits that occur, in order."""
        return tuple(self.totals)

    def part(self, split: int) -> pl.DataFrame:
        """The rows of one split, as they are stored by themselves: without `Usage`."""
        rows = pl.col(USAGE).is_in([split, BOTH])
        return self.frame.filter(rows).drop(USAGE)

    def units(self, split: int) -> int:
        """The number of rows of a split that were drawn by themselves: clusters, where rows
        belong together."""
        if not self.task.cluster_column:
            return self.totals[split]
        return self.part(split)[self.task.cluster_column].n_unique()

    @property
    def numbered(self) -> pl.DataFrame:
        """`pair` (the place) and the row as text, by which versions are compared."""
        own = pl.struct(self.own_columns).struct.json_encode().alias("target0")
        return self.frame.select(pl.col(PLACE).alias("pair"), own)

    def summary(self) -> dict[str, Any]:
        """For organizers, JSON-ready, in the words of ranked lists: a row is a session with one
        query, and its values are one label. `columns` are the solution's own, with their types."""
        of_split = {
            SPLIT_NAMES[split]: {"queries": rows, "labels": rows, "denominator": rows}
            for split, rows in self.totals.items()
        }
        return {
            "sessions": self.id_count,
            "queries": self.frame.height,
            "unlabelled": self.id_count - self.frame.height,
            "labels": self.frame.height,
            "objectives": dict.fromkeys(self.task.names, of_split),
            "warnings": list(self.warnings),
            "columns": {name: OWN_TYPES[self.frame.schema[name]] for name in self.own_columns},  # type: ignore[index]
        }

    def write(self, path: Path) -> str:
        """Stores the rows; equal content gives equal bytes. Returns their sha256 in hex."""
        return write_frame(self.frame, path)

    def write_part(self, split: int, path: Path) -> str:
        """Stores the rows of one split by themselves. Returns the sha256 of the bytes in hex."""
        return write_frame(self.part(split), path)

    @classmethod
    def load(
        cls, path: Path, *, sha256: str | None, published: PublishedPairs, task: Task
    ) -> TrueTable:
        """Inverse of `write`. Raises GroundTruthCorrupt if the bytes do not have this hash, or do
        not fit the published ids. Warnings are not stored."""
        frame = read_frame(path, sha256=sha256)
        if not _is_canonical(dict(frame.schema), task) or not frame[PLACE].is_sorted():
            raise GroundTruthCorrupt(f"{path.name} holds no canonical solution of a table")
        if frame.height and int(frame[PLACE][-1]) >= published.count:
            raise GroundTruthCorrupt(f"{path.name} holds ids that are not published")
        return cls(frame, task, published.count)


def _is_canonical(schema: dict[str, Any], task: Task) -> bool:
    head = {PLACE: pl.UInt32, USAGE: pl.UInt8, task.id_column: type_of(task.query_ids)}
    own = list(schema.items())[len(head) :]
    known = all(kind in OWN_TYPES for _, kind in own)
    return list(schema.items())[: len(head)] == list(head.items()) and known
