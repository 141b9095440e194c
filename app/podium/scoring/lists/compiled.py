"""Reads ranked lists fast: the compiled pass over a submission's text, in several threads.

A text that passes has exactly the contents that the strict reader would have found. Anything not
proven raises `NotPlain`, which does not mean that the file is invalid: the strict reader decides.
This module creates no rejections and no messages for participants.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from functools import partial
from operator import add
from threading import Lock
from typing import Generic, TypeVar

import polars as pl

from podium.scoring.items import MAX_TEXTS
from podium.scoring.kernel.columns import Array, Column, Filled, TextColumn, Workspace
from podium.scoring.kernel.endings import name_endings
from podium.scoring.kernel.places import PlaceIndex
from podium.scoring.kernel.structures import (
    ITEM_BYTES,
    ROWS_UNDER_WAY,
    ListsFound,
    ListTask,
    Marks,
)
from podium.scoring.kernel.text import BLOCK_BYTES, Block, Lines, NotPlain
from podium.scoring.kernel.threads import on_threads
from podium.scoring.lists.plan import ListBlock, ListsRead, ReadingPlan
from podium.scoring.lists.rows import ListLayout
from podium.scoring.problems import FileRejected
from podium.scoring.published import PublishedIds
from podium.scoring.task import MAX_ITEM, Task
from podium.scoring.text.header import BOM

T = TypeVar("T")
Progress = Callable[[float], None]

KEPT_BYTES = 4 * BLOCK_BYTES
"""The approximate size of the text of lists that are passed on together."""

_COUNT_BYTES = 8
_WORD_BITS = 64
_SLOTS = 2 * MAX_TEXTS
_SHORTEST_ROW = len("1,\n")
_SHORTEST_ITEM = len("1 ")


def read_lists(
    lines: Lines,
    kernel: ctypes.CDLL,
    *,
    task: Task,
    published: PublishedIds,
    plan: ReadingPlan[T],
    progress: Progress | None = None,
    threads: int | None = None,
) -> ListsRead[T]:
    """Reads a submission's text, and checks that it is complete. `progress` is called with the
    share of the published ids that was read, 0 to 1, from any thread; by default there are as many
    threads as Polars has. Raises NotPlain if the text is not proven valid, and passes on the
    `FileRejected` of a broken container if all before it was valid."""
    run = _Run(lines, kernel, ListRowForm(kernel, task, published, plan), progress)
    run.read(threads or pl.thread_pool_size())
    missing = published.count - run.rows
    if missing and task.missing_rows == "reject":
        raise NotPlain("ids are missing")
    # Counted this way because most are seen, and rare values are counted fast.
    if run.seen.bytes.count(0) != missing:
        raise NotPlain("an id occurs twice")
    ranks = None if run.ranks is None else run.ranks.column()
    return ListsRead(
        run.rows,
        missing,
        sum(counts[0] for counts in run.lengths),
        ranks,
        run.parts,
        joined=run.joined,
        lengths=run.lengths,
        distinct=run.form.marked,
    )


def header_bytes(text: bytes, task: Task) -> int:
    """Returns the size of the byte order mark and the header. Raises NotPlain for a header whose
    first column is not that of ids."""
    mark = len(BOM) if text.startswith(BOM) else 0
    try:
        form = ListLayout.under(text[mark:], task)
    except FileRejected as rejected:
        raise NotPlain("another header") from rejected
    if form.labels_first:
        raise NotPlain("the labels come first")
    return text.index(b"\n", mark) + 1


class ListRowForm(Generic[T]):
    """The layout of rows and the plan as the structure `c` of the kernel, with all memory that it
    points to."""

    def __init__(
        self, kernel: ctypes.CDLL, task: Task, published: PublishedIds, plan: ReadingPlan[T]
    ) -> None:
        self.task, self.published, self.plan = task, published, plan
        self._sessions = PlaceIndex(kernel, published.sessions)
        self._endings = name_endings(task.names)
        self.c = ListTask(
            sessions=self._sessions.places,
            endings=self._endings,
            objectives=len(task.names),
            longest_line=task.max_line_bytes,
            depth=plan.depth,
            text_items=task.item_ids == "string",
            distinct_items=task.depth if task.submission_duplicates == "reject" else 0,
        )
        if plan.labels is not None:
            self._point_to_labels(kernel, plan.labels)
        if plan.lists_of is not None:
            self._kept = Column(plan.lists_of)
            self.c.kept = self._kept.address
        self.marked: MarkedItems | None = None
        if plan.limits is not None:
            self._limits = (ctypes.c_uint32 * len(plan.limits))(*plan.limits)
            self.marked = MarkedItems(kernel, are_texts=self.c.text_items)
            self.c.limits = ctypes.addressof(self._limits)
            self.c.marks = ctypes.pointer(self.marked.marks)
            self.c.unmarked = plan.marked_every - 1

    @property
    def lengths_bytes(self) -> int:
        """The bytes for the counts of lists of each objective and length."""
        return int(_COUNT_BYTES * self.c.objectives * (self.c.depth + 1))

    @property
    def items_bytes(self) -> int:
        """The bytes for the items of rows that are being read."""
        return int(ITEM_BYTES * (ROWS_UNDER_WAY * max(1, self.c.depth) + self.c.distinct_items))

    def _point_to_labels(self, kernel: ctypes.CDLL, labels: pl.DataFrame) -> None:
        queries = Column(labels["query"])
        self._first = Filled(pl.UInt32, self.published.count + 1)
        kernel.podium_index_labels(
            queries.address, labels.height, self.published.count, self._first.address
        )
        self.c.first = self._first.address
        if self.c.text_items:
            self._items = TextColumn(labels["item"])
            self.c.texts, self.c.starts = self._items.address, self._items.starts.address
        else:
            self._numbers = Column(labels["item"])
            self.c.items = self._numbers.address


class MarkedItems:
    """The distinct items of lists, numbers or texts; at `marks` for as long as this lives.

    Memory that no item touches is never allocated, so that the bits of numbers, up to 256 MiB, take
    230 KB for the items of OTTO. Texts are equal if 64 bits of their hashes are.
    """

    def __init__(self, kernel: ctypes.CDLL, *, are_texts: bool) -> None:
        self._kernel, self._are_texts = kernel, are_texts
        words = _SLOTS if are_texts else (MAX_ITEM + 1) // _WORD_BITS
        self._words = Filled(pl.UInt64, words, zeros=True)
        self.marks = Marks(words=self._words.address, mask=_SLOTS - 1, most=MAX_TEXTS)

    @property
    def count(self) -> int | None:
        """The number of distinct items; None for texts where there are more than `MAX_TEXTS`."""
        if self._are_texts and self.marks.count > MAX_TEXTS:
            return None
        return int(self.marks.count)

    def count_among(self, catalogue: pl.Series) -> int:
        """Counts the items of the catalog, distinct and of the lists' kind, that occur in lists."""
        marks = ctypes.byref(self.marks)
        if self._are_texts:
            texts = TextColumn(catalogue)
            found = self._kernel.podium_count_marked_texts(
                marks, texts.address, texts.starts.address, len(catalogue)
            )
        else:
            numbers = Column(catalogue)
            found = self._kernel.podium_count_marked_numbers(marks, numbers.address, len(catalogue))
        return int(found)


