"""Converts Parquet to text: after checks, the same bytes that a CSV with these values would have.

The strict reader gets this text, and reports the problems of a file in any container. Here are only
the checks that keep the conversion faithful: limits before decoding, and no cell whose text would
have another meaning. The compiled reader gets the rows of a valid file from `parquet_lines.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from podium.scoring.containers.detection import limited
from podium.scoring.lists.rows import header_line
from podium.scoring.parquet.cells import csv_of, foreign_cells, foreign_lists, long_cells
from podium.scoring.parquet.columns import check_footer, decoded_group, open_columns
from podium.scoring.parquet.footer import Footer, read_footer
from podium.scoring.parquet.types import (
    IDS,
    ITEMS,
    LISTS,
    TEXTS,
    WHOLE_IDS,
    as_lists,
    holds_ids,
    holds_lists,
    is_list,
    type_refused,
)
from podium.scoring.problems import Code, FileRejected, Rejection
from podium.scoring.task import Task

SLICE_BYTES = 40 << 20
"""Bytes of text that are generated from rows at a time, if each has the maximum length: as lists of
numbers, they take 1 GB."""


def parquet_pieces(path: Path, task: Task, *, max_rows: int) -> Iterator[bytes]:
    """Yields header and rows as canonical CSV text. Raises `FileRejected` with `row`, never
    `line`."""
    yield from limited(_pieces(path, task, max_rows), task.max_expanded_bytes)


def _pieces(path: Path, task: Task, max_rows: int) -> Iterator[bytes]:
    footer, columns = open_lists(path, task, max_rows)
    yield header_line(task)
    start = 0
    for rows in footer.group_rows:
        frame = read_group(columns, task, start, rows)
        slice_rows = SLICE_BYTES // task.max_line_bytes
        for offset in range(0, rows, slice_rows):
            yield _text(frame.slice(offset, slice_rows), task, start + offset)
        start += rows


def open_lists(path: Path, task: Task, max_rows: int) -> tuple[Footer, pl.LazyFrame]:
    """Opens footer and columns of a file of lists, without reading its data. Raises
    `FileRejected`."""
    footer = read_footer(path)
    check_footer(footer, task, task.columns, max_rows=max_rows)
    columns = open_columns(path)
    _check_schema(columns.collect_schema(), task)
    return footer, columns


def _check_schema(schema: pl.Schema, task: Task) -> None:
    ids, labels = schema[task.id_column], schema[task.labels_column]
    if task.names != ("",) and ids.is_integer():
        raise type_refused(task.id_column, ids, f"strings such as 42_{task.names[0]}")
    if not holds_ids(ids):
        raise type_refused(task.id_column, ids, IDS, WHOLE_IDS)
    if not (holds_lists(labels) or isinstance(labels, TEXTS)):
        raise type_refused(task.labels_column, labels, ITEMS, LISTS)


def read_group(columns: pl.LazyFrame, task: Task, start: int, rows: int) -> pl.DataFrame:
    """Decodes one row group, ids first; integers become text, lists become those of integers or of
    strings, and categories are unchanged."""
    frame = decoded_group(columns, task.columns, start, rows)
    lists = [as_lists(name, kind) for name, kind in frame.schema.items() if is_list(kind)]
    return frame.with_columns(pl.selectors.integer().cast(pl.String), *lists)


def _text(frame: pl.DataFrame, task: Task, first_row: int) -> bytes:
    """Formats the rows as lines, after checking that every cell has the same meaning as text."""
    labels = pl.selectors.by_name(task.labels_column)
    problems = [
        problem
        for name in frame.columns
        for problem in long_cells(frame, name, task.max_line_bytes, first_row)
    ]
    if problems:
        raise FileRejected(Rejection.of(problems))
    frame = frame.with_columns(pl.selectors.exclude(pl.selectors.list()).cast(pl.String))
    problems = foreign_cells(frame, task.id_column, Code.BAD_ID, first_row)
    if isinstance(frame.schema[task.labels_column], pl.List):
        problems += foreign_lists(frame, task.labels_column, first_row)
    else:
        problems += foreign_cells(frame, task.labels_column, Code.BAD_LABEL, first_row)
    if problems:
        raise FileRejected(Rejection.of(problems))
    if isinstance(frame.schema[task.labels_column], pl.List):
        frame = frame.with_columns(labels.cast(pl.List(pl.String)).list.join(" "))
    return csv_of(frame)
