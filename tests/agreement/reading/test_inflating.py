"""Fast decompression against zlib: random damage at every layer, with checksums that fit."""

import random
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from isal import igzip_lib

from podium.scoring.containers.gzip_stream import gzip_pieces
from podium.scoring.containers.inflating import FallBack, decided_by_zlib
from podium.scoring.containers.zip_stream import zip_pieces
from podium.scoring.problems import FileRejected
from tests.builders.scoring.zips import Entry, archive

SEEDS = 20
FILES_PER_SEED = 250
GZIP, DEFLATE = 31, -15
UNUSED_WORDS = ("invalid literal/lengths set", "invalid distances set", "invalid code lengths set")
"""Reasons of zlib for a Huffman code with words that stand for nothing, among other faults."""

HEADER = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
SPARE_DISTANCES = bytes.fromhex(
    "05c14101c0300c02c03f2a2280c7d2862da8c1bf8bddbc73cc59f2d9c8f7c6007bc516ca490987e1ba7a3e615a3f"
)
SPARE_TEXT = b"98429,48,,08_5933_9\n\n,185,15\n 9__ 5\n2,_,89 1475\n415"


def verdict_of(pieces: Iterator[bytes]) -> bytes | str:
    """The text, or the code of what it is refused for."""
    try:
        return b"".join(pieces)
    except FileRejected as rejected:
        return str(rejected.rejection.problems[0].code)


def by_zlib(content: bytes) -> tuple[bytes | str, str]:
    """The same of a gzip file as zlib alone reads it, and zlib's reason."""
    text = b""
    while True:
        member = zlib.decompressobj(GZIP)
        try:
            text += member.decompress(content)
        except zlib.error as error:
            return "archive-corrupt", str(error)
        if not member.eof:
            return "archive-truncated", ""
        content = member.unused_data
        if not content:
            return text, ""
        if content[:2] != b"\x1f\x8b"[: len(content)]:
            return "archive-trailing-data", ""


