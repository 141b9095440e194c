"""The first and last lines of a text, for the strict readers and for the fast one of ratings."""

from __future__ import annotations

from collections.abc import Iterator

from podium.scoring.kernel.text import NotPlain
from podium.scoring.lists.header import BOM, SNIFFED_BYTES
from podium.scoring.problems import Code, FileRejected

_LINE_ENDS = b"\r\n"


def first_text(blocks: Iterator[bytes], *, of: str) -> bytes:
    """The beginning of the text, as much as reading the header needs, without the mark. There is a
    row for each published one `of` these. Raises `FileRejected` for a file without text."""
    first = next(blocks, b"")
    text = first.removeprefix(BOM)
    while len(text) < SNIFFED_BYTES or not text.strip(_LINE_ENDS):
        following = next(blocks, None)
        if following is None:
            break
        # However many blank lines come first: one is enough to be refused for.
        text = text + following if text.strip(_LINE_ENDS) or not text else b"\n" + following
    if not text.strip(_LINE_ENDS):
        line = 1 if first else None
        hint = f"Send a header and one row for each published {of}."
        raise FileRejected.because(Code.EMPTY_FILE, "the file holds no text", line=line, hint=hint)
    return text


def plain_rows(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Yields the header of a text, then its rows in blocks of whole lines, all ended by LF. Blank
    lines at the end, CR LF and a byte order mark are gone. Raises NotPlain."""
    block = _line_feeds_only(next(blocks, b"").removeprefix(BOM))
    header, line_feed, block = block.partition(b"\n")
    if not line_feed:
        raise NotPlain("there are no rows")
    yield header + b"\n"
    for following in blocks:
        if block:
            yield block
        block = _line_feeds_only(following)
    # Blank lines are fine at the very end, and the last line needs no line feed.
    block = block.rstrip(b"\n")
    if block:
        yield block + b"\n"


def _line_feeds_only(block: bytes) -> bytes:
    # Looking for one byte is thirty times faster than looking for two.
    return block.replace(b"\r\n", b"\n") if b"\r" in block else block
