"""Normalizes a file of rows into text that Polars reads as intended, and counts its rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from podium.preparation.files.findings import RawFileCode, refuse
from podium.preparation.files.text import GZIP, MAX_BYTES, ZSTD, blocks
from podium.preparation.reading.rows import DOUBLE_COLON
from podium.scoring.containers.csv_rows import BadQuote, plainly_quoted, rows_in, whole_rows

QUOTES_ENCLOSE = "Double the quotes inside such a field, or leave out those around it."


@dataclass(frozen=True)
class Text:
    """The file itself or a copy: not compressed, separated by one character, with quotes as Polars
    interprets them. `rows` are counted without parsing fields, a header included and blank lines at
    the end excluded; they are even where all have the same number of fields."""

    file: Path
    separator: str
    rows: int
    is_even: bool
    has_quotes: bool
    has_blank_end: bool

    def scan(self, *, has_header: bool, **options: Any) -> pl.LazyFrame:
        """Scans the fields; the caller compares the number of collected rows with `rows`."""
        with self.file.open("rb") as file:
            scan = pl.scan_csv(
                file,
                separator=self.separator,
                has_header=has_header,
                quote_char='"' if self.has_quotes else None,
                **options,
            )
        return scan.head(self.rows - has_header) if self.has_blank_end else scan


def text_of(file: Path, separator: str | None, work: Path, *, most_bytes: int = MAX_BYTES) -> Text:
    """Normalizes the text of a file; without a separator it is JSON lines. `work` is a folder for a
    copy. Raises `RawFileRefused`."""
    plain = _unpacked(file, separator, work, most_bytes)
    sign = "\t" if separator == DOUBLE_COLON else separator
    try:
        # Between :: no quote encloses a field, and in JSON lines no quote encloses a line end.
        has_quotes = separator not in (None, DOUBLE_COLON)
        counter = rows_in(plain, sign, has_quotes=has_quotes)
        if counter.is_mixed and sign is not None:
            plain = _copied(work / "quoted.txt", _plainly_quoted(plain, sign))
    except BadQuote as wrong:
        raise refuse(
            file, RawFileCode.ROW_SHAPE, wrong.detail, wrong.line, QUOTES_ENCLOSE
        ) from None
    return Text(
        plain,
        sign or "",
        counter.rows,
        is_even=counter.is_even,
        has_quotes=counter.is_enclosing,
        has_blank_end=counter.has_blank_end,
    )


def _unpacked(file: Path, separator: str | None, work: Path, most_bytes: int) -> Path:
    with file.open("rb") as source:
        head = source.read(4)
    is_double = separator == DOUBLE_COLON
    if not (head.startswith(GZIP) or ZSTD.match(head) or is_double):
        return file
    text = blocks(file, most_bytes=most_bytes)
    return _copied(work / "text.txt", _with_tabs(file, text) if is_double else text)


def _with_tabs(file: Path, text: Iterator[bytes]) -> Iterator[bytes]:
    for block in text:
        if b"\t" in block:
            raise refuse(file, RawFileCode.ROW_SHAPE, "a file of :: has a tab in a field")
        yield block.replace(b"::", b"\t")


def _plainly_quoted(file: Path, separator: str) -> Iterator[bytes]:
    for text, _ in whole_rows(blocks(file), separator):
        yield plainly_quoted(text, separator)


def _copied(copy: Path, text: Iterator[bytes]) -> Path:
    with copy.open("wb") as sink:
        sink.writelines(text)
    return copy
