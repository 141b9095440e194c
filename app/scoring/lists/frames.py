"""A whole submission through the fast path: blocks in, what the caller makes of their rows out.

Threads take turns: while one waits for bytes or for Python, Polars works for the others.
Whatever the order in which blocks are finished, results come in the order of the text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Lock
from typing import Generic, TypeVar

import polars as pl

from podium.scoring.lists.fast import NotPlain, NumberIdReader, Rows
from podium.scoring.lists.fast_text_ids import TextIdReader, block_reader
from podium.scoring.lists.texts import plain_rows
from podium.scoring.problems import FileRejected
from podium.scoring.published import PublishedIds
from podium.scoring.task import Task

THREADS = 3
"""Blocks in flight. More would cost memory; with two, two processors are idle at times, because
threads wait for each other's turn with Python's lock."""

T = TypeVar("T")


@dataclass(frozen=True)
class RowsRead(Generic[T]):
    """The whole file: what `on_rows` gave for each block, and counts over all rows."""

    parts: list[T]
    rows: int
    missing: int
    empty: int


def read_rows(
    blocks: Iterator[bytes],
    *,
    task: Task,
    published: PublishedIds,
    on_rows: Callable[[Rows], T],
    progress: Callable[[float], None] | None = None,
    threads: int = THREADS,
) -> RowsRead[T]:
    """Reads a submission's text, given in blocks that end after LF, and checks that it is complete.

    `on_rows` is called once per block, from any of the threads. `progress` gets the share of the
    published ids that was read, 0 to 1. Raises NotPlain if the text is not proven good, and lets
    through the `FileRejected` of a broken container if all text before the break was good.
    """
    texts = _texts(blocks, task)
    seen = pl.zeros(published.count, dtype=pl.UInt8, eager=True)
    run = _BlockRun(texts, block_reader(task, published), seen, on_rows, progress)
    with ThreadPoolExecutor(threads) as pool:
        # This thread is one of them, so that a single one needs no pool.
        others = [pool.submit(run.work) for _ in range(threads - 1)]
        run.work()
        for other in others:
            other.result()
    if run.not_plain is not None:
        raise run.not_plain
    if run.rejected is not None:
        raise run.rejected
    missing = published.count - run.rows
    if missing and task.missing_rows == "reject":
        raise NotPlain("ids are missing")
    if run.seen.sum() != run.rows:
        raise NotPlain("an id occurs twice")
    return RowsRead([run.parts[n] for n in sorted(run.parts)], run.rows, missing, run.empty)


@dataclass
class _BlockRun(Generic[T]):
    """State that the threads of one reading share. `turn` is held while the next block is fetched,
    which may take long where a file is compressed; `lock` while results are noted."""

    texts: Iterator[bytes]
    reader: NumberIdReader | TextIdReader
    seen: pl.Series
    on_rows: Callable[[Rows], T]
    progress: Callable[[float], None] | None
    taken: int = 0
    rows: int = 0
    empty: int = 0
    parts: dict[int, T] = field(default_factory=dict)
    not_plain: NotPlain | None = None
    rejected: FileRejected | None = None
    turn: Lock = field(default_factory=Lock)
    lock: Lock = field(default_factory=Lock)

    def work(self) -> None:
        """Takes blocks until there are none, or until the reading has failed."""
        while (numbered := self._next()) is not None:
            number, text = numbered
            try:
                rows = self.reader.read(text)
                part = self.on_rows(rows)
            except NotPlain as not_plain:
                with self.lock:
                    self.not_plain = not_plain
                return
            self._note(number, rows, part)

    def _next(self) -> tuple[int, bytes] | None:
        with self.turn:
            if self.not_plain is not None or self.rejected is not None:
                return None
            try:
                text = next(self.texts, None)
            except FileRejected as rejected:
                self.rejected = rejected
                return None
            self.taken += 1
            return None if text is None else (self.taken, text)

    def _note(self, number: int, rows: Rows, part: T) -> None:
        with self.lock:
            self.parts[number] = part
            # In place: a one for every query that was answered.
            self.seen.scatter(rows.query, 1)
            self.rows += len(rows.query)
            self.empty += rows.empty
            if self.rows > len(self.seen):
                self.not_plain = NotPlain("more rows than published ids")
            elif self.progress is not None:
                self.progress(self.rows / len(self.seen))


def _texts(blocks: Iterator[bytes], task: Task) -> Iterator[bytes]:
    """Yields the rows without the header, in blocks of whole lines that end in LF. Raises NotPlain,
    for another header at once."""
    texts = plain_rows(blocks)
    if next(texts) != f"{task.id_column},{task.labels_column}\n".encode():
        raise NotPlain("another header")
    return texts