class _Run(Generic[T]):
    """The state that the threads of one reading share; `lock` is held while they change it."""

    def __init__(
        self,
        lines: Lines,
        kernel: ctypes.CDLL,
        form: ListRowForm[T],
        progress: Progress | None,
    ) -> None:
        self.lines, self.kernel, self.form, self.progress = lines, kernel, form, progress
        self.rows = self.joined = 0
        self.parts: list[T] = []
        self.lock = Lock()
        count = form.published.count
        self.seen = Array(count)
        labels = form.plan.labels
        self.ranks = None if labels is None else Filled(pl.UInt16, labels.height, zeros=True)
        self.lengths = [[0] * (form.plan.depth + 1) for _ in form.task.names]

    def read(self, threads: int) -> None:
        """Reads all lines. Raises NotPlain in preference to exceptions of the source."""
        block = Block(BLOCK_BYTES)
        size = self.lines.fill(block)
        header = header_bytes(bytes(block.bytes[:size]), self.form.task)
        works = [partial(self._work, block, header, size)]
        works += [partial(self._work, Block(BLOCK_BYTES), 0, 0) for _ in range(threads - 1)]
        on_threads(works, stop=self.lines.stop)

    def _work(self, block: Block, start: int, size: int) -> None:
        """Reads blocks until there are no more, or until the reading has failed."""
        worker = _Worker(self)
        while size or (size := self.lines.fill(block)):
            worker.read(block, start, size)
            start = size = 0
        worker.finish()
        with self.lock:
            for totals, found in zip(self.lengths, worker.lengths(), strict=True):
                totals[:] = map(add, totals, found)

    def note(self, rows: int, joined: int) -> None:
        """Counts rows. Raises NotPlain if there are too many."""
        with self.lock:
            self.rows += rows
            self.joined += joined
            if self.rows > self.form.published.count:
                raise NotPlain("more rows than published ids")
            if self.progress is not None and self.form.published.count:
                self.progress(self.rows / self.form.published.count)


