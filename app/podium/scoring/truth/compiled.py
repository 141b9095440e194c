"""Reads ground truth fast: the compiled pass over labels, of JSON, tables or qrels, in several
threads.

A file that passes has exactly the contents that the collecting reader would have found. Anything
not proven raises `NotPlain`, which does not mean that the file is invalid: the collecting reader
decides.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from threading import Lock

import polars as pl

from podium.scoring.kernel.columns import Workspace
from podium.scoring.kernel.places import TextNumbers
from podium.scoring.kernel.structures import LABEL_COLUMNS, LabelForm, LabelsFound
from podium.scoring.kernel.text import BLOCK_BYTES, Block, NotPlain, WholeLines
from podium.scoring.kernel.threads import NumberedBlocks, ReadBlock
from podium.scoring.published import IdPlaces, PublishedIds
from podium.scoring.repeating import repeat
from podium.scoring.task import Task
from podium.scoring.truth.labels import LabelsRead, RowsWithoutItem, relevant_labels
from podium.scoring.truth.placing import BlockLabels, Placing

COLUMNS = ("id", "session", "type", "labels", "item", "relevance", "side")
"""The roles of columns of a table, in the order of `enum column` of labels.c."""

SPELLINGS = ("json", "table", "qrels")
"""The spellings of a file, in the order of `enum spelling` of labels.c."""

_SHORTEST_ROW = len("1,\n")
_SHORTEST_LABEL = len("1,")


@dataclass(frozen=True, slots=True)
class TextForm:
    """The form of a text: `c` for the kernel, the roles of its columns where it is a table, and the
    offset of its labels."""

    c: LabelForm
    start: int
    columns: tuple[str, ...] = ()

    @classmethod
    def of_table(cls, columns: tuple[str, ...], start: int, **known: object) -> TextForm:
        """Builds the form of a table, whose columns have these roles."""
        roles = (ctypes.c_uint32 * LABEL_COLUMNS)(*map(COLUMNS.index, columns))
        c = LabelForm(spelling=SPELLINGS.index("table"), columns=len(columns), roles=roles, **known)
        return cls(c, start, columns)

    @property
    def is_json(self) -> bool:
        """True for lines of JSON."""
        return SPELLINGS[self.c.spelling] == "json"

    @property
    def is_graded(self) -> bool:
        """True where labels have relevances."""
        return SPELLINGS[self.c.spelling] == "qrels" or "relevance" in self.columns


FormOf = Callable[[bytes], TextForm]
"""Determines the form of a text by its first block. Raises NotPlain."""


def read_labels(
    lines: WholeLines,
    kernel: ctypes.CDLL,
    *,
    task: Task,
    published: PublishedIds | None,
    form_of: FormOf,
    sides: Sequence[int],
) -> LabelsRead:
    """Reads the labels of a text. Without `published`, the sessions that it lists are published, in
    its order. `sides` are the values of the words for sides that the form has. There are as many
    threads as Polars has. Raises NotPlain if the text is not proven valid, and exceptions of the
    source of the lines."""
    reading = _Reading(lines, kernel)
    form = reading.read(form_of, pl.thread_pool_size())
    parts, names = reading.numbered_parts(sessions=form.c.are_texts, items=form.c.are_text_items)
    sessions = pl.concat([part.sessions for part in parts], rechunk=True)
    if names.sessions is not None and published is not None:
        sessions = _places_of(sessions, names.sessions, published)
        listed = pl.int_range(len(published.sessions), dtype=pl.Int32, eager=True)
    else:
        listed = _listed(sessions) if published is None else published.sessions
    if published is None:
        of_ids = listed if names.sessions is None else names.sessions.gather(listed)
        published = PublishedIds(of_ids, task.names)
    placing = Placing(kernel, sessions, listed, len(task.names))
    if form.is_json:
        placing.claim_sessions()
    placing.claim_rows(parts)
    labels, repeated = placing.labels(parts, drop_repeated=task.duplicates == "drop")
    relevant = relevant_labels(labels)
    if names.items is not None:
        relevant = relevant.with_columns(item=names.items.gather(relevant["item"]))
    return LabelsRead(
        relevant,
        published,
        sides=placing.sides(parts, sides) if "side" in form.columns else None,
        only_labelled="item" in form.columns,
        irrelevant=labels.height - relevant.height,
        repeated=repeated,
        ignored=reading.ignored,
        without_item=_without_item(parts),
    )


def _places_of(sessions: pl.Series, texts: pl.Series, published: PublishedIds) -> pl.Series:
    """Maps numbers of texts to the published positions of these, Int32. Raises NotPlain."""
    places = IdPlaces(published.sessions).number(texts)
    if places.null_count():
        raise NotPlain("a session is not published")
    return places.cast(pl.Int32).gather(sessions)


def _listed(sessions: pl.Series) -> pl.Series:
    """Lists the distinct sessions in the order of their first runs; if all are distinct, the same
    series."""
    if (sessions.shift(-1) > sessions).all():
        return sessions
    distinct = sessions.unique(maintain_order=True)
    return sessions if len(distinct) == len(sessions) else distinct


def _without_item(parts: Sequence[BlockLabels]) -> RowsWithoutItem:
    count, first, line = 0, 0, len(["header"]) + 1
    for part in parts:
        if part.empty and not count:
            first = line + part.first_empty
        count, line = count + part.empty, line + part.lines
    return RowsWithoutItem(count, first)


@dataclass(frozen=True, slots=True)
class _Names:
    """The texts of sessions by their numbers, and those of items in order; None for ids that are
    numbers."""

    sessions: pl.Series | None
    items: pl.Series | None


class _Reading:
    """The state that the threads of one reading share: the parts by the numbers of their blocks,
    each with the memory of the thread that has read it."""

    def __init__(self, lines: WholeLines, kernel: ctypes.CDLL) -> None:
        self._lines, self._kernel = lines, kernel
        self._turn = Lock()
        self._parts: dict[int, tuple[_Room, BlockLabels]] = {}
        self.ignored = 0

    def read(self, form_of: FormOf, threads: int) -> TextForm:
        """Reads all lines, and returns their form. Raises NotPlain in preference to exceptions of
        the source."""
        block = Block(BLOCK_BYTES)
        size = self._lines.fill(block)
        self._form = form_of(bytes(block.bytes[:size]))
        blocks = NumberedBlocks(self._lines)
        blocks.read(block, self._form.start, size, threads=threads, reader=self._reader)
        return self._form

    def _reader(self) -> ReadBlock:
        return partial(self._read, _Room(self._kernel, self._form))

    def _read(self, room: _Room, number: int, block: Block, start: int, size: int) -> None:
        found = room.found()
        done = self._kernel.podium_read_labels(
            ctypes.byref(self._form.c), block.address + start, size - start, ctypes.byref(found)
        )
        if done != size - start:
            raise NotPlain(f"a line that is not plain: {bytes(block.bytes[start + done :][:80])!r}")
        part = room.part(found)
        with self._turn:
            self._parts[number] = room, part
            self.ignored += found.ignored

    def numbered_parts(self, *, sessions: bool, items: bool) -> tuple[list[BlockLabels], _Names]:
        """Returns the parts in the order of the text, with one numbering of texts for all: items by
        their order as texts."""
        found = [self._parts[number] for number in sorted(self._parts)]
        rooms, parts = [room for room, _ in found], [part for _, part in found]
        self._parts.clear()
        names = _Names(None, None)
        if sessions:
            given = [room.sessions for room in rooms]
            texts, numbers = _joined(given)
            names = replace(names, sessions=texts)
            for part, known in zip(parts, given, strict=True):
                part.sessions = numbers[id(known)].gather(part.sessions)
        if items:
            given = [room.items for room in rooms]
            texts, numbers = _joined(given)
            order = texts.arg_sort()
            names = replace(names, items=texts.gather(order))
            at = pl.int_range(len(texts), dtype=pl.Int32, eager=True)
            rank = repeat(0, len(texts), pl.Int32).scatter(order, at)
            ranks = {key: rank.gather(each) for key, each in numbers.items()}
            for part, known in zip(parts, given, strict=True):
                part.items = ranks[id(known)].gather(part.items)
        return parts, names


def _joined(given: Sequence[TextNumbers]) -> tuple[pl.Series, dict[int, pl.Series]]:
    """Joins dictionaries, some of which are the same, in the first: all texts, and for each
    dictionary, by its `id`, the new numbers of its texts."""
    joined = given[0]
    numbers = {id(joined): pl.int_range(joined.c.count, dtype=pl.Int32, eager=True)}
    for known in given[1:]:
        if id(known) not in numbers:
            numbers[id(known)] = joined.add(known)
    return joined.texts(), numbers


class _Room:
    """One thread's arrays, large enough for the contents of a block, and the texts that it has
    found."""

    def __init__(self, kernel: ctypes.CDLL, form: TextForm) -> None:
        rows, labels = BLOCK_BYTES // _SHORTEST_ROW + 1, BLOCK_BYTES // _SHORTEST_LABEL + 1
        self.sessions, self.items = TextNumbers(kernel), TextNumbers(kernel)
        self._sessions = Workspace(4 * rows)
        self._sides = Workspace(rows) if "side" in form.columns else None
        self._rows = Workspace(4 * rows) if "labels" in form.columns else None
        self._queries, self._items = Workspace(4 * labels), Workspace(4 * labels)
        self._relevances = Workspace(8 * labels) if form.is_graded else None

    def found(self) -> LabelsFound:
        """Returns the structure of the arrays, without contents."""
        return LabelsFound(
            sessions=self._sessions.address,
            sides=self._sides and self._sides.address,
            rows=self._rows and self._rows.address,
            queries=self._queries.address,
            items=self._items.address,
            relevances=self._relevances and self._relevances.address,
            known_sessions=ctypes.pointer(self.sessions.c),
            known_items=ctypes.pointer(self.items.c),
        )

    def part(self, found: LabelsFound) -> BlockLabels:
        """Copies the contents of the arrays."""
        rows, sides, relevances = self._rows, self._sides, self._relevances
        return BlockLabels(
            sessions=self._sessions.column(pl.Int32, found.session_count),
            sides=None if sides is None else sides.column(pl.UInt8, found.session_count),
            rows=None if rows is None else rows.column(pl.UInt32, found.row_count),
            queries=self._queries.column(pl.UInt32, found.label_count),
            items=self._items.column(pl.Int32, found.label_count),
            relevances=(
                None if relevances is None else relevances.column(pl.Float64, found.label_count)
            ),
            lines=found.lines,
            empty=found.empty,
            first_empty=found.first_empty,
        )
