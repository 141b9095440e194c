"""A text in blocks of whole lines, as the compiled reader takes it, and rows of columns as such."""

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
"""Text that is read at a time, in the second-level cache of a processor; more than a line may
have, so that a line which does not end within it is none."""


_SKIPPED_BYTES = 1 << 16


class NotPlain(Exception):
    """A text is not proven good; the reason is for tests and logs of developers only."""


class Source(Protocol):
    """A file of text, or anything that can be read like one."""

    def readinto(self, buffer: memoryview, /) -> int | None:
        """Puts the next bytes into the buffer; returns their number, 0 at the end."""


class Pieces(io.RawIOBase):
    """Pieces of text as a file, whose end closes what makes them, where that can be closed."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._rest = memoryview(b"")

    def readinto(self, buffer: memoryview, /) -> int:  # type: ignore[override]  # no other is used
        """Puts the next bytes into the buffer; returns their number, 0 at the end."""
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
        """Closes what makes the pieces."""
        close = getattr(self._pieces, "close", None)
        if close is not None:
            close()
        super().close()


class Block:
    """Room for `size` bytes of whole lines, and for what stands behind them. `first_line` is how
    many lines came before, where they are counted."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.first_line = 0
        self._array = Array(size + PADDING)
        self.bytes, self.address = self._array.bytes, self._array.address


class Lines(Protocol):
    """The lines of a text, block by block, for several threads."""

    def fill(self, block: Block, /) -> int:
        """Puts the next whole lines into a block, each ended by LF, with zeros behind them; returns
        their size, 0 at the end. Raises NotPlain."""

    def stop(self) -> None:
        """Lets every further block be empty."""


class WholeLines:
    """The lines of a text, block by block, for several threads in turn. `count` gives the number of
    lines at an address, where they are to be counted."""

    def __init__(self, source: Source, count: Callable[[int, int], int] | None = None) -> None:
        self._source, self._count, self._lines = source, count, 0
        self._rest = b""
        self._turn = Lock()
        self._blank = self._ended = False

    def fill(self, block: Block) -> int:
        """Puts the next whole lines into a block, each ended by LF, with zeros behind them; returns
        their size, 0 at the end. Blank lines at the end are gone. Raises NotPlain for a line that
        is longer than a block, and what the source raises."""
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

    def stop(self) -> None:
        """Lets every further block be empty."""
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
        """Reads the rest, and returns 0. Raises NotPlain unless it is blank lines, too: they end
        nothing but a text."""
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
    """The lines of rows: `ids` are texts, `labels` texts or lists of Int64. Raises NotPlain where a
    cell or an item is null."""

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
        """True while there are lines that were not written."""
        return bool(self._rows.next < self._rows.end)

    def fill(self, block: Block) -> int:
        """Puts the next lines into a block, with zeros behind them; returns their size. Raises
        NotPlain for a row that is not to be written as a line, or longer than a block."""
        size: int = self._kernel.podium_write_rows(
            ctypes.byref(self._rows), block.address, block.size
        )
        if not size:
            raise NotPlain(f"row {self._rows.next} of a part is no plain line")
        return size


def _ended(block: bytearray, size: int) -> int:
    """The size of the last lines, the last one ended by LF and not blank."""
    text = bytes(memoryview(block)[:size])
    kept = text.rstrip(b"\r\n")
    if text[len(kept) :].replace(b"\r\n", b"\n").strip(b"\n"):
        raise NotPlain("a CR ends no line")
    if kept:
        block[len(kept) : len(kept) + 1] = b"\n"
    return len(kept) + bool(kept)
