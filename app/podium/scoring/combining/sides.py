"""Prepares several submissions for the compiled functions, which read them side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import polars as pl

from podium.scoring.combining.spool import ListSpool
from podium.scoring.kernel.columns import Array, Column, TextColumn
from podium.scoring.kernel.structures import CANDIDATE_BYTES, ENTRY_BYTES, ItemRoom, ListSide, Names
from podium.scoring.turns import in_turn

THREADS = 2
"""Portions that are compared or blended while the last result is used. More would cost memory."""

MAX_FILES = 32
"""The most submissions that are read side by side."""

PORTION_BYTES = 4 << 20
"""The approximate size of the text of the lists of one portion."""

RESIDENT_BYTES = 128 << 20
"""The approximate bytes of items that are read before their memory is released."""

_ITEM_BYTES = 4

NAME_BYTES = {False: 10, True: 64}
"""The size of the longest number, and of the longest text, as an id of a session or an item."""

T = TypeVar("T")


class Sides:
    """Spools of equal depth; `c` is the structure that the compiled functions take."""

    def __init__(self, spools: Sequence[ListSpool]) -> None:
        self.functions = spools[0].functions
        self.count, self.depth = len(spools), spools[0].depth
        self.queries = spools[0].queries
        self._spools = spools
        self._texts: TextColumn | None = None
        self._names = self._common_names()
        sides = [
            ListSide(
                items=spool.address,
                starts=spool.starts.address,
                lengths=spool.lengths.address,
                names=None if names is None else names.address,
            )
            for spool, names in zip(spools, self._names, strict=True)
        ]
        self.c = (ListSide * len(sides))(*sides)
        # Twice as many entries as there can be items, so that half of them stay free.
        self._entries = 1 << (8 * self.count * self.depth).bit_length()

    @property
    def names(self) -> Names:
        """The texts of items by their common numbers, if items are text."""
        return names_of(self._texts)

    @property
    def list_bytes(self) -> int:
        """The size of the longest list as text, including its line end."""
        return self.depth * (NAME_BYTES[self._texts is not None] + 1) + 1

    def of_portions(self, work: Callable[[int, int], T]) -> Iterator[T]:
        """Applies `work` to ranges of all queries (start, stop) in several threads, and yields the
        results in order."""
        step = max(1, PORTION_BYTES // self.list_bytes)
        starts = range(0, self.queries, step)
        found = in_turn(
            lambda start: work(start, min(start + step, self.queries)), starts, threads=THREADS
        )
        read = 0
        for result in found:
            read += _ITEM_BYTES * step * self.depth * self.count
            if read > RESIDENT_BYTES:
                for spool in self._spools:
                    spool.give_back()
                read = 0
            yield result

    def room(self) -> tuple[ItemRoom, list[Array]]:
        """Allocates the memory for the items of a query, and returns it with the objects that own
        it."""
        table = Array(ENTRY_BYTES * self._entries)
        candidates = Array(CANDIDATE_BYTES * self.count * self.depth)
        best = Array(CANDIDATE_BYTES * self.depth)
        room = ItemRoom(table.address, candidates.address, best.address, self._entries - 1)
        return room, [table, candidates, best]

    def _common_names(self) -> list[Column | None]:
        """Finds for each spool the common number of each of its text items."""
        if self._spools[0].names is None:
            return [None] * self.count
        own = [spool.names for spool in self._spools]
        texts = pl.concat([names for names in own if names is not None]).unique(maintain_order=True)
        self._texts = TextColumn(texts)
        numbers = pl.int_range(len(texts), dtype=pl.Int32, eager=True)
        return [
            None if names is None else Column(names.replace_strict(texts, numbers)) for names in own
        ]


def names_of(column: Column | TextColumn | None) -> Names:
    """Builds the names of sessions or items; without a column, each number is its own name."""
    if isinstance(column, TextColumn):
        return Names(texts=column.address, starts=column.starts.address)
    return Names(numbers=None if column is None else column.address)
