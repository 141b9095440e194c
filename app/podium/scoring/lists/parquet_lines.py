"""Feeds the rows of a Parquet file to the compiled reader, in several threads.

A thread decodes a row group, or writes decoded rows as the lines that the strict reader would get.
No data is judged here: data that cannot be decoded, or written as lines, is not plain.
"""

from __future__ import annotations

import ctypes
import io
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from threading import Condition
from typing import NamedTuple

import polars as pl

from podium.scoring.kernel.text import Block, NotPlain, RowLines, WholeLines
from podium.scoring.lists.parquet import (
    SLICE_BYTES,
    open_lists,
    read_group,
)
from podium.scoring.lists.rows import header_line
from podium.scoring.parquet.footer import Footer
from podium.scoring.problems import FileRejected
from podium.scoring.task import Task

AT_ONCE_BYTES = 64 << 20
"""Row groups are decoded in parallel if their total size is at most this."""

_ROW_BYTES = 32
"""The estimated memory of a row of two texts beside the texts."""


class _Group(NamedTuple):
    start: int
    rows: int
    bytes: int


class ParquetLines:
    """Yields the lines of a Parquet file, header first, block by block, to several threads. Raises
    `FileRejected` for an invalid footer."""

    def __init__(self, path: Path, task: Task, kernel: ctypes.CDLL, *, max_rows: int) -> None:
        footer, self._columns = open_lists(path, task, max_rows)
        self._groups = deque(_groups(footer))
        self._task, self._kernel = task, kernel
        self._slices: deque[pl.DataFrame] = deque()
        self._begun: dict[Block, RowLines] = {}
        self._decoding = self._text_bytes = 0
        self._changed = Condition()
        self._stopped = False

    def fill(self, block: Block) -> int:
        """Writes the header, or afterwards the lines of some rows, into a block, with zeros after
        them; returns their size, 0 at the end. Raises NotPlain."""
        if not self._text_bytes:
            size = WholeLines(io.BytesIO(header_line(self._task))).fill(block)
        else:
            lines = self._begun.pop(block, None) or self._next_lines()
            if lines is None:
                return 0
            size = lines.fill(block)
            if lines.left:
                self._begun[block] = lines
        with self._changed:
            self._text_bytes += size
            if self._text_bytes > self._task.max_expanded_bytes:
                raise NotPlain("too large as text")
        return size

    def stop(self) -> None:
        """Makes every further block empty."""
        self._stopped = True
        self._begun.clear()

    def _next_lines(self) -> RowLines | None:
        """Takes the lines of the next rows, None at the end."""
        while True:
            with self._changed:
                self._changed.wait_for(self._can_go_on)
                if self._stopped or not (self._slices or self._groups):
                    return None
                if self._slices:
                    rows = self._slices.popleft()
                    break
                group = self._groups.popleft()
                self._decoding += group.bytes
            self._decode(group)
        ids, labels = rows[self._task.id_column], rows[self._task.labels_column]
        if labels.dtype == pl.List(pl.String):
            labels = _joined(labels)
        kind = pl.List(pl.Int64) if isinstance(labels.dtype, pl.List) else pl.String
        try:
            ids, labels = ids.cast(pl.String), labels.cast(kind)
        except pl.exceptions.InvalidOperationError as large:
            raise NotPlain("an item above all of Int64") from large
        return RowLines(self._kernel, ids, labels, self._task.max_line_bytes)

    def _can_go_on(self) -> bool:
        """True unless other threads have to decode row groups first."""
        if self._slices or self._stopped or not self._decoding:
            return True
        # The rows of the last group are shared, too.
        return bool(self._groups) and self._decoding + self._groups[0].bytes <= AT_ONCE_BYTES

    def _decode(self, group: _Group) -> None:
        slices: list[pl.DataFrame] = []
        try:
            frame = read_group(self._columns, self._task, group.start, group.rows)
            slices.extend(frame.iter_slices(SLICE_BYTES // self._task.max_line_bytes))
        except FileRejected as rejected:
            raise NotPlain("a row group that cannot be decoded") from rejected
        finally:
            with self._changed:
                self._slices.extend(slices)
                self._decoding -= group.bytes
                self._changed.notify_all()


def _joined(labels: pl.Series) -> pl.Series:
    """Joins lists of strings to the texts of lines. Raises NotPlain."""
    items = labels.explode(empty_as_null=False)
    sizes = items.str.len_bytes()
    if items.null_count() or not (sizes > 0).all():
        raise NotPlain("an item that is missing or empty")
    if int(sizes.cast(pl.UInt64).sum()) + len(items) > SLICE_BYTES:
        raise NotPlain("a long line")
    joined = labels.list.join(" ")
    between = (labels.list.len().cast(pl.Int64) - 1).clip(lower_bound=0)
    # Where there are more spaces than between items, one is within an item.
    if joined.str.count_matches(" ", literal=True).sum() != between.sum():
        raise NotPlain("an item that is not a word")
    return joined


def _groups(footer: Footer) -> Iterator[_Group]:
    """Yields the row groups that are not empty."""
    start = 0
    for rows, chunks in zip(footer.group_rows, footer.chunks, strict=True):
        if rows:
            size = sum(chunk.expanded_bytes for chunk in chunks)
            yield _Group(start, rows, size + _ROW_BYTES * rows)
        start += rows
