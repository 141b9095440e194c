"""Bodies that name a finished upload instead of being the file."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Annotated, TypeVar

from fastapi import Request
from pydantic import Field
from starlette.types import Message, Receive

from podium.errors import BadRequest, TooSlow
from podium.errors.codes import ErrorCode
from podium.http import examples
from podium.http.middleware.allowances import take_files
from podium.http.schemas import Input, example
from podium.http.streaming.strict_json import document_in
from podium.http.streaming.uploads import content_digest

MAX_REFERENCE_BYTES = 64 << 10
"""The most bytes of the JSON that names an upload."""

MEMBER = b'"upload_id"'
"""The member that tells such JSON from a file."""

REFERENCE_SECONDS = 30.0


class FinishedUpload(Input):
    """The upload that a file is made of."""

    model_config = example(upload_id=examples.UPLOAD)

    upload_id: Annotated[str, Field(max_length=64)]
    """The id of an upload whose last byte has arrived."""
    sha256: Annotated[str | None, Field(pattern="^[0-9a-f]{64}$")] = None
    """The SHA-256 of the whole file, in hex; compared where it is given."""


class SubmittedUpload(FinishedUpload):
    """The upload that becomes a submission, and what comes with it."""

    model_config = example(upload_id=examples.UPLOAD, filename="submission.csv", note="v3")

    filename: str | None = None
    """Without one, that of `Upload-Metadata`."""
    note: str | None = None
    """As in the parameter `note`. Null: that parameter counts."""


Reference = TypeVar("Reference", bound=FinishedUpload)


async def reference_in(
    request: Request, kind: type[Reference], *, may_be_file: bool
) -> tuple[Reference | None, Request]:
    """The reference that the body is, or None and a request whose body is still unread.

    A `Content-Type` of JSON is not enough to believe it, because raw files may come with any: only
    a short object is a reference, and where a file may be such an object (`may_be_file`), only one
    that names an upload. Raises `BadRequest`, `WrongDocument` and `InvalidInput`
    (`digest-mismatch`).
    """
    content_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if content_type != "application/json":
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
    if not is_short or not _is_object(body) or (may_be_file and MEMBER not in body):
        return None, Request(request.scope, _again(messages, request.receive))
    digest = content_digest(request)
    digest.update(bytes(body))
    digest.compare()
    return _parsed(bytes(body), kind), request


def _is_object(body: bytearray) -> bool:
    return body.lstrip().startswith(b"{")


def _again(messages: Sequence[Message], receive: Receive) -> Receive:
    waiting = list(messages)

    async def receive_again() -> Message:
        return waiting.pop(0) if waiting else await receive()

    return receive_again


def _parsed(body: bytes, kind: type[Reference]) -> Reference:
    try:
        return document_in(body, kind)
    except json.JSONDecodeError as error:
        raise BadRequest(
            f"The body is not JSON that is taken here: {error}", code=ErrorCode.BAD_JSON
        ) from None
