"""Rewrites Parquet with one item in each row as text: the same bytes that a CSV with these values
would have."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import polars as pl

from podium.scoring.containers.detection import limited, text_limit
from podium.scoring.names import header_of
from podium.scoring.parquet.cells import foreign_cells, long_cells
from podium.scoring.parquet.columns import check_footer, decoded_group, open_columns
from podium.scoring.parquet.footer import read_footer
from podium.scoring.parquet.types import IDS, TEXTS, WHOLE_IDS, holds_ids, type_refused
from podium.scoring.problems import Code, FileRejected, Rejection
from podium.scoring.rewriting.spelling import Spelling
from podium.scoring.task import Task

SLICE_ROWS = 100_000
"""Rows that are converted to text at a time."""

MAX_GROUP_ROWS = 1 << 21
"""The most rows of one row group: far fewer bytes may repeat them than they take in memory."""

_SHORTEST_ROW = len("1,\n")


def item_row_pieces(path: Path, task: Task, spelling: Spelling) -> Iterator[bytes]:
    """Yields a header and rows with the columns of the spelling, in their order. Raises
    `FileRejected` with the `row`, also for cells that a line cannot represent."""
    yield from limited(_pieces(path, task, spelling), text_limit(path, task))


def _pieces(path: Path, task: Task, spelling: Spelling) -> Iterator[bytes]:
    names, footer = spelling.names, read_footer(path)
    most = text_limit(path, task) // _SHORTEST_ROW
    check_footer(footer, task, names, max_rows=most, max_group_values=MAX_GROUP_ROWS)
    columns = open_columns(path)
    _check_schema(columns.collect_schema(), spelling)
    yield f"{header_of(names)}\n".encode()
    start = 0
    for rows in footer.group_rows:
        found = decoded_group(columns, names, start, rows)
        frame = pl.DataFrame([found.get_column(name) for name in names])
        for offset in range(0, rows, SLICE_ROWS):
            yield _text(frame.slice(offset, SLICE_ROWS), task, spelling, start + offset)
        start += rows


def _check_schema(schema: pl.Schema, spelling: Spelling) -> None:
    for name in spelling.names:
        kind = schema[name]
        if name != spelling.order and not holds_ids(kind):
            raise type_refused(name, kind, IDS, WHOLE_IDS)
        if name == spelling.order and not (kind.is_numeric() or isinstance(kind, TEXTS)):
            raise type_refused(name, kind, "numbers")


def _text(cells: pl.DataFrame, task: Task, spelling: Spelling, first_row: int) -> bytes:
    """Formats rows as lines; an item that is missing is that of an empty list."""
    texts = [name for name, kind in cells.schema.items() if isinstance(kind, TEXTS)]
    longest = task.max_line_bytes
    problems = [each for name in texts for each in long_cells(cells, name, longest, first_row)]
    if problems:
        raise FileRejected(Rejection.of(problems))
    # A float becomes the decimal number that reads as the same float64.
    lines = cells.with_columns(pl.selectors.float().cast(pl.Float64)).cast(pl.String)
    others = [name for name in spelling.names if name != task.id_column]
    lines = lines.with_columns(pl.selectors.by_name(others).fill_null(""))
    for name in spelling.names:
        code = Code.BAD_ID if name == task.id_column else Code.BAD_LABEL
        problems += foreign_cells(lines, name, code, first_row)
    if problems:
        raise FileRejected(Rejection.of(problems))
    text = io.BytesIO()
    lines.write_csv(text, include_header=False, quote_style="never")
    return text.getvalue()
