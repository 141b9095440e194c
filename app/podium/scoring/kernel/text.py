"""Reads text in blocks of whole lines, as the compiled reader needs it, and writes rows of columns
as such lines."""

from __future__ import annotations

import ctypes
import io
from collections.abc import Callable, Iterator
from threading import Lock
from typing import Protocol

import polars as pl

from podium.scoring.kernel.columns import PADDING, Array, CellColumn
from podium.scoring.kernel.structures import Rows

BLOCK_BYTES = 1 << 20
"""Bytes of text that are read at a time, which fit in the second-level cache of a processor; more
than the limit of a line, so that a line that does not end within a block is too long."""


_SKIPPED_BYTES = 1 << 16


class NotPlain(Exception):
    """A text is not proven valid; the reason is only for tests and developers' logs."""


class Source(Protocol):
    """A file of text, or any object that can be read like one."""

    def readinto(self, buffer: memoryview, /) -> int | None:
        """Reads the next bytes into the buffer; returns their number, 0 at the end."""


class Pieces(io.RawIOBase):
    """Reads pieces of text as a file; closing it closes the iterator of pieces, where that is
    possible."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._rest = memoryview(b"")

    def readinto(self, buffer: memoryview, /) -> int:  # type: ignore[override]  # no other is used
        """Reads the next bytes into the buffer; returns their number, 0 at the end."""
        while not self._rest:
            piece = next(self._pieces, None)
            if piece is None:
                return 0
            self._rest = memoryview(piece)
        size = min(len(buffer), len(self._rest))
        buffer[:size] = self._rest[:size]
        self._rest = self._rest[size:]
        return size

    def close(self) -> None:
        """Closes the iterator of the pieces."""
        close = getattr(self._pieces, "close", None)
        if close is not None:
            close()
        super().close()


class Block:
    """Memory for `size` bytes of whole lines, and for the padding after them. `first_line` is the
    number of lines before the block, where they are counted."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.first_line = 0
        self._array = Array(size + PADDING)
        self.bytes, self.address = self._array.bytes, self._array.address


class Lines(Protocol):
    """Yields the lines of a text, block by block, to several threads."""

    def fill(self, block: Block, /) -> int:
        """Reads the next whole lines into a block, each ended by LF, with zeros after them; returns
        their size, 0 at the end. Raises NotPlain."""

    def stop(self) -> None:
        """Makes every further block empty."""


class WholeLines:
    """Reads the lines of a text, block by block, for several threads in turn. `count` counts the
    lines at an address, where that is needed."""

    def __init__(self, source: Source, count: Callable[[int, int], int] | None = None) -> None:
        self._source, self._count, self._lines = source, count, 0
        self._rest = b""
        self._turn = Lock()
        self._blank = self._ended = False

    def fill(self, block: Block) -> int:
        """Reads the next whole lines into a block, each ended by LF, with zeros after them; returns
        their size, 0 at the end. Blank lines at the end are dropped. Raises NotPlain for a line
        that is longer than a block, and exceptions of the source."""
        with self._turn:
            if self._ended:
                return 0
            try:
                size = self._skip_blanks() if self._blank else self._read(block)
            except BaseException:
                self._ended = True
                raise
            block.bytes[size : size + PADDING] = bytes(PADDING)
            if self._count is not None:
                block.first_line = self._lines
                self._lines += self._count(block.address, size)
        return size

    def put_back(self, text: bytes) -> bool:
        """Makes the end of the last block the start of the next one; False where there is none."""
        if self._ended or self._blank:
            return False
        self._rest = text + self._rest
        return True

    def stop(self) -> None:
        """Makes every further block empty."""
        self._ended = True

    def _read(self, block: Block) -> int:
        size = len(self._rest)
        block.bytes[:size] = self._rest
        room = memoryview(block.bytes)[: block.size]
        while size < block.size and (taken := self._source.readinto(room[size:])):
            size += taken
        if size < block.size:
            self._ended = True
            return _ended(block.bytes, size)
        end = block.bytes.rfind(b"\n", 0, size) + 1
        if not end:
            raise NotPlain("a line is longer than a block")
        self._rest = bytes(room[end:size])
        if not block.bytes.endswith((b"\n\n", b"\n\r\n"), 0, end):
            return end
        self._blank = True
        return _ended(block.bytes, end) or self._skip_blanks()

    def _skip_blanks(self) -> int:
        """Reads the rest, and returns 0. Raises NotPlain unless it consists of blank lines, too,
        which are only allowed at the end."""
        self._ended = True
        room = memoryview(bytearray(_SKIPPED_BYTES))
        text, taken = self._rest, 1
        while taken:
            text = text.replace(b"\r\n", b"\n").lstrip(b"\n")
            if text not in (b"", b"\r"):
                raise NotPlain("a blank line before the end")
            taken = self._source.readinto(room) or 0
            text += room[:taken]
        if text:
            raise NotPlain("a CR ends no line")
        return 0


class RowLines:
    """Writes rows as lines: `ids` are texts, `labels` texts or lists of Int64. Raises NotPlain
    where a cell or an item is null."""

    def __init__(
        self, kernel: ctypes.CDLL, ids: pl.Series, labels: pl.Series, longest_line: int
    ) -> None:
        try:
            self._ids, self._labels = CellColumn(ids), CellColumn(labels)
        except ValueError as nulls:
            raise NotPlain("a cell is missing") from nulls
        self._kernel = kernel
        self._rows = Rows(self._ids.c, self._labels.c, 0, len(ids), longest_line)

    @property
    def left(self) -> bool:
        """True while there are rows that were not written."""
        return bool(self._rows.next < self._rows.end)

    def fill(self, block: Block) -> int:
        """Writes the next rows as lines into a block, with zeros after them; returns their size.
        Raises NotPlain for a row that is not a plain line, or longer than a block."""
        size: int = self._kernel.podium_write_rows(
            ctypes.byref(self._rows), block.address, block.size
        )
        if not size:
            raise NotPlain(f"row {self._rows.next} of a part is not a plain line")
        return size


def _ended(block: bytearray, size: int) -> int:
    """Returns the size of the last lines, with blank ones dropped and the last one ended by LF."""
    text = bytes(memoryview(block)[:size])
    kept = text.rstrip(b"\r\n")
    if text[len(kept) :].replace(b"\r\n", b"\n").strip(b"\n"):
        raise NotPlain("a CR ends no line")
    if kept:
        block[len(kept) : len(kept) + 1] = b"\n"
    return len(kept) + bool(kept)
