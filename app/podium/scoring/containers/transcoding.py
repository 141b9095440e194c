"""Converts text in another encoding into UTF-8, piece by piece.

Nothing is refused here: what the encoding does not have becomes bytes that are not UTF-8, which
every reader refuses with their line. A mark of UTF-16 remains one, so that a second one is seen as
in UTF-8.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from podium.scoring.forms import UTF_16, encoding_of
from podium.scoring.task import Task
from podium.scoring.text.encodings import wide_encoding


class Codec(NamedTuple):
    """A codec of Python, the key of the form that has it, and the words for its encoding."""

    key: str
    form: str = ""
    words: str = ""
    errors: str = "replace"


UTF_8 = Codec("utf-8")

_MARKS = {
    codecs.BOM_UTF16_LE: Codec("utf-16-le", UTF_16.key, "UTF-16", "surrogatepass"),
    codecs.BOM_UTF16_BE: Codec("utf-16-be", UTF_16.key, "UTF-16", "surrogatepass"),
}
_MARK_BYTES = 64
"""The bytes by which UTF-16 and UTF-32 are told from each other, and from UTF-8."""

_NOT_UTF_8 = b"\xff"

# These codecs decode bytes without a character as others of Unicode.
_LOSING = ("latin-1", "cp932")
_LOST = re.compile("[\x80-\x9f\uf8f0-\uf8f3]")


def codec_of(pieces: Iterator[bytes], task: Task) -> Codec:
    """Detects by which codec a text becomes UTF-8: that of its mark, or of the form with an
    encoding if the text is not UTF-8 as a whole."""
    first = b""
    # Decompressors may begin with pieces that are empty, or shorter than a mark.
    while len(first) < _MARK_BYTES and (piece := next(pieces, None)) is not None:
        first += piece
    wide, form = wide_encoding(first), encoding_of(task.forms)
    if wide is not None or form is None or first.startswith(codecs.BOM_UTF8):
        is_marked = wide == "UTF-16" and first[:2] in _MARKS
        return _MARKS[first[:2]] if is_marked and UTF_16.key in task.forms else UTF_8
    return UTF_8 if _is_utf_8(chain((first,), pieces)) else Codec(form.codec, form.key, form.key)


def as_utf_8(pieces: Iterable[bytes], codec: Codec) -> Iterator[bytes]:
    """Converts a text from the encoding of a codec."""
    decoder = codecs.getincrementaldecoder(codec.key)(codec.errors)
    for piece in pieces:
        text = decoder.decode(piece)
        if codec not in _MARKS.values():
            # No encoding but those of Unicode has the character that replaces what is lost.
            text = text.replace("\ufffd", "\udc80")
        if codec.key in _LOSING and not text.isascii():
            text = _LOST.sub("\udc80", text)
        yield text.encode("utf-8", "surrogatepass")
    if decoder.getstate()[0]:
        yield _NOT_UTF_8


def _is_utf_8(pieces: Iterable[bytes]) -> bool:
    decoder = codecs.getincrementaldecoder(UTF_8.key)()
    try:
        for piece in pieces:
            decoder.decode(piece)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True
