"""Splits lines of text into rows of fields, by the same rule for quotes as Polars, row by row."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator

from podium.scoring.containers.csv_rows import BOM

DOUBLE_COLON = "::"

Row = tuple[int, list[str] | str]
"""The number of the line on which a row begins, and its fields, or the problem with it."""


def rows_of(lines: Iterable[str], separator: str) -> Iterator[Row]:
    """Splits lines that retain their line ends into rows; quotes are special unless `::`
    separates."""
    if separator == DOUBLE_COLON:
        for number, line in enumerate(lines, start=1):
            yield number, line.rstrip("\r\n").split(separator)
        return
    reader = csv.reader(lines, delimiter=separator, strict=True)
    while True:
        number = reader.line_num + 1
        try:
            yield number, next(reader)
        except StopIteration:
            return
        except csv.Error as wrong:
            yield number, _explained(wrong)


def lines_of(blocks: Iterable[bytes]) -> Iterator[str]:
    """Splits blocks into lines with their line ends, without a byte order mark; bytes that are not
    UTF-8 become surrogates."""
    for number, block in enumerate(blocks):
        start = 0
        text = (block if number else block.removeprefix(BOM)).decode("utf-8", "surrogateescape")
        while start < len(text):
            end = text.find("\n", start) + 1 or len(text)
            yield text[start:end]
            start = end


def is_utf8(text: str) -> bool:
    """True where the text from `lines_of` was valid UTF-8."""
    return text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text)


def _explained(wrong: csv.Error) -> str:
    words = str(wrong)
    if "expected after" in words:
        return "a quote closes a field, and more of the field follows"
    if "unexpected end" in words:
        return "a quote begins a field and is not closed"
    if "new-line" in words:
        return "a CR stands in the line, which ends with LF or CR LF"
    return words
