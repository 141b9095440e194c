"""Reads ground truth fast: the compiled pass over labels, JSON or CSV, in several threads.

A file that passes has exactly the contents that the collecting reader would have found. Anything
not proven raises `NotPlain`, which does not mean that the file is invalid: the collecting reader
decides.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from threading import Lock

import polars as pl

from podium.scoring.kernel.columns import Array, Column, Filled, Workspace
from podium.scoring.kernel.places import PlaceIndex
from podium.scoring.kernel.structures import LabelForm, LabelsFound
from podium.scoring.kernel.text import BLOCK_BYTES, Block, NotPlain, WholeLines
from podium.scoring.kernel.threads import NumberedBlocks, ReadBlock
from podium.scoring.published import PublishedIds
from podium.scoring.truth.labels import LabelsRead

FormOf = Callable[[bytes], tuple[LabelForm, int]]
"""Determines the form of a text by its first lines, and the offset of its labels. Raises
NotPlain."""

_MAX_QUERIES = 1 << 32
_SHORTEST_ROW = len("1,\n")
_SHORTEST_LABEL = len("1,")


def read_labels(
    lines: WholeLines,
    kernel: ctypes.CDLL,
    *,
    objectives: tuple[str, ...],
    published: PublishedIds | None,
    form_of: FormOf,
) -> LabelsRead:
    """Reads the labels of a text. Without `published`, the sessions that it lists are published, in
    its order. There are as many threads as Polars has. Raises NotPlain if the text is
    not proven valid, and exceptions of the source of the lines."""
    reading = _Reading(lines, kernel)
    form = reading.read(form_of, pl.thread_pool_size())
    parts = [reading.parts[number] for number in sorted(reading.parts)]
    sessions = pl.concat([part.sessions for part in parts], rechunk=True)
    if published is None:
        published = PublishedIds(_listed(sessions), objectives)
    placing = _Placing(kernel, sessions, published)
    if form.is_json:
        placing.claim_sessions()
    placing.claim_rows(parts)
    return LabelsRead(
        placing.labels(parts),
        published,
        only_labelled=bool(form.is_long),
        ignored=reading.ignored,
    )


@dataclass(frozen=True, slots=True)
class _BlockLabels:
    """The labels of a block, in the layout of `struct labels` of labels.c."""

    sessions: pl.Series
    rows: pl.Series
    queries: pl.Series
    items: pl.Series


class _Reading:
    """The state that the threads of one reading share: the parts by the numbers of their blocks."""

    def __init__(self, lines: WholeLines, kernel: ctypes.CDLL) -> None:
        self._lines, self._kernel = lines, kernel
        self._turn = Lock()
        self.parts: dict[int, _BlockLabels] = {}
        self.ignored = 0

    def read(self, form_of: FormOf, threads: int) -> LabelForm:
        """Reads all lines, and returns their form. Raises NotPlain in preference to exceptions of
        the source."""
        block = Block(BLOCK_BYTES)
        size = self._lines.fill(block)
        self._form, start = form_of(bytes(block.bytes[:size]))
        blocks = NumberedBlocks(self._lines)
        blocks.read(block, start, size, threads=threads, reader=self._reader)
        return self._form

    def _reader(self) -> ReadBlock:
        room = _Room(with_rows=not (self._form.is_json or self._form.is_long))
        return partial(self._read, room)

    def _read(self, room: _Room, number: int, block: Block, start: int, size: int) -> None:
        found = room.found()
        done = self._kernel.podium_read_labels(
            ctypes.byref(self._form), block.address + start, size - start, ctypes.byref(found)
        )
        if done != size - start:
            raise NotPlain(f"a line that is not plain: {bytes(block.bytes[start + done :][:80])!r}")
        part = room.part(found)
        with self._turn:
            self.parts[number] = part
            self.ignored += found.ignored


class _Room:
    """One thread's arrays, large enough for the contents of a block."""

    def __init__(self, *, with_rows: bool) -> None:
        rows, labels = BLOCK_BYTES // _SHORTEST_ROW + 1, BLOCK_BYTES // _SHORTEST_LABEL + 1
        self._sessions = Workspace(4 * rows)
        self._rows = Workspace(4 * rows) if with_rows else None
        self._queries, self._items = Workspace(4 * labels), Workspace(4 * labels)

    def found(self) -> LabelsFound:
        """Returns the structure of the arrays, without contents."""
        return LabelsFound(
            sessions=self._sessions.address,
            rows=self._rows and self._rows.address,
            queries=self._queries.address,
            items=self._items.address,
        )

    def part(self, found: LabelsFound) -> _BlockLabels:
        """Copies the contents of the arrays."""
        rows = self._rows or self._sessions
        return _BlockLabels(
            self._sessions.column(pl.Int32, found.session_count),
            rows.column(pl.UInt32, found.row_count),
            self._queries.column(pl.UInt32, found.label_count),
            self._items.column(pl.Int32, found.label_count),
        )


