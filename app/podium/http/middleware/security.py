"""Gives every request an id, a limited body, and security headers.

Pure ASGI, because it must act before anything reads the body.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from urllib.parse import urlsplit

import structlog
import uuid_utils
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from podium.errors.codes import ErrorCode, OurCode
from podium.http.errors import problem_response
from podium.http.middleware.allowances import MAX_JSON_BYTES, bounded
from podium.http.middleware.draining import Draining
from podium.http.middleware.early_answers import answering_early, first_value
from podium.http.middleware.head_requests import answer_head
from podium.http.middleware.proxies import Network, believed, is_own_host
from podium.http.middleware.transport import Transport

MAX_TARGET_BYTES = 8 << 10
"""Longest path with query; longer is 414."""

MAX_HEADERS = 100

MAX_HEADER_BYTES = 32 << 10
"""All names and values of a head together; more is 431."""

PROBES = ("/healthz", "/readyz", "/metrics")
"""Addresses that machines request, under whatever host name they use."""

SECRET_PATHS = (
    *("/links/", "/api/v1/links/"),
    *("/sign-up/requests/", "/api/v1/sign-up/requests/"),
    *("/mail-links/", "/api/v1/mail-links/"),
)
"""Addresses that are secrets themselves: they are stored and logged nowhere."""

Refused = tuple[int, OurCode, str]
"""Status, code and detail of a refusal."""

CLOSING = (400, 405, 413, 431)
"""Refusals after which a connection cannot be trusted, or would go on with an unwanted body."""

PAGES_POLICY = (
    b"default-src 'self'; object-src 'none'; form-action 'self'; frame-ancestors 'none';"
    b" base-uri 'none'"
)

REFERENCE_POLICY = (
    b"default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:;"
    b" object-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
"""Swagger UI draws its own styles and pictures; its script is one of our files."""

REDOC_POLICY = (
    b"default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline';"
    b" img-src 'self' data:; worker-src blob:; frame-ancestors 'none'; base-uri 'none'"
)
"""This page is generated, and starts itself with an inline script."""

POLICIES = {"/docs": REFERENCE_POLICY, "/redoc": REDOC_POLICY}
"""The content security policies of pages that need another one than all others."""

FIXED = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    # No other site shares a process, a window or an image with ours.
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (
        b"permissions-policy",
        b"camera=(), display-capture=(), geolocation=(), hid=(), microphone=(), midi=(),"
        b" payment=(), serial=(), usb=()",
    ),
)
"""Security headers that every answer has, with the same values."""

GUARDED = frozenset(
    {b"x-request-id", b"referrer-policy", b"content-security-policy"} | {name for name, _ in FIXED}
)
"""Headers that routes cannot set."""

SINGLE = frozenset({b"authorization", b"content-type", b"idempotency-key", b"origin"})
"""Fields that decide, and of which two could be read differently by two servers in a row."""

CACHE_CONTROL = b"cache-control"

RawHeaders = list[tuple[bytes, bytes]]


class Security:
    """Gives requests an id, refuses those that no route may see, limits bodies, sets headers."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        is_stopping: threading.Event,
        base_url: str = "",
        trusted_proxies: Sequence[Network] = (),
    ) -> None:
        self.app = app
        self._draining = Draining(is_stopping)
        self._own_address = base_url
        self._trusted_proxies = trusted_proxies
        self._transport = Transport(base_url, trusted_proxies)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Checks one request, and adds the headers to its answer."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        arrived = scope
        scope = believed(arrived, self._trusted_proxies)
        request_id = str(uuid_utils.uuid7())
        scope.setdefault("state", {})["request_id"] = request_id
        structlog.contextvars.bind_contextvars(request_id=request_id)
        receive, send = answering_early(scope, receive, send)

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = _guarded(message["headers"], scope["path"], request_id)
                if (policy := self._transport.policy(scope)) is not None:
                    headers.append((b"strict-transport-security", policy))
                message = {**message, "headers": headers}
            await send(message)

        try:
            self._transport.watch_for_proxy(arrived)
            refusal = _refusal(scope, self._own_address, self._transport, arrived)
            if refusal is not None:
                await refusal(scope, receive, send_with_headers)
                return
            limited = bounded(scope, self._draining.giving_up(receive))
            if scope["method"] == "HEAD":
                await answer_head(self.app, scope, limited, send_with_headers)
            else:
                await self.app(scope, limited, send_with_headers)
        finally:
            structlog.contextvars.clear_contextvars()


