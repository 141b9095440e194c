"""Text in blocks that end at a line end, in bounded memory, whatever the text looks like.

A line that is far too long is shortened on the way: what is left of it is still longer than any
line may be, so every reader refuses it, under its right number, without holding it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

KEPT_BYTES = 64 << 10
"""How much is kept of a line that does not end within its block; more than any line may have."""


def file_blocks(path: Path, block_bytes: int) -> Iterator[bytes]:
    """The blocks of an uncompressed file, each read at once into its final place."""
    with path.open("rb", buffering=0) as file:
        size = os.fstat(file.fileno()).st_size
        start = 0
        while start < size:
            end = _last_line_end(file.fileno(), start, start + block_bytes, size)
            if end is None or (start == 0 and b"\n" not in os.pread(file.fileno(), KEPT_BYTES, 0)):
                rest = _pieces(file.fileno(), start)
                yield from whole_lines(rest, block_bytes, at_start=start == 0)
                return
            yield os.pread(file.fileno(), end - start, start)
            start = end


def _last_line_end(file: int, start: int, limit: int, size: int) -> int | None:
    """Where the last line before `limit` ends; None if that is not near `limit`."""
    if limit >= size:
        return size
    window_start = max(start, limit - KEPT_BYTES)
    window = os.pread(file, limit - window_start, window_start)
    after = window.rfind(b"\n") + 1
    return window_start + after if after else None


def _pieces(file: int, start: int, piece_bytes: int = 1 << 20) -> Iterator[bytes]:
    while piece := os.pread(file, piece_bytes, start):
        yield piece
        start += len(piece)


def whole_lines(
    pieces: Iterator[bytes], block_bytes: int, *, at_start: bool = True
) -> Iterator[bytes]:
    """Regroups pieces of text into blocks of at least `block_bytes` that end after an LF.

    A text whose first line is longer than 64 KiB yields the beginning of it and no more: its
    header is wrong, and nothing that follows could change that.
    """
    held: list[bytes] = []
    size = 0
    tail = b""  # what was read of a line that has not ended yet
    for piece in pieces:
        cut = piece.rfind(b"\n") + 1
        if at_start:
            if len(tail) + (piece.find(b"\n") if cut else len(piece)) > KEPT_BYTES:
                yield (tail + piece)[:KEPT_BYTES]
                return
            at_start = not cut
        if cut:
            held += (tail, piece[:cut])
            size += len(tail) + cut
            tail = piece[cut : cut + KEPT_BYTES]
        else:
            tail += piece[: KEPT_BYTES - len(tail)]
        if size >= block_bytes:
            yield b"".join(held)
            held.clear()
            size = 0
    if held or tail:
        yield b"".join((*held, tail))
