"""Stored files going out: whole or one range of bytes, never rendered by a browser."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from fastapi import Request, Response
from starlette.exceptions import HTTPException

from app.errors import QuotaExhausted, StoredFileCorrupt, Unavailable
from app.storage import Area, Storage
from app.web.bodies.seats import SeatedResponse, Seats
from app.web.edge.proxies import network_of

SINGLE_RANGE = re.compile(r"^bytes=(\d{0,18})-(\d{0,18})$")
"""One range. Anything else, thousands of ranges included, is answered with the whole file, as
RFC 9110 allows."""

BUSY_SECONDS = 10
"""When whoever was sent away may try again."""

OCTETS = "application/octet-stream"

Pieces = Callable[[int, int], Iterator[bytes]]
"""Reads from a first byte to before a last one, in pieces."""


@dataclass(frozen=True, slots=True)
class Download:
    """What goes out under which name; `sha256` is also the `ETag`."""

    area: Area
    sha256: str
    size: int
    name: str


def seats_for_downloads(*, each: int, all_together: int) -> Seats:
    """Seats of everything that goes out piece by piece: each holds a piece or two, and a file
    descriptor, for as long as its client likes."""

    def refuse_one() -> QuotaExhausted:
        return QuotaExhausted(
            f"Your address gets {each} files at this moment already. Wait for one of them.",
            code="too-many-downloads",
            retry_after=BUSY_SECONDS,
        )

    def refuse_all() -> Unavailable:
        return Unavailable(
            "Too many download at this moment. Try again shortly.",
            code="busy",
            retry_after=BUSY_SECONDS,
        )

    return Seats(each=each, all_together=all_together, refuse_one=refuse_one, refuse_all=refuse_all)


def streamed(
    request: Request,
    pieces: Iterator[bytes],
    *,
    headers: Mapping[str, str],
    media_type: str,
    status: int = 200,
) -> Response:
    """An answer that goes out piece by piece; it waits for a client that reads slowly, and is
    refused where too many are under way, of this address or in all."""
    return SeatedResponse(
        pieces,
        status,
        headers,
        media_type=media_type,
        seats=request.app.state.downloads,
        who=network_of(request.client.host) if request.client else "",
    )


def send_file(request: Request, storage: Storage, download: Download) -> Response:
    """200, 206, 304 or 416, by `Range`, `If-Range` and `If-None-Match`. Raises `StoredFileCorrupt`
    when the store does not have these bytes."""

    def read(start: int, stop: int) -> Iterator[bytes]:
        return storage.read(download.area, download.sha256, start, stop)

    etag = f'"{download.sha256}"'
    known = unchanged(request, download.name, etag=etag)
    if known is not None:
        return known
    if storage.size(download.area, download.sha256) != download.size:
        raise StoredFileCorrupt("The stored file is not as it was. The operator has to look.")
    return send_parts(request, download.name, etag=etag, size=download.size, read=read)


def unchanged(request: Request, name: str, *, etag: str) -> Response | None:
    """A 304 where the client has the file already."""
    if not names_tag(request.headers.get("if-none-match"), etag):
        return None
    return Response(status_code=304, headers=_headers_of(name, etag))


def send_parts(
    request: Request,
    name: str,
    *,
    etag: str,
    size: int,
    read: Pieces,
    media_type: str = OCTETS,
) -> Response:
    """200, 206 or 416 for any file that can be read from any of its bytes on."""
    headers = _headers_of(name, etag)
    part = _wanted(request, etag, size)
    if part is None:
        start, stop, status = 0, size, 200
    elif part[0] >= part[1]:
        place = {"Content-Range": f"bytes */{size}"}
        raise HTTPException(416, f"The file has {size} bytes.", place)
    else:
        (start, stop), status = part, 206
        headers["Content-Range"] = f"bytes {start}-{stop - 1}/{size}"
    headers["Content-Length"] = str(stop - start)
    pieces = read(start, stop)
    return streamed(request, pieces, headers=headers, media_type=media_type, status=status)


def attachment_headers(name: str) -> dict[str, str]:
    """Headers that make every browser save the file instead of showing it.

    `name` is ASCII without quotes: `services.files` sees to it for names that people choose.
    """
    return {
        "Content-Disposition": f'attachment; filename="{name}"',
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "no-cache",
    }


def _headers_of(name: str, etag: str) -> dict[str, str]:
    return attachment_headers(name) | {"ETag": etag, "Accept-Ranges": "bytes"}


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
