"""Reads text files as blocks of whole lines, plain or compressed, detected by their first bytes."""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import ModuleType
from typing import BinaryIO, Literal, cast

from podium import zstd_library
from podium.preparation.files.containers import refuse_container
from podium.preparation.files.findings import RawFileCode, refuse

GZIP, PARQUET = b"\x1f\x8b", b"PAR1"

ZSTD = re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18")
"""Matches the magic number of a zstd frame, or of a skippable frame."""

BLOCK_BYTES = 32 << 20
"""Bytes of text that are parsed at a time; as rows they take a few times as much memory."""

LONGEST_LINE = 64 << 20
"""Bytes of a line: enough for a session with a million events; a file beyond it is not made of
lines."""

MAX_BYTES = 1 << 40
"""Bytes of text after decompression, unless the caller sets a lower limit."""

Container = Literal["plain", "gz", "zst"]
"""Compression of written files, which is also their extension."""

_BROKEN: tuple[type[Exception], ...] = (gzip.BadGzipFile, zlib.error)
if zstd_library.IS_THERE:
    _BROKEN += (zstd_library.zstd.ZstdError,)


def is_parquet(file: Path) -> bool:
    """True for a file that begins with Parquet's magic number."""
    with file.open("rb") as source:
        return source.read(4) == PARQUET


def blocks(file: Path, *, most_bytes: int = MAX_BYTES) -> Iterator[bytes]:
    """Yields the text in blocks that end after a line feed, except for the last.

    Raises `RawFileRefused` for archives that are broken, hold more than `most_bytes` or are of an
    unsupported kind.
    """
    refuse_container(file)
    rest, total = b"", 0
    with ExitStack() as stack:
        source = _unpacked(stack.enter_context(file.open("rb")), file)
        while block := _read(source, file):
            total += len(block)
            if total > most_bytes:
                raise refuse(
                    file, RawFileCode.TOO_LARGE, f"the text is longer than {most_bytes:,} bytes"
                )
            text = rest + block
            end = text.rfind(b"\n") + 1
            rest = text[end:]
            if len(rest) > LONGEST_LINE:
                raise refuse(file, RawFileCode.LINE_TOO_LONG, "a line is longer than any session")
            if end:
                yield text[:end]
    if rest:
        yield rest


def writing(path: Path, container: Container) -> BinaryIO:
    """Opens a new file for text; equal text gives equal bytes. The container's extension is
    appended to its name."""
    if container == "plain":
        return path.open("wb")
    place = named(path, container)
    if container == "gz":
        return cast(BinaryIO, gzip.GzipFile(place, "wb", 6, mtime=0))
    return cast(BinaryIO, _zstd(place).ZstdFile(place, "wb", level=3))


def named(path: Path, container: Container) -> Path:
    """Returns the path at which `writing` creates a file."""
    return path if container == "plain" else path.with_name(f"{path.name}.{container}")


def _unpacked(packed: BinaryIO, file: Path) -> BinaryIO:
    head = packed.read(4)
    packed.seek(0)
    if head.startswith(GZIP):
        return cast(BinaryIO, gzip.open(packed))
    if ZSTD.match(head):
        zstd = _zstd(file)
        # Frames may need a window of up to 128 MiB, the limit of the `zstd` command.
        widest: dict[int, int] = {zstd.DecompressionParameter.window_log_max: 27}
        return cast(BinaryIO, zstd.ZstdFile(packed, "rb", options=widest))
    return packed


def _zstd(file: Path) -> ModuleType:
    if not zstd_library.IS_THERE:
        raise refuse(file, RawFileCode.ARCHIVE_UNSUPPORTED, zstd_library.MISSING)
    return zstd_library.zstd


def _read(source: BinaryIO, file: Path) -> bytes:
    """Reads a full block, or the rest of the file."""
    try:
        pieces, wanted = [], BLOCK_BYTES
        while wanted and (piece := source.read(wanted)):
            pieces.append(piece)
            wanted -= len(piece)
        return b"".join(pieces)
    except EOFError as error:
        detail = "the archive is cut off: its end is missing"
        raise refuse(file, RawFileCode.ARCHIVE_TRUNCATED, detail) from error
    except _BROKEN as error:
        raise refuse(
            file, RawFileCode.ARCHIVE_CORRUPT, f"the archive is broken ({error})"
        ) from error
