"""Puts the labels of blocks, which were read side by side, in the order of the ground truth."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from podium.scoring.kernel.columns import Array, Column, Filled, Numeric
from podium.scoring.kernel.places import PlaceIndex
from podium.scoring.kernel.text import NotPlain
from podium.scoring.repeating import repeat
from podium.scoring.splits import IGNORED

_MAX_QUERIES = 1 << 32
_NO_SIDE = 255


@dataclass(slots=True)
class BlockLabels:
    """The labels of a block, in the layout of `struct labels` of labels.c."""

    sessions: pl.Series
    sides: pl.Series | None
    rows: pl.Series | None
    queries: pl.Series
    items: pl.Series
    relevances: pl.Series | None
    lines: int
    empty: int
    first_empty: int


class Placing:
    """Maps the sessions of all runs, and with them all queries, to their published positions:
    `listed` are the published sessions. Both are numbers, Int32."""

    def __init__(
        self, kernel: ctypes.CDLL, sessions: pl.Series, listed: pl.Series, width: int
    ) -> None:
        if not len(sessions) or len(listed) * width >= _MAX_QUERIES:
            raise NotPlain("no session, or more than there are numbers for")
        self._kernel, self._listed, self._width = kernel, len(listed), width
        self._runs = len(sessions)
        self._places: Column | None = None
        if listed is not sessions:
            index, given = PlaceIndex(self._kernel, listed), Column(sessions)
            places = Filled(pl.UInt32, self._runs)
            found = self._kernel.podium_find_places(
                ctypes.byref(index.places), given.address, self._runs, places.address
            )
            if found < self._runs:
                raise NotPlain("a session is not published")
            self._of_runs = places.column()
            self._places = Column(self._of_runs)

    def claim_sessions(self) -> None:
        """Raises NotPlain if a session has two runs."""
        if self._places is not None:
            self._claim(self._places.address, self._runs, Array(self._listed))

    def claim_rows(self, parts: Sequence[BlockLabels]) -> None:
        """Raises NotPlain if an id has two rows."""
        seen = Array(
            self._listed * self._width if any(part.rows is not None for part in parts) else 0
        )
        run = 0
        for part in parts:
            if part.rows is not None:
                placed = Array(4 * len(part.rows))
                self._place(part.rows, run, placed.address)
                self._claim(placed.address, len(part.rows), seen)
            run += len(part.sessions)

    def sides(self, parts: Sequence[BlockLabels], values: Sequence[int]) -> pl.Series:
        """Computes the UInt8 side of each published session, ignored where it is not listed, by the
        `values` of words. Raises NotPlain if a session has two sides."""
        given = pl.concat([part.sides for part in parts if part.sides is not None])
        given = pl.Series(values, dtype=pl.UInt8).gather(given)
        if self._places is None:
            return given
        sides = repeat(_NO_SIDE, self._listed, pl.UInt8).scatter(self._of_runs, given)
        if not (sides.gather(self._of_runs) == given).all():
            raise NotPlain("a session has two sides")
        return sides.replace(_NO_SIDE, IGNORED)

    def labels(
        self, parts: Sequence[BlockLabels], *, drop_repeated: bool
    ) -> tuple[pl.DataFrame, int]:
        """Builds `query`, `item` and, where they are graded, `relevance` of all labels in this
        order, each once with its highest relevance; and the number of those that were dropped.
        Raises NotPlain if one occurs twice, unless they are to be dropped."""
        queries, run, start = Filled(pl.UInt32, sum(len(part.queries) for part in parts)), 0, 0
        for part in parts:
            self._place(part.queries, run, queries.address + 4 * start)
            run, start = run + len(part.sessions), start + len(part.queries)
        columns = {"query": queries.column(), "item": pl.concat([part.items for part in parts])}
        if parts[0].relevances is not None:
            columns["relevance"] = pl.concat(
                [part.relevances for part in parts if part.relevances is not None]
            )
        frame = self._sorted(pl.DataFrame(columns).rechunk())
        if self._is_ascending(frame):
            return frame, 0
        if not drop_repeated:
            raise NotPlain("a label occurs twice")
        distinct = frame.unique(["query", "item"], keep="first", maintain_order=True)
        return distinct, frame.height - distinct.height

    def _sorted(self, labels: pl.DataFrame) -> pl.DataFrame:
        if self._is_ascending(labels):
            return labels
        if not labels["query"].is_sorted():
            labels = labels.sort("query", maintain_order=True)
        queries, items = Column(labels["query"]), _copy(labels["item"], pl.Int32)
        relevances = None
        if "relevance" in labels.columns:
            relevances = _copy(labels["relevance"], pl.Float64)
        if not self._kernel.podium_sort_labels(
            queries.address, items.address, relevances and relevances.address, labels.height
        ):
            raise MemoryError("there is no room to sort labels")
        labels = labels.with_columns(item=items.column())
        return labels if relevances is None else labels.with_columns(relevance=relevances.column())

    def _place(self, queries: pl.Series, run: int, to: int) -> None:
        """Writes the numbers of queries of a block, whose first run is `run`, to an address."""
        given, places = Column(queries), self._places and self._places.address
        self._kernel.podium_place_queries(given.address, len(queries), places, run, self._width, to)

    def _claim(self, queries: int | None, count: int, seen: Array) -> None:
        if self._kernel.podium_claim_queries(queries, count, seen.address) < count:
            raise NotPlain("an id occurs twice")

    def _is_ascending(self, labels: pl.DataFrame) -> bool:
        queries, items = Column(labels["query"]), Column(labels["item"])
        rows: int = self._kernel.podium_count_ascending(
            queries.address, items.address, labels.height
        )
        return rows == labels.height


def _copy(values: pl.Series, kind: Numeric) -> Filled:
    given, copy = Column(values), Filled(kind, len(values))
    ctypes.memmove(copy.address, given.address or 0, len(given.view()))
    return copy
