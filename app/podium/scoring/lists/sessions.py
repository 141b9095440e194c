"""Lists the sessions that a submission has rows of, by the compiled functions."""

from __future__ import annotations

import ctypes

import polars as pl

from podium.scoring.kernel.columns import Workspace
from podium.scoring.kernel.endings import name_endings
from podium.scoring.kernel.structures import SessionsFound
from podium.scoring.kernel.text import BLOCK_BYTES, Block, Lines, NotPlain
from podium.scoring.kernel.threads import NumberedBlocks, ReadBlock
from podium.scoring.lists.compiled import header_bytes
from podium.scoring.task import Task

_SHORTEST_ROW = len("1,\n")


def list_sessions(lines: Lines, kernel: ctypes.CDLL, task: Task) -> pl.Series:
    """Lists the distinct sessions of a submission's rows, in their order, Int32 or String. Text
    after an id is ignored. Raises NotPlain, and exceptions of the source of the lines."""
    return _Listing(lines, kernel, task).read(pl.thread_pool_size())


class _Listing:
    """The state that the threads of one reading share."""

    def __init__(self, lines: Lines, kernel: ctypes.CDLL, task: Task) -> None:
        self._lines, self._kernel = lines, kernel
        self._endings = name_endings(task.names)
        self._task, self._is_text = task, task.query_ids == "string"
        self._parts: dict[int, pl.Series] = {}

    def read(self, threads: int) -> pl.Series:
        """Reads the sessions of all lines."""
        block = Block(BLOCK_BYTES)
        size = self._lines.fill(block)
        header = header_bytes(bytes(block.bytes[:size]), self._task)
        blocks = NumberedBlocks(self._lines)
        blocks.read(block, header, size, threads=threads, reader=self._reader)
        parts = [self._parts[number] for number in sorted(self._parts)]
        if not any(map(len, parts)):
            raise NotPlain("no rows")
        return pl.concat(parts).unique(maintain_order=True)

    def _reader(self) -> ReadBlock:
        room = Workspace(4 * (BLOCK_BYTES // _SHORTEST_ROW + 1))

        def read(number: int, block: Block, start: int, size: int) -> None:
            self._parts[number] = self._sessions(block, start, size, room)

        return read

    def _sessions(self, block: Block, start: int, size: int, room: Workspace) -> pl.Series:
        found = SessionsFound()
        if self._is_text:
            found.text = room.address
        else:
            found.numbers = room.address
        done = self._kernel.podium_list_sessions(
            self._endings,
            len(self._endings),
            block.address + start,
            size - start,
            ctypes.byref(found),
        )
        if done != size - start:
            raise NotPlain("an id that is not plain")
        if not self._is_text:
            return room.column(pl.Int32, found.count)
        return room.texts(found.text_size).head(found.count)
