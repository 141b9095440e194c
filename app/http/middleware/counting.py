"""Counts requests by route and outcome, their duration and the bytes that came with them: in this
process, reported to Prometheus beside the rows' numbers.

Pure ASGI. `Counting` is the outermost of our layers, so that refusals of middleware count too;
`Naming` is close to the routes, where it is known which one it was. Labels are operation ids,
names of pages and statuses: what clients make up never becomes a label.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from starlette.types import ASGIApp, Message, Receive, Scope, Send

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"})

SECONDS = (0.005, 0.025, 0.1, 0.5, 2.0, 10.0, 60.0, 600.0)
"""Bounds that are told apart; few, since every route has them all."""

CUT = "cut"
"""Instead of a status, where the client went away before there was one."""

NO_ROUTE = "-"
"""The route of answers that met none: kept ones, files of the pages, refusals by middleware."""

_ROUTE = "route"


def route_of(state: Mapping[str, Any]) -> str:
    """The route that a request met, as a label; to be asked once it was answered."""
    return str(state.get(_ROUTE, NO_ROUTE))


class RequestCounts:
    """The counters of one application."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._requests = Counter(
            "podium_http_requests",
            "Requests by route and status.",
            ["method", "route", "status"],
            registry=self.registry,
        )
        self._seconds = Histogram(
            "podium_http_request_seconds",
            "From the head of a request to the end of its answer.",
            ["route"],
            buckets=SECONDS,
            registry=self.registry,
        )
        self._bytes = Counter(
            "podium_http_request_body_bytes",
            "Bytes of bodies that came.",
            ["route"],
            registry=self.registry,
        )
        self.under_way = Gauge(
            "podium_http_requests_under_way", "Requests without an end.", registry=self.registry
        )

        # The library looks labels up by their text, anew each time.
        self._series: dict[tuple[str, str, str], tuple[Counter, Histogram]] = {}

    def count(self, request: Counted, route: str) -> None:
        """One request has ended."""
        key = request.method, route, request.status
        if key not in self._series:
            self._series[key] = self._requests.labels(*key), self._seconds.labels(route)
        requests, seconds = self._series[key]
        requests.inc()
        seconds.observe(time.perf_counter() - request.started)
        if request.body_bytes:
            self._bytes.labels(route).inc(request.body_bytes)


@dataclass(slots=True)
class Counted:
    """One request on its way."""

    method: str
    started: float
    status: str = CUT
    body_bytes: int = 0


class Counting:
    """Counts every request."""

    def __init__(self, app: ASGIApp, *, counts: RequestCounts) -> None:
        self.app = app
        self._counts = counts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        method = scope["method"] if scope["method"] in METHODS else "other"
        request = Counted(method, time.perf_counter())
        # Layers in between copy the scope, but never what is in it.
        state: dict[str, Any] = scope.setdefault("state", {})

        async def receive_counted() -> Message:
            message = await receive()
            request.body_bytes += len(message.get("body", b""))
            return message

        async def send_counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                request.status = str(message["status"])
            await send(message)

        self._counts.under_way.inc()
        try:
            await self.app(scope, receive_counted, send_counted)
        finally:
            self._counts.under_way.dec()
            self._counts.count(request, route_of(state))


class Naming:
    """Takes down which route a request met."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one request."""
        try:
            await self.app(scope, receive, send)
        finally:
            route = scope.get("route")
            name = getattr(route, "operation_id", None) or getattr(route, "name", None)
            if name and "state" in scope:
                scope["state"][_ROUTE] = name
