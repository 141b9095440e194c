"""Stored files going out: whole or one range of bytes, never rendered by a browser."""

from __future__ import annotations

import re
from dataclasses import dataclass

from fastapi import Request, Response
from fastapi.responses import StreamingResponse
from starlette.exceptions import HTTPException

from app.errors import StoredFileCorrupt
from app.storage import Area, Storage

SINGLE_RANGE = re.compile(r"^bytes=(\d{0,18})-(\d{0,18})$")
"""One range. Anything else, thousands of ranges included, is answered with the whole file, as
RFC 9110 allows."""


@dataclass(frozen=True, slots=True)
class Download:
    """What goes out under which name; `sha256` is also the `ETag`."""

    area: Area
    sha256: str
    size: int
    name: str


def send_file(request: Request, storage: Storage, download: Download) -> Response:
    """200, 206, 304 or 416, by `Range`, `If-Range` and `If-None-Match`. Raises `StoredFileCorrupt`
    when the store does not have these bytes."""
    etag = f'"{download.sha256}"'
    headers = attachment_headers(download.name) | {"ETag": etag, "Accept-Ranges": "bytes"}
    if names_tag(request.headers.get("if-none-match"), etag):
        return Response(status_code=304, headers=headers)
    if storage.size(download.area, download.sha256) != download.size:
        raise StoredFileCorrupt("The stored file is not as it was. The operator has to look.")
    part = _wanted(request, etag, download.size)
    if part is None:
        start, stop, status = 0, download.size, 200
    elif part[0] >= part[1]:
        place = {"Content-Range": f"bytes */{download.size}"}
        raise HTTPException(416, f"The file has {download.size} bytes.", place)
    else:
        (start, stop), status = part, 206
        headers["Content-Range"] = f"bytes {start}-{stop - 1}/{download.size}"
    headers["Content-Length"] = str(stop - start)
    pieces = storage.read(download.area, download.sha256, start, stop)
    return StreamingResponse(pieces, status, headers, media_type="application/octet-stream")


def attachment_headers(name: str) -> dict[str, str]:
    """Headers that make every browser save the file instead of showing it.

    `name` is ASCII without quotes: `services.files` sees to it for names that people choose.
    """
    return {
        "Content-Disposition": f'attachment; filename="{name}"',
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "no-cache",
    }


def names_tag(header: str | None, etag: str) -> bool:
    """Whether an `If-None-Match` header holds this tag, weakly compared."""
    if header is None:
        return False
    tags = [part.strip().removeprefix("W/") for part in header.split(",")]
    return etag in tags or tags == ["*"]


def _wanted(request: Request, etag: str, size: int) -> tuple[int, int] | None:
    """The range as (start, stop), empty where it lies outside; None for the whole file."""
    match = SINGLE_RANGE.match(request.headers.get("range", ""))
    if match is None or request.headers.get("if-range", etag) != etag:
        return None
    first, last = match.groups()
    if first:
        stop = min(int(last) + 1, size) if last else size
        return None if last and int(last) < int(first) else (int(first), stop)
    if not last:
        return None
    return max(0, size - int(last)), size if int(last) else 0
