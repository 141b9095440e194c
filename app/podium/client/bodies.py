"""Files as request bodies: their pieces and their hashes."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path

PIECE_BYTES = 1 << 20


def content_digest(file: Path) -> str:
    """Returns the `Content-Digest` header (RFC 9530) of a file: SHA-256 of its bytes."""
    return f"sha-256=:{base64.b64encode(bytes.fromhex(sha256_of(file))).decode()}:"


def headers_of(file: Path) -> dict[str, str]:
    """Returns the headers of a file that is sent as the raw body."""
    return {
        "Content-Type": "application/octet-stream",
        "Content-Length": str(file.stat().st_size),
        "Content-Digest": content_digest(file),
    }


def sha256_of(file: Path) -> str:
    """Returns the SHA-256 of a file's bytes, in hex."""
    with file.open("rb") as source:
        return hashlib.file_digest(source, "sha256").hexdigest()


def pieces_of(
    file: Path,
    on_progress: Callable[[int, int], None] | None = None,
    *,
    start: int = 0,
    stop: int | None = None,
) -> Iterator[bytes]:
    """Yields the bytes of a file, or a part of them, a mebibyte at a time; `on_progress` gets the
    bytes sent, those before the part included, and the total."""
    total, sent = file.stat().st_size, start
    stop = total if stop is None else stop
    with file.open("rb") as source:
        source.seek(start)
        while sent < stop and (piece := source.read(min(PIECE_BYTES, stop - sent))):
            yield piece
            sent += len(piece)
            if on_progress is not None:
                on_progress(sent, total)
