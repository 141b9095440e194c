"""A span for every request, where tracing is enabled; pure ASGI, and not installed otherwise."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from podium.http.middleware.counting import route_of
from podium.telemetry import Telemetry

UNTRACED = frozenset({"/healthz", "/readyz", "/metrics"})
"""Addresses that machines poll every few seconds, and that are of no interest."""

CONTEXT = ("traceparent", "tracestate")
"""Headers in which a client or a proxy names the trace of a request."""


class Traced:
    """Continues the trace that a request names, or begins one."""

    def __init__(self, app: ASGIApp, *, telemetry: Telemetry) -> None:
        self.app = app
        self._telemetry = telemetry

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Runs one request in a span."""
        if scope["type"] != "http" or scope["path"] in UNTRACED:
            await self.app(scope, receive, send)
            return
        state = scope["state"]
        method = scope["method"]
        headers = Headers(scope=scope)
        within = {name: headers[name] for name in CONTEXT if name in headers}
        with self._telemetry.span(method, of_request=state["request_id"], within=within) as span:

            async def send_watched(message: Message) -> None:
                if message["type"] == "http.response.start":
                    span.set(status=message["status"])
                await send(message)

            try:
                await self.app(scope, receive, send_watched)
            finally:
                span.name(f"{method} {route_of(state)}")
