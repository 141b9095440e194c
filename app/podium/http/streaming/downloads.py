"""Downloads of stored files: whole or one range of bytes, never rendered by a browser."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from fastapi import Request, Response
from starlette.exceptions import HTTPException

from podium.core.access import Actor
from podium.errors import QuotaExhausted, StoredFileCorrupt, Unavailable
from podium.errors.codes import ErrorCode
from podium.http.middleware.proxies import network_of
from podium.http.schemas import OCTETS
from podium.http.streaming.seats import Room, SeatedResponse, Seats
from podium.storage import Area, Storage

SINGLE_RANGE = re.compile(r"^bytes=(\d{0,18})-(\d{0,18})$")
"""One range. Anything else, thousands of ranges included, is answered with the whole file, as
RFC 9110 allows."""

BUSY_SECONDS = 10
"""Seconds after which a refused client may try again."""

Pieces = Callable[[int, int], Iterator[bytes]]
"""Reads from a first byte to before a last one, in pieces."""


@dataclass(frozen=True, slots=True)
class Download:
    """The content of a download and its file name; `sha256` is also the `ETag`."""

    area: Area
    sha256: str
    size: int
    name: str


@dataclass(frozen=True, slots=True)
class DownloadSeats:
    """The seats of all streamed answers: each holds a piece or two, and a file descriptor, for as
    long as its client likes. A class behind one address is many accounts."""

    accounts: Seats
    addresses: Seats
    """Seats of anonymous visitors, by address."""


def media_type_for(request: Request, own: str, *, plain: str) -> str:
    """Chooses the type of an answer: its own, or a plainer one where the client accepts nothing
    else, as generated clients with few known types do."""
    return plain if request.headers.get("accept") == plain else own


def seats_for_downloads(*, per_account: int, per_address: int, all_together: int) -> DownloadSeats:
    """Creates the seats of one process, by the operator's settings."""

    def refuse_account() -> QuotaExhausted:
        return _too_many(per_account, "for your account")

    def refuse_address() -> QuotaExhausted:
        return _too_many(per_address, "from your network address")

    def refuse_all() -> Unavailable:
        return Unavailable(
            "Too many downloads are in progress. Try again shortly.",
            code=ErrorCode.BUSY,
            retry_after=BUSY_SECONDS,
        )

    room = Room(all_together)
    return DownloadSeats(
        Seats(each=per_account, room=room, refuse_one=refuse_account, refuse_all=refuse_all),
        Seats(each=per_address, room=room, refuse_one=refuse_address, refuse_all=refuse_all),
    )


def _too_many(number: int, whose: str) -> QuotaExhausted:
    running = "1 download is" if number == 1 else f"{number} downloads are"
    return QuotaExhausted(
        f"{running} already running {whose}. Wait until one has finished.",
        code=ErrorCode.TOO_MANY_DOWNLOADS,
        retry_after=BUSY_SECONDS,
    )


def streamed(
    request: Request,
    actor: Actor | None,
    pieces: Iterator[bytes],
    *,
    headers: Mapping[str, str],
    media_type: str,
    status: int = 200,
) -> Response:
    """Builds a streamed answer; it waits for a client that reads slowly, and is refused where too
    many are under way, for this account (an anonymous visitor's address) or in all."""
    seats: DownloadSeats = request.app.state.downloads
    address = network_of(request.client.host) if request.client else ""
    return SeatedResponse(
        pieces,
        status,
        headers,
        media_type=media_type,
        seats=seats.addresses if actor is None else seats.accounts,
        who=address if actor is None else actor.user_id,
    )


def send_file(
    request: Request, actor: Actor | None, storage: Storage, download: Download
) -> Response:
    """Answers 200, 206, 304 or 416, by `Range`, `If-Range` and `If-None-Match`. Raises
    `StoredFileCorrupt` when the store does not have these bytes."""

    def read(start: int, stop: int) -> Iterator[bytes]:
        return storage.read(download.area, download.sha256, start, stop)

    etag = f'"{download.sha256}"'
    known = unchanged(request, download.name, etag=etag)
    if known is not None:
        return known
    if storage.size(download.area, download.sha256) != download.size:
        raise StoredFileCorrupt("The stored file is not as it was. The operator has to look.")
    return send_parts(request, actor, download.name, etag=etag, size=download.size, read=read)


def unchanged(request: Request, name: str, *, etag: str) -> Response | None:
    """Answers 304 where the client has the file already; None otherwise."""
    if not names_tag(request.headers.get("if-none-match"), etag):
        return None
    return Response(status_code=304, headers=_headers_of(name, etag))


def send_parts(
    request: Request,
    actor: Actor | None,
    name: str,
    *,
    etag: str,
    size: int,
    read: Pieces,
    media_type: str = OCTETS,
) -> Response:
    """Answers 200, 206 or 416 for any file that can be read from any of its bytes on."""
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
    return streamed(request, actor, pieces, headers=headers, media_type=media_type, status=status)


def attachment_headers(name: str) -> dict[str, str]:
    """Builds headers that cause every browser to save the file instead of showing it.

    `name` is ASCII without quotes: `materials.service.data_files` ensures this for names that
    people choose.
    """
    return {
        "Content-Disposition": f'attachment; filename="{name}"',
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "no-cache",
    }


def _headers_of(name: str, etag: str) -> dict[str, str]:
    return attachment_headers(name) | {"ETag": etag, "Accept-Ranges": "bytes"}


def names_tag(header: str | None, etag: str) -> bool:
    """True if an `If-None-Match` header includes this tag, weakly compared."""
    if header is None:
        return False
    tags = [part.strip().removeprefix("W/") for part in header.split(",")]
    return etag in tags or tags == ["*"]


def _wanted(request: Request, etag: str, size: int) -> tuple[int, int] | None:
    """Parses the range to (start, stop), empty where it lies outside; None for the whole file."""
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