def _listed(sessions: pl.Series) -> pl.Series:
    """Lists the distinct sessions in the order of their first runs; if all are distinct, the same
    series."""
    if (sessions.shift(-1) > sessions).all():
        return sessions
    distinct = sessions.unique(maintain_order=True)
    return sessions if len(distinct) == len(sessions) else distinct


class _Placing:
    """Maps the sessions of all runs, and with them all queries, to their published positions."""

    def __init__(self, kernel: ctypes.CDLL, sessions: pl.Series, published: PublishedIds) -> None:
        if not len(sessions) or published.count >= _MAX_QUERIES:
            raise NotPlain("no session, or more than there are numbers for")
        self._kernel, self._published, self._runs = kernel, published, len(sessions)
        self._places: Filled | None = None
        if published.sessions is not sessions:
            self._find(sessions)

    def _find(self, sessions: pl.Series) -> None:
        index, given = PlaceIndex(self._kernel, self._published.sessions), Column(sessions)
        self._places = Filled(pl.UInt32, self._runs)
        found = self._kernel.podium_find_places(
            ctypes.byref(index.places), given.address, self._runs, self._places.address
        )
        if found < self._runs:
            raise NotPlain("a session is not published")

    def claim_sessions(self) -> None:
        """Raises NotPlain if a session has two runs."""
        if self._places is not None:
            seen = Array(len(self._published.sessions))
            self._claim(self._places.address, self._runs, seen)

    def claim_rows(self, parts: Sequence[_BlockLabels]) -> None:
        """Raises NotPlain if an id has two rows."""
        seen, run = Array(self._published.count if any(len(p.rows) for p in parts) else 0), 0
        for part in parts:
            rows = len(part.rows)
            placed = Array(4 * rows)
            self._place(part.rows, run, placed.address)
            self._claim(placed.address, rows, seen)
            run += len(part.sessions)

    def labels(self, parts: Sequence[_BlockLabels]) -> pl.DataFrame:
        """Builds `query` and `item` of all labels in this order. Raises NotPlain if one occurs
        twice."""
        queries, run, start = Filled(pl.UInt32, sum(len(part.queries) for part in parts)), 0, 0
        for part in parts:
            self._place(part.queries, run, queries.address + 4 * start)
            run, start = run + len(part.sessions), start + len(part.queries)
        items = pl.concat([part.items for part in parts], rechunk=True)
        frame = pl.DataFrame({"query": queries.column(), "item": items})
        if not self._is_ascending(frame):
            frame = frame.sort("query", "item")
            if not self._is_ascending(frame):
                raise NotPlain("a label occurs twice")
        return frame

    def _place(self, queries: pl.Series, run: int, to: int) -> None:
        """Writes the numbers of queries of a block, whose first run is `run`, to an address."""
        given, places = Column(queries), self._places and self._places.address
        width = len(self._published.objectives)
        self._kernel.podium_place_queries(given.address, len(queries), places, run, width, to)

    def _claim(self, queries: int | None, count: int, seen: Array) -> None:
        if self._kernel.podium_claim_queries(queries, count, seen.address) < count:
            raise NotPlain("an id occurs twice")

    def _is_ascending(self, frame: pl.DataFrame) -> bool:
        queries, items = Column(frame["query"]), Column(frame["item"])
        rows: int = self._kernel.podium_count_ascending(
            queries.address, items.address, frame.height
        )
        return rows == frame.height
