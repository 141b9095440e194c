"""Stores the canonical solution of a table: one frame, written as Parquet, identified by its hash.

It is secret: no data that a participant sees may be computed from this module.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import polars as pl

from podium.scoring.parquet.files import write_frame
from podium.scoring.published import id_type
from podium.scoring.rows.truth import TrueRows
from podium.scoring.splits import BOTH, SPLIT_NAMES
from podium.scoring.task import USAGE, Task

PLACE = "place"
"""The column with the number of the published id, from 0."""

OWN_TYPES = {
    pl.Int64: "integer",
    pl.Float64: "number",
    pl.Boolean: "boolean",
    pl.String: "text",
}
"""The types of the solution's own columns, with their names for organizers."""


@dataclass(frozen=True)
class TrueTable(TrueRows):
    """All rows of a table whose solution is known.

    `frame` has one row for each, in published order: `place` (UInt32, as numbered by the published
    ids), `Usage` (UInt8, see `splits`; `BOTH` is in either), the id under its name (Int32 or
    String), and the solution's own columns (see `OWN_TYPES`; a missing value is a null). Published
    ids without a row do not count.
    """

    place: ClassVar[str] = PLACE
    row_word: ClassVar[str] = "row"
    published_word: ClassVar[str] = "id"
    content: ClassVar[str] = "solution of a table"

    @property
    def own_columns(self) -> list[str]:
        """The names of the solution's own columns, in their order."""
        return self.frame.columns[3:]

    @cached_property
    def totals(self) -> Mapping[int, int]:
        """The number of rows by split, without the ignored ones."""
        counts = dict(self.frame.group_by(USAGE).len().iter_rows())
        both = counts.get(BOTH, 0)
        return {split: counts[split] + both for split in sorted(counts) if split in SPLIT_NAMES}

    def part(self, split: int) -> pl.DataFrame:
        """Selects the rows of one split in the form in which they are stored separately: without
        `Usage`."""
        return self.frame.filter(self._rows_of(split)).drop(USAGE)

    def by_split(self, columns: pl.DataFrame) -> pl.DataFrame:
        """Selects from columns of all rows those of each split, one split after the other."""
        masks = map(self._rows_of, self.splits)
        return pl.concat(columns if mask.all() else columns.filter(mask) for mask in masks)

    def _rows_of(self, split: int) -> pl.Series:
        return self.frame[USAGE].is_in([split, BOTH])

    @property
    def unit_word(self) -> str:
        """The word for the sampling unit: `row`, or `cluster`."""
        return "cluster" if self.task.cluster_column else "row"

    def unit_count(self, split: int) -> int:
        """Counts the rows, or clusters, in a split."""
        if not self.task.cluster_column:
            return self.totals[split]
        return self.part(split)[self.task.cluster_column].n_unique()

    @property
    def numbered(self) -> pl.DataFrame:
        """The index of each row as `pair`, and its values as text, by which versions are
        compared."""
        own = self.frame[self.own_columns].to_struct().struct.json_encode()
        return pl.DataFrame({"pair": self.frame[PLACE], "target0": own})

    def summary(self) -> dict[str, Any]:
        """Adds to the summary of rows `columns`: the solution's own, with their types."""
        types = {name: OWN_TYPES[self.frame.schema[name]] for name in self.own_columns}  # type: ignore[index]
        return {**super().summary(), "columns": types}

    @property
    def stored(self) -> pl.DataFrame:
        """The frame itself."""
        return self.frame

    def write_part(self, split: int, path: Path) -> str:
        """Stores the rows of one split separately. Returns the sha256 of the bytes in hex."""
        return write_frame(self.part(split), path)

    @staticmethod
    def is_canonical(schema: Mapping[str, Any], task: Task) -> bool:
        """True for the columns of a stored frame, in their order."""
        head = {PLACE: pl.UInt32, USAGE: pl.UInt8, task.id_column: id_type(task.query_ids)}
        own = list(schema.items())[len(head) :]
        known = all(kind in OWN_TYPES for _, kind in own)
        return list(schema.items())[: len(head)] == list(head.items()) and known
