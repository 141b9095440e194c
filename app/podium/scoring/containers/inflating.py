"""Decompresses gzip and deflate quickly by ISA-L, with zlib as the arbiter.

ISA-L ignores reserved flags, and detects damage later than zlib or classifies it differently. So it
only reads, and all data that it rejects is read again by zlib, whose verdict counts. One case
remains that zlib refuses and ISA-L reads: a Huffman code with unassigned words, as no compressor
writes it, in data that uses none of them. Its text has the right checksum and length.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator

from isal import igzip_lib

INPUT_BYTES = 128 << 10
"""Compressed bytes per step; with twice as many, a step takes a third longer for each of them."""

PIECE_BYTES = 1 << 20
"""The most bytes of text that one step may yield, at any compression ratio."""

GZIP, DEFLATE = igzip_lib.DECOMP_GZIP, igzip_lib.DECOMP_DEFLATE


class FallBack(Exception):
    """ISA-L rejects the data: zlib has to read it."""


def decided_by_zlib(
    fast: Iterator[bytes], strict: Callable[[], Iterator[bytes]]
) -> Iterator[bytes]:
    """Yields the pieces of `fast`. Where it raises FallBack, `strict` reads the same data from the
    start: its pieces continue where `fast` ended, and its exception is raised."""
    given = 0
    try:
        for piece in fast:
            given += len(piece)
            yield piece
    except FallBack:
        for piece in strict():
            yield piece[given:]
            given = max(0, given - len(piece))


def one_stream(taken: bytes, more: Callable[[], bytes], kind: int) -> Generator[bytes, None, bytes]:
    """Decompresses the stream (GZIP or DEFLATE) that begins with `taken`, in pieces of at most 1
    MiB.

    `more` returns the next compressed bytes, at the end none. The return value of the generator is
    the input read past the end of the stream. Raises FallBack for damaged or truncated data.
    """
    stream = igzip_lib.IgzipDecompressor(kind)
    while not stream.eof:
        try:
            piece = stream.decompress(taken, PIECE_BYTES)
        except igzip_lib.IsalError:  # type: ignore[misc]  # its stub calls the class an instance
            raise FallBack from None
        if not (piece or taken or stream.eof):
            raise FallBack
        yield piece
        taken = more() if stream.needs_input else b""
    return stream.unused_data
