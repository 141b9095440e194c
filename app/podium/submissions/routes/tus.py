"""The headers of uploads, in two protocols at once: tus 1.0, and the IETF's draft of resumable
uploads (draft-ietf-httpbis-resumable-upload, interop version 8)."""

from __future__ import annotations

from datetime import datetime
from email.utils import format_datetime

from fastapi import Request
from starlette.datastructures import MutableHeaders
from starlette.types import Message, Receive, Scope, Send

from podium.core.models import Upload
from podium.errors import PreconditionFailed
from podium.errors.codes import ErrorCode
from podium.http.streaming.strict_json import StrictRoute
from podium.submissions.service import uploads

VERSION = "1.0.0"

EXTENSIONS = "creation,creation-defer-length,creation-with-upload,expiration,termination"


class TusRoute(StrictRoute):
    """A route whose every answer, a refusal included, says that it speaks tus."""

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""

        async def send_with_version(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["Tus-Resumable"] = VERSION
                if message["status"] == PreconditionFailed.CODE.statuses[0]:
                    headers["Tus-Version"] = VERSION
            await send(message)

        await super().handle(scope, receive, send_with_version)


def refuse_other_version(request: Request) -> None:
    """Raises `PreconditionFailed` (`tus-version`) for a client that speaks another tus."""
    if request.headers.get("tus-resumable", VERSION) != VERSION and request.method != "OPTIONS":
        raise PreconditionFailed(
            f"Uploads are served by version {VERSION} of tus.", code=ErrorCode.TUS_VERSION
        )


def discovery_headers(max_bytes: int | None) -> dict[str, str]:
    """The headers by which a client finds out what it may do; `max_bytes` is known where it is
    known who asks."""
    headers = {
        "Tus-Version": VERSION,
        "Tus-Extension": EXTENSIONS,
        "Upload-Limit": "min-size=0" if max_bytes is None else f"max-size={max_bytes}",
        "Allow": "GET, HEAD, OPTIONS, POST",
    }
    return headers if max_bytes is None else headers | {"Tus-Max-Size": str(max_bytes)}


def upload_headers(upload: Upload, *, now: datetime) -> dict[str, str]:
    """The headers that say how far an upload has come, its limits, and until when it is kept."""
    left = max(0, int((upload.expires_at - now).total_seconds()))
    headers = {
        "Upload-Offset": str(upload.received),
        "Upload-Complete": "?1" if uploads.is_complete(upload) else "?0",
        "Upload-Limit": f"max-size={upload.max_bytes}, max-age={left}",
        "Upload-Expires": format_datetime(upload.expires_at, usegmt=True),
    }
    if upload.length is None:
        headers["Upload-Defer-Length"] = "1"
    else:
        headers["Upload-Length"] = str(upload.length)
    if upload.tus_metadata:
        headers["Upload-Metadata"] = upload.tus_metadata
    return headers
