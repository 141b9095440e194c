"""Formats cells of a Parquet file as lines of text, and finds those that a line cannot represent:
their text would be too long, or have another meaning."""

from __future__ import annotations

import io
from collections.abc import Collection, Iterable, Iterator, Mapping

import polars as pl

from podium.scoring.parquet.types import TEXTS
from podium.scoring.problems import Code, FileRejected, Problem, Rejection

SLICE_ROWS = 100_000
"""Rows that are converted to text at a time."""


def as_lines(
    groups: Iterable[tuple[int, pl.DataFrame]],
    codes: Mapping[str, Code],
    *,
    may_lack: Collection[str],
    longest: int,
) -> Iterator[bytes]:
    """Formats the rows of groups without lists, each with the index of its first row, as lines of
    at most `longest` bytes, after checking that every cell has the same meaning as text; each
    column has the code of its problems. A cell that is missing is an empty field in the columns
    that `may_lack` some. Raises `FileRejected`."""
    for start, group in groups:
        for offset in range(0, group.height, SLICE_ROWS):
            cells, first_row = group.slice(offset, SLICE_ROWS), start + offset
            texts = [name for name, kind in cells.schema.items() if isinstance(kind, TEXTS)]
            _refuse(each for name in texts for each in long_cells(cells, name, longest, first_row))
            lines = as_texts(cells).with_columns(pl.selectors.by_name(*may_lack).fill_null(""))
            _refuse(
                each
                for name, code in codes.items()
                for each in foreign_cells(lines, name, code, first_row)
            )
            yield csv_of(lines)


def _refuse(problems: Iterable[Problem]) -> None:
    if found := list(problems):
        raise FileRejected(Rejection.of(found))


def as_texts(cells: pl.DataFrame) -> pl.DataFrame:
    """Converts cells to text. A float becomes the decimal number that reads as the same float64, so
    that a Float32 has its exact value, and not its shorter spelling."""
    return cells.with_columns(pl.selectors.float().cast(pl.Float64)).cast(pl.String)


def csv_of(lines: pl.DataFrame) -> bytes:
    """Writes texts that need no quotes, without a header."""
    text = io.BytesIO()
    lines.write_csv(text, include_header=False, quote_style="never")
    return text.getvalue()


def long_cells(frame: pl.DataFrame, column: str, longest: int, first_row: int) -> list[Problem]:
    """Finds cells that are longer than a line may be. A small file may repeat a long text in every
    row: its size is checked before its contents, and as a category once for all its rows."""
    cell, kind = pl.selectors.by_name(column), frame.schema[column]
    if isinstance(kind, pl.List):
        long = cell.list.len() > longest // 2
        if kind.inner == pl.String:
            sizes = cell.list.eval(pl.element().str.len_bytes().cast(pl.UInt64).fill_null(0) + 1)
            long |= sizes.list.sum() > longest
    elif isinstance(kind, pl.String):
        long = cell.str.len_bytes() > longest
    else:
        texts = frame[column].unique()
        long = cell.is_in(texts.filter(texts.cast(pl.String).str.len_bytes() > longest).implode())
    detail = f"the value is longer than {longest:,} bytes"
    return _problems(frame, long, column, Code.LINE_TOO_LONG, detail, first_row)


def foreign_cells(frame: pl.DataFrame, column: str, code: Code, first_row: int) -> list[Problem]:
    """Finds cells of a string column that a line of text cannot represent."""
    cell = pl.selectors.by_name(column)
    broken = cell.str.contains(r'[\n\r,"]')
    return [
        *_problems(frame, cell.is_null(), column, code, _MISSING, first_row),
        *_problems(frame, broken, column, code, _BREAKING, first_row),
    ]


def foreign_lists(frame: pl.DataFrame, column: str, first_row: int) -> list[Problem]:
    """Finds cells of a list column that are null, contain null, or an item that would be none or
    several in a line."""
    cell, code = pl.selectors.by_name(column), Code.BAD_LABEL
    holed = cell.list.drop_nulls().list.len() < cell.list.len()
    problems = [
        *_problems(frame, cell.is_null(), column, code, _MISSING, first_row),
        *_problems(frame, holed, column, code, _HOLED, first_row),
    ]
    if frame.schema[column] == pl.List(pl.String):
        # Only words may be separated by spaces.
        words = cell.list.eval(pl.element().str.contains(r"\A[^\s,\"]+\z").fill_null(False))
        apart = ~words.list.all()
        problems += _problems(frame, apart & ~holed, column, code, _APART, first_row)
    return problems


def _problems(
    frame: pl.DataFrame, wrong: pl.Expr, column: str, code: Code, detail: str, first_row: int
) -> list[Problem]:
    rows = frame.select(wrong.fill_null(False).arg_true()).to_series().to_list()
    hint = _HINTS.get(detail, "Send fewer items.")
    return [Problem(code, detail, None, first_row + row, None, column, hint) for row in rows]


_MISSING = "the value is missing"
_HOLED = "an item of the list is missing"
_APART = "an item of the list is empty, or holds a space, a comma or a quote"
_BREAKING = "the value holds a comma, a quote or a line end"
_HINTS = {
    _MISSING: "Fill the nulls: labels may be an empty string or list, ids must be there.",
    _HOLED: "Remove the nulls from the lists.",
    _APART: "Write each item as one word, and nothing for none.",
    _BREAKING: "Separate items by spaces, without brackets; an id holds nothing but itself.",
}
