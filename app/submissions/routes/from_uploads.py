"""A submission that is made of a resumable upload: the way of a raw file, but for the bytes, which
are here already."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated

import anyio
from fastapi import Request
from fastapi.concurrency import run_in_threadpool
from fastapi.exceptions import RequestValidationError
from pydantic import Field, ValidationError
from starlette.types import Message, Receive

from podium.application import Application
from podium.core.access import Actor
from podium.core.database.engine import WriteSession
from podium.core.models import Submission
from podium.errors import BadRequest, InvalidInput, PodiumError, StoredFileCorrupt, TooSlow
from podium.errors.codes import ErrorCode
from podium.http.middleware.allowances import take_files
from podium.http.schemas import Input
from podium.http.streaming.strict_json import read_strictly
from podium.http.streaming.uploads import content_digest, heartbeat
from podium.http.threads import in_writing_thread, on_disk, with_store
from podium.logs import get_logger
from podium.storage import Stored, Writer
from podium.submissions.routes.admission import (
    accepted,
    give_up,
    renew_slot,
    rules_of,
    settle,
    writer_for,
)
from podium.submissions.routes.upload_pieces import HEARTBEATS_PER_LEASE, limits_of
from podium.submissions.rules import base_name, checked_note
from podium.submissions.service import composing, idempotency, submissions, uploads
from podium.submissions.service.composing import Piece
from podium.submissions.service.retention import remove_pieces
from podium.submissions.service.submissions import Admission
from podium.submissions.service.uploads import UploadLease
from podium.submissions.service.views import SubmissionView

MAX_REFERENCE_BYTES = 64 << 10
"""The most bytes of the JSON that names an upload."""

MEMBER = b'"upload_id"'
"""The member that tells such JSON from a file."""

REFERENCE_SECONDS = 30.0

_log = get_logger("submissions")


class UploadReference(Input):
    """Which upload becomes a submission, and what comes with it."""

    upload_id: Annotated[str, Field(max_length=64)]
    filename: str | None = None
    note: str | None = None
    sha256: Annotated[str | None, Field(pattern="^[0-9a-f]{64}$")] = None
    """The SHA-256 of the whole file, in hex; compared where it is given."""


async def reference_in(request: Request) -> tuple[UploadReference | None, Request]:
    """The reference that the body is, or None and a request whose body is still unread.

    A `Content-Type` of JSON is not enough to believe it, because raw files may come with any: only
    a short object that names an upload is a reference. Raises `BadRequest`,
    `RequestValidationError` and `InvalidInput` (`digest-mismatch`).
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        return None, request
    take_files(request.scope)
    body, messages, more = bytearray(), list[Message](), True
    try:
        async with asyncio.timeout(REFERENCE_SECONDS):
            while (
                more and len(body) <= MAX_REFERENCE_BYTES and (not body.strip() or _is_object(body))
            ):
                messages.append(await request.receive())
                body += messages[-1].get("body", b"")
                more = messages[-1].get("more_body", False)
    except TimeoutError:
        raise TooSlow("The body came too slowly. Send it again.") from None
    is_short = not more and len(body) <= MAX_REFERENCE_BYTES
    if not is_short or MEMBER not in body or not _is_object(body):
        return None, Request(request.scope, _again(messages, request.receive))
    digest = content_digest(request)
    if digest is not None:
        digest.compare(hashlib.sha256(body).digest())
    return _parsed(bytes(body)), request


def _is_object(body: bytearray) -> bool:
    return body.lstrip().startswith(b"{")


def _again(messages: Sequence[Message], receive: Receive) -> Receive:
    waiting = list(messages)

    async def receive_again() -> Message:
        return waiting.pop(0) if waiting else await receive()

    return receive_again


def _parsed(body: bytes) -> UploadReference:
    try:
        return UploadReference.model_validate(read_strictly(body))
    except json.JSONDecodeError as error:
        raise BadRequest(
            f"The body is no JSON that is taken here: {error}", code=ErrorCode.BAD_JSON
        ) from None
    except ValidationError as error:
        raise RequestValidationError(error.errors()) from None


@dataclass(frozen=True, slots=True)
class _Composing:
    """A file that may be made: its slot is reserved and its upload is held."""

    admission: Admission
    lease: UploadLease
    pieces: Sequence[Piece]


