"""Indexes published ids for the compiled reader."""

from __future__ import annotations

import ctypes

import polars as pl

from podium.scoring.kernel.columns import Array, Column, TextColumn
from podium.scoring.kernel.structures import Places

SPREAD = 16
"""Numbers whose range is more than this many times their count are found by their hash."""

_ENTRY_BYTES = 4
_UNKNOWN = b"\xff"


class PlaceIndex:
    """The index of distinct ids, Int32 or String, by their position; at `places` for as long as
    this lives."""

    def __init__(self, kernel: ctypes.CDLL, ids: pl.Series) -> None:
        self.places = Places(count=len(ids))
        if ids.dtype == pl.String:
            self._texts = TextColumn(ids)
            self.places.texts, self.places.starts = self._texts.address, self._texts.starts.address
        else:
            self._numbers = Column(ids)
            self.places.numbers = self._numbers.address
        span = _span(ids)
        if span is not None:
            self.places.low, self.places.span = span
            if span[1] == len(ids) and self._is_indexed_by(kernel):
                return
            self._entries = Array(_ENTRY_BYTES * span[1], fill=_UNKNOWN)
            self.places.direct = self._entries.address
        else:
            entries = 1 << (len(ids).bit_length() + 1)
            self._entries = Array(_ENTRY_BYTES * entries, fill=_UNKNOWN)
            self.places.mask = entries - 1
            self.places.table = self._entries.address
        if not self._is_indexed_by(kernel):
            raise ValueError("an id is published twice")

    def _is_indexed_by(self, kernel: ctypes.CDLL) -> bool:
        return bool(kernel.podium_index_places(ctypes.byref(self.places)))


def _span(ids: pl.Series) -> tuple[int, int] | None:
    """Finds the smallest number and the size of the range; None where an array of that size would
    be too large."""
    if ids.dtype == pl.String or not len(ids):
        return None
    low, high = int(ids.min()), int(ids.max())  # type: ignore[arg-type]
    return (low, high - low + 1) if high - low < SPREAD * len(ids) + SPREAD else None