def some_text(rnd: random.Random) -> bytes:
    size = rnd.choice([0, 1, 5, 50, 500, 3000])
    if rnd.random() < 0.2:
        return rnd.randbytes(size)
    if rnd.random() < 0.2:
        return bytes([rnd.randrange(256)]) * size * 100
    rows = (f"{n}_clicks,{rnd.randrange(9999)} {rnd.randrange(99)}\n" for n in range(size // 15))
    return "".join(rows).encode()


def some_deflate(rnd: random.Random, text: bytes) -> bytes:
    level, memory, strategy = rnd.randrange(10), rnd.randrange(1, 10), rnd.randrange(5)
    stream = zlib.compressobj(level, zlib.DEFLATED, -rnd.randrange(9, 16), memory, strategy)
    return stream.compress(text) + stream.flush()


def some_header(rnd: random.Random) -> bytes:
    """A header with any of the optional fields, rarely a wrong one."""
    flags = rnd.choice([0, 0, rnd.randrange(32), rnd.randrange(256)])
    fields = b""
    if flags & 4:
        extra = rnd.randbytes(rnd.randrange(9))
        fields += struct.pack("<H", len(extra)) + extra
    for bit in (8, 16):
        fields += b"a name\0" if flags & bit else b""
    header = HEADER[:3] + bytes([flags]) + HEADER[4:] + fields
    if flags & 2:
        header += struct.pack("<H", zlib.crc32(header) & 0xFFFF ^ (rnd.random() < 0.1))
    return header


def damaged(rnd: random.Random, content: bytes) -> bytes:
    made = bytearray(content)
    for _ in range(rnd.choice([0, 1, 1, 1, 2, 3])):
        # Most of what decides stands at the beginning.
        place = rnd.randrange(min(len(made), rnd.choice([12, 100, len(made) + 1])) + 1)
        act = rnd.randrange(5)
        if act == 0:
            made[place:] = b""
        elif act == 1:
            made[place:place] = rnd.randbytes(rnd.randrange(1, 4))
        elif made[place : place + 1]:
            made[place] = rnd.randrange(256) if act == 2 else made[place] ^ 1 << rnd.randrange(8)
    return bytes(made)


def inflated(stream: Any, deflate: bytes) -> tuple[bytes, bytes] | None:
    """The text of a stream and what follows it; None if it is damaged or has no end."""
    try:
        text = stream.decompress(deflate)
    except (zlib.error, igzip_lib.IsalError):  # type: ignore[misc]  # a class, whatever its stub says
        return None
    return (text, stream.unused_data) if stream.eof else None


def fitted(deflate: bytes) -> tuple[bytes, bytes, bytes]:
    """Damaged data up to its end, the text in it, and what follows, for whichever of the two
    libraries makes sense of it."""
    for stream in (
        zlib.decompressobj(DEFLATE),
        igzip_lib.IgzipDecompressor(igzip_lib.DECOMP_DEFLATE),
    ):
        if (found := inflated(stream, deflate)) is not None:
            text, rest = found
            return deflate[: len(deflate) - len(rest)], text, rest
    return deflate, b"", b""


def trailer(text: bytes) -> bytes:
    return struct.pack("<LL", zlib.crc32(text), len(text))


def gzip_file(rnd: random.Random) -> bytes:
    """One member or two, of which anything may be damaged, the checksum of most made to fit."""
    content = b""
    for _ in range(rnd.choice([1, 1, 2])):
        body, text, rest = fitted(damaged(rnd, some_deflate(rnd, some_text(rnd))))
        content += some_header(rnd) + body + trailer(text) + rest
    return damaged(rnd, content) if rnd.random() < 0.3 else content


@pytest.mark.parametrize("seed", range(SEEDS))
def test_gzip_is_read_as_zlib_reads_it(tmp_path: Path, seed: int) -> None:
    rnd, file, verdicts = random.Random(seed), tmp_path / "upload", set()
    for _ in range(FILES_PER_SEED):
        content = gzip_file(rnd)
        file.write_bytes(content)
        expected, reason = by_zlib(content)
        found = verdict_of(gzip_pieces(file))
        if not reason.endswith(UNUSED_WORDS) or isinstance(found, str):
            assert found == expected, content.hex()
        verdicts.add(expected if isinstance(expected, str) else "text")
    assert verdicts == {"text", "archive-corrupt", "archive-truncated", "archive-trailing-data"}


@pytest.mark.parametrize("seed", range(SEEDS))
def test_a_deflated_member_of_a_zip_is_read_as_zlib_reads_it(tmp_path: Path, seed: int) -> None:
    rnd, file, verdicts = random.Random(seed), tmp_path / "upload", set()
    for _ in range(FILES_PER_SEED):
        body, text, rest = fitted(damaged(rnd, some_deflate(rnd, some_text(rnd))))
        entry = Entry(text, packed=body + rest)
        file.write_bytes(archive(entry))
        stream = zlib.decompressobj(DEFLATE)
        try:
            expected: bytes | str = stream.decompress(body + rest)
            reason = ""
            if not stream.eof or stream.unused_data or expected != text:
                expected = "archive-corrupt"
        except zlib.error as error:
            expected, reason = "archive-corrupt", str(error)
        found = verdict_of(zip_pieces(file))
        if not reason.endswith(UNUSED_WORDS) or isinstance(found, str):
            assert found == expected, (body + rest).hex()
        verdicts.add(expected if isinstance(expected, str) else "text")
    assert verdicts == {"text", "archive-corrupt"}


def test_a_gzip_file_is_refused_for_zlibs_reason(tmp_path: Path) -> None:
    body = some_deflate(random.Random(1), b"1_clicks,1\n" * 1000)
    file = tmp_path / "upload"
    file.write_bytes(HEADER + body + trailer(b"another text"))
    with pytest.raises(FileRejected) as raised:
        list(gzip_pieces(file))
    assert raised.value.rejection.problems[0].detail == (
        "the gzip data is damaged (Error -3 while decompressing data: incorrect data check)"
    )


def test_a_huffman_code_with_unused_words_is_read_where_the_checksum_fits(tmp_path: Path) -> None:
    with pytest.raises(zlib.error, match="invalid distances set"):
        zlib.decompressobj(DEFLATE).decompress(SPARE_DISTANCES)
    file = tmp_path / "upload"
    file.write_bytes(HEADER + SPARE_DISTANCES + trailer(SPARE_TEXT))
    assert b"".join(gzip_pieces(file)) == SPARE_TEXT
    file.write_bytes(HEADER + SPARE_DISTANCES + trailer(SPARE_TEXT[:-1] + b"x"))
    assert verdict_of(gzip_pieces(file)) == "archive-corrupt"


@pytest.mark.parametrize("pieces", [(b"abcdefgh",), (b"ab", b"cd", b"", b"ef", b"gh")])
def test_zlib_goes_on_where_the_fast_reader_gives_up(pieces: tuple[bytes, ...]) -> None:
    def fast() -> Iterator[bytes]:
        yield from (b"abc", b"", b"de")
        raise FallBack

    assert b"".join(decided_by_zlib(fast(), lambda: iter(pieces))) == b"abcdefgh"