async def submit_upload(
    request: Request,
    app: Application,
    *,
    actor: Actor,
    slug: str,
    given: UploadReference,
    team_id: str | None,
) -> tuple[SubmissionView, bool]:
    """Makes a submission of a complete upload, and answers it with whether it had been made before.

    The same order as for a raw file: key, size, team, phase, quota; then the bytes. Raises what
    `submissions.admit` raises, `NotFound`, `WrongState` (`upload-incomplete`, `upload-busy`,
    `upload-used`, `upload-taken-over`) and `InvalidInput` (`digest-mismatch`).
    """
    texts = base_name(given.filename), checked_note(given.note)
    key = idempotency.checked_key(request.headers.get("idempotency-key"))
    begun = await in_writing_thread(partial(_begin, app, actor, slug, given, key, team_id))
    if isinstance(begun, str):
        return await run_in_threadpool(accepted, app, begun), True
    writer: Writer | None = None
    try:
        writer = await on_disk(partial(writer_for, app, begun.admission))
        async with heartbeat(
            lambda: _renew(app, begun),
            every_seconds=app.settings.upload_lease_seconds / HEARTBEATS_PER_LEASE,
        ):
            stored = await with_store(partial(_compose, app, begun, writer, given))
            made = await in_writing_thread(partial(_settle, app, actor, begun, stored, texts, key))
    except BaseException:
        # Not undone by a cancellation in the middle; should it fail, the leases end by themselves.
        with anyio.CancelScope(shield=True):
            await in_writing_thread(partial(_give_up, app, begun, writer))
        raise
    await with_store(partial(_clean_up, app, begun))
    return made


def _begin(
    app: Application,
    actor: Actor,
    slug: str,
    given: UploadReference,
    key: str | None,
    team_id: str | None,
) -> _Composing | str:
    """The upload to compose; or the id of the submission that it has become already."""
    with app.database.write(is_minor=True) as session:
        earlier, length = composing.earlier_submission(
            session, upload_id=given.upload_id, actor=actor, slug=slug
        )
        if earlier is not None:
            return earlier
        admission = submissions.admit(
            session,
            slug=slug,
            actor=actor,
            rules=rules_of(app),
            key=key,
            announced_bytes=length,
            team_id=team_id,
        )
        lease, pieces = composing.lease_whole(
            session, upload_id=given.upload_id, actor=actor, limits=limits_of(app)
        )
        return _Composing(admission, lease, pieces)


def _compose(app: Application, begun: _Composing, writer: Writer, given: UploadReference) -> Stored:
    try:
        composing.compose(app.storage, begun.pieces, writer, length=begun.lease.received)
    except StoredFileCorrupt:
        # An upload that is given up meanwhile loses its pieces under us; nothing is corrupt then.
        with app.database.write(is_minor=True) as session:
            uploads.still_held(session, lease=begun.lease)
        raise
    stored = writer.finish()
    if given.sha256 not in (None, stored.sha256):
        raise InvalidInput(
            "The SHA-256 of what was uploaded is another one. Upload the file again.",
            code=ErrorCode.DIGEST_MISMATCH,
        )
    return stored


def _settle(
    app: Application,
    actor: Actor,
    begun: _Composing,
    stored: Stored,
    texts: tuple[str, str],
    key: str | None,
) -> tuple[SubmissionView, bool]:
    def become(session: WriteSession, submission: Submission) -> None:
        composing.become(session, lease=begun.lease, submission=submission)

    made = settle(app, actor, begun.admission, stored, texts, key, also=become)
    if begun.admission.earlier is not None:
        _let_go(app, begun)
    return made


def _renew(app: Application, begun: _Composing) -> None:
    renew_slot(app, begun.admission)
    with app.database.write(is_minor=True) as session:
        uploads.renew(session, lease=begun.lease, limits=limits_of(app))


def _let_go(app: Application, begun: _Composing) -> None:
    with app.database.write(is_minor=True) as session:
        uploads.let_go(session, lease=begun.lease)


def _give_up(app: Application, begun: _Composing, writer: Writer | None) -> None:
    try:
        give_up(app, begun.admission, writer)
    finally:
        _let_go(app, begun)


def _clean_up(app: Application, begun: _Composing) -> None:
    if begun.admission.earlier is not None:
        return
    try:
        remove_pieces(app.database, app.storage, upload_id=begun.lease.upload_id)
    except PodiumError as error:
        # The submission stands; the next sweep removes the pieces.
        _log.warning("pieces.not-removed", upload=begun.lease.upload_id, code=error.code)
