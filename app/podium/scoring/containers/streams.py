"""Decompresses xz and bzip2, one stream or several, within the memory that a real file needs."""

from __future__ import annotations

import bz2
import lzma
from collections.abc import Callable, Iterator
from io import FileIO
from pathlib import Path
from typing import NamedTuple, Protocol

from podium.scoring.containers.inflating import PIECE_BYTES
from podium.scoring.containers.refusals import damaged, trailing, truncated
from podium.scoring.problems import Code, FileRejected

INPUT_BYTES = 64 << 10
"""Compressed bytes per step. Small, because input after the end of a stream is copied."""

MAX_XZ_MEMORY = 1 << 27
"""The most bytes that the decompressor of xz may take, twice what `xz -9` needs."""

MAX_STREAMS = 1 << 17
"""The most streams of a file: parallel compressors write one for every block, and no real file
needs more."""

_PADDING = 4  # Zeros after a stream of xz come in fours.


class _Stream(Protocol):
    """The decompressor of one stream."""

    @property
    def eof(self) -> bool: ...

    @property
    def needs_input(self) -> bool: ...

    @property
    def unused_data(self) -> bytes: ...

    def decompress(self, data: bytes, max_length: int) -> bytes: ...


class _Compression(NamedTuple):
    """A compression: its name, the first bytes of each stream, and a decompressor for it."""

    name: str
    mark: bytes
    opened: Callable[[], _Stream]


def _opened_xz() -> _Stream:
    return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MAX_XZ_MEMORY)


_XZ = _Compression("xz", b"\xfd7zXZ\x00", _opened_xz)
_BZIP2 = _Compression("bzip2", b"BZh", bz2.BZ2Decompressor)


def xz_pieces(path: Path) -> Iterator[bytes]:
    """Yields the text in pieces of at most 1 MiB. Raises `FileRejected` for truncated or damaged
    data, trailing bytes, or a dictionary beyond the limit."""
    return _pieces(path, _XZ)


def bzip2_pieces(path: Path) -> Iterator[bytes]:
    """Yields the text in pieces of at most 1 MiB. Raises `FileRejected` for truncated or damaged
    data, or trailing bytes."""
    return _pieces(path, _BZIP2)


def _pieces(path: Path, form: _Compression) -> Iterator[bytes]:
    with path.open("rb", buffering=0) as file:
        taken = file.read(INPUT_BYTES)
        for _ in range(MAX_STREAMS):
            stream = form.opened()
            while not stream.eof:
                if stream.needs_input and not taken and not (taken := file.read(INPUT_BYTES)):
                    raise truncated(form.name)
                yield _step(stream, taken, form)
                taken = b""
            taken = stream.unused_data or file.read(INPUT_BYTES)
            if form is _XZ:
                taken = _after_padding(taken, file)
            if not taken:
                return
            if len(taken) < len(form.mark):
                taken += file.read(INPUT_BYTES)
            if taken[: len(form.mark)] != form.mark[: len(taken)]:
                raise trailing(form.name)
    detail = f"the {form.name} file has more than {MAX_STREAMS:,} streams"
    raise FileRejected.because(Code.ARCHIVE_UNSUPPORTED, detail)


def _step(stream: _Stream, taken: bytes, form: _Compression) -> bytes:
    try:
        return stream.decompress(taken, PIECE_BYTES)
    except lzma.LZMAError as wrong:
        # The library has one class for all errors, and a text for each.
        if str(wrong).startswith("Memory usage limit"):
            detail = f"the xz data needs more than {MAX_XZ_MEMORY >> 20} MiB of memory"
            hint = "Compress it with a smaller dictionary: `xz -9` or below."
            raise FileRejected.because(Code.ARCHIVE_UNSUPPORTED, detail, hint=hint) from None
        raise damaged(form.name, wrong) from None
    except OSError as wrong:
        raise damaged(form.name, wrong) from None


def _after_padding(taken: bytes, file: FileIO) -> bytes:
    """Skips the zeros that may follow a stream; returns what comes after them."""
    zeros = 0
    while taken:
        rest = taken.lstrip(b"\0")
        zeros += len(taken) - len(rest)
        taken = rest or file.read(INPUT_BYTES)
        if rest:
            break
    if zeros % _PADDING:
        raise trailing(_XZ.name)
    return taken