class _Worker(Generic[T]):
    """One thread of a reading, with its memory for rows in progress, and for lists to pass on."""

    def __init__(self, run: _Run[T]) -> None:
        self._run, self._form = run, run.form
        self._items = Workspace(run.form.items_bytes)
        self._lengths_of = Array(run.form.lengths_bytes)
        self._found = ListsFound(seen=run.seen.address, lengths_of=self._lengths_of.address)
        if run.ranks is not None:
            self._found.ranks = run.ranks.address
        if run.form.plan.on_lists is not None:
            self._make_room(KEPT_BYTES + BLOCK_BYTES)

    def _make_room(self, size: int) -> None:
        self._queries = Workspace(4 * (size // _SHORTEST_ROW + 1))
        self._lengths = Workspace(4 * (size // _SHORTEST_ROW + 1))
        self._found.queries, self._found.lengths = self._queries.address, self._lengths.address
        if self._form.c.text_items:
            self._text = Workspace(size)
            self._found.text = self._text.address
        else:
            self._numbers = Workspace(4 * (size // _SHORTEST_ITEM + 1))
            self._found.numbers = self._numbers.address

    def read(self, block: Block, start: int, size: int) -> None:
        """Reads the lines of a block from `start` on. Raises NotPlain."""
        found = self._found
        rows, joined = found.rows, found.joined
        done = self._run.kernel.podium_read_lists(
            ctypes.byref(self._form.c),
            block.address + start,
            size - start,
            self._items.address,
            ctypes.byref(found),
        )
        if done != size - start:
            raise NotPlain(f"a row that is not plain: {bytes(block.bytes[start + done :][:80])!r}")
        self._run.note(found.rows - rows, found.joined - joined)
        if max(_SHORTEST_ROW * found.lists, _SHORTEST_ITEM * found.items, found.text_size) > (
            KEPT_BYTES
        ):
            self.finish()

    def lengths(self) -> Iterator[list[int]]:
        """Yields for each objective the number of lists of each length that were read."""
        counts, width = memoryview(self._lengths_of.bytes).cast("Q"), self._form.plan.depth + 1
        return (counts[start : start + width].tolist() for start in range(0, len(counts), width))

    def finish(self) -> None:
        """Passes the collected lists on."""
        found = self._found
        if self._form.plan.on_lists is None or not found.lists:
            return
        part = self._form.plan.on_lists(self._lists())
        found.lists = found.items = found.text_size = 0
        with self._run.lock:
            self._run.parts.append(part)

    def _lists(self) -> ListBlock:
        found = self._found
        if not self._form.c.text_items:
            items = self._numbers.column(pl.Int32, found.items)
        else:
            items = self._text.texts(found.text_size).head(found.items)
        return ListBlock(
            self._queries.column(pl.UInt32, found.lists),
            self._lengths.column(pl.UInt32, found.lists),
            items,
        )
