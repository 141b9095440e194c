"""The layout of a table's file: which column stands where, and the types that its values get."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from podium.scoring.hints.texts import LONGEST_ITEM_BYTES, LONGEST_NUMBER_BYTES
from podium.scoring.tables.columns import ColumnType, TableColumn
from podium.scoring.task import Task

DTYPES: Mapping[ColumnType, Any] = {
    "number": pl.Float64,
    "integer": pl.Int64,
    "text": pl.String,
    "category": pl.String,
    "boolean": pl.Boolean,
}
"""The canonical type of each kind of column; a missing value is a null."""

_MOST_BYTES_OF_A_CHARACTER = 4


@dataclass(frozen=True)
class TableLayout:
    """The task, and its columns in the order of a file, that of ids among them."""

    task: Task
    names: tuple[str, ...]

    @property
    def id_at(self) -> int:
        """The place of the id in a row."""
        return self.names.index(self.task.id_column)

    @property
    def columns_at(self) -> list[tuple[int, TableColumn]]:
        """The place of each column in a row, in the order of the task."""
        return [(self.names.index(column.name), column) for column in self.task.table]

    @property
    def longest_row(self) -> int:
        """The bytes of the longest row that can be good, without quotes."""
        return LONGEST_ITEM_BYTES + sum(1 + _longest(column) for column in self.task.table)


def schema_of(task: Task) -> dict[str, Any]:
    """The canonical columns of a submission, in the order of the task."""
    return {column.name: DTYPES[column.type] for column in task.table}


def _longest(column: TableColumn) -> int:
    if column.type == "text":
        return _MOST_BYTES_OF_A_CHARACTER * column.max_length
    if column.type == "category":
        return max(len(value.encode()) for value in column.values)
    return LONGEST_NUMBER_BYTES
