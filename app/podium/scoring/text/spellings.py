"""Defines the valid spellings of ids and numbers in a field, and advice for others."""

from __future__ import annotations

import re

from podium.scoring.hints.texts import LONGEST_ITEM_BYTES, LONGEST_NUMBER_BYTES, Hint

NUMBER = r"[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"
"""The pattern of a number, whose length is limited as well."""

CANONICAL_ID = "0|[1-9][0-9]{0,9}"
"""The pattern of a numeric id, which has an upper limit as well."""

TEXT_ID = rf"[!#-+\--~]{{1,{LONGEST_ITEM_BYTES}}}"
"""The pattern of a text id: printable ASCII without space, comma and quote."""


def is_nothing(text: bytes) -> bool:
    """True for a field that is empty, or has a word for a missing number."""
    return not text.strip() or text.strip().lower() in _NOTHING


def spelling_hint(text: bytes) -> str | None:
    """Finds the advice for a number in another spelling; None for any other text."""
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