def _refusal(
    scope: Scope, own_address: str, transport: Transport, arrived: Scope
) -> Response | None:
    """Builds the answer for requests that no route may see; None for others."""
    refused = (
        _refused_head(scope)
        or _refused_host(scope, own_address)
        or transport.refused_token(scope, arrived=arrived)
        or _refused_address(scope)
        or _refused_body(scope)
    )
    if refused is None:
        return None
    status, code, detail = refused
    headers = {"Connection": "close"} if status in CLOSING else {}
    if status == 405:
        headers["Allow"] = "GET, HEAD, POST, PUT, PATCH, DELETE"
    return problem_response(
        Request(scope), status=status, code=code, detail=detail, headers=headers
    )


def _refused_head(scope: Scope) -> Refused | None:
    headers = scope["headers"]
    size = sum(len(name) + len(value) for name, value in headers)
    if len(headers) > MAX_HEADERS or size > MAX_HEADER_BYTES:
        return 431, ErrorCode.HEAD_TOO_LONG, "The head of the request is too long."
    names = [name for name, _ in headers]
    if b"content-length" in names and b"transfer-encoding" in names:
        # Two servers in a row could see two different requests in it.
        return (
            400,
            ErrorCode.BAD_REQUEST,
            "Content-Length and Transfer-Encoding exclude each other.",
        )
    twice = sorted(name for name in SINGLE if names.count(name) > 1)
    if twice:
        field = twice[0].decode("ascii").title()
        return 400, ErrorCode.BAD_REQUEST, f"The field {field} is there twice. Send it once."
    if scope["method"] in ("CONNECT", "TRACE"):
        return 405, ErrorCode.METHOD_NOT_ALLOWED, "This method is not served here."
    return None


def _refused_host(scope: Scope, own_address: str) -> Refused | None:
    own_host = urlsplit(own_address).netloc
    if not own_host or scope["path"] in PROBES:
        return None
    host = Headers(scope=scope).get("host", "")
    if is_own_host(host, own_host):
        return None
    # A name of another owner that resolves here: their page would be of the same origin as ours.
    return 421, ErrorCode.WRONG_HOST, f"This installation has another name: use {own_address}."


def _refused_address(scope: Scope) -> Refused | None:
    if len(scope.get("raw_path", b"")) + len(scope["query_string"]) > MAX_TARGET_BYTES:
        return 414, ErrorCode.URI_TOO_LONG, "The address is too long."
    if "\x00" in scope["path"]:
        return 404, ErrorCode.NOT_FOUND, "Not Found"
    if b"%00" in scope["query_string"]:
        return 422, ErrorCode.INVALID, "The query holds a NUL character."
    return None


def _refused_body(scope: Scope) -> Refused | None:
    coding = first_value(scope, b"content-encoding") or b"identity"
    if coding.lower() != b"identity":
        detail = "Content-Encoding is not taken. Send a compressed file as the body itself."
        return 415, ErrorCode.CONTENT_ENCODING, detail
    length = first_value(scope, b"content-length") or b"0"
    is_unwanted = scope["method"] in ("GET", "HEAD")
    if is_unwanted and length.isdigit() and int(length) > MAX_JSON_BYTES:
        return 413, ErrorCode.TOO_LARGE, "This method takes no body."
    return None


def _guarded(headers: RawHeaders, path: str, request_id: str) -> RawHeaders:
    """Adds our headers to those of an answer, replacing any of the same name."""
    is_secret = path.startswith(SECRET_PATHS)
    ours = [
        (b"x-request-id", request_id.encode("ascii")),
        *FIXED,
        (b"referrer-policy", _referrers(path) if is_secret else b"same-origin"),
        (b"content-security-policy", POLICIES.get(path, PAGES_POLICY)),
    ]
    kept = [header for header in headers if header[0] not in GUARDED]
    # An answer is stored only if it allows that: any other may depend on the caller.
    if is_secret:
        kept = [header for header in kept if header[0] != CACHE_CONTROL]
    if not any(name == CACHE_CONTROL for name, _ in kept):
        ours.append((CACHE_CONTROL, b"no-store"))
    return kept + ours


def _referrers(path: str) -> bytes:
    # The address itself is sent to no other site. With “no-referrer” a form would not even name
    # its own site as its origin.
    return b"no-referrer" if path.startswith("/api/") else b"strict-origin"
