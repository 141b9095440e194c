"""The spellings of ids and numbers in a field, and the advice for another one."""

from __future__ import annotations

import re

from podium.scoring.hints.texts import LONGEST_ITEM_BYTES, LONGEST_NUMBER_BYTES, Hint

NUMBER = r"[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"
"""The spelling of a number that is not too long."""

CANONICAL_ID = "0|[1-9][0-9]{0,9}"
"""An id where ids are numbers, which has a largest one besides."""

TEXT_ID = rf"[!#-+\--~]{{1,{LONGEST_ITEM_BYTES}}}"
"""An id where ids are text: printable ASCII without space, comma and quote."""


def is_nothing(text: bytes) -> bool:
    """True for a field that holds no number, but a word for none, or nothing."""
    return not text.strip() or text.strip().lower() in _NOTHING


def spelling_hint(text: bytes) -> str | None:
    """The advice for a number that is spelled in another way; None for what is none."""
    if len(text) > LONGEST_NUMBER_BYTES:
        return Hint.LONG_NUMBER
    if text != text.strip(b" \t"):
        return Hint.PADDED_NUMBER
    if re.fullmatch(rb"[+-]?(\.[0-9]+|[0-9]+\.)", text):
        return Hint.BARE_POINT
    if re.fullmatch(rb"[+-]?[0-9]+([,._' ][0-9]+)+", text):
        return Hint.DECIMAL_COMMA
    return None


_NOTHING = {
    *(b"nan", b"none", b"null", b"na", b"n/a", b"nil", b"-", b"?"),
    *(b"inf", b"+inf", b"-inf", b"infinity", b"+infinity", b"-infinity"),
}
