"""Counts the rows of delimited text byte by byte, independently of any CSV parser.

There is one rule for quotes, that of RFC 4180: a quote that begins a field encloses it and is
doubled within it; line ends and separators there are characters. A quote elsewhere is an ordinary
character, and an enclosed field must end with its closing quote. `csv.reader(strict=True)` reads
so; Polars does where no quote is inside a field that is not enclosed, or where no field is
enclosed.
"""

from __future__ import annotations

import csv
import ctypes
import io
from collections.abc import Iterable, Iterator
from pathlib import Path

from podium.scoring.kernel.library import kernel
from podium.scoring.kernel.structures import RowCount

_OUTSIDE, _INSIDE, _CLOSED, _CLOSED_CR = range(4)
"""The states of the quote scanner, numbered as in quotes.c."""

_NO_CHARACTER = 0xFF
"""A byte that never occurs in UTF-8."""

BOM = b"\xef\xbb\xbf"
"""The byte order mark of UTF-8, which is not part of the text."""

_QUOTE, _LINE_FEED, _CR = b'"\n\r'

_PIECE_BYTES = 1 << 18
"""Bytes that are read at a time, which fit in the second-level cache of a processor."""


class BadQuote(Exception):
    """A quote closes a field that goes on after it, or is missing: `line` is where the field
    begins."""

    def __init__(self, line: int, detail: str) -> None:
        super().__init__(detail)
        self.line, self.detail = line, detail


class RowCounter:
    """Counts the rows of a text that is added in pieces."""

    def __init__(self, separator: str | None, *, has_quotes: bool = True) -> None:
        """Without a separator each line is a row; without quotes, these are ordinary characters."""
        sign = _NO_CHARACTER if separator is None else ord(separator)
        quote = _QUOTE if has_quotes else _NO_CHARACTER
        self._count = RowCount(before=_LINE_FEED, separator=sign, quote=quote)
        self._blank = 0
        self._has_rest = False

    def add(self, text: bytes) -> None:
        """Counts a further piece. Raises BadQuote."""
        functions = kernel()
        if functions is None:
            is_good = count_uncompiled(self._count, text)
        else:
            is_good = functions.podium_count_rows(ctypes.byref(self._count), text, len(text))
        if not is_good:
            detail = "a quote closes the field, and more of the field follows"
            raise BadQuote(self._count.opened, detail)
        self._note_end(text)

    def finish(self) -> None:
        """Marks the end of the text. Raises BadQuote for a field that is never closed."""
        if self.is_open:
            detail = "a quote begins a field and is not closed to the end of the file"
            raise BadQuote(self._count.opened, detail)

    @property
    def is_open(self) -> bool:
        """True where the text so far ends in the middle of an enclosed field."""
        return bool(self._count.state == _INSIDE)

    @property
    def rows(self) -> int:
        """The number of rows, including a header and blank lines, except those at the end."""
        return int(self._count.rows) + self._has_rest - self._blank

    @property
    def lines(self) -> int:
        """The number of lines: rows, and line ends between quotes."""
        return int(self._count.lines - self._count.rows) + self.rows

    @property
    def is_even(self) -> bool:
        """True where all rows have as many fields as the first."""
        last = self._count.rows + 1
        is_last = self._has_rest and self.rows > 1 and self._count.separators != self._count.width
        uneven = self._count.uneven or (last if is_last else 0)
        # Blank lines at the end are not rows.
        return not 0 < uneven <= self.rows

    @property
    def has_blank_end(self) -> bool:
        """True where the text ends with blank lines."""
        return self._blank > 0

    @property
    def is_enclosing(self) -> bool:
        """True where quotes enclose some field."""
        return bool(self._count.encloses)

    @property
    def is_mixed(self) -> bool:
        """True where quotes enclose some fields, and are ordinary characters in others."""
        return self.is_enclosing and bool(self._count.has_inner)

    def _note_end(self, text: bytes) -> None:
        content = text.rstrip()
        line_feeds = text.count(b"\n", len(content))
        if content:
            self._blank, self._has_rest = max(0, line_feeds - 1), not line_feeds
        elif line_feeds:
            self._blank += line_feeds - self._has_rest
            self._has_rest = False


