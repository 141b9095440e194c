"""A whole submission of a table: a file of unknown bytes in; its canonical columns, or all that is
wrong with it, out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import polars as pl

from podium.scoring.analysis.fingerprint import FileFingerprint, FingerprintReader
from podium.scoring.containers.detection import (
    Container,
    as_rows,
    open_blocks,
    open_source,
    recognise,
)
from podium.scoring.kernel.text import NotPlain
from podium.scoring.pairs.pairs import PublishedPairs
from podium.scoring.problems import FileRejected
from podium.scoring.tables.layout import TableLayout
from podium.scoring.tables.lines import read_rows_strictly, read_strictly
from podium.scoring.tables.parquet import parquet_frames, parquet_rows
from podium.scoring.tables.plain import (
    is_compiled,
    read_compiled,
    read_plain,
    submission_frames,
)
from podium.scoring.task import MAX_SURPLUS_ROWS, Task

BLOCK_BYTES = 6 << 20
"""Text in one block."""

Progress = Callable[[float], None]


def read_table(
    file: Path, *, task: Task, published: PublishedPairs, progress: Progress | None = None
) -> pl.DataFrame:
    """The columns of `Task.table`, in their order, with a row for every published id in published
    order; types are those of `layout.DTYPES`, a missing value is a null. Raises FileRejected.

    `progress` gets the share that was read, 0 to 1, from any thread.
    """
    if recognise(file) is Container.PARQUET:
        try:
            return _of_parquet(file, task, published, progress)
        except FileRejected as rejected:
            raise FileRejected(as_rows(rejected.rejection)) from rejected
    try:
        return _plain_text(file, task, published, progress)
    except NotPlain:
        pass
    read = read_strictly(_blocks(file, task), task=task, published=published)
    if progress is not None:
        progress(1.0)
    return read


def fingerprint_of(columns: pl.DataFrame, marks: FingerprintReader) -> FileFingerprint:
    """The fingerprint of canonical columns: a row is a list of the hashes of its values."""
    return marks.read_values([values.hash() for values in columns])


def _of_parquet(
    file: Path, task: Task, published: PublishedPairs, progress: Progress | None
) -> pl.DataFrame:
    max_rows = published.count + MAX_SURPLUS_ROWS
    try:
        frames = parquet_frames(file, task, max_rows=max_rows)
        return read_plain(frames, task=task, published=published, progress=progress)
    except NotPlain:
        layout = TableLayout(task, task.columns)
        rows = parquet_rows(file, task, max_rows=max_rows)
        read = read_rows_strictly(rows, layout=layout, published=published)
    if progress is not None:
        progress(1.0)
    return read


def _plain_text(
    file: Path, task: Task, published: PublishedPairs, progress: Progress | None
) -> pl.DataFrame:
    """The columns of a text that is plain. Raises NotPlain."""
    if is_compiled(task):
        try:
            with open_source(file, task, max_rows=0) as source:
                return read_compiled(source, task=task, published=published, progress=progress)
        except NotPlain:
            # Also a number that the compiled reader leaves to others, such as 1e200.
            pass
    frames = submission_frames(_blocks(file, task), task)
    return read_plain(frames, task=task, published=published, progress=progress)


def _blocks(file: Path, task: Task) -> Iterator[bytes]:
    return open_blocks(file, task, max_rows=0, block_bytes=BLOCK_BYTES)
