"""Writes the sample submission of a table, which is complete and predicts nothing."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from podium.scoring.columns import TableColumn
from podium.scoring.repeating import repeat
from podium.scoring.rows.fields import whole_bounds
from podium.scoring.rows.keys import PublishedRows
from podium.scoring.rows.writing import lines_of
from podium.scoring.task import Task


def sample_table(published: PublishedRows, task: Task) -> Iterator[bytes]:
    """Writes a complete submission with the same values in every row."""
    values = {column.name: sample_of(column) or None for column in task.table}
    constant = {name: repeat(value, published.count, pl.String) for name, value in values.items()}
    yield from lines_of(published, pl.DataFrame(constant), task)


def sample_of(column: TableColumn) -> str:
    """Chooses the field of a column in the sample submission: the organizer's value, or otherwise a
    valid one."""
    if column.sample is not None:
        return column.sample
    if column.takes_empty:
        return ""
    if column.type == "number":
        least, largest = column.minimum or 0.0, column.maximum
        number = max(least, 0.0) if largest is None else min(max(least, 0.0), largest)
        return f"{number:.17g}"
    if column.type == "integer":
        least_whole, largest_whole = whole_bounds(column)
        return str(min(max(least_whole, 0), largest_whole))
    return {"category": column.values[0] if column.values else "", "boolean": "false"}.get(
        column.type, "x"
    )
