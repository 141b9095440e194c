"""Everything that a serving process says on standard error has the form that was asked for."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest

from tests.builders.processes.serving import ADMIN_TOKEN, serving


def _events(folder: Path) -> list[dict[str, Any]]:
    """Every line, each of which has to be one JSON object."""
    found = [json.loads(line) for line in (folder / "server.log").read_text().splitlines()]
    assert all(isinstance(event, dict) for event in found)
    return found


def _answer_to(url: str, content: bytes) -> bytes:
    """The server's answer to these bytes until it ends the connection."""
    at = urlsplit(url)
    with socket.create_connection((str(at.hostname), int(at.port or 0)), timeout=60) as line:
        line.sendall(content)
        line.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: line.recv(65536), b""))


@pytest.mark.parametrize("worker", [[], ["--no-worker"]], ids=["judging too", "serving only"])
def test_every_line_is_one_json_object_from_the_first_to_the_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, worker: list[str]
) -> None:
    monkeypatch.setenv("PODIUM_LOG_FORMAT", "json")
    with serving(tmp_path, *worker) as here:
        assert httpx2.get(f"{here.url}/healthz").status_code == 200
        assert httpx2.get(f"{here.url}/nowhere").status_code == 404
        assert b" 400 " in _answer_to(here.url, b"\x16\x03\x01 this is not a request\r\n\r\n")
        assert b" 400 " in _answer_to(here.url, b"GET / HTTP/1.1\r\nno colon\r\n\r\n")
        _answer_to(
            here.url, b"POST /api/v1/uploads HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nab"
        )
        _answer_to(
            here.url, b"GET /api/v1/events HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n\r\n"
        )
        headers = {"Authorization": f"Bearer {ADMIN_TOKEN}"}
        bad = httpx2.post(f"{here.url}/api/v1/admin/users", content=b"{", headers=headers)
        assert bad.status_code in (400, 415, 422)
        here.stop()
    events = _events(tmp_path)
    texts = [event.get("text", "") for event in events if event.get("source") == "uvicorn.error"]
    assert any(text.startswith("Started server process") for text in texts)
    refused = [event["code"] for event in events if event["event"] == "request.refused"]
    assert refused == ["bad-request", "bad-request"]
    assert any(text.startswith("Finished server process") for text in texts)
    assert all({"event", "level", "timestamp"} <= event.keys() for event in events)


def test_tracebacks_of_the_server_and_of_threads_are_events_too(tmp_path: Path) -> None:
    """In a process of its own: what it changes holds for all of a process."""
    import subprocess
    import sys

    program = """
import logging, threading, warnings
from podium.logs import configure_logs, take_over_libraries
configure_logs(json=True)
take_over_libraries()
take_over_libraries()
log = logging.getLogger("uvicorn.error")
log.info("Started %s", "it")
try:
    1 / 0
except ZeroDivisionError:
    log.exception("Exception in ASGI application\\n")
log.error("%d of", "bad arguments")
logging.getLogger("some.library").info("nobody asked")
logging.getLogger("asyncio").error("Task exception was never retrieved")
warnings.warn("old", stacklevel=1)
dying = threading.Thread(target=lambda: [][0], name="mine")
dying.start()
dying.join()
"""
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=120
    )
    assert ended.returncode == 0, ended.stderr
    events = [json.loads(line) for line in ended.stderr.splitlines()]
    assert [event["level"] for event in events] == [
        "info",
        "error",
        "error",
        "error",
        "warning",
        "error",
    ]
    assert "ZeroDivisionError" in events[1]["exception"]
    assert events[3]["source"] == "asyncio"
    assert (events[5]["thread"], events[5]["source"]) == ("mine", "threads")
    assert "IndexError" in events[5]["exception"]
