"""Reads organizers' tables, CSV or Parquet, as numbered rows of byte fields under a header.

A Parquet file is numbered as its text would be (header 1, first row 2), so that one set of checks
serves both; the caller converts lines back to rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from podium.scoring.containers.detection import is_parquet
from podium.scoring.hints.texts import Hint
from podium.scoring.parquet.cells import foreign_lists
from podium.scoring.parquet.columns import decoded_columns
from podium.scoring.parquet.types import (
    IDS,
    ITEMS,
    LISTS,
    TEXTS,
    WHOLE_IDS,
    as_lists,
    holds_ids,
    holds_lists,
    type_refused,
)
from podium.scoring.problems import Code, FileRejected, Rejection, quoted
from podium.scoring.rewriting.tables import table_blocks
from podium.scoring.task import Task
from podium.scoring.text.blocks import KEPT_BYTES
from podium.scoring.text.fields import RowProblem, is_printed_list, names_of, split_fields
from podium.scoring.text.header import BOM, has_column, refuse_foreign_bytes
from podium.scoring.truth.foreign import foreign_form
from podium.scoring.truth.separators import SAVE_WITH_COMMAS, separator_of

LONGEST_LINE = KEPT_BYTES - len(BOM) - 1
"""The longest line of a ground truth as text, in bytes; longer ones may be shortened when they
arrive."""

_BLOCK_BYTES = 8 << 20


@dataclass(frozen=True)
class FileTable:
    """A header and the rows under it; each row has as many fields as the header."""

    columns: tuple[str, ...]
    rows: Iterator[tuple[int, list[bytes]]]


def text_lines(path: Path, task: Task) -> Iterator[tuple[int, bytes]]:
    """Yields numbered lines without their ends. Blank lines are allowed at the end only, and
    skipped. Raises FileRejected."""
    number, blank = 0, None
    for block in _text_blocks(path, task):
        for raw in block.removesuffix(b"\n").split(b"\n"):
            number += 1
            if len(raw) > LONGEST_LINE:
                detail = f"the line is longer than {LONGEST_LINE:,} bytes; it begins {quoted(raw)}"
                hint = "In the long form and in Parquet, a session may have any number of labels."
                raise FileRejected.because(Code.LINE_TOO_LONG, detail, line=number, hint=hint)
            line = raw.removesuffix(b"\r")
            if not line.strip():
                blank = blank or number
                continue
            if blank is not None:
                raise FileRejected.because(Code.BLANK_LINE, "the line is blank", line=blank)
            yield number, line
    if blank == 1:
        raise FileRejected.because(Code.EMPTY_FILE, "the file holds no text")


def csv_table(lines: Iterator[tuple[int, bytes]], task: Task) -> FileTable:
    """Reads a table from numbered lines, the header first. Raises FileRejected."""
    _, header = next(lines)
    if not has_column(header, task.id_column):
        _refuse_foreign(_text(header))
    try:
        names = names_of(header)
    except RowProblem as wrong:
        raise FileRejected.because(wrong.code, wrong.detail, line=1, hint=wrong.hint) from None
    return FileTable(tuple(map(_text, names)), _csv_rows(header, lines))


def _refuse_foreign(header: str) -> None:
    """Refuses a header of a known format, or with other separators."""
    if foreign := foreign_form(header):
        detail, hint = foreign
        raise FileRejected.because(Code.NOT_CSV, detail, line=1, hint=hint)
    if sign := separator_of(header):
        detail = f"the columns are separated by {sign}, not commas"
        raise FileRejected.because(Code.HEADER_MISMATCH, detail, line=1, hint=SAVE_WITH_COMMAS)


def parquet_table(
    path: Path, *, lists: str = "", is_id: Callable[[str], bool] = lambda _: False
) -> FileTable:
    """Reads a table from a Parquet file; numbers and lists become the same text as in a CSV.
    `lists` is the column that may have lists of ids, and `is_id` determines which ones have ids.
    Raises FileRejected."""
    frame = decoded_columns(path)
    problems, columns = [], []
    for name, kind in frame.schema.items():
        if name == lists and holds_lists(kind):
            cells = frame.select(as_lists(name, kind))
            problems += foreign_lists(
                cells.with_columns(pl.selectors.by_name(name).fill_null([])), name, 0
            )
            column = cells[name].cast(pl.List(pl.String)).list.join(" ")
        else:
            _check_type(name, kind, wanted=ITEMS if name == lists else IDS if is_id(name) else "")
            column = frame[name].cast(pl.String)
        columns.append(column.fill_null(""))
    if problems:
        raise FileRejected(Rejection.of(problems))
    rows = ([value.encode() for value in row] for row in pl.DataFrame(columns).iter_rows())
    return FileTable(tuple(frame.columns), enumerate(rows, start=2))


def _check_type(name: str, kind: pl.DataType, *, wanted: str) -> None:
    """Refuses a column that is not of numbers or texts, or not of ids where they are wanted."""
    if wanted and not holds_ids(kind):
        raise type_refused(name, kind, wanted, LISTS if wanted == ITEMS else WHOLE_IDS)
    if not (kind.is_numeric() or isinstance(kind, TEXTS)):
        raise type_refused(name, kind, "numbers or strings")


def open_table(
    path: Path, task: Task, *, is_id: Callable[[str], bool] = lambda _: False
) -> FileTable:
    """Opens a table in either format: the task limits the text of an archive, and `is_id`
    determines which columns of a Parquet file have ids. Raises FileRejected."""
    if is_parquet(path):
        return parquet_table(path, is_id=is_id)
    return csv_table(text_lines(path, task), task)


def _text_blocks(path: Path, task: Task) -> Iterator[bytes]:
    """Yields the text without its byte order mark, in blocks that end right after an LF, except for
    the last. Raises FileRejected."""
    blocks = table_blocks(path, task, block_bytes=_BLOCK_BYTES)
    first = next(blocks, b"").removeprefix(BOM)
    refuse_foreign_bytes(first, [task.id_column, *task.columns])
    yield first
    yield from blocks


def _csv_rows(
    header: bytes, lines: Iterator[tuple[int, bytes]]
) -> Iterator[tuple[int, list[bytes]]]:
    names = split_fields(header)
    for number, line in lines:
        fields = _fields(number, line)
        if len(fields) != len(names):
            detail = f"{quoted(line)} has {len(fields)} fields instead of {len(names)}"
            hint = Hint.PYTHON_LIST if is_printed_list(line) else Hint.AS_THE_HEADER
            raise FileRejected.because(Code.ROW_SHAPE, detail, line=number, hint=hint)
        if fields == names:
            raise header_again(number)
        yield number, fields


def header_again(line: int) -> FileRejected:
    """Builds the rejection of a row that repeats the header."""
    detail = "the line is the header again"
    return FileRejected.because(Code.HEADER_MISMATCH, detail, line=line, hint=Hint.ONE_HEADER)


def _fields(number: int, line: bytes) -> list[bytes]:
    try:
        return split_fields(line)
    except RowProblem as wrong:
        raise FileRejected.because(wrong.code, wrong.detail, line=number, hint=wrong.hint) from None


def _text(field: bytes) -> str:
    return field.decode("utf-8", "replace")
