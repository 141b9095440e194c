"""Detects ids that a program changed: floats, exponents, lost zeros.

A change is reported only where undoing it yields a known id, so that the advice fits. Known are the
published ids, or with local files those of the ground truth; a server never uses its ground truth
for this.
"""

from __future__ import annotations

import re
from functools import cached_property

import polars as pl


class KnownIds:
    """The known ids of one column, by which changed ids are detected."""

    def __init__(self, ids: pl.Series) -> None:
        self._ids = ids

    def change_of(self, text: str) -> str | None:
        """Explains how a program changed an id, and what to do; None for a known id, and where no
        change is detected.

        >>> KnownIds(pl.Series(["42"])).change_of("42.0")
        '“42” is meant: a program made floats of the ids. Cast the column to integers.'
        """
        if (self._texts == text).any():
            return None
        whole = _FLOAT.sub("", text)
        if not whole.isdecimal():
            meant = self._rounded(text)
            return None if meant is None else f"“{meant}” is meant: {_EXPONENT}"
        # Of the known ids with the same number, an exact match is preferred.
        bare = self._numbers.str.strip_chars_start("0")
        same = self._numbers.filter(bare == whole.lstrip("0"))
        meant = _first(same.filter(same == whole)) or _first(same)
        if meant is None:
            return None
        if meant == whole:
            return f"“{meant}” is meant: {_AS_FLOATS}"
        return f"“{meant}” is meant: {_ZEROS if len(meant) > len(whole) else _SURPLUS}"

    @cached_property
    def _texts(self) -> pl.Series:
        # In pairs each id occurs many times.
        return self._ids.unique(maintain_order=True).cast(pl.String)

    @cached_property
    def _numbers(self) -> pl.Series:
        """The ids that consist of digits only."""
        return self._texts.filter(self._texts.str.contains(r"\A[0-9]+\z"))

    def _rounded(self, text: str) -> str | None:
        """Finds the first known id that gives this number when rounded."""
        found = _ROUNDED.fullmatch(text)
        if found is None:
            return None
        exponent, kept = int(found["exponent"]), len(found["decimals"] or "")
        near = self._numbers.filter(self._numbers.str.len_bytes() == exponent + 1)
        # A little more than half of the last remaining digit: floats are not exact themselves.
        reach = 0.5001 * 10.0 ** (exponent - kept)
        distance = (near.cast(pl.Float64) - float(text)).abs()
        return _first(near.filter(distance <= max(reach, 0.5)))


def _first(ids: pl.Series) -> str | None:
    return str(ids[0]) if len(ids) else None


_FLOAT = re.compile(r"\.0+\Z")
_ROUNDED = re.compile(r"[1-9](?:\.(?P<decimals>[0-9]+))?[eE]\+?(?P<exponent>[0-9]{1,2})")

_AS_FLOATS = "a program made floats of the ids. Cast the column to integers."
_ZEROS = "a program removed leading zeros. Read the column as text: dtype=str in pandas."
_SURPLUS = "without the leading zeros. Write it as it is published."
_EXPONENT = "a program wrote the ids with an exponent. Read the column as text or as integers."
