"""Parses a plain text into frames of its fields by Polars, block by block; any other is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import polars as pl

from podium.scoring.kernel.text import NotPlain
from podium.scoring.text.header import BOM

Names = Callable[[bytes], tuple[str, ...]]
"""Reads the names of the columns of a text that begins with its header. Raises NotPlain."""

_UNUSUAL = (b'"', b"\r", b"\0", b"\x1a", b"\n\n")
"""Characters that a plain block does not have: quotes, and unusual line ends."""


def csv_frames(blocks: Iterator[bytes], names_of: Names) -> Iterator[pl.DataFrame]:
    """Yields the fields of a text as columns of String, null where they are empty. Raises NotPlain,
    and exceptions of opening the container."""
    text = next(blocks, b"").removeprefix(BOM)
    names = names_of(text)
    ended = False
    for block in _with_rest(text, blocks):
        lines = block.replace(b"\r\n", b"\n") if b"\r" in block else block
        rows = lines.rstrip(b"\n")
        if ended and rows:
            raise NotPlain("a blank line before the end")
        ended = len(lines) - len(rows) != 1
        if rows:
            yield _fields(rows, names)


def _with_rest(text: bytes, blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Yields the text after its first line, and then the other blocks."""
    _, line_feed, rest = text.partition(b"\n")
    if not line_feed:
        raise NotPlain("there is a header alone")
    if rest:
        yield rest
    yield from blocks


def _fields(rows: bytes, names: tuple[str, ...]) -> pl.DataFrame:
    """Parses lines without a line feed at the end."""
    if any(sign in rows for sign in _UNUSUAL) or rows[:1] == b"\n":
        raise NotPlain("quotes, or lines that are none")
    count = rows.count(b"\n") + 1
    # No row has too many fields, or it is an error; so none can have too few.
    if rows.count(b",") != count * (len(names) - 1):
        raise NotPlain("another number of fields")
    try:
        rows.decode() if not rows.isascii() else None
        frame = pl.read_csv(
            rows,
            has_header=False,
            schema=dict.fromkeys(names, pl.String),
            quote_char=None,
            truncate_ragged_lines=False,
        )
    except (UnicodeDecodeError, pl.exceptions.PolarsError) as wrong:
        raise NotPlain("no table") from wrong
    if frame.height != count:
        raise NotPlain("another number of rows")
    return frame
