"""Uploads of large files: the server stores every piece that arrives, and the same call or a later
one, even in another process, resumes after an interruption."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, MutableMapping
from pathlib import Path

import httpx2

from podium.client.bodies import pieces_of, sha256_of
from podium.client.calls import PREFIX, Document, Progress
from podium.client.connection import Connection, pause, segment
from podium.errors import InvalidInput, NotFound, TooSlow, Unavailable, WrongState
from podium.errors.codes import ErrorCode

RESUMABLE_BYTES = 16 << 20
"""Files above this size are uploaded in pieces."""

REQUEST_BYTES = 32 << 20
"""The maximum bytes of one request: proxies may buffer a body until it is complete."""

PATIENCE = 12
"""Failures in a row without a byte of progress after which a call gives up: about 90 seconds."""

BUSY_SECONDS = 60.0
BUSY_POLL_SECONDS = 0.3
"""Seconds between two looks, while waiting for the server to notice that a connection is broken."""

MENDING = (
    ErrorCode.UPLOAD_BUSY,
    ErrorCode.UPLOAD_TAKEN_OVER,
    ErrorCode.UPLOAD_OFFSET_MISMATCH,
    ErrorCode.UPLOAD_COMPLETE,
)
"""Refusals after which asking for the offset of the upload helps."""

Memory = MutableMapping[str, str]
"""Ids of unfinished uploads by server and hash; backed by a file, it lets another process resume
them."""

Tell = Callable[[str], None]
"""Called with a sentence for people."""


def send_in_pieces(
    connection: Connection,
    file: Path,
    method: str,
    path: str,
    *,
    memory: Memory | None,
    on_progress: Progress | None,
    on_retry: Tell | None = None,
    **facts: str,
) -> httpx2.Response:
    """Uploads a file, and sends a document that names the upload, with these `facts`, to a path in
    place of the file, repeatedly until the server is reachable and free. Raises the errors of
    `upload_file` and of that call."""
    memory = {} if memory is None else memory
    sha256 = sha256_of(file)
    key = f"{connection.url} {sha256}"
    upload_id = upload_file(
        connection, file, key=key, memory=memory, on_progress=on_progress, on_retry=on_retry
    )
    try:
        named = {"upload_id": upload_id, "sha256": sha256, **facts}
        answer = patiently(lambda: _named(connection, method, path, named))
    except (InvalidInput, NotFound):
        # The stored bytes are not those of the file, or were deleted: the next call starts over.
        memory.pop(key, None)
        raise
    memory.pop(key, None)
    return answer


def upload_file(
    connection: Connection,
    file: Path,
    *,
    key: str,
    memory: Memory,
    on_progress: Progress | None,
    on_retry: Tell | None = None,
) -> str:
    """Sends the bytes that the server does not have yet; returns the upload's id.

    `memory` has it under `key` until the caller removes it. A broken connection is retried as long
    as there is progress; `on_retry` gets a sentence when that begins, and when it succeeds. Raises
    `Unavailable` after that, `TooLarge`, `QuotaExhausted` (`too-many-uploads`).
    """
    total, failures, best = file.stat().st_size, 0, -1
    say = on_retry or (lambda _: None)
    is_resumed, is_reported = key in memory, False
    while True:
        try:
            offset = _offset(connection, total, key=key, memory=memory)
            if (is_resumed or is_reported) and offset:
                say(f"Resuming the upload at {_percent(offset, total)}.")
            is_resumed = is_reported = False
            while offset < total:
                if on_progress is not None:
                    on_progress(offset, total)
                offset = _append(connection, memory[key], file, offset, on_progress)
            return memory[key]
        except (Unavailable, TooSlow, WrongState, NotFound) as failure:
            if failure.code == ErrorCode.WAIT_TIMED_OUT or (
                isinstance(failure, WrongState) and failure.code not in MENDING
            ):
                raise
            if not is_reported:
                say(f"The upload was interrupted: {failure.detail} Trying again …")
            is_reported = True
            offset = _known_offset(connection, memory.get(key))
            failures, best = (0, offset) if offset > best else (failures + 1, best)
            if failures >= PATIENCE:
                share = f" {_percent(offset, total)} are uploaded." if offset > 0 else ""
                raise Unavailable(
                    f"The upload was interrupted: {failure}{share} Run the same command again to"
                    " resume it.",
                    code=ErrorCode.UPLOAD_INTERRUPTED,
                ) from failure
            pause(failures)


def _named(connection: Connection, method: str, path: str, document: Document) -> httpx2.Response:
    """Sends a document that names an upload in place of a file: the server assembles the pieces,
    and answers as if it had received the file."""
    body = json.dumps(document).encode()
    headers = {"Content-Type": "application/json", "Content-Length": str(len(body))}
    return connection.repeated(
        lambda: connection.upload(method, path, iter([body]), headers), attempts=1
    )


def patiently(call: Callable[[], httpx2.Response]) -> httpx2.Response:
    """Repeats a call that is safe to repeat until the server is reachable and free."""
    for failures in range(PATIENCE):
        try:
            return call()
        except Unavailable as failure:
            if failure.code == ErrorCode.WAIT_TIMED_OUT:
                raise
            pause(failures)
        except WrongState as refusal:
            if refusal.code != ErrorCode.UPLOAD_BUSY:
                raise
            pause(failures)
    return call()


def _offset(connection: Connection, total: int, *, key: str, memory: Memory) -> int:
    """The offset in bytes of the remembered upload; creates a new upload if none is remembered."""
    if key in memory:
        try:
            found = _settled(connection, memory[key])
            if found["length"] == total:
                return int(found["offset"])
        except NotFound:
            # The upload has expired, or belongs to another account.
            pass
    headers = {"Upload-Length": str(total)}
    created: Document = connection.json("POST", f"{PREFIX}/uploads", headers=headers)
    memory[key] = created["id"]
    return 0


def _append(
    connection: Connection, upload_id: str, file: Path, start: int, on_progress: Progress | None
) -> int:
    total = file.stat().st_size
    stop = min(start + REQUEST_BYTES, total)
    headers = {
        "Upload-Offset": str(start),
        "Content-Type": "application/partial-upload",
        "Content-Length": str(stop - start),
    }
    path = f"{PREFIX}/uploads/{segment(upload_id)}"
    content = pieces_of(file, on_progress, start=start, stop=stop)
    answer = connection.upload("PATCH", path, content, headers)
    return int(answer.headers["upload-offset"])


def _settled(connection: Connection, upload_id: str) -> Document:
    """Returns the upload once no broken connection of an earlier call writes to it any more."""
    found = _look(connection, upload_id)
    deadline = time.monotonic() + BUSY_SECONDS
    while found["busy"] and time.monotonic() < deadline:
        time.sleep(BUSY_POLL_SECONDS)
        found = _look(connection, upload_id)
    return found


def _look(connection: Connection, upload_id: str) -> Document:
    found: Document = connection.json("GET", f"{PREFIX}/uploads/{segment(upload_id)}")
    return found


def _known_offset(connection: Connection, upload_id: str | None) -> int:
    """Returns the offset, or -1 while it is unknown."""
    if upload_id is None:
        return -1
    try:
        return int(_look(connection, upload_id)["offset"])
    except (Unavailable, NotFound):
        return -1


def _percent(offset: int, total: int) -> str:
    return f"{100 * offset // total} %"
