"""Parquet as cells: plain columns of numbers, truth values and texts, and nothing else.

Limits and containers are those of ranked lists (`scoring.lists.parquet`). Texts may hold line ends,
commas and quotes here. Objects, lists, structs, binary data, dates and types of extensions are
refused by what the file says of its columns, before any data is read.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from podium.scoring.containers.parquet_types import (
    IDS,
    TEXTS,
    WHOLE_IDS,
    holds_ids,
    type_refused,
)
from podium.scoring.lists.parquet import (
    MAX_TABLE_NODES,
    check_footer,
    decoded_group,
    open_columns,
)
from podium.scoring.lists.parquet_footer import Footer, read_footer
from podium.scoring.problems import Code, FileRejected
from podium.scoring.tables.columns import TableColumn
from podium.scoring.task import Task

SLICE_ROWS = 100_000
"""Rows that are turned into texts at a time."""

_HINTS = {
    "number": "Write floats or integers.",
    "integer": "Write integers: a column with missing values may have become one of floats.",
    "boolean": "Write truth values, or strings.",
    "category": "Write strings.",
    "text": "Write strings.",
}


def parquet_frames(path: Path, task: Task, *, max_rows: int) -> Iterator[pl.DataFrame]:
    """The cells of each row group: String, where the file has texts, categories or decimal numbers,
    null where a text is empty; or the types of the file. Raises `FileRejected` with `row`."""
    footer, columns = _opened(path, task, max_rows)
    start = 0
    size = 0
    for rows in footer.group_rows:
        frame = decoded_group(columns, task, start, rows)
        frame = frame.with_columns(
            pl.selectors.by_dtype(pl.Categorical, pl.Enum).cast(pl.String),
            pl.selectors.decimal().cast(pl.String),
        )
        size += _text_bytes(frame)
        if size > task.max_expanded_bytes:
            detail = f"more than {task.max_expanded_bytes >> 20:,} MiB of text"
            raise FileRejected.because(Code.EXPANDED_TOO_LARGE, detail)
        texts = pl.selectors.string()
        yield frame.with_columns(pl.when(texts.str.len_bytes() > 0).then(texts).name.keep())
        start += rows


def parquet_rows(path: Path, task: Task, *, max_rows: int) -> Iterator[list[bytes]]:
    """The same cells row by row, each as the text that it would be, empty where it is missing. A
    float is the decimal number that reads as the same float64."""
    for frame in parquet_frames(path, task, max_rows=max_rows):
        for part in frame.iter_slices(SLICE_ROWS):
            texts = part.with_columns(pl.selectors.float().cast(pl.Float64)).cast(pl.String)
            for row in texts.select(pl.all().fill_null("")).iter_rows():
                yield [cell.encode() for cell in row]


def _text_bytes(frame: pl.DataFrame) -> int:
    """The size of all texts: a small file may repeat a long one in every row."""
    texts = frame.select(pl.selectors.string()).get_columns()
    # A sum of lengths, which have 32 bits, would begin again at 0.
    return sum(int(text.str.len_bytes().cast(pl.UInt64).sum()) for text in texts)


def _opened(path: Path, task: Task, max_rows: int) -> tuple[Footer, pl.LazyFrame]:
    footer = read_footer(path, max_nodes=MAX_TABLE_NODES)
    check_footer(footer, task, max_rows)
    columns = open_columns(path)
    schema = columns.collect_schema()
    _check_id(task, schema[task.id_column])
    for column in task.table:
        _check_type(column, schema[column.name])
    return footer, columns


def _check_id(task: Task, found: pl.DataType) -> None:
    if not holds_ids(found):
        raise type_refused(task.id_column, found, IDS, WHOLE_IDS)


def _check_type(column: TableColumn, found: pl.DataType) -> None:
    if isinstance(found, TEXTS):
        return
    good = {
        "number": found.is_numeric(),
        "integer": found.is_integer(),
        "boolean": found == pl.Boolean or found.is_integer(),
        "category": found == pl.Boolean or found.is_integer(),
        "text": found == pl.Boolean or found.is_integer(),
    }
    if not good[column.type]:
        article = "an" if column.type == "integer" else "a"
        raise type_refused(column.name, found, f"{article} {column.type}", _HINTS[column.type])
