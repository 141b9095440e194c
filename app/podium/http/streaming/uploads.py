"""Bodies of any size, streamed to storage: counted, hashed, limited, without an open transaction.

The raw body is the file. `multipart/form-data` is read only where a route asks for it, by
`form_bodies`. The content of the file is not interpreted here.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import hashlib
import math
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from fastapi import Request

from podium.errors import BadRequest, InvalidInput, refuse_large_file
from podium.errors.codes import ErrorCode
from podium.http.middleware.allowances import take_files
from podium.http.streaming.form_bodies import FORM_OVERHEAD_BYTES, form_body_of, is_form
from podium.http.streaming.pace import GRACE_SECONDS, PIECE_BYTES, Pace
from podium.http.threads import on_disk, with_store
from podium.storage import Stored, Writer

_DIGEST_MEMBER = re.compile(r'^([a-z*][a-z0-9_.*-]*)=:([A-Za-z0-9+/=]*):(?:;[^,"]*)?$')


class ContentDigest:
    """The SHA-256 that the client promises for the bytes of the body (RFC 9530), beside that of the
    bytes that come. Without a promise nothing is computed."""

    def __init__(self, promised: bytes | None = None) -> None:
        self._promised = promised
        self._found = hashlib.sha256()

    def update(self, block: bytes) -> None:
        """Adds the next bytes of the body."""
        if self._promised is not None:
            self._found.update(block)

    def compare(self) -> None:
        """Raises `InvalidInput` (`digest-mismatch`) where other bytes came than were promised."""
        if self._promised not in (None, self._found.digest()):
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


def content_digest(request: Request) -> ContentDigest:
    """Parses the `Content-Digest` header.

    Raises `BadRequest` when it is malformed or names no supported algorithm: ignoring it would let
    the client believe that the bytes had been compared.
    """
    values = request.headers.getlist("content-digest")
    if not values:
        return ContentDigest()
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


class IncomingBody:
    """The body of a request that is a file, piece by piece: paced, counted, limited.

    `refuse` raises where so many bytes are too many. It is read within `pace`, whose turn ends
    before what has come is written.
    """

    def __init__(self, request: Request, pace: Pace, refuse: Callable[[int], None]) -> None:
        take_files(request.scope)
        self.taken = self.waiting = 0
        self.more = True
        self.pace = pace
        self._receive = request.receive
        self._refuse = refuse
        self._blocks: list[bytes] = []

    @property
    def is_due(self) -> bool:
        """True if so many bytes wait that they should be written."""
        return self.waiting >= PIECE_BYTES

    async def read(self, *, rest_seconds: float = math.inf) -> bool:
        """Adds the next bytes; false where the client pauses for `rest_seconds`. Raises `TooSlow`,
        `BadRequest` (`upload-cut`), and what `refuse` raises."""
        came = await self.pace.next_piece(
            self._receive, taken=self.taken, rest_seconds=rest_seconds
        )
        if came is None:
            return False
        block, self.more = came
        self._refuse(self.taken + len(block))
        self.taken += len(block)
        self.waiting += len(block)
        self._blocks.append(block)
        return True

    def collected(self) -> list[bytes]:
        """Returns the blocks since the last call."""
        blocks, self._blocks, self.waiting = self._blocks, [], 0
        return blocks


async def receive_body(
    request: Request,
    writer: Writer,
    *,
    max_bytes: int,
    deadline_seconds: float,
    min_rate: int,
    digest: ContentDigest,
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
    writing = _Behind()
    try:
        fields = form_body_of(request, writer, max_bytes=max_bytes) if form else None
        write = writer.write if fields is None else fields.feed
        overhead = 0 if fields is None else FORM_OVERHEAD_BYTES
        refuse_large_file(announced_length(request) or 0, max_bytes=max_bytes)
        body = IncomingBody(
            request, pace, lambda size: refuse_large_file(size - overhead, max_bytes=max_bytes)
        )
        with pace:
            while body.more:
                await body.read()
                if body.is_due or not body.more:
                    pace.end_turn()
                    await writing.start(partial(_write, body.collected(), digest, write))
        await writing.end()
        digest.compare()
        if fields is None:
            return Received(body.taken)
        fields.finish()
        return Received(fields.file_bytes, fields.filename, fields.note)
    except BaseException:
        await writing.give_up()
        writer.abort()
        raise


def _write(
    blocks: Sequence[bytes], digest: ContentDigest, write: Callable[[bytes], object]
) -> None:
    block = b"".join(blocks)
    digest.update(block)
    write(block)


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
