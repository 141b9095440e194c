"""Complete submissions of a table that predict nothing: the sample, the truth, and chance."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from podium.scoring.pairs.pairs import PublishedPairs
from podium.scoring.tables.columns import TableColumn
from podium.scoring.tables.fields import whole_bounds
from podium.scoring.task import Task

_ROWS_WRITTEN = 100_000


def sample_table(published: PublishedPairs, task: Task) -> Iterator[bytes]:
    """A complete submission with the same values in every row."""
    values = {column.name: sample_of(column) or None for column in task.table}
    constant = {
        name: pl.repeat(value, published.count, dtype=pl.String, eager=True)
        for name, value in values.items()
    }
    yield from lines_of(published, pl.DataFrame(constant), task)


def sample_of(column: TableColumn) -> str:
    """The field of a column in the sample submission: what the organizer wants there, or else one
    that the column takes."""
    if column.sample is not None:
        return column.sample
    if column.is_optional:
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


def lines_of(published: PublishedPairs, columns: pl.DataFrame, task: Task) -> Iterator[bytes]:
    """The text of a file with these columns, one row for each published id in order."""
    ids = published.frame.select(pl.col("user").alias(task.id_column))
    frame = pl.concat([ids, columns.select(c.name for c in task.table)], how="horizontal")
    yield f"{','.join(task.columns)}\n".encode()
    # The shortest decimal text of a float64 reads as the same float64 again.
    for part in frame.iter_slices(_ROWS_WRITTEN):
        yield part.write_csv(include_header=False).encode()
