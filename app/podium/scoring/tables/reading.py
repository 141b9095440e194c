"""Reads a whole submission of a table: from a file of unknown bytes to its canonical columns, or to
a rejection with all problems."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import polars as pl

from podium.scoring.fingerprint import FileFingerprint, FingerprintReader
from podium.scoring.rows.keys import PublishedRows
from podium.scoring.rows.reading import read_rows
from podium.scoring.tables.layout import layout_of
from podium.scoring.task import Task

Progress = Callable[[float], None]


def read_table(
    file: Path, *, task: Task, published: PublishedRows, progress: Progress | None = None
) -> pl.DataFrame:
    """Reads the columns of `Task.table`, in their order, with a row for every published id in
    published order; types are those of `COLUMN_KINDS`, a missing value is a null. Raises
    FileRejected.

    `progress` is called with the share that was read, 0 to 1, from any thread.
    """
    read = read_rows(file, layout=layout_of(task), published=published, progress=progress)
    named = zip(task.table, read, strict=True)
    return pl.DataFrame([values.alias(column.name) for column, values in named])


def fingerprint_of(columns: pl.DataFrame, marks: FingerprintReader) -> FileFingerprint:
    """Computes the fingerprint of canonical columns: a row is a list of the hashes of its
    values."""
    return marks.read_values([values.hash() for values in columns])
