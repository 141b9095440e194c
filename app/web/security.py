"""What is true of every request: an id, a bounded body, and headers that forbid surprises.

Pure ASGI, because it must act before anything reads the body.
"""

from __future__ import annotations

import re
from typing import Any

import structlog
import uuid_utils
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.web.early_answers import answering_early
from app.web.errors import problem_response

MAX_JSON_BYTES = 1 << 20
"""Bodies of all routes but the raw ones."""

MAX_TARGET_BYTES = 8 << 10
"""Longest path with query; longer is 414."""

RAW_ROUTES = re.compile(
    r"^/api/v1/(competitions/[^/]+/submissions"
    r"|admin/competitions/[^/]+/(ground-truth|published-ids|files/[^/]+))$"
)
"""Routes that stream their body and count it themselves."""

CONTENT_SECURITY_POLICY = "default-src 'self'; frame-ancestors 'none'; base-uri 'none'"

DOCUMENTATION_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline';"
    " img-src 'self' data:; worker-src blob:; frame-ancestors 'none'; base-uri 'none'"
)
"""The generated API pages start themselves with an inline script."""


class BodyTooLarge(HTTPException):
    """More than `MAX_JSON_BYTES` came on a route that takes JSON.

    An HTTPException, because the framework turns every other error of a body's reading into 400.
    """

    def __init__(self) -> None:
        super().__init__(
            413, f"This route takes at most {MAX_JSON_BYTES} bytes.", {"Connection": "close"}
        )


class EdgeMiddleware:
    """Gives requests an id, refuses what no route may see, bounds bodies, sets headers."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request_id = str(uuid_utils.uuid7())
        scope.setdefault("state", {})["request_id"] = request_id
        structlog.contextvars.bind_contextvars(request_id=request_id)
        receive, send = answering_early(scope, receive, send)

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                _set_headers(MutableHeaders(scope=message), scope["path"], request_id)
            await send(message)

        try:
            refusal = _refusal(scope)
            if refusal is not None:
                await refusal(scope, receive, send_with_headers)
                return
            limited = receive if _is_raw(scope) else _bounded(receive)
            await self.app(scope, limited, send_with_headers)
        finally:
            structlog.contextvars.clear_contextvars()


def _is_raw(scope: Scope) -> bool:
    return RAW_ROUTES.match(scope["path"]) is not None and scope["method"] in ("POST", "PUT")


def _refusal(scope: Scope) -> Any | None:
    """An answer for requests that no route may see, or None."""
    request = Request(scope)
    headers = Headers(scope=scope)
    if len(scope.get("raw_path", b"")) + len(scope["query_string"]) > MAX_TARGET_BYTES:
        return problem_response(
            request, status=414, code="uri-too-long", detail="The address is too long."
        )
    if "\x00" in scope["path"]:
        return problem_response(request, status=404, code="not-found", detail="Not Found")
    if b"%00" in scope["query_string"]:
        return problem_response(
            request, status=422, code="invalid", detail="The query holds a NUL character."
        )
    if headers.get("content-encoding", "identity") != "identity":
        return problem_response(
            request,
            status=415,
            code="content-encoding",
            detail="Content-Encoding is not taken. Send a compressed file as the body itself.",
        )
    length = headers.get("content-length", "0")
    if not _is_raw(scope) and length.isdigit() and int(length[:20]) > MAX_JSON_BYTES:
        return problem_response(
            request,
            status=413,
            code="too-large",
            detail=f"This route takes at most {MAX_JSON_BYTES} bytes.",
            headers={"Connection": "close"},
        )
    return None


def _bounded(receive: Receive) -> Receive:
    taken = 0

    async def receive_counted() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > MAX_JSON_BYTES:
            raise BodyTooLarge()
        return message

    return receive_counted


def _set_headers(headers: MutableHeaders, path: str, request_id: str) -> None:
    is_documentation = path in ("/docs", "/redoc")
    headers["X-Request-ID"] = request_id
    headers["X-Content-Type-Options"] = "nosniff"
    headers["Referrer-Policy"] = "same-origin"
    headers["Content-Security-Policy"] = (
        DOCUMENTATION_POLICY if is_documentation else CONTENT_SECURITY_POLICY
    )
    if path.startswith("/api/"):
        headers.setdefault("Cache-Control", "no-store")
