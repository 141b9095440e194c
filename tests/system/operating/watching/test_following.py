"""One upload followed from its request to its verdict in another process: in logs and traces."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest

from podium.client import Podium
from podium.errors import NotConfigured
from podium.telemetry import Silent, from_environment
from tests.builders.processes.forks import Forked
from tests.builders.processes.serving import launch, serving, submission
from tests.builders.servers.collector import Collector, collecting

# One process serves and judges for all tests of this file.
pytestmark = pytest.mark.xdist_group("following")

TRACE, SPAN = bytes(range(1, 17)), bytes(range(1, 9))
"""Ids that a client has chosen."""


@dataclass(frozen=True)
class Seen:
    """The traces and events of an upload and its judging by another process."""

    submission_id: str
    served: list[dict[str, Any]]
    judged: list[dict[str, Any]]
    collector: Collector


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Seen]:
    folder = tmp_path_factory.mktemp("following")
    with serving(folder) as here, here.organizer() as organizer:
        launch(organizer, "shop", folder)
    with collecting() as collector, pytest.MonkeyPatch.context() as environment:
        environment.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.endpoint)
        environment.setenv("PODIUM_LOG_FORMAT", "json")
        with serving(folder, "--no-worker") as here, here.organizer() as organizer:
            (folder / "mine.csv").write_text(submission(orders="4"))
            token = organizer.create_user("ada")["token"]
            with Podium(here.url, token) as ada:
                ada.create_team("shop", "Ada")
                sent = ada.submit("shop", folder / "mine.csv")
                continued = _submit_within_a_trace(here.url, token, folder / "mine.csv")
                _judge(
                    folder,
                    lambda: [ada.wait(each, timeout=120) for each in (sent["id"], continued)],
                )
        yield Seen(
            sent["id"], _events(folder / "server.log"), _events(folder / "worker.log"), collector
        )


def _submit_within_a_trace(url: str, token: str, file: Path) -> str:
    """Sends a file as a client does whose own work is traced: the submission's id."""
    answer = httpx2.post(
        f"{url}/api/v1/competitions/shop/submissions",
        content=file.read_bytes(),
        headers={
            "Authorization": f"Bearer {token}",
            "traceparent": f"00-{TRACE.hex()}-{SPAN.hex()}-01",
            "tracestate": "vendor=1",
        },
    )
    assert answer.status_code == 202, answer.text
    return str(answer.json()["id"])


def _judge(folder: Path, wait: Any) -> None:
    with (folder / "worker.log").open("w") as log:
        worker = Forked(
            ["worker"],
            environment=os.environ
            | {"PODIUM_DATA_DIR": str(folder / "data"), "PODIUM_MIN_FREE_BYTES": "0"},
            cwd=folder,
            stdout=log,
            stderr=log,
        )
        try:
            wait()
            worker.send_signal(signal.SIGTERM)
            assert worker.wait(timeout=60) == 0
        finally:
            worker.kill()
            worker.wait()


def _events(path: Path) -> list[dict[str, Any]]:
    """Every line, each of which has to be JSON."""
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_a_worker_logs_the_request_that_a_judging_came_with(seen: Seen) -> None:
    (accepted,) = [event for event in seen.served if event.get("submission") == seen.submission_id]
    ended = next(event for event in seen.judged if event["event"] == "child.ended")
    assert len(accepted["request_id"]) == 36
    assert ended["request_id"] == accepted["request_id"]
    assert ended["ended"] == "scored"
    assert ended["judging"]


def test_what_is_of_no_request_names_none(seen: Seen) -> None:
    (started,) = [event for event in seen.judged if event["event"] == "worker.started"]
    (stopped,) = [event for event in seen.judged if event["event"] == "worker.stopped"]
    assert "request_id" not in started
    assert "request_id" not in stopped


def test_the_trace_of_a_client_goes_on_to_the_verdict(seen: Seen) -> None:
    spans = {span.name: span for span in seen.collector.spans() if span.trace_id == TRACE}
    assert spans.keys() == {"POST submit", "judge", "child", "verdict"}
    assert spans["POST submit"].parent_span_id == SPAN
    assert spans["judge"].parent_span_id == spans["POST submit"].span_id
    assert spans["verdict"].parent_span_id == spans["judge"].span_id


def test_the_judging_is_part_of_the_trace_of_its_upload(seen: Seen) -> None:
    spans = {span.name: span for span in seen.collector.spans() if span.trace_id != TRACE}
    upload, judge = spans["POST submit"], spans["judge"]
    assert not upload.parent_span_id
    assert judge.trace_id == upload.trace_id
    assert judge.parent_span_id == upload.span_id
    for name in ("child", "verdict"):
        assert spans[name].trace_id == upload.trace_id
        assert spans[name].parent_span_id == judge.span_id
    known = {each.key: each.value for each in upload.attributes}
    assert known["podium.status"].int_value == 202
    (accepted,) = [event for event in seen.served if event.get("submission") == seen.submission_id]
    assert known["podium.request_id"].string_value == accepted["request_id"]


def test_requests_have_traces_of_their_own_and_probes_have_none(seen: Seen) -> None:
    requests = [span for span in seen.collector.spans() if not span.parent_span_id]
    assert len(requests) > 5
    assert len({span.trace_id for span in requests}) == len(requests)
    assert not [span for span in requests if "isAlive" in span.name]


def test_traces_and_logs_hold_no_address_no_token_and_no_score(seen: Seen) -> None:
    # How long a judging took may begin like the score.
    entries = [
        {name: value for name, value in entry.items() if name not in ("seconds", "timestamp")}
        for entry in (*seen.served, *seen.judged)
    ]
    told = b"".join(seen.collector.raw) + json.dumps(entries).encode()
    for secret in (b"a-token-for-tests-only", b"/api/v1/submissions/", b"Bearer", b"0.3"):
        assert secret not in told, secret


def test_nothing_is_sent_where_no_endpoint_is_named() -> None:
    for environment in (
        {},
        {"OTEL_EXPORTER_OTLP_ENDPOINT": ""},
        {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1", "OTEL_SDK_DISABLED": "true"},
        {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1", "OTEL_TRACES_EXPORTER": "none"},
    ):
        assert isinstance(from_environment(environment), Silent)


def test_a_missing_extra_is_said_with_its_cure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    with pytest.raises(NotConfigured, match=r"pip install \"podium-scorer\[telemetry\] "):
        from_environment({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1"})
