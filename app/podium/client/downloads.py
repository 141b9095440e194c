"""Downloads of files that may be large: an interrupted download is resumed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from podium import errors
from podium.client.bodies import sha256_of
from podium.client.connection import ATTEMPTS, Connection, pause
from podium.errors.codes import ErrorCode


def download(
    connection: Connection,
    path: str,
    to: Path,
    *,
    size: int,
    sha256: str,
    on_progress: Callable[[int, int], None] | None = None,
) -> None:
    """Downloads the file of this size and hash to `to`, transferring as few bytes as possible.

    Gives up after four attempts in a row without progress; the downloaded part stays beside `to`
    for the next call. Raises `Unavailable` with the code `digest-mismatch` if the bytes differ.
    """
    if to.is_file() and to.stat().st_size == size and sha256_of(to) == sha256:
        return
    # Named by the hash, so that a part of an older version is never resumed.
    partial = to.with_name(f".{to.name}.{sha256[:16]}.part")
    _fetch(connection, path, partial, size=size, sha256=sha256, on_progress=on_progress)
    if sha256_of(partial) != sha256:
        partial.unlink()
        raise errors.Unavailable(
            f"{to.name} arrived with other bytes than the server lists. Try again.",
            code=ErrorCode.DIGEST_MISMATCH,
        )
    partial.replace(to)


def _fetch(
    connection: Connection,
    path: str,
    partial: Path,
    *,
    size: int,
    sha256: str,
    on_progress: Callable[[int, int], None] | None,
) -> None:
    """Appends to `partial` until it has `size` bytes."""
    failures = 0
    while (done := _size(partial)) < size:
        try:
            with partial.open("ab") as sink:
                for piece in connection.rest(path, start=done, etag=f'"{sha256}"'):
                    sink.write(piece)
                    if on_progress is not None:
                        on_progress(sink.tell(), size)
            failure: errors.Unavailable | None = None
        except errors.Unavailable as caught:
            failure = caught
        failures = 0 if _size(partial) > done else failures + 1
        if failure is not None and (
            failures >= ATTEMPTS or failure.code == ErrorCode.WAIT_TIMED_OUT
        ):
            raise failure
        if failure is not None:
            asked = failure.retry_after if failure.code == ErrorCode.BUSY else 0
            pause(failures, asked=asked)
        elif _size(partial) == done:
            raise errors.Unavailable(
                "The server sent nothing of the file.", code=ErrorCode.DIGEST_MISMATCH
            )
    if size == 0:
        partial.touch()


def _size(file: Path) -> int:
    return file.stat().st_size if file.exists() else 0
