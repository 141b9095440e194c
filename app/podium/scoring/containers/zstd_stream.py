"""Decompresses zstd, one frame or several, after a walk over the frames' structure.

The walk reads a few bytes per block, so that a file that is truncated, has trailing bytes, or needs
a dictionary is refused with that reason before any of it is decompressed. Format: RFC 8878.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from podium import zstd_library
from podium.scoring.containers.inflating import PIECE_BYTES
from podium.scoring.containers.refusals import damaged, trailing, truncated
from podium.scoring.problems import Code, FileRejected

INPUT_BYTES = 128 << 10
"""Compressed bytes per step. Small, because input after the end of a frame is copied."""

MAX_WINDOW = 1 << 27
"""The largest window of a frame, in bytes: the default limit of the `zstd` command."""

MAX_FRAMES = 1 << 17
"""The most frames in one file; no real file needs more."""

_FRAME = 0xFD2FB528
_SKIPPABLE = 0x184D2A50
_RLE, _RESERVED = 1, 3


def zstd_pieces(path: Path) -> Iterator[bytes]:
    """Yields the text in pieces of at most 1 MiB. Raises `FileRejected` for truncated or damaged
    data, or trailing bytes, and where this Python cannot decompress zstd."""
    if not zstd_library.IS_THERE:
        detail = f"the file is compressed with zstd, and {zstd_library.MISSING}"
        hint = "Send it without compression, or compress it with gzip."
        raise FileRejected.because(Code.ARCHIVE_UNSUPPORTED, detail, hint=hint)
    zstd = zstd_library.zstd
    options: dict[int, int] = {
        zstd.DecompressionParameter.window_log_max: MAX_WINDOW.bit_length() - 1
    }
    with path.open("rb") as file:
        check_frames(file)
    with path.open("rb", buffering=0) as file:
        taken = file.read(INPUT_BYTES)
        while taken:
            frame = zstd.ZstdDecompressor(options=options)
            while not frame.eof:
                if frame.needs_input and not taken and not (taken := file.read(INPUT_BYTES)):
                    raise truncated("zstd")  # pragma: no cover - `check_frames` saw the frame's end
                yield _step(frame, taken)
                taken = b""
            taken = frame.unused_data or file.read(INPUT_BYTES)


def _step(frame: zstd_library.zstd.ZstdDecompressor, taken: bytes) -> bytes:
    try:
        return frame.decompress(taken, PIECE_BYTES)
    except zstd_library.zstd.ZstdError as wrong:
        raise damaged("zstd", wrong) from None


def check_frames(file: BinaryIO) -> None:
    """Walks over all frames; raises `FileRejected` unless the file consists of whole frames."""
    for _ in range(MAX_FRAMES + 1):  # the end takes a turn, too
        magic = file.read(4)
        if not magic:
            return
        number = int.from_bytes(magic, "little")
        if number == _FRAME:
            _check_frame(file)
        elif number & 0xFFFFFFF0 == _SKIPPABLE:
            _skip(file, int.from_bytes(_exactly(file, 4), "little"))
        elif len(magic) < 4 and _FRAME.to_bytes(4, "little").startswith(magic):
            raise truncated("zstd")
        else:
            raise trailing("zstd")
    detail = f"the zstd file has more than {MAX_FRAMES:,} frames"
    raise FileRejected.because(Code.ARCHIVE_UNSUPPORTED, detail)


def _check_frame(file: BinaryIO) -> None:
    descriptor = _exactly(file, 1)[0]
    single_segment, checksum = descriptor >> 5 & 1, descriptor >> 2 & 1
    if descriptor & 0b1000:
        raise _damaged("a reserved bit is set")
    window = 0 if single_segment else _window(_exactly(file, 1)[0])
    dictionary = _exactly(file, (0, 1, 2, 4)[descriptor & 3])
    size_bytes = (single_segment, 2, 4, 8)[descriptor >> 6]
    size = int.from_bytes(_exactly(file, size_bytes), "little") + (256 if size_bytes == 2 else 0)
    if any(dictionary):
        hint = "Compress the file without a dictionary."
        detail = "the zstd data needs a dictionary"
        raise FileRejected.because(Code.ARCHIVE_UNSUPPORTED, detail, hint=hint)
    if (size if single_segment else window) > MAX_WINDOW:
        hint = "Compress without --long and without --ultra."
        detail = f"the zstd data needs a window of more than {MAX_WINDOW >> 20} MiB"
        raise FileRejected.because(Code.ARCHIVE_UNSUPPORTED, detail, hint=hint)
    last = 0
    while not last:
        block = int.from_bytes(_exactly(file, 3), "little")
        last, kind = block & 1, block >> 1 & 3
        if kind == _RESERVED:
            raise _damaged("a block is of a reserved kind")
        _skip(file, 1 if kind == _RLE else block >> 3)
    _exactly(file, 4 * checksum)


def _window(descriptor: int) -> int:
    base = 1 << (10 + (descriptor >> 3))
    return base + (base >> 3) * (descriptor & 7)


def _skip(file: BinaryIO, count: int) -> None:
    if count:
        file.seek(count - 1, 1)
        _exactly(file, 1)


def _exactly(file: BinaryIO, count: int) -> bytes:
    found = file.read(count)
    if len(found) < count:
        raise truncated("zstd")
    return found


def _damaged(reason: str) -> FileRejected:
    return FileRejected.because(Code.ARCHIVE_CORRUPT, f"the zstd data is damaged ({reason})")
