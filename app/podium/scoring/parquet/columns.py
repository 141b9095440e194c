"""Reads the columns of a Parquet file, with limits checked before decoding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import polars as pl

from podium.scoring.columns import MAX_TABLE_COLUMNS
from podium.scoring.parquet.files import scan_parquet
from podium.scoring.parquet.footer import Footer, corrupt, read_footer, schema_refused
from podium.scoring.problems import Code, FileRejected, quoted
from podium.scoring.task import Task

MAX_TABLE_NODES = MAX_TABLE_COLUMNS + 2
"""The most nodes of the schema of a table: all columns, that of ids, and the root."""

MAX_GROUP_VALUES = 1 << 27
"""The most values of one column in one row group, because a row group is decoded as a whole."""

_CODECS = {0: "none", 1: "snappy", 2: "gzip", 4: "brotli", 6: "zstd", 7: "lz4"}


def check_footer(
    footer: Footer,
    task: Task,
    columns: Sequence[str],
    *,
    max_rows: int,
    max_group_values: int = MAX_GROUP_VALUES,
) -> None:
    """Refuses by the footer alone: other columns than these, too many rows, unsupported
    compression, and sizes beyond the limits of the task."""
    if sorted(footer.columns) != sorted(columns):
        expected = quoted(", ".join(columns))
        found = quoted(", ".join(footer.columns[:10]))
        hint = "Write exactly these columns, without an index."
        raise schema_refused(f"its columns must be {expected}, found {found}", hint)
    if footer.rows > max_rows:
        detail = f"{footer.rows:,} rows, more than the {max_rows:,} that are read"
        raise FileRejected.because(Code.TOO_MANY_ROWS, detail, row=max_rows)
    chunks = [chunk for group in footer.chunks for chunk in group]
    if foreign := {chunk.codec for chunk in chunks} - set(_CODECS):
        detail = f"the Parquet file uses compression number {min(foreign)}"
        hint = f"Use one of: {', '.join(_CODECS.values())}."
        raise FileRejected.because(Code.PARQUET_CODEC, detail, hint=hint)
    if sum(chunk.expanded_bytes for chunk in chunks) > task.max_expanded_bytes:
        detail = f"more than {task.max_expanded_bytes >> 20:,} MiB when decompressed"
        raise FileRejected.because(Code.EXPANDED_TOO_LARGE, detail)
    if max((chunk.values for chunk in chunks), default=0) > max_group_values:
        detail = f"a row group holds more than {max_group_values:,} values"
        hint = "Write smaller row groups."
        raise FileRejected.because(Code.RESOURCE_LIMIT, detail, hint=hint)


_DECODER_ERRORS = (Exception, pl.exceptions.PanicException)
"""Errors of the decoder are of many classes, and its panics derive from BaseException."""


def open_columns(path: Path) -> pl.LazyFrame:
    """Opens the columns of a file, with known names and types; raises `FileRejected`.

    Later reads of the same columns reuse the footer, which takes longer to read than a small row
    group.
    """
    try:
        # A submission's statistics are the sender's claims; they must not decide what is read.
        columns = scan_parquet(path, use_statistics=False)
        columns.collect_schema()
    except _DECODER_ERRORS as wrong:
        raise corrupt(type(wrong).__name__) from None
    return columns


def decoded_columns(path: Path) -> pl.DataFrame:
    """Decodes all columns of an organizer's file, with the types of the file. Raises
    `FileRejected`."""
    return _collected(open_columns(path))


def first_rows(path: Path, count: int) -> pl.DataFrame:
    """Decodes the first rows of all columns. Raises `FileRejected`."""
    read_footer(path, max_nodes=MAX_TABLE_NODES)
    return _collected(open_columns(path).head(count))


def _collected(rows: pl.LazyFrame) -> pl.DataFrame:
    try:
        return rows.collect()
    except _DECODER_ERRORS as wrong:
        raise corrupt(type(wrong).__name__) from None


def decoded_group(
    columns: pl.LazyFrame, names: Sequence[str], start: int, rows: int
) -> pl.DataFrame:
    """Decodes the columns with these names of one row group, with the types of the file. Raises
    `FileRejected`."""
    frame = _collected(columns.select(pl.selectors.by_name(names)).slice(start, rows))
    if frame.shape != (rows, len(names)):
        raise corrupt("it does not hold the rows that its footer names")
    return frame


def decoded_groups(
    columns: pl.LazyFrame, names: Sequence[str], footer: Footer
) -> Iterator[tuple[int, pl.DataFrame]]:
    """Yields for each row group the index of its first row and the columns with these names, as
    `decoded_group` does."""
    start = 0
    for rows in footer.group_rows:
        yield start, decoded_group(columns, names, start, rows)
        start += rows
