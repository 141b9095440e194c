"""Traces for OpenTelemetry: from a request to the judging that it led to, on whatever machine.

They are on where one of the standard variables names an endpoint (`OTEL_EXPORTER_OTLP_ENDPOINT`,
`OTEL_EXPORTER_OTLP_TRACES_ENDPOINT`), and need the extra `telemetry`; all other variables of the
standard work as it says. Without them this costs nothing. A span never holds an address, which may
be a secret, nor anything of a file or a score.

A trace's ids are made from the id of its request, which a judging knows: so a worker can continue
the trace without anything else being kept or sent.
"""

from __future__ import annotations

import hashlib
import logging
import threading
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Protocol

from app import __version__
from app.errors import NotConfigured
from app.logs import get_logger

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Span as OpenSpan

ENDPOINTS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")

CLOSE_SECONDS = 3.0

Value = str | int | float | bool


class Span(Protocol):
    """Something that takes time and that somebody may want to look at."""

    def name(self, name: str) -> None:
        """Calls it otherwise, where that is known at the end only."""

    def set(self, **attributes: Value) -> None:
        """Adds what is worth knowing."""


class Telemetry(Protocol):
    """Makes spans; those within another one's block are its children."""

    is_on: bool

    def span(
        self,
        name: str,
        *,
        of_request: str | None = None,
        is_request: bool = False,
        **attributes: Value,
    ) -> AbstractContextManager[Span]:
        """A span while the block runs. With `of_request` it belongs to the trace of that request,
        and with `is_request` it is the one that begins it."""

    def close(self) -> None:
        """Sends what is left."""


class Silent:
    """Where nobody asked for traces."""

    is_on = False

    @contextmanager
    def span(
        self,
        name: str,
        *,
        of_request: str | None = None,
        is_request: bool = False,
        **attributes: Value,
    ) -> Iterator[Span]:
        """Nothing, while the block runs."""
        yield _Nothing()

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

        about_us = {"service.version": __version__}
        if not environment.get("OTEL_SERVICE_NAME"):
            about_us["service.name"] = "podium"
        self._ids = _ids()
        self._provider: TracerProvider = TracerProvider(
            resource=Resource.create(about_us), shutdown_on_exit=False, id_generator=self._ids
        )
        self._provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        _told_by_us("opentelemetry")
        self._tracer = self._provider.get_tracer("podium", __version__)

    @contextmanager
    def span(
        self,
        name: str,
        *,
        of_request: str | None = None,
        is_request: bool = False,
        **attributes: Value,
    ) -> Iterator[Span]:
        """See the interface."""
        from opentelemetry.context import Context
        from opentelemetry.trace import SpanKind, use_span

        known = {f"podium.{key}": value for key, value in attributes.items()}
        context = None
        if of_request is not None:
            known["podium.request_id"] = of_request
            context = Context() if is_request else self._within(of_request)
        with self._ids.made_from(of_request if is_request else None):
            span = self._tracer.start_span(
                name,
                context=context,
                kind=SpanKind.SERVER if is_request else SpanKind.INTERNAL,
                attributes=known,
            )
        with use_span(span, end_on_exit=True):
            yield _Open(span)

    def close(self) -> None:
        """Sends what is left. An endpoint that does not answer holds up nobody for long who was
        told to leave."""
        sending = threading.Thread(target=self._provider.shutdown, name="last-traces", daemon=True)
        sending.start()
        sending.join(CLOSE_SECONDS)

    def _within(self, request_id: str) -> Context:
        """The trace of a request, as if another process had told us of it: kept if it is."""
        from opentelemetry.sdk.trace.sampling import Decision
        from opentelemetry.trace import (
            NonRecordingSpan,
            SpanContext,
            TraceFlags,
            set_span_in_context,
        )

        trace_id, span_id = _ids_of(request_id)
        decision = self._provider.sampler.should_sample(None, trace_id, "request").decision
        is_kept = decision is Decision.RECORD_AND_SAMPLE
        flags = TraceFlags.SAMPLED if is_kept else TraceFlags.DEFAULT
        parent = SpanContext(trace_id, span_id, is_remote=True, trace_flags=TraceFlags(flags))
        return set_span_in_context(NonRecordingSpan(parent))


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
            " Install podium-scorer[telemetry], or unset it."
        ) from error


class _Nothing:
    def name(self, name: str) -> None:
        """Nobody listens."""

    def set(self, **attributes: Value) -> None:
        """Nobody listens."""


class _Open:
    def __init__(self, span: OpenSpan) -> None:
        self._span = span

    def name(self, name: str) -> None:
        self._span.update_name(name)

    def set(self, **attributes: Value) -> None:
        for key, value in attributes.items():
            self._span.set_attribute(f"podium.{key}", value)


class _ToOurLog(logging.Handler):
    """What the SDK has to say, as events of ours."""

    def emit(self, record: logging.LogRecord) -> None:
        get_logger("telemetry").warning("traces-not-sent", text=record.getMessage())


def _told_by_us(name: str) -> None:
    logger = logging.getLogger(name)
    if not any(isinstance(handler, _ToOurLog) for handler in logger.handlers):
        logger.addHandler(_ToOurLog(logging.WARNING))
        logger.propagate = False


def _ids_of(request_id: str) -> tuple[int, int]:
    """A request's trace and the span that begins it. Hashed, because samplers take the last bits of
    a trace's id for random ones."""
    made = hashlib.sha256(request_id.encode()).digest()
    return int.from_bytes(made[:16], "big"), int.from_bytes(made[16:24], "big")


def _ids() -> Any:
    """Random ids, but for the span of a request. A function, since the base is in the extra."""
    from opentelemetry.sdk.trace.id_generator import RandomIdGenerator

    class Ids(RandomIdGenerator):
        def __init__(self) -> None:
            self._request: ContextVar[str | None] = ContextVar("request", default=None)

        @contextmanager
        def made_from(self, request_id: str | None) -> Iterator[None]:
            token = self._request.set(request_id)
            try:
                yield
            finally:
                self._request.reset(token)

        def generate_trace_id(self) -> int:
            request_id = self._request.get()
            return _ids_of(request_id)[0] if request_id else super().generate_trace_id()

        def generate_span_id(self) -> int:
            request_id = self._request.get()
            return _ids_of(request_id)[1] if request_id else super().generate_span_id()

    return Ids()
