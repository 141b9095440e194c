"""Detects and guesses the encoding of a text that is not UTF-8, from its start.

An encoding is likely where it decodes the start strictly, and the characters beyond ASCII are
almost all of those that its languages use: usual syllables of Korean, kana of Japanese, and letters
of Western Europe that stand alone beside ASCII ones. UTF-16 without a mark has lines, some ASCII
and no control characters. Where none is likely, or several are, there is no guess.
"""

from __future__ import annotations

import re
from codecs import getincrementaldecoder
from typing import NamedTuple

GUESSED_BYTES = 64 << 10
"""The bytes at the start of a text by which its encoding is guessed."""

_FEWEST = 2
"""The characters beyond ASCII that are needed: one may be a damaged byte."""

_MOST, _KANA = 0.9, 0.4
"""The share of usual characters among them; kana stand among Chinese characters."""

_FEWEST_ASCII = 0.25
"""The share of ASCII in UTF-16, whose separators, digits and line ends it is."""


class Encoding(NamedTuple):
    """An encoding, with its name for people and for the command `iconv`, and the key of the form
    that has it."""

    name: str
    iconv: str
    form: str = ""


def likely_encoding(head: bytes) -> Encoding | None:
    """Guesses the encoding of a text by its first bytes; None for UTF-8, and where it is not
    clear."""
    text = head[:GUESSED_BYTES]
    if _decoded(text, "utf-8") and not _CONTROLS.search(text):
        return None
    found = [encoding for encoding, fits in _RULES.items() if fits(text)]
    return found[0] if len(found) == 1 else None


def wide_encoding(sample: bytes) -> str | None:
    """Detects UTF-16 and UTF-32 at the start of a text; None for any other."""
    if sample[:4] in (b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff"):
        return "UTF-32"
    if sample[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "UTF-16"
    # Latin text in UTF-16 without a mark has a NUL in every second position.
    even, odd = sample[:64:2], sample[1:64:2]
    if len(odd) >= 2 and (any(even), any(odd)) in ((True, False), (False, True)):
        return "UTF-16"
    return None


def is_binary(head: bytes) -> bool:
    """True for bytes that are not text in any encoding of a byte per ASCII character."""
    return _CONTROLS.search(head) is not None


def _decoded(text: bytes, codec: str) -> str:
    """Decodes strictly a text whose last character may be cut; empty where that fails."""
    try:
        return getincrementaldecoder(codec)().decode(text)
    except UnicodeDecodeError:
        return ""


def _beyond(text: bytes, codec: str) -> str:
    """Returns the characters beyond ASCII; none for bytes that are not text."""
    return "" if is_binary(text) else _ASCII.sub("", _decoded(text, codec))


def _is_korean(text: bytes) -> bool:
    beyond = _beyond(text, "cp949")
    # Of all 11,172 syllables the 2,350 usual ones, those of EUC-KR, have high bytes alone.
    usual = [each for each in _SYLLABLE.findall(beyond) if min(each.encode("cp949")) > 0xA0]
    return len(beyond) >= _FEWEST and len(usual) >= _MOST * len(beyond)


def _is_japanese(text: bytes) -> bool:
    beyond = _beyond(text, "cp932")
    return len(beyond) >= _FEWEST and len(_FULL_KANA.findall(beyond)) >= _KANA * len(beyond)


def _is_western(text: bytes) -> bool:
    beyond = _beyond(text, "cp1252")
    return len(beyond) > 0 and len(_LONE_LETTER.findall(text)) >= _MOST * len(beyond)


def _is_little_endian(text: bytes) -> bool:
    return _is_wide(_decoded(text, "utf-16-le"))


def _is_big_endian(text: bytes) -> bool:
    return _is_wide(_decoded(text, "utf-16-be"))


def _is_wide(decoded: str) -> bool:
    if "\n" not in decoded or _CONTROL_CHARACTERS.search(decoded):
        return False
    return len(decoded) - len(_ASCII.sub("", decoded)) >= _FEWEST_ASCII * len(decoded)


_RULES = {
    Encoding("CP949 (Korean)", "CP949", "cp949"): _is_korean,
    Encoding("Shift-JIS (Japanese)", "CP932", "shift_jis"): _is_japanese,
    Encoding(
        "Windows-1252 or Latin-1 (Western European)", "WINDOWS-1252", "windows-1252"
    ): _is_western,
    Encoding("UTF-16 without a mark", "UTF-16LE"): _is_little_endian,
    Encoding("UTF-16 (big-endian) without a mark", "UTF-16BE"): _is_big_endian,
}

_CONTROLS = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_CONTROL_CHARACTERS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff]")
_ASCII = re.compile("[\x00-\x7f]+")
_SYLLABLE = re.compile("[가-힣]")
_FULL_KANA = re.compile("[ぁ-ゖァ-ー]")
_LETTERS = rb"[\xc0-\xcf\xd1-\xd6\xd8-\xdc\xdf-\xef\xf1-\xf6\xf8-\xfc]"
# Those of other encodings stand in pairs, or next to each other in words.
_LONE_LETTER = re.compile(
    rb"(?<=[A-Za-z])%s(?![\x80-\xff])|(?<![\x80-\xff])%s(?=[A-Za-z])" % (_LETTERS, _LETTERS)
)
