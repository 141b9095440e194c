"""Text in UTF-16 with a byte order mark."""

from __future__ import annotations

import codecs

ENDS = ("le", "be")
"""The orders of bytes, by which end comes first."""

_MARKS = {"le": codecs.BOM_UTF16_LE, "be": codecs.BOM_UTF16_BE}


def utf_16(text: str, end: str) -> bytes:
    """The mark and the text, which may have half of a surrogate pair."""
    return _MARKS[end] + text.encode(f"utf-16-{end}", "surrogatepass")
