"""Compresses text for clients that accept gzip: pages, styles, scripts, boards.

Only complete answers, so that streams are never delayed: live events and downloads are sent
unchanged. A secret never shares an answer with text that another site could have injected: their
forms are refused, and addresses are not repeated on pages that show a secret. Pure ASGI.
"""

from __future__ import annotations

import gzip
from functools import lru_cache

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from podium.http.middleware.early_answers import first_value

MIN_BYTES = 1 << 10
"""Smaller bodies fit into a packet or two anyway."""

LEVEL = 6

KINDS = frozenset(
    {"text/html", "text/css", "text/javascript", "text/csv", "image/svg+xml"}
    | {"application/json", "application/atom+xml"}
)


def takes_gzip(scope: Scope) -> bool:
    """True if the client accepts gzip."""
    return _names_gzip(first_value(scope, b"accept-encoding") or b"")


@lru_cache(maxsize=256)
def _names_gzip(accepted: bytes) -> bool:
    text = accepted.decode("latin-1")
    codings = (part.strip().lower().partition(";") for part in text.split(","))
    return any(name.strip() == "gzip" and not _is_zero(rest) for name, _, rest in codings)


class Compression:
    """Compresses the answers of the application that follows."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Compresses the answer where client and content allow it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        await self.app(scope, receive, _CompressibleAnswer(send, wanted=takes_gzip(scope)).send)


class _CompressibleAnswer:
    """One answer on its way out: its head waits for the body if that may be compressed."""

    def __init__(self, send: Send, *, wanted: bool) -> None:
        self._send = send
        self._wanted = wanted
        self._start: Message | None = None

    async def send(self, message: Message) -> None:
        """Passes a message on; holds the head back until it is decided whether the body is
        compressed."""
        if message["type"] == "http.response.start" and _may_be_compressed(message):
            MutableHeaders(scope=message).add_vary_header("Accept-Encoding")
            if self._wanted:
                self._start = message
                return
        if self._start is not None and message["type"] == "http.response.body":
            start, self._start = self._start, None
            message = _compressed(start, message)
            await self._send(start)
        await self._send(message)


def _may_be_compressed(start: Message) -> bool:
    headers = Headers(raw=start["headers"])
    kind = headers.get("content-type", "").partition(";")[0]
    # A strong tag promises identical bytes.
    has_strong_tag = headers.get("etag", "W/").startswith('"')
    return kind in KINDS and "content-encoding" not in headers and not has_strong_tag


def _compressed(start: Message, message: Message) -> Message:
    body = message.get("body", b"")
    if message.get("more_body", False) or len(body) < MIN_BYTES:
        return message
    # No time in it: the same text becomes the same bytes.
    smaller = gzip.compress(body, LEVEL, mtime=0)
    headers = MutableHeaders(scope=start)
    headers["Content-Encoding"] = "gzip"
    headers["Content-Length"] = str(len(smaller))
    return {**message, "body": smaller}


def _is_zero(parameters: str) -> bool:
    name, _, value = parameters.strip().partition("=")
    return name.strip() == "q" and value.strip().rstrip("0").rstrip(".") in ("", "0")
