"""Heads of requests as an attacker sends them, and the methods that every address knows."""

from __future__ import annotations

import socket
import time

import pytest

from podium.http.middleware import allowances
from podium.http.middleware.connections import BoundedHeads
from tests.builders.uploads.changes import scored
from tests.builders.uploads.server import API, Answer, read_answer
from tests.builders.uploads.stage import Stage


def _answer(stage: Stage, request: bytes) -> Answer:
    with stage.server.connect() as connection:
        connection.sendall(request)
        return read_answer(connection)


def _drops_taken(connection: socket.socket, head: bytes) -> int:
    """The number of bytes that a server takes that come one by one, ten in a second."""
    for count, drop in enumerate(head):
        try:
            connection.sendall(bytes([drop]))
        except OSError:
            return count
        time.sleep(0.1)
    return len(head)


@pytest.mark.parametrize("begun", [b"", b"GET /heal", b"GET /healthz HTTP/1.1\r\nHost: podium\r\n"])
def test_a_head_that_never_ends_is_not_waited_for(
    stage: Stage, begun: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BoundedHeads, "head_seconds", 0.3)
    with stage.server.connect() as connection:
        connection.sendall(begun)
        assert connection.recv(1000) == b""


def test_drops_of_a_second_head_do_not_keep_a_connection(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BoundedHeads, "head_seconds", 0.5)
    with stage.server.connect() as connection:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: podium\r\n\r\n")
        assert read_answer(connection).status == 200
        assert _drops_taken(connection, b"GET /healthz HTTP/1.1\r\nX: " + b"x" * 30) < 25


def test_a_slow_answer_is_not_taken_for_a_slow_head(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BoundedHeads, "head_seconds", 1.0)
    head, body = stage.server.head(stage.token, "Content-Length: 5"), b"x" * 5
    with stage.server.connect() as connection:
        connection.sendall(head)
        time.sleep(1.5)
        connection.sendall(body)
        assert read_answer(connection).status == 202


