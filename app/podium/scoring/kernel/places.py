"""Indexes published ids for the compiled reader, and numbers texts that are new."""

from __future__ import annotations

import ctypes

import polars as pl

from podium.scoring.kernel.columns import Array, Column, Filled, TextColumn, texts_at
from podium.scoring.kernel.structures import Dictionary, Places

_START_BYTES = ctypes.sizeof(ctypes.c_int64)

SPREAD = 16
"""Numbers whose range is more than this many times their count are found by their hash."""


def no_places(count: int) -> Array:
    """Creates a table of places, none of which is known."""
    return Array(4 * count, fill=b"\xff")


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
            self._entries = no_places(span[1])
            self.places.direct = self._entries.address
        else:
            entries = 1 << (len(ids).bit_length() + 1)
            self._entries = no_places(entries)
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


class TextNumbers:
    """Distinct texts, numbered from 0 as they first come, by the compiled functions: the structure
    `c`, for as long as this lives."""

    def __init__(self, kernel: ctypes.CDLL) -> None:
        self._kernel, self.c = kernel, Dictionary()

    def texts(self) -> pl.Series:
        """Lists the texts in the order of their numbers, String."""
        if not self.c.count:
            return pl.Series(dtype=pl.String)
        end = ctypes.c_int64.from_address(self.c.starts + self.c.count * _START_BYTES)
        return texts_at(self.c.texts, end.value)

    def add(self, other: TextNumbers) -> pl.Series:
        """Adds the texts of another; returns their numbers here, Int32. Raises MemoryError."""
        numbers = Filled(pl.Int32, other.c.count)
        if not self._kernel.podium_join_dictionaries(
            ctypes.byref(self.c), ctypes.byref(other.c), numbers.address
        ):
            raise MemoryError("there is no room for texts")
        return numbers.column()

    def __del__(self) -> None:
        self._kernel.podium_drop_dictionary(ctypes.byref(self.c))
