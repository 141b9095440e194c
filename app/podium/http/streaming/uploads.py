"""Bodies of any size, streamed to storage: counted, hashed, limited, without an open transaction.

The raw body is the file. `multipart/form-data` is read only where a route asks for it, by
`form_bodies`. The content of the file is not interpreted here.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import hashlib
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

from fastapi import Request
from fastapi.concurrency import run_in_threadpool

from podium.application import Application
from podium.errors import BadRequest, InvalidInput, TooLarge
from podium.errors.codes import ErrorCode
from podium.http.middleware.allowances import take_files
from podium.http.streaming.form_bodies import FORM_OVERHEAD_BYTES, FormBody, form_body_of, is_form
from podium.http.streaming.pace import GRACE_SECONDS, PIECE_BYTES, Pace
from podium.http.threads import on_disk, with_store
from podium.logs import get_logger
from podium.storage import Area, Stored, Writer

_DIGEST_MEMBER = re.compile(r'^([a-z*][a-z0-9_.*-]*)=:([A-Za-z0-9+/=]*):(?:;[^,"]*)?$')

_log = get_logger("http")


@dataclass(frozen=True, slots=True)
class ContentDigest:
    """The SHA-256 that the client promises for the bytes of the body (RFC 9530)."""

    sha256: bytes

    def compare(self, found: bytes) -> None:
        """Raises `InvalidInput` (`digest-mismatch`) where the body's SHA-256 differs."""
        if found != self.sha256:
            raise InvalidInput(
                "The body's SHA-256 is not the one that Content-Digest promises. Send it again.",
                code=ErrorCode.DIGEST_MISMATCH,
            )


@dataclass(frozen=True, slots=True)
class Received:
    """The size of the received file, and the name and note beside it, where a form had them."""

    size: int
    filename: str | None = None
    note: str | None = None


def content_digest(request: Request) -> ContentDigest | None:
    """Parses the `Content-Digest` header; None without one.

    Raises `BadRequest` when it is malformed or names no supported algorithm: ignoring it would let
    the client believe that the bytes had been compared.
    """
    values = request.headers.getlist("content-digest")
    if not values:
        return None
    found: dict[str, str] = {}
    for member in ",".join(values).split(","):
        match = _DIGEST_MEMBER.match(member.strip())
        if match is None:
            raise BadRequest(
                "Content-Digest is malformed. Example: sha-256=:<base64 of 32 bytes>:",
                code=ErrorCode.BAD_DIGEST,
            )
        found[match[1]] = match[2]
    if "sha-256" not in found:
        raise BadRequest("Content-Digest must name sha-256.", code=ErrorCode.BAD_DIGEST)
    with suppress(binascii.Error):
        sha256 = base64.b64decode(found["sha-256"], validate=True)
        if len(sha256) == 32:
            return ContentDigest(sha256)
    raise BadRequest(
        "Content-Digest: sha-256 is not the base64 of 32 bytes.", code=ErrorCode.BAD_DIGEST
    )


def announced_length(request: Request) -> int | None:
    """Reads the file's length from `Content-Length`; for a form, a lower bound."""
    announced = request.headers.get("content-length", "")
    if not announced.isdigit():
        return None
    return max(0, int(announced) - (FORM_OVERHEAD_BYTES if is_form(request) else 0))


async def receive_body(
    request: Request,
    writer: Writer,
    *,
    max_bytes: int,
    deadline_seconds: float,
    min_rate: int,
    digest: ContentDigest | None = None,
    form: bool = False,
    grace_seconds: float = GRACE_SECONDS,
) -> Received:
    """Streams the body into `writer`, which the caller then finishes; aborts it on any error.

    `min_rate` is in bytes per second, on average after `grace_seconds`. With `form`, a
    `multipart/form-data` body is parsed and only its `file` is written. Raises `TooLarge`,
    `TooSlow`, `InvalidInput` (`digest-mismatch`), `BadRequest` (a malformed form, or `upload-cut`
    when the client disconnected) and what the writer raises.
    """
    pace = Pace(deadline_seconds=deadline_seconds, min_rate=min_rate, grace_seconds=grace_seconds)
    take_files(request.scope)
    writing = _Behind()
    try:
        body_form = form_body_of(request, writer, max_bytes=max_bytes) if form else None
        if (announced_length(request) or 0) > max_bytes:
            raise _too_large(max_bytes)
        intake = _Intake(writer, max_bytes, digest, body_form)
        more = True
        with pace:
            while more:
                piece, more = await pace.next_piece(request.receive, taken=intake.taken)
                intake.take(piece)
                if intake.waiting >= PIECE_BYTES or not more:
                    pace.end_turn()
                    await writing.start(partial(intake.write, intake.collected()))
        await writing.end()
        return intake.finish()
    except BaseException:
        await writing.give_up()
        writer.abort()
        raise


