"""A program that has set up OpenTelemetry for all of its process, as an operator's wrapper may, and
then serves requests. Prints everything that was exported, as one text."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from opentelemetry import metrics, trace
from opentelemetry._logs import set_logger_provider
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import InMemoryLogRecordExporter, SimpleLogRecordProcessor
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

SPANS, READER = InMemorySpanExporter(), InMemoryMetricReader()
RECORDS = InMemoryLogRecordExporter()  # type: ignore[no-untyped-call]  # the library's gap


def listen() -> None:
    """Sets up what the whole process shares."""
    traces, records = TracerProvider(), LoggerProvider()
    traces.add_span_processor(SimpleSpanProcessor(SPANS))
    records.add_log_record_processor(SimpleLogRecordProcessor(RECORDS))
    trace.set_tracer_provider(traces)
    set_logger_provider(records)
    metrics.set_meter_provider(MeterProvider([READER]))


def ask(folder: Path, secret: str) -> None:
    """Good and bad requests whose addresses are secrets, and bodies that are."""
    from podium.bootstrap import build
    from podium.core.database.migrate import migrate
    from podium.main import create_app
    from podium.settings import Settings
    from tests.builders.servers.in_process import TestClient

    settings = Settings(data_dir=folder, min_free_bytes=0)
    migrate(settings.database)
    application = build(settings)
    with TestClient(create_app(application), raise_server_exceptions=False) as client:
        for path in (f"/links/{secret}", f"/api/v1/links/{secret}", f"/links/{secret}/more"):
            client.get(path)
            client.head(path)
            client.post(path, json={"name": [secret]}, headers={"Authorization": f"B {secret}"})
            client.post(path, data={"password": secret})
            client.get(f"{path}?next={secret}")
        application.database.close()
        client.get(f"/api/v1/links/{secret}")
    application.close()


def main() -> None:
    """Does it all; the arguments are a folder and a secret."""
    listen()
    ask(Path(sys.argv[1]), sys.argv[2])
    with trace.get_tracer("the operator's").start_as_current_span("a span of the operator's"):
        pass
    found = READER.get_metrics_data()
    sys.stdout.writelines(span.to_json() for span in SPANS.get_finished_spans())
    sys.stdout.writelines(record.to_json() for record in RECORDS.get_finished_logs())
    sys.stdout.write(found.to_json() if found else "")


if __name__ == "__main__":
    os.environ.pop("OTEL_EXPORTER_OTLP_ENDPOINT", None)
    main()
