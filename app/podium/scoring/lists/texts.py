"""The first lines of a text, for the strict readers."""

from __future__ import annotations

from collections.abc import Iterator

from podium.scoring.hints.texts import Hint
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
        hint = Hint.NO_TEXT.format(of)
        raise FileRejected.because(Code.EMPTY_FILE, "the file holds no text", line=line, hint=hint)
    return text
