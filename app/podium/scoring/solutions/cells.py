"""Reads the cells of an organizer's file of a table, with their line numbers.

A column has texts, null where they are empty; in a Parquet file also numbers and booleans.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import polars as pl

from podium.scoring.containers.detection import is_parquet
from podium.scoring.kernel.text import NotPlain
from podium.scoring.names import is_pattern
from podium.scoring.parquet.columns import decoded_columns
from podium.scoring.parquet.types import TEXTS, type_refused
from podium.scoring.problems import Code, FileRejected, quoted
from podium.scoring.rewriting.tables import table_blocks
from podium.scoring.rows.frames import csv_frames
from podium.scoring.task import Task
from podium.scoring.text.fields import RowProblem, names_of
from podium.scoring.truth.table import FileTable, header_again, open_table


@dataclass(frozen=True)
class SolutionCells:
    """The cells of a file. `line` counts the rows of a Parquet file as its text would (the first is
    on line 2). With `is_typed`, columns of text are intended as text."""

    frame: pl.DataFrame
    lines: pl.Series
    is_typed: bool


def read_cells(path: Path, task: Task) -> SolutionCells:
    """Reads all cells of a file. Raises FileRejected."""
    if is_parquet(path):
        frame = _of_parquet(path)
        return SolutionCells(frame, _lines(frame.height), is_typed=True)
    try:
        blocks = table_blocks(path, task)
        parts = list(csv_frames(blocks, _names))
        if parts:
            frame = pl.concat(parts, rechunk=True)
            # For a text that is not plain, the other reader reports this.
            rows = pl.DataFrame([column == column.name for column in frame.iter_columns()])
            again = rows.select(pl.all_horizontal(pl.all()).fill_null(False)).to_series()
            if again.any():
                raise header_again(int(again.arg_true()[0]) + 2)
            return SolutionCells(frame, _lines(frame.height), is_typed=False)
    except (NotPlain, FileRejected):
        # Also a broken container: the other reader knows which of its problems comes first.
        pass
    return _of_lines(open_table(path, task))


def _lines(rows: int) -> pl.Series:
    return pl.int_range(2, rows + 2, dtype=pl.UInt32, eager=True)


def _names(text: bytes) -> tuple[str, ...]:
    header = text.partition(b"\n")[0].removesuffix(b"\r")
    try:
        names = tuple(field.decode() for field in names_of(header))
    except (RowProblem, UnicodeDecodeError) as wrong:
        raise NotPlain("another header") from wrong
    if len(set(names)) < len(names) or len(names) < 2 or any(map(is_pattern, names)):
        raise NotPlain("names that do not tell columns apart")
    return names


def _of_lines(table: FileTable) -> SolutionCells:
    lines: list[int] = []
    columns: list[list[str]] = [[] for _ in table.columns]
    for line, fields in table.rows:
        lines.append(line)
        for column, field in zip(columns, fields, strict=True):
            column.append(_text(field, line))
    _check_names(table.columns)
    named = zip(table.columns, columns, strict=True)
    frame = pl.DataFrame([pl.Series(name, cells, dtype=pl.String) for name, cells in named])
    texts = pl.all().replace("", None)
    return SolutionCells(frame.select(texts), pl.Series(lines, dtype=pl.UInt32), is_typed=False)


def _check_names(names: tuple[str, ...]) -> None:
    for place, name in enumerate(names):
        if is_pattern(name):
            detail = f"a column cannot be called {quoted(name)}"
            raise FileRejected.because(Code.HEADER_MISMATCH, detail, line=1, hint="Rename it.")
        if name in names[:place]:
            detail = f"the column {quoted(name)} occurs twice"
            raise FileRejected.because(Code.HEADER_MISMATCH, detail, line=1)


def _text(field: bytes, line: int) -> str:
    try:
        return field.decode().replace('""', '"')
    except UnicodeDecodeError as wrong:
        detail = f"a field is not UTF-8: {quoted(field)}"
        raise FileRejected.because(Code.ENCODING, detail, line=line) from wrong


def _of_parquet(path: Path) -> pl.DataFrame:
    frame = decoded_columns(path)
    _check_names(tuple(frame.columns))
    for name, kind in frame.schema.items():
        if not (kind.is_numeric() or kind == pl.Boolean or isinstance(kind, TEXTS)):
            raise type_refused(name, kind, "numbers, truth values or strings")
    categories = pl.selectors.by_dtype(pl.Categorical, pl.Enum).cast(pl.String)
    frame = frame.with_columns(categories, pl.selectors.decimal().cast(pl.Float64))
    texts = pl.selectors.string()
    return frame.with_columns(pl.when(texts.str.len_bytes() > 0).then(texts).name.keep())