def rows_in(file: Path, separator: str | None, *, has_quotes: bool = True) -> RowCounter:
    """Counts the rows of a file of plain text. Raises BadQuote."""
    counter = RowCounter(separator, has_quotes=has_quotes)
    with file.open("rb", buffering=0) as source:
        counter.add(source.read(_PIECE_BYTES).removeprefix(BOM))
        while piece := source.read(_PIECE_BYTES):
            counter.add(piece)
    counter.finish()
    return counter


def whole_rows(blocks: Iterable[bytes], separator: str) -> Iterator[tuple[bytes, RowCounter]]:
    """Joins blocks that end at a line end into blocks that end at the end of a row, each with its
    own counter, whose lines begin at 1. A byte order mark is removed. Raises BadQuote."""
    counter, pieces = RowCounter(separator), list[bytes]()
    for number, each in enumerate(blocks):
        block = each if number else each.removeprefix(BOM)
        counter.add(block)
        pieces.append(block)
        if not counter.is_open:
            yield b"".join(pieces), counter
            counter, pieces = RowCounter(separator), []
    counter.finish()


def plainly_quoted(text: bytes, separator: str) -> bytes:
    """Rewrites whole rows so that every field is enclosed in quotes. Raises BadQuote."""
    lines = io.StringIO(text.decode("utf-8", "surrogateescape"), newline="\n")
    written = io.StringIO(newline="")
    rows = csv.reader(lines, delimiter=separator, strict=True)
    try:
        form = csv.writer(written, delimiter=separator, lineterminator="\n", quoting=csv.QUOTE_ALL)
        form.writerows(rows)
    except csv.Error as wrong:
        raise BadQuote(rows.line_num, f"the row cannot be divided into fields: {wrong}") from None
    return written.getvalue().encode("utf-8", "surrogateescape")


def count_uncompiled(count: RowCount, text: bytes) -> bool:
    """Counts like `podium_count_rows` of quotes.c, for machines without a compiler."""
    at = 0
    while at < len(text):
        if count.state in (_OUTSIDE, _INSIDE):
            at = _after_quote(count, text, at)
        elif text[at] == _LINE_FEED:
            count.state = _OUTSIDE
        elif count.state == _CLOSED and text[at] in (count.separator, count.quote, _CR):
            count.separators += text[at] == count.separator
            after = {count.quote: _INSIDE, _CR: _CLOSED_CR}
            count.state, at = after.get(text[at], _OUTSIDE), at + 1
        else:
            return False
    count.before = text[-1] if text else count.before
    return True


def _after_quote(count: RowCount, text: bytes, at: int) -> int:
    """Advances past the next quote, or to the end."""
    quote = text.find(count.quote, at)
    stop = len(text) if quote < 0 else quote
    if count.state == _INSIDE:
        count.lines += text.count(b"\n", at, stop)
    else:
        _count_fields(count, text[at:stop])
    if quote < 0:
        return stop
    if count.state == _INSIDE:
        count.state = _CLOSED
    elif (text[quote - 1] if quote else count.before) in (_LINE_FEED, count.separator):
        count.state = _INSIDE
        count.encloses = True
        count.opened = count.lines + 1
    else:
        count.has_inner = True
    return quote + 1


def _count_fields(count: RowCount, text: bytes) -> None:
    *ended, rest = text.split(b"\n")
    for line in ended:
        count.rows += 1
        count.lines += 1
        count.separators += line.count(count.separator)
        if count.rows == 1:
            count.width = count.separators
        elif count.separators != count.width and not count.uneven:
            count.uneven = count.rows
        count.separators = 0
    count.separators += rest.count(count.separator)
