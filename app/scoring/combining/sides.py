"""Several submissions side by side, as the compiled functions take them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import polars as pl

from podium.scoring.combining.spool import ListSpool
from podium.scoring.combining.turns import in_turn
from podium.scoring.kernel.columns import Array, Column, TextColumn
from podium.scoring.kernel.library import (
    CANDIDATE_BYTES,
    MISSING,
    CandidateRoom,
    ItemTexts,
    ListSide,
    kernel,
)

MAX_FILES = 32
"""Submissions side by side at most."""

PORTION_BYTES = 4 << 20
"""The text of the lists of one portion is at most about so large."""

_ITEM_BYTES = {False: 11, True: 65}

T = TypeVar("T")


class Sides:
    """Spools of equal depth; `c` is what the compiled functions take."""

    def __init__(self, spools: Sequence[ListSpool]) -> None:
        """Raises RuntimeError where nothing was compiled."""
        functions = kernel()
        if functions is None:
            raise RuntimeError(MISSING)
        self.functions = functions
        self.count, self.depth = len(spools), spools[0].depth
        self.queries = len(spools[0].lengths)
        self._spools = spools
        self._columns = [(Column(spool.starts), Column(spool.lengths)) for spool in spools]
        self._texts: TextColumn | None = None
        names = self._common_names()
        sides = [
            ListSide(
                items=spool.address,
                starts=starts.address,
                lengths=lengths.address,
                names=None if name is None else name.address,
            )
            for spool, (starts, lengths), name in zip(spools, self._columns, names, strict=True)
        ]
        self._names = names
        self.c = (ListSide * len(sides))(*sides)
        # Twice as many entries as there can be items, so that half of them stay free.
        self._entries = 1 << (2 * self.count * self.depth).bit_length()

    @property
    def texts(self) -> ItemTexts | None:
        """The texts of items by their common numbers; None where items are numbers themselves."""
        if self._texts is None:
            return None
        return ItemTexts(self._texts.address, self._texts.starts.address)

    @property
    def list_bytes(self) -> int:
        """The size of the longest list as text, its line end included."""
        return self.depth * _ITEM_BYTES[self._texts is not None] + 1

    def of_portions(self, work: Callable[[int, int], T]) -> Iterator[T]:
        """Applies `work` to all queries, from one to before another, several threads at a time,
        and yields the results in order."""
        step = max(1, PORTION_BYTES // self.list_bytes)
        starts = range(0, self.queries, step)
        return in_turn(lambda start: work(start, min(start + step, self.queries)), starts)

    def room(self) -> tuple[CandidateRoom, list[Array]]:
        """Room for the candidates of a query, and what holds it in memory."""
        table = Array(CANDIDATE_BYTES * self._entries)
        best = Array(CANDIDATE_BYTES * self.depth)
        room = CandidateRoom(table.address, best.address, self._entries - 1)
        return room, [table, best]

    def _common_names(self) -> list[Column | None]:
        """For each spool the common number of each of its items that are text."""
        if self._spools[0].names is None:
            return [None] * self.count
        own = [spool.names for spool in self._spools]
        texts = pl.concat([names for names in own if names is not None]).unique(maintain_order=True)
        self._texts = TextColumn(texts)
        numbers = pl.int_range(len(texts), dtype=pl.Int32, eager=True)
        return [
            None if names is None else Column(names.replace_strict(texts, numbers)) for names in own
        ]
