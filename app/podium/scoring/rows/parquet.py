"""Reads Parquet as cells, or as the lines of a CSV with the same rows: plain columns of numbers,
booleans and texts only.

Limits and containers are those of ranked lists (`scoring.lists.parquet`). Objects, lists, structs,
binary data, dates and extension types are refused by the schema, before any data is read.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from podium.scoring.column_kinds import kind_of_column
from podium.scoring.columns import TableColumn
from podium.scoring.names import header_of
from podium.scoring.parquet.cells import SLICE_ROWS, as_lines, as_texts
from podium.scoring.parquet.columns import check_footer, decoded_groups, open_columns
from podium.scoring.parquet.footer import read_footer
from podium.scoring.parquet.types import IDS, TEXTS, WHOLE_IDS, holds_ids, type_refused
from podium.scoring.problems import Code, FileRejected
from podium.scoring.rows.layout import RowLayout


def cell_frames(path: Path, layout: RowLayout, *, max_rows: int) -> Iterator[pl.DataFrame]:
    """Yields the cells of each row group: String, where the file has texts, categories or decimal
    numbers, null where a text is empty; or the types of the file. Raises `FileRejected` with
    `row`."""
    size = 0
    for _, frame in _groups(path, layout, max_rows):
        frame = frame.with_columns(
            pl.selectors.by_dtype(pl.Categorical, pl.Enum).cast(pl.String),
            pl.selectors.decimal().cast(pl.String),
        )
        size += _text_bytes(frame)
        if size > layout.task.max_expanded_bytes:
            detail = f"more than {layout.task.max_expanded_bytes >> 20:,} MiB of text"
            raise FileRejected.because(Code.EXPANDED_TOO_LARGE, detail)
        texts = pl.selectors.string()
        yield frame.with_columns(pl.when(texts.str.len_bytes() > 0).then(texts).name.keep())


def cell_rows(path: Path, layout: RowLayout, *, max_rows: int) -> Iterator[list[bytes]]:
    """Yields the same cells row by row, each as text, empty where it is missing."""
    for frame in cell_frames(path, layout, max_rows=max_rows):
        for part in frame.iter_slices(SLICE_ROWS):
            for row in as_texts(part).fill_null("").iter_rows():
                yield [cell.encode() for cell in row]


def text_pieces(path: Path, layout: RowLayout, *, max_rows: int) -> Iterator[bytes]:
    """Yields header and rows as CSV text, for rows without texts; where numbers are missing, fields
    are empty. Raises `FileRejected` with `row`, also for cells that a line cannot represent."""
    yield f"{header_of(layout.names)}\n".encode()
    values = [column.name for column in layout.values]
    codes = {key.name: Code.BAD_ID for key in layout.keys} | dict.fromkeys(values, Code.BAD_LABEL)
    groups, longest = _groups(path, layout, max_rows), layout.task.max_line_bytes
    yield from as_lines(groups, codes, may_lack=values, longest=longest)


def _groups(path: Path, layout: RowLayout, max_rows: int) -> Iterator[tuple[int, pl.DataFrame]]:
    """Yields the index of the first row of each row group, and its cells with the types of the
    file."""
    footer = read_footer(path, max_nodes=layout.max_nodes)
    check_footer(footer, layout.task, layout.task.columns, max_rows=max_rows)
    columns = open_columns(path)
    schema = columns.collect_schema()
    for key in layout.keys:
        if not holds_ids(schema[key.name]):
            raise type_refused(key.name, schema[key.name], IDS, WHOLE_IDS)
    for column in layout.values:
        _check_type(column, schema[column.name], layout)
    yield from decoded_groups(columns, layout.task.columns, footer)


def _text_bytes(frame: pl.DataFrame) -> int:
    """Computes the size of all texts: a small file may repeat a long one in every row."""
    texts = frame.select(pl.selectors.string()).get_columns()
    # A sum of lengths, which have 32 bits, could overflow.
    return sum(int(text.str.len_bytes().cast(pl.UInt64).sum()) for text in texts)


def _check_type(column: TableColumn, found: pl.DataType, layout: RowLayout) -> None:
    if isinstance(found, TEXTS) or found.is_integer():
        return
    kind = kind_of_column(column)
    if not kind.takes_cells(found):
        raise type_refused(column.name, found, *(layout.words.cells or kind.cells))
