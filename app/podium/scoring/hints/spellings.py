"""Detects spellings of whole numbers that programs write by mistake."""

from __future__ import annotations

import re

from podium.scoring.hints.texts import Hint


def whole_number_hint(text: bytes) -> Hint | None:
    """Finds the advice for a whole number in one of these spellings; None for any other text.

    >>> [hint and hint.name for hint in map(whole_number_hint, (b"42.0", b"1.2e+09", b"x"))]
    ['AS_INTEGERS', 'EXPONENT', None]
    """
    return next((hint for form, hint in _SPELLINGS.items() if form.fullmatch(text)), None)


def has_thousands(text: bytes) -> bool:
    """True for a whole number with commas as thousands separators."""
    return _THOUSANDS.fullmatch(text) is not None


_THOUSANDS = re.compile(rb"[1-9][0-9]{0,2}(?:,[0-9]{3})+")
_SPELLINGS = {
    re.compile(rb"[0-9]+\.0*"): Hint.AS_INTEGERS,
    re.compile(rb"[0-9](?:\.[0-9]+)?[eE]\+?[0-9]{1,2}"): Hint.EXPONENT,
    _THOUSANDS: Hint.THOUSANDS,
}
