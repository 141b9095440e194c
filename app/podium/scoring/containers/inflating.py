"""Fast decompression of gzip and deflate by ISA-L, behind which zlib stands.

ISA-L overlooks reserved flags, and finds damage later than zlib or calls it something else. So it
only reads, and whatever it stumbles over is read again by zlib, whose word counts. One thing is
left that zlib refuses and ISA-L reads: a Huffman code with words that stand for nothing, as no
compressor writes it, in data that uses none of them. Its text has the right checksum and length.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator

from isal import igzip_lib

INPUT_BYTES = 128 << 10
"""Compressed bytes per step; with twice as many, a step takes a third longer for each of them."""

PIECE_BYTES = 1 << 20
"""Most bytes of text that one step may make, however well they were compressed."""

GZIP, DEFLATE = igzip_lib.DECOMP_GZIP, igzip_lib.DECOMP_DEFLATE


class FallBack(Exception):
    """ISA-L makes no sense of the data: zlib has to read it."""


def decided_by_zlib(
    fast: Iterator[bytes], strict: Callable[[], Iterator[bytes]]
) -> Iterator[bytes]:
    """The pieces of `fast`. Where it raises FallBack, `strict` reads the same data from the
    beginning: what it yields goes on where `fast` ended, and what it raises is raised."""
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
    """The text of the stream (GZIP or DEFLATE) that `taken` begins, in pieces of at most 1 MiB.

    `more` returns the next compressed bytes, at the end none. The value of the generator is what of
    the bytes taken lies behind the stream. Raises FallBack at damage, or without an end.
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
