"""Joins rows of one item to rows of lists, block by block, for the compiled reader of lists.

Rows of an id that follow each other are joined, if they are in the order of their ranks or scores.
A text for which that is not enough is left to the strict reader.
"""

from __future__ import annotations

import ctypes
from threading import Lock, local

from podium.scoring.kernel.columns import PADDING
from podium.scoring.kernel.structures import ItemRows
from podium.scoring.kernel.text import Block, NotPlain, Source, WholeLines
from podium.scoring.lists.rows import header_line
from podium.scoring.rewriting.spelling import RANK, SCORE, Spelling
from podium.scoring.task import Task

_HEADER_BYTES = 4096
_NOT_PLAIN = ctypes.c_size_t(-1).value


class ItemLines:
    """Yields the rows of lists of a text, under the header of the form `podium`, to several
    threads."""

    def __init__(self, source: Source, kernel: ctypes.CDLL, task: Task, spelling: Spelling) -> None:
        """Raises NotPlain for columns in another order than id, item and rank or score."""
        expected = (task.id_column, spelling.item_column, *filter(None, (spelling.order,)))
        if spelling.names != expected:
            raise NotPlain("columns in another order")
        self._lines, self._kernel = WholeLines(source), kernel
        self._header = header_line(task)
        self._turn, self._own, self._has_begun = Lock(), local(), False
        self._form = ItemRows(
            has_rank=spelling.order == RANK,
            has_score=spelling.order == SCORE,
            depth=task.depth,
            text_items=task.item_ids == "string",
        )

    def fill(self, block: Block) -> int:
        """Joins the next rows into a block, with zeros after them; returns the size of the lists.
        Raises NotPlain, and exceptions of the source."""
        raw = self._raw(block)
        with self._turn:
            size, start = self._lines.fill(raw), 0
            header = b"" if self._has_begun else self._header
            if header and size:
                start = raw.bytes.index(b"\n") + 1
            self._has_begun = True
            size = self._cut(raw, start, size)
        block.bytes[: len(header)] = header
        joined = self._kernel.podium_join_items(
            ctypes.byref(self._form),
            raw.address + start,
            max(0, size - start),
            block.address + len(header),
        )
        if joined == _NOT_PLAIN:
            raise NotPlain("a row of one item that is not plain")
        end = len(header) + int(joined) if size else 0
        block.bytes[end : end + PADDING] = bytes(PADDING)
        return end

    def stop(self) -> None:
        """Makes every further block empty."""
        self._lines.stop()

    def _raw(self, block: Block) -> Block:
        """Returns the memory of this thread for rows that are not joined yet."""
        if not hasattr(self._own, "raw"):
            self._own.raw = Block(block.size - _HEADER_BYTES)
        raw: Block = self._own.raw
        return raw

    def _cut(self, raw: Block, start: int, size: int) -> int:
        """Leaves the rows of the last id, of which there may be more, to the next block; returns
        the size of the others. Raises NotPlain where there are no others."""
        at, first = size, size
        last_id = None
        while at > start:
            line = raw.bytes.rfind(b"\n", start, at - 1) + 1 or start
            row_id = raw.bytes[line : raw.bytes.find(b",", line, at) + 1]
            if last_id is None:
                last_id = row_id
            elif row_id != last_id:
                break
            at = first = line
        if last_id is None or not self._lines.put_back(bytes(raw.bytes[first:size])):
            return size
        if first == start:
            raise NotPlain("a list is longer than a block")
        return first
