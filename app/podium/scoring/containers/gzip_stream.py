"""Decompresses gzip, one member or several, with every check that the format allows."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path

from podium.scoring.containers.inflating import (
    GZIP,
    INPUT_BYTES,
    PIECE_BYTES,
    FallBack,
    decided_by_zlib,
    one_stream,
)
from podium.scoring.containers.refusals import damaged, trailing, truncated
from podium.scoring.problems import Code, FileRejected

STRICT_INPUT_BYTES = 64 << 10
"""Compressed bytes per step of zlib, which copies unused input at every step."""

MAX_MEMBERS = 1 << 17
"""The most members of a file: block-wise gzip has one for every 64 KiB of text, and no real file
needs more."""

_GZIP = 31  # zlib's way of asking for a gzip header and trailer, CRC and length checked.
_FLAGS, _RESERVED = 3, 0b1110_0000  # the place of a header's flags, and those that mean nothing


def gzip_pieces(path: Path) -> Iterator[bytes]:
    """Yields the text in pieces of at most 1 MiB. Raises `FileRejected` for truncated or damaged
    data, or trailing bytes."""
    yield from decided_by_zlib(_read_fast(path), lambda: _read_strictly(path))


def _read_fast(path: Path) -> Iterator[bytes]:
    with path.open("rb", buffering=0) as file:
        taken = file.read(INPUT_BYTES)
        for _ in range(MAX_MEMBERS):
            if len(taken) <= _FLAGS:
                taken += file.read(INPUT_BYTES)
            if len(taken) <= _FLAGS or taken[_FLAGS] & _RESERVED:
                raise FallBack
            taken = yield from one_stream(taken, lambda: file.read(INPUT_BYTES), GZIP)
            taken = taken or file.read(INPUT_BYTES)
            if not taken:
                return
    raise FallBack


def _read_strictly(path: Path) -> Iterator[bytes]:
    with path.open("rb", buffering=0) as file:
        taken = file.read(STRICT_INPUT_BYTES)
        for _ in range(MAX_MEMBERS):
            member = zlib.decompressobj(_GZIP)
            while not member.eof:
                if not taken and not (taken := file.read(STRICT_INPUT_BYTES)):
                    raise truncated("gzip")
                yield _step(member, taken)
                taken = member.unconsumed_tail
            taken = member.unused_data or file.read(STRICT_INPUT_BYTES)
            if not taken:
                return
            if len(taken) == 1:
                taken += file.read(STRICT_INPUT_BYTES)
            if taken[:2] != b"\x1f\x8b"[: len(taken)]:
                raise trailing("gzip")
        detail = f"the gzip file has more than {MAX_MEMBERS:,} members"
        raise FileRejected.because(Code.ARCHIVE_UNSUPPORTED, detail)


def _step(member: zlib._Decompress, taken: bytes) -> bytes:
    try:
        return member.decompress(taken, PIECE_BYTES)
    except zlib.error as wrong:
        raise damaged("gzip", wrong) from None
