"""Reads clickstreams, one event per row in CSV or Parquet, as chunks of events. A session is a
user."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import polars as pl
from polars.exceptions import PolarsError

from podium.preparation.clickstreams import TYPE_NAME, Columns
from podium.preparation.files.findings import RawFileCode, RawFindings, refuse
from podium.preparation.files.text import blocks, is_parquet
from podium.preparation.moments import milliseconds
from podium.preparation.sessions.raw import LATEST, MOST, RawChunk
from podium.preparation.sessions.text_ids import LONGEST, IdNumbers
from podium.scoring.containers.csv_rows import BadQuote, RowCounter, plainly_quoted
from podium.scoring.parquet.files import scan_parquet
from podium.scoring.problems import quoted

ROWS = 2_000_000
"""Rows of a Parquet file that are read at a time."""

_TIMES = {
    "ms": "is in whole milliseconds since 1970",
    "s": "is in whole seconds since 1970",
    "iso": "is a date such as 2026-11-20T12:00:00Z",
}

_KINDS = pl.Schema({"session": pl.Int32, "aid": pl.Int32, "ts": pl.Int64, "type": pl.String})


def clickstream_chunks(
    file: Path, columns: Columns, *, most_bytes: int, numbers: IdNumbers | None = None
) -> Iterator[RawChunk]:
    """Reads a file of rows under a header. Unlike in the raw format, the events of a session may be
    in many chunks and in any order, and `sessions` is empty: a user on two lines is not a mistake.
    `numbers` encode ids that are texts.

    Raises `RawFileRefused` with the lines that are not events.
    """
    first = 2
    for frame in _frames(file, columns, most_bytes):
        yield _chunk(file, frame, columns, first, numbers)
        first += frame.height


def numbers_of(files: Sequence[Path], columns: Columns, *, most_bytes: int) -> IdNumbers:
    """Numbers all users and items, in a separate pass over the files. Raises `RawFileRefused`."""
    return IdNumbers.of(frame for file in files for frame in _frames(file, columns, most_bytes))


def _frames(file: Path, columns: Columns, most_bytes: int) -> Iterator[pl.DataFrame]:
    """Yields the rows in batches, with the requested columns renamed to those of events."""
    named = columns.wanted
    for frame in _parquet(file) if is_parquet(file) else _csv(file, most_bytes):
        lacking = [name for name in named if name not in frame.columns]
        if lacking:
            shown = ", ".join(frame.columns)[:120]
            detail = f"there is no column {lacking[0]}; the columns are {shown}"
            raise refuse(file, RawFileCode.HEADER_MISMATCH, detail, 1)
        yield frame.select(list(named)).rename(named)


def _csv(file: Path, most_bytes: int) -> Iterator[pl.DataFrame]:
    """Yields blocks of CSV rows as text columns."""
    header: list[str] = []
    line = 2
    for block in blocks(file, most_bytes=most_bytes):
        body = block
        if not header:
            head, _, body = block.removeprefix(b"\xef\xbb\xbf").partition(b"\n")
            names = head.decode("utf-8", "replace").split(",")
            header = [name.strip().strip('"') for name in names]
            if len(set(header)) < len(header):
                raise refuse(
                    file, RawFileCode.HEADER_MISMATCH, f"a column is named twice: {quoted(head)}", 1
                )
        if body.strip():
            frame = _table(file, body, header, line)
            line += frame.height
            yield frame


def _table(file: Path, body: bytes, header: list[str], first: int) -> pl.DataFrame:
    """Parses the rows of a block, which may have blank lines only at its end."""
    counter = RowCounter(",")
    try:
        counter.add(body)
        counter.finish()
        if counter.lines > counter.rows:
            raise BadQuote(_first_broken(body), "a line end stands between quotes")
        text = plainly_quoted(body, ",") if counter.is_mixed else body
    except BadQuote as wrong:
        line = first + wrong.line - 1
        hint = "Remove line ends from texts, and double the quotes in those between quotes."
        raise refuse(file, RawFileCode.ROW_SHAPE, wrong.detail, line, hint) from None
    try:
        frame = pl.read_csv(
            text.rstrip(),
            has_header=False,
            new_columns=header,
            infer_schema=False,
            quote_char='"' if counter.is_enclosing else None,
        )
    except (PolarsError, pl.exceptions.PanicException) as error:
        raise refuse(file, RawFileCode.ROW_SHAPE, _unlike_others(body, header, first)) from error
    if frame.width != len(header) or frame.height != counter.rows or not counter.is_even:
        raise refuse(file, RawFileCode.ROW_SHAPE, _unlike_others(body, header, first))
    return frame


def _first_broken(body: bytes) -> int:
    """Finds the line on which the first row begins that spans several lines."""
    rows, begins = csv.reader(io.StringIO(body.decode("utf-8", "replace"), newline="\n")), 1
    # A field longer than the CSV limit means the same as one that spans lines.
    with suppress(csv.Error):
        for _ in rows:
            if rows.line_num > begins:
                break
            begins += 1
    return begins


def _unlike_others(body: bytes, header: list[str], first: int) -> str:
    lines = body.rstrip().decode("utf-8", "replace").split("\n")
    for number, (line, fields) in enumerate(zip(lines, csv.reader(lines), strict=False), first):
        if len(fields) != len(header):
            return f"line {number} has not {len(header)} fields: {quoted(line)}"
    return f"what follows line {first - 1} is not a table of {len(header)} columns"


def _parquet(file: Path) -> Iterator[pl.DataFrame]:
    try:
        rows = scan_parquet(file)
        total = int(rows.select(pl.len()).collect().item())
        for first in range(0, total, ROWS):
            yield rows.slice(first, ROWS).collect()
    except (PolarsError, pl.exceptions.PanicException, OSError) as error:
        raise refuse(
            file, RawFileCode.PARQUET_CORRUPT, "the Parquet file cannot be read"
        ) from error


def _chunk(
    file: Path, frame: pl.DataFrame, columns: Columns, first: int, numbers: IdNumbers | None
) -> RawChunk:
    kind = pl.lit("clicks") if columns.type is None else pl.col("type")
    events = frame if numbers is None else numbers.instead_of_texts(frame)
    # Text in another form, such as a fraction, becomes null here, and is reported below.
    events = events.with_columns(milliseconds(frame["ts"], columns.unit).alias("ts"), type=kind)
    events = events.cast(_KINDS, strict=False)
    good = (
        pl.col("session").is_between(0, MOST)
        & pl.col("aid").is_between(0, MOST)
        & pl.col("ts").is_between(0, LATEST, closed="left")
        & pl.col("type").str.contains(f"^{TYPE_NAME.pattern}$")
    )
    flags = events.select(good.fill_null(value=False)).to_series()
    if not flags.all():
        _name_wrong_rows(file, frame.filter(~flags), (~flags).arg_true() + first, columns)
    empty = pl.Series(dtype=pl.Int32)
    return RawChunk(file, events.select("session", "ts", "aid", "type"), empty, empty)


def _name_wrong_rows(file: Path, rows: pl.DataFrame, lines: pl.Series, columns: Columns) -> None:
    findings = RawFindings(file)
    ids = f"texts of at most {LONGEST} characters" if columns.text_ids else "whole numbers"
    time = _TIMES[columns.unit]
    for line, row in zip(lines, rows.iter_rows(named=True), strict=True):
        shown = ", ".join("nothing" if value is None else str(value)[:32] for value in row.values())
        detail = f"user and item are {ids}, the time {time}, the type is a word: {shown}"
        findings.add(RawFileCode.BAD_EVENT, detail, line, _hint(row, columns))
    raise findings.refused()


def _hint(row: Mapping[str, object], columns: Columns) -> str | None:
    """Suggests how to fix a wrong row; None where its time is wrong, which the detail explains."""
    if columns.type is not None and TYPE_NAME.fullmatch(str(row["type"])) is None:
        return "Write types as words. In OTTO's numbered files 0 is clicks, 1 carts, 2 orders."
    if not columns.text_ids and not all(str(row[name]).isdecimal() for name in ("session", "aid")):
        return "Ids that are texts are read if you say so: --ids text."
    return None