class _Behind:
    """Writes one piece after another in a thread, each while the next one is still arriving."""

    def __init__(self) -> None:
        self._task: asyncio.Task[None] | None = None

    async def start(self, work: Callable[[], None]) -> None:
        """Starts the next piece once the previous one is written. Raises the error of that one."""
        await self.end()
        self._task = asyncio.create_task(on_disk(work))

    async def end(self) -> None:
        """Waits for the piece that is being written. Raises its error."""
        if self._task is not None:
            # A thread cannot be stopped: a cancelled request waits for it all the same.
            await asyncio.shield(self._task)
            self._task = None

    async def give_up(self) -> None:
        """Waits until nothing is written any more, ignoring errors."""
        if self._task is not None:
            await asyncio.wait({self._task})
            if not self._task.cancelled():
                # Retrieved, or the loop complains of it; the first error is reported already.
                self._task.exception()


async def finished(writer: Writer) -> Stored:
    """Calls `writer.finish()` in a thread for the store, which may be slow. Raises what that
    raises."""
    return await with_store(writer.finish)


@dataclass
class _Intake:
    """Counts and collects pieces, which another thread writes."""

    writer: Writer
    max_bytes: int
    digest: ContentDigest | None
    form: FormBody | None
    taken: int = 0
    waiting: int = 0
    _pieces: list[bytes] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._hash = hashlib.sha256() if self.digest else None
        self._limit = self.max_bytes + (FORM_OVERHEAD_BYTES if self.form else 0)

    def take(self, piece: bytes) -> None:
        """Adds bytes; raises `TooLarge` as soon as they exceed the limit."""
        self.taken += len(piece)
        self.waiting += len(piece)
        if self.taken > self._limit:
            raise _too_large(self.max_bytes)
        self._pieces.append(piece)

    def collected(self) -> list[bytes]:
        """Returns the pieces since the last call."""
        pieces, self._pieces, self.waiting = self._pieces, [], 0
        return pieces

    def write(self, pieces: list[bytes]) -> None:
        """Joins, hashes and writes pieces."""
        block = b"".join(pieces)
        if self._hash is not None:
            self._hash.update(block)
        if self.form is not None:
            self.form.feed(block)
        elif block:
            self.writer.write(block)

    def finish(self) -> Received:
        """Compares the digest and describes the received file."""
        if self._hash is not None and self.digest:
            self.digest.compare(self._hash.digest())
        if self.form is None:
            return Received(self.taken)
        self.form.finish()
        return Received(self.form.file_bytes, self.form.filename, self.form.note)


def _too_large(max_bytes: int) -> TooLarge:
    return TooLarge(f"A file may have at most {max_bytes} bytes here.", max_bytes=max_bytes)


async def store_body(
    request: Request, application: Application, area: Area, *, max_bytes: int
) -> Stored:
    """Streams the body to storage and returns its hash and size; nothing remains after an error.

    The caller has checked before that this person may upload here.
    """
    digest = content_digest(request)
    settings = application.settings
    writer = await run_in_threadpool(application.storage.writer, area)
    await receive_body(
        request,
        writer,
        max_bytes=max_bytes,
        deadline_seconds=settings.upload_seconds,
        min_rate=settings.upload_min_bytes_per_second,
        digest=digest,
    )
    return await finished(writer)
