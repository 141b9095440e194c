"""Writes the text of a submission with all rows."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from podium.scoring.kinds import kind_of
from podium.scoring.names import header_of
from podium.scoring.rows.keys import PublishedRows
from podium.scoring.task import Task

_ROWS_WRITTEN = 100_000


def lines_of(published: PublishedRows, columns: pl.DataFrame, task: Task) -> Iterator[bytes]:
    """Yields the text of a file with these columns of predictions, one row for each published one
    in order."""
    yield f"{header_of(task.columns)}\n".encode()
    # A column may have the name of a key.
    values = [
        columns[name].alias(f"value {name}") for name in kind_of(task.kind).value_columns(task)
    ]
    # The shortest decimal text of a float64 reads as the same float64 again.
    for part in published.frame.with_columns(values).iter_slices(_ROWS_WRITTEN):
        yield part.write_csv(include_header=False).encode()
