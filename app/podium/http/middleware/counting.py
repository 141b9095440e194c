"""Counts requests by route and outcome, their duration and the bytes of their bodies: in this
process, exported to Prometheus beside the database's numbers.

Pure ASGI. `Counting` is the outermost of our layers, so that refusals of middleware count too;
`Naming` is close to the routes, where the route is known. Labels are operation ids, names of pages
and statuses: clients cannot create labels.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

from prometheus_client import CollectorRegistry, Metric
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
)
from starlette.types import ASGIApp, Message, Receive, Scope, Send

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"})

SECONDS = (0.005, 0.025, 0.1, 0.5, 2.0, 10.0, 60.0, 600.0)
"""Bounds of the histogram's buckets; few, since every route has them all."""

CUT = "cut"
"""The label in place of a status, where the client disconnected before there was one."""

NO_ROUTE = "-"
"""The label of answers without a route: cached ones, static files, refusals by middleware."""

_ROUTE = "route"


def route_of(state: Mapping[str, Any]) -> str:
    """Reads the route of an answered request, as a label."""
    return str(state.get(_ROUTE, NO_ROUTE))


class RequestCounts:
    """The counters of one application. Only the event loop's thread counts, so that no locks are
    needed, and labels become text only when they are read."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.under_way = 0
        self._requests: Counter[tuple[str, str, str]] = Counter()
        self._bytes: Counter[str] = Counter()
        self._seconds: dict[str, _Durations] = {}
        self.registry.register(self)

    def count(self, request: Counted, route: str) -> None:
        """Adds a finished request to its route: the status, the duration, the bytes of the body."""
        self._requests[request.method, route, request.status] += 1
        seconds = self._seconds.get(route)
        if seconds is None:
            seconds = self._seconds[route] = _Durations()
        seconds.add(time.perf_counter() - request.started)
        if request.body_bytes:
            self._bytes[route] += request.body_bytes

    def collect(self) -> Iterator[Metric]:
        """Yields the current state of all counters."""
        requests = CounterMetricFamily(
            "podium_http_requests",
            "Requests by route and status.",
            labels=["method", "route", "status"],
        )
        # Copies, since a thread collects while the loop counts.
        for labels, number in dict(self._requests).items():
            requests.add_metric(labels, number)
        seconds = HistogramMetricFamily(
            "podium_http_request_seconds",
            "From the head of a request to the end of its answer.",
            labels=["route"],
        )
        for route, durations in dict(self._seconds).items():
            seconds.add_metric([route], durations.buckets(), durations.total)
        taken = CounterMetricFamily(
            "podium_http_request_body_bytes", "Bytes of bodies that came.", labels=["route"]
        )
        for route, number in dict(self._bytes).items():
            taken.add_metric([route], number)
        under_way = GaugeMetricFamily(
            "podium_http_requests_under_way", "Requests without an end.", self.under_way
        )
        yield from (requests, seconds, taken, under_way)


@dataclass(slots=True)
class _Durations:
    """A histogram: the counts of its buckets, the last one open, and the sum of durations."""

    counts: list[int] = field(default_factory=lambda: [0] * (len(SECONDS) + 1))
    total: float = 0.0

    def add(self, seconds: float) -> None:
        self.counts[bisect_left(SECONDS, seconds)] += 1
        self.total += seconds

    def buckets(self) -> list[tuple[str, float]]:
        bounds = [*map(str, SECONDS), "+Inf"]
        return list(zip(bounds, accumulate(self.counts), strict=True))


@dataclass(slots=True)
class Counted:
    """A request that is being processed."""

    method: str
    started: float
    status: str = CUT
    body_bytes: int = 0


class Counting:
    """Middleware that counts HTTP requests by route, method and status."""

    def __init__(self, app: ASGIApp, *, counts: RequestCounts) -> None:
        self.app = app
        self._counts = counts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Counts one request when it ends."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        method = scope["method"] if scope["method"] in METHODS else "other"
        request = Counted(method, time.perf_counter())
        # Layers in between copy the scope, but share its state.
        state: dict[str, Any] = scope.setdefault("state", {})

        async def receive_counted() -> Message:
            message = await receive()
            request.body_bytes += len(message.get("body", b""))
            return message

        async def send_counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                request.status = str(message["status"])
            await send(message)

        self._counts.under_way += 1
        try:
            await self.app(scope, receive_counted, send_counted)
        finally:
            self._counts.under_way -= 1
            self._counts.count(request, route_of(state))


class Naming:
    """Records the route that a request met."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one request, and stores its route's name in the state."""
        try:
            await self.app(scope, receive, send)
        finally:
            route = scope.get("route")
            name = getattr(route, "operation_id", None) or getattr(route, "name", None)
            if name and "state" in scope:
                scope["state"][_ROUTE] = name
