"""Writes the sample submission of a table, which is complete and predicts nothing."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from podium.scoring.column_kinds import sample_of
from podium.scoring.repeating import repeat
from podium.scoring.rows.keys import PublishedRows
from podium.scoring.rows.writing import lines_of
from podium.scoring.task import Task


def sample_table(published: PublishedRows, task: Task) -> Iterator[bytes]:
    """Writes a complete submission with the same values in every row."""
    values = {column.name: sample_of(column) or None for column in task.table}
    constant = {name: repeat(value, published.count, pl.String) for name, value in values.items()}
    yield from lines_of(published, pl.DataFrame(constant), task)
