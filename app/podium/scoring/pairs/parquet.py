"""Parquet as text: the lines that a CSV with these pairs and numbers would have.

Limits and containers are those of ranked lists (`scoring.lists.parquet`); what stands here is
which types the columns may have, and how a number becomes text without changing.
"""

from __future__ import annotations

import io
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
    check_footer,
    foreign_cells,
    long_cells,
    open_columns,
    read_group,
)
from podium.scoring.lists.parquet_footer import read_footer
from podium.scoring.problems import Code, FileRejected, Rejection
from podium.scoring.task import Task

SLICE_ROWS = 100_000
"""Rows that are turned into text at a time; the longest one has some 200 bytes."""


def pair_pieces(path: Path, task: Task, *, max_rows: int) -> Iterator[bytes]:
    """Header and rows as CSV text. Raises `FileRejected` with `row`, never `line`.

    A float is written as the decimal number that reads as the same float64, so that a Float32 is
    the number that it is, and not the shorter one that it stands for.
    """
    footer = read_footer(path)
    check_footer(footer, task, max_rows)
    columns = open_columns(path)
    _check_schema(columns.collect_schema(), task)
    yield f"{','.join(task.columns)}\n".encode()
    start = 0
    for rows in footer.group_rows:
        frame = read_group(columns, task, start, rows)
        for offset in range(0, rows, SLICE_ROWS):
            yield _text(frame.slice(offset, SLICE_ROWS), task, start + offset)
        start += rows


def _check_schema(schema: pl.Schema, task: Task) -> None:
    for column in task.pair_columns:
        if not holds_ids(schema[column]):
            raise type_refused(column, schema[column], IDS, WHOLE_IDS)
    for column in task.number_columns:
        found = schema[column]
        if not (found.is_numeric() or isinstance(found, TEXTS)):
            raise type_refused(column, found, "numbers")


def _text(frame: pl.DataFrame, task: Task, first_row: int) -> bytes:
    """The rows as lines, after every cell was found to be the same as text. A missing number
    becomes an empty field, which the line reader refuses."""
    problems = [
        problem
        for name, kind in frame.schema.items()
        if isinstance(kind, TEXTS)
        for problem in long_cells(frame, name, task.max_line_bytes, first_row)
    ]
    if problems:
        raise FileRejected(Rejection.of(problems))
    frame = frame.with_columns(pl.selectors.float().cast(pl.Float64)).cast(pl.String)
    frame = frame.with_columns(pl.col(*task.number_columns).fill_null(""))
    codes = dict.fromkeys(task.pair_columns, Code.BAD_ID)
    codes |= dict.fromkeys(task.number_columns, Code.BAD_LABEL)
    for name, code in codes.items():
        problems += foreign_cells(frame, name, code, first_row)
    if problems:
        raise FileRejected(Rejection.of(problems))
    text = io.BytesIO()
    frame.write_csv(text, include_header=False, quote_style="never")
    return text.getvalue()
