"""Traces for OpenTelemetry: from a request to the judging that it led to, on whatever machine.

They are on where one of the standard variables names an endpoint (`OTEL_EXPORTER_OTLP_ENDPOINT`,
`OTEL_EXPORTER_OTLP_TRACES_ENDPOINT`), and need the extra `telemetry`; all other variables of the
standard work as it says. Without them this costs nothing. A span never holds an address, which may
be a secret, nor anything of a file or a score.

Where a request says by `traceparent` which trace it belongs to, its span does, too; other traces
begin with it. A judging keeps where its upload's span stands, so any worker can continue the trace.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Protocol

from podium import __version__, line_to_install
from podium.errors import NotConfigured
from podium.logs import get_logger

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Span as OpenSpan

ENDPOINTS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")

CLOSE_SECONDS = 3.0

Value = str | int | float | bool


class Span(Protocol):
    """A traced operation and its duration."""

    def name(self, name: str) -> None:
        """Renames the span, where the name is known at the end only."""

    def set(self, **attributes: Value) -> None:
        """Adds attributes to the span; their names get the prefix `podium.`."""


class Telemetry(Protocol):
    """Makes spans; those within another one's block are its children."""

    is_on: bool

    def span(
        self,
        name: str,
        *,
        of_request: str | None = None,
        within: Mapping[str, str] | None = None,
        **attributes: Value,
    ) -> AbstractContextManager[Span]:
        """A span while the block runs, within the one around it. With `within` it belongs to what
        these headers of W3C Trace Context name, or begins a trace where they name none."""

    def place(self) -> str | None:
        """The `traceparent` of the current span, for other processes; None without a span."""

    def close(self) -> None:
        """Exports the spans that are still buffered."""


class Silent:
    """The tracer of an installation without traces."""

    is_on = False

    @contextmanager
    def span(
        self,
        name: str,
        *,
        of_request: str | None = None,
        within: Mapping[str, str] | None = None,
        **attributes: Value,
    ) -> Iterator[Span]:
        """Nothing, while the block runs."""
        yield _Nothing()

    def place(self) -> str | None:
        """None: without traces there is no context to pass on."""
        return None

    def close(self) -> None:
        """There is nothing to send."""


class OpenTelemetry:
    """Spans by the SDK of OpenTelemetry. Raises `ImportError` where the extra is missing."""

    is_on = True

    def __init__(self, environment: Mapping[str, str]) -> None:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

        about_us = {"service.version": __version__}
        if not environment.get("OTEL_SERVICE_NAME"):
            about_us["service.name"] = "podium"
        self._provider: TracerProvider = TracerProvider(
            resource=Resource.create(about_us), shutdown_on_exit=False
        )
        self._provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        _log_through_us("opentelemetry")
        self._tracer = self._provider.get_tracer("podium", __version__)
        self._headers = TraceContextTextMapPropagator()

    @contextmanager
    def span(
        self,
        name: str,
        *,
        of_request: str | None = None,
        within: Mapping[str, str] | None = None,
        **attributes: Value,
    ) -> Iterator[Span]:
        """See the interface."""
        from opentelemetry.context import Context
        from opentelemetry.trace import SpanKind, StatusCode, use_span

        known = {f"podium.{key}": value for key, value in attributes.items()}
        if of_request is not None:
            known["podium.request_id"] = of_request
        # Without a context of its own a span would be a child of whatever is around it.
        context = None if within is None else self._headers.extract(dict(within), Context())
        span = self._tracer.start_span(
            name,
            context=context,
            kind=SpanKind.INTERNAL if within is None else SpanKind.SERVER,
            attributes=known,
        )
        # The texts of errors may hold what a span must not: an address, or the values of a row.
        ways = {"record_exception": False, "set_status_on_exception": False}
        with use_span(span, end_on_exit=True, **ways):
            try:
                yield _Open(span)
            except Exception as error:
                span.set_status(StatusCode.ERROR, type(error).__name__)
                raise

    def place(self) -> str | None:
        """See the interface."""
        headers: dict[str, str] = {}
        self._headers.inject(headers)
        return headers.get("traceparent")

    def close(self) -> None:
        """Sends what is left. An endpoint that does not answer delays the end of the process only
        briefly."""
        sending = threading.Thread(target=self._provider.shutdown, name="last-traces", daemon=True)
        sending.start()
        sending.join(CLOSE_SECONDS)


def from_environment(environment: Mapping[str, str]) -> Telemetry:
    """Traces where an endpoint is named, silence elsewhere. Raises `NotConfigured`."""
    named = [name for name in ENDPOINTS if environment.get(name)]
    is_off = (
        environment.get("OTEL_SDK_DISABLED", "").lower() == "true"
        or environment.get("OTEL_TRACES_EXPORTER", "otlp") == "none"
    )
    if not named or is_off:
        return Silent()
    try:
        return OpenTelemetry(environment)
    except ImportError as error:
        raise NotConfigured(
            f"{named[0]} is set, and the packages for traces are missing ({error.name})."
            f" Unset it, or type: {line_to_install('telemetry')}"
        ) from error


class _Nothing:
    def name(self, name: str) -> None:
        """Does nothing."""

    def set(self, **attributes: Value) -> None:
        """Does nothing."""


class _Open:
    def __init__(self, span: OpenSpan) -> None:
        self._span = span

    def name(self, name: str) -> None:
        self._span.update_name(name)

    def set(self, **attributes: Value) -> None:
        for key, value in attributes.items():
            self._span.set_attribute(f"podium.{key}", value)


class _TraceLogHandler(logging.Handler):
    """Forwards the log messages of the SDK as structured events."""

    def emit(self, record: logging.LogRecord) -> None:
        get_logger("telemetry").warning("traces.unsent", text=record.getMessage())


def _log_through_us(name: str) -> None:
    logger = logging.getLogger(name)
    if not any(isinstance(handler, _TraceLogHandler) for handler in logger.handlers):
        logger.addHandler(_TraceLogHandler(logging.WARNING))
        logger.propagate = False
