"""Splits text into blocks that end at a line end, in bounded memory, for any contents.

A line that is far too long is shortened on the way: the rest is still longer than any line may be,
so every reader refuses it, under its right number, without storing it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from io import FileIO
from pathlib import Path

KEPT_BYTES = 128 << 10
"""Bytes that are retained of a line that does not end within its block; more than any line may
have."""


def file_blocks(path: Path, block_bytes: int) -> Iterator[bytes]:
    """Yields the blocks of an uncompressed file, each read directly into its final memory."""
    with path.open("rb", buffering=0) as file:
        size = os.fstat(file.fileno()).st_size
        start = 0
        while start < size:
            end = _last_line_end(file, start, start + block_bytes, size)
            if end is None or (start == 0 and b"\n" not in _read(file, KEPT_BYTES, 0)):
                rest = _pieces(file, start)
                yield from whole_lines(rest, block_bytes, at_start=start == 0)
                return
            yield _read(file, end - start, start)
            start = end


def file_pieces(path: Path) -> Iterator[bytes]:
    """Yields an uncompressed file in pieces that end anywhere."""
    with path.open("rb", buffering=0) as file:
        yield from _pieces(file, 0)


def _last_line_end(file: FileIO, start: int, limit: int, size: int) -> int | None:
    """Finds the end of the last line before `limit`; None if there is none near it."""
    if limit >= size:
        return size
    window_start = max(start, limit - KEPT_BYTES)
    window = _read(file, limit - window_start, window_start)
    after = window.rfind(b"\n") + 1
    return window_start + after if after else None


def _pieces(file: FileIO, start: int, piece_bytes: int = 1 << 20) -> Iterator[bytes]:
    while piece := _read(file, piece_bytes, start):
        yield piece
        start += len(piece)


def _read(file: FileIO, size: int, start: int) -> bytes:
    # Not `pread`, which Windows lacks.
    file.seek(start)
    return file.read(size)


def whole_lines(
    pieces: Iterator[bytes], block_bytes: int, *, at_start: bool = True
) -> Iterator[bytes]:
    """Regroups pieces of text into blocks of about `block_bytes` that end after an LF.

    A text whose first line is longer than `KEPT_BYTES` yields the beginning of it and no more: its
    header is wrong, and nothing that follows could change that.
    """
    held: list[bytes] = []
    size = 0
    endless = 0  # bytes held since the last LF
    for piece in pieces:
        cut = piece.rfind(b"\n") + 1
        if not cut and endless > KEPT_BYTES:
            continue
        endless = len(piece) - cut + (0 if cut else endless)
        held.append(piece)
        size += len(piece)
        if at_start and (cut or size > KEPT_BYTES):
            head = b"".join(held)
            if b"\n" not in head[: KEPT_BYTES + 1]:
                yield head[:KEPT_BYTES]
                return
            at_start = False
        if size >= block_bytes and (rest := _cut_after_line(held)) is not None:
            yield b"".join(held)
            held = [rest]
            size = endless = len(rest)
    if size:
        yield b"".join(held)


def _cut_after_line(held: list[bytes]) -> bytes | None:
    """Cuts `held` after its last whole line, and returns the rest; None if there is no whole
    line."""
    for place in range(len(held) - 1, -1, -1):
        cut = held[place].rfind(b"\n") + 1
        if cut:
            rest = b"".join((held[place][cut:], *held[place + 1 :]))
            held[place:] = [held[place][:cut]]
            return rest
    return None