def test_a_json_body_that_never_ends_is_not_waited_for(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(allowances, "BODY_SECONDS", 0.3)
    lines = ("Content-Type: application/json", "Content-Length: 100")
    head = stage.server.head(stage.token, *lines, path=f"{API}/me/tokens")
    answer = _answer(stage, head + b"{")
    assert (answer.status, answer.json()["code"]) == (408, "too-slow")
    assert answer.headers["connection"] == "close"


@pytest.mark.parametrize(
    "lines",
    [
        [f"x-{number}: 1" for number in range(200)],
        ["x: " + "a" * (40 << 10)],
        ["x: " + "a" * (400 << 10)],
    ],
)
def test_a_head_that_is_too_long_is_431(stage: Stage, lines: list[str]) -> None:
    answer = _answer(stage, stage.server.head(None, *lines, path=f"{API}/me"))
    assert (answer.status, answer.json()["code"]) == (431, "head-too-long")


def test_what_is_not_http_is_a_problem_document(stage: Stage) -> None:
    answer = _answer(stage, b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n")
    assert (answer.status, answer.json()["code"]) == (400, "bad-request")
    assert answer.headers["content-type"] == "application/problem+json"


def test_two_lengths_of_one_body_are_refused(stage: Stage) -> None:
    head = stage.server.head(stage.token, "Content-Length: 4", "Transfer-Encoding: chunked")
    answer = _answer(stage, head + b"1\r\na\r\n0\r\n\r\n")
    assert (answer.status, answer.json()["code"]) == (400, "bad-request")
    assert stage.server.submissions() == 0


@pytest.mark.parametrize("method", ["DELETE", "PROPFIND", "OPTIONS"])
def test_a_refused_method_names_all_that_are_taken(stage: Stage, method: str) -> None:
    answer = stage.server.request(method, "/competitions/otto/submissions")
    assert answer.status_code == 405
    assert answer.headers["allow"] == "GET, POST, HEAD"


@pytest.mark.parametrize("head", [b"TRACE /healthz", b"CONNECT example.com:443"])
def test_trace_and_connect_are_refused_everywhere(stage: Stage, head: bytes) -> None:
    answer = _answer(stage, head + b" HTTP/1.1\r\nHost: example.com\r\n\r\n")
    assert answer.status == 405
    assert "GET" in answer.headers["allow"]


@pytest.mark.parametrize(
    ("target", "host", "status", "code"),
    [
        (f"http://podium{API}/competitions", "podium", 200, ""),
        (f"HTTPS://PODIUM:443{API}/competitions?limit=1", "podium", 200, ""),
        (f"http://podium:80{API}/competitions", "podium:80", 200, ""),
        ("http://podium", "podium", 200, ""),
        ("http://podium?a=1", "podium", 200, ""),
        (f"http://podium{API}/none", "podium", 404, "not-found"),
        (f"http://evil.example{API}/competitions", "podium", 421, "wrong-host"),
        ("http://evil.example/healthz", "127.0.0.1:8000", 421, "wrong-host"),
        ("http://podium:81/healthz", "podium", 421, "wrong-host"),
        ("http://ada@podium/healthz", "podium", 400, "bad-request"),
        ("http:///healthz", "podium", 400, "bad-request"),
        ("http://podium/healthz#top", "podium", 400, "bad-request"),
    ],
)
def test_a_whole_address_as_the_target_is_served_of_our_own_host_alone(
    stage: Stage, target: str, host: str, status: int, code: str
) -> None:
    answer = _answer(stage, f"GET {target} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
    assert answer.status == status, answer.body
    assert answer.body.startswith(b"<!") or answer.json().get("code", "") == code


def test_the_host_of_a_whole_address_counts_where_no_field_names_one(stage: Stage) -> None:
    assert _answer(stage, b"GET http://podium/healthz HTTP/1.0\r\n\r\n").status == 200


@pytest.mark.parametrize("field", ["Authorization", "Content-Type", "Idempotency-Key", "Origin"])
def test_a_field_that_decides_is_refused_where_it_is_there_twice(stage: Stage, field: str) -> None:
    lines = (f"{field}: a", f"{field.lower()}: a", "Content-Length: 0")
    answer = _answer(stage, stage.server.head(None, *lines))
    assert (answer.status, answer.json()["code"]) == (400, "bad-request")
    assert f"{field} is there twice" in answer.json()["detail"]


@pytest.mark.parametrize("path", ["/", f"{API}/competitions", "/docs", "/healthz", "/none", "FILE"])
def test_every_answer_keeps_other_sites_and_the_devices_of_the_machine_away(
    stage: Stage, path: str
) -> None:
    if path == "FILE":
        path = f"{API}/submissions/{stage.server.submit(stage.token).json()['id']}/file"
    headers = {"Authorization": f"Bearer {stage.token}"}
    answer = stage.server.client.get(path, headers=headers)
    assert answer.headers["cross-origin-opener-policy"] == "same-origin"
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"
    assert {"camera=()", "geolocation=()", "microphone=()"} <= {
        *answer.headers["permissions-policy"].split(", ")
    }


@pytest.mark.parametrize(
    "path",
    ["/competitions/otto", "/competitions/otto/leaderboard", "/competitions/none", "/me"],
)
def test_head_tells_what_get_would_without_the_body(stage: Stage, path: str) -> None:
    got = stage.server.request("GET", path, stage.token)
    asked = stage.server.request("HEAD", path, stage.token)
    changing = {"date", "x-request-id"}
    assert asked.status_code == got.status_code
    assert asked.content == b""
    assert {name: value for name, value in asked.headers.items() if name not in changing} == {
        name: value for name, value in got.headers.items() if name not in changing
    }


def test_head_of_live_events_ends_at_once(stage: Stage) -> None:
    submission = stage.server.submit(stage.token).json()["id"]
    asked = stage.server.request("HEAD", f"/submissions/{submission}/events", stage.token)
    assert (asked.status_code, asked.content) == (200, b"")


def test_head_of_a_file_tells_its_size(stage: Stage) -> None:
    submission = stage.server.submit(stage.token, b"twelve bytes").json()["id"]
    asked = stage.server.request("HEAD", f"/submissions/{submission}/file", stage.token)
    assert asked.headers["content-length"] == "12"


def test_no_answer_leads_to_a_host_of_the_clients_choice(stage: Stage) -> None:
    evil = {"Host": "evil.example"}
    slash = stage.server.request("GET", "/competitions/", headers=evil)
    assert slash.status_code == 404
    for _ in range(2):
        scored(stage)
    path = "/competitions/otto/submissions?limit=1"
    listed = stage.server.request("GET", path, stage.token, headers=evil)
    cursor = listed.json()["next_cursor"]
    assert listed.headers["link"] == f'<{API}{path}&cursor={cursor}>; rel="next"'
