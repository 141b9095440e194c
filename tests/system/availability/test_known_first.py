"""JSON of strangers: refused before it is read, and little of it where anybody may send some."""

from __future__ import annotations

import json
import re
import socket
import time
from contextlib import ExitStack, suppress
from typing import Any

import pytest

from tests.builders.processes.process import CONNECTIONS, MEBIBYTE, Process

pytestmark = pytest.mark.xdist_group("availability")

PUBLIC = {
    ("post", f"/api/v1/{path}")
    for path in (
        *("sign-in", "links/{code}", "sign-up", "sign-up/requests"),
        *("sign-up/mail", "mail-links/{code}", "forgot-password"),
    )
}
"""Operations that take JSON of anonymous visitors."""

NESTED = b"[" + b"[]," * 300_000 + b"[]]"
"""Not a megabyte, and very much to look at."""


def _takes_json(process: Process) -> list[tuple[str, str]]:
    paths = process.client.get("/openapi.json").json()["paths"]
    return [
        (method, path)
        for path, methods in paths.items()
        for method, operation in methods.items()
        if "application/json" in operation.get("requestBody", {}).get("content", ())
    ]


def _head(method: str, path: str, length: int, *lines: str) -> bytes:
    address = re.sub(r"\{slug\}", "otto", re.sub(r"\{(?!slug)\w+\}", "x", path))
    every = [
        f"{method.upper()} {address} HTTP/1.1",
        "Host: podium",
        "Content-Type: application/json",
        f"Content-Length: {length}",
        *lines,
    ]
    return ("\r\n".join(every) + "\r\n\r\n").encode()


def _answer(connection: socket.socket) -> tuple[int, Any]:
    raw = b""
    with suppress(OSError):
        while piece := connection.recv(65536):
            raw += piece
    head, _, body = raw.partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body)


@pytest.mark.parametrize("lines", [(), ("Authorization: Bearer wrong",)])
def test_a_stranger_is_refused_before_the_body_has_come(
    process: Process, lines: tuple[str, ...]
) -> None:
    """Nothing of the bodies is sent: a server that wanted one would say “100 Continue” and wait."""
    asked = _takes_json(process)
    assert len(asked) > 40
    for method, path in asked:
        if not lines and (method, path) in PUBLIC:
            continue
        with process.connect() as connection:
            connection.sendall(_head(method, path, 100, "Expect: 100-continue", *lines))
            status, document = _answer(connection)
        assert (status, document["status"]) == (401, 401), (method, path)


@pytest.mark.parametrize("path", [path.format(code="x") for _, path in sorted(PUBLIC)])
def test_where_anonymous_visitors_may_send_json_it_is_little(process: Process, path: str) -> None:
    with process.connect() as connection:
        connection.sendall(_head("post", path, len(NESTED)))
        status, document = _answer(connection)
    assert (status, document["code"]) == (413, "too-large")
    # The same without saying before how long it is.
    sent = process.stream("POST", path, most_bytes=64 * MEBIBYTE)
    assert sent.status in (0, 413)
    assert sent.taken < 64 * MEBIBYTE


def test_a_strangers_form_is_little(
    process: Process,
) -> None:
    form = {"name": "x", "password": "y" * 40_000}
    assert process.client.post("/sign-in", data=form).status_code == 413


def test_unfinished_bodies_of_strangers_hold_no_memory(process: Process) -> None:
    before = process.resident_bytes()
    process.forget_peak()
    with ExitStack() as open_ones:
        for _ in range(CONNECTIONS - 20):
            connection = open_ones.enter_context(process.connect())
            connection.sendall(_head("post", "/api/v1/sign-in", MEBIBYTE - 1))
            connection.setblocking(False)
            with suppress(OSError):
                connection.send(b"[" + b" " * (MEBIBYTE - 2))
        assert process.client.get("/healthz").status_code == 200
        assert process.peak_bytes() - before < 48 * MEBIBYTE


def test_small_routes_take_little_of_known_users_too(process: Process) -> None:
    person = process.person("Small")
    answer = person.post("/me/tokens", json={"label": "x" * 100_000})
    assert (answer.status_code, answer.json()["code"]) == (413, "too-large")


def test_an_organizers_long_text_is_taken(process: Process) -> None:
    process.draft("texts")
    text = "ä" * 100_000
    answer = process.admin.patch("/admin/competitions/texts", json={"description": text})
    assert answer.status_code == 200
    assert answer.json()["description"] == text


def test_what_is_much_to_look_at_is_not_parsed_for_anonymous_visitors(process: Process) -> None:
    process.draft("nested")
    for body in (NESTED, b"[" * 500_000, b'"\\' * 300_000, b'{"a":' * 100_000):
        started = time.monotonic()
        answer = process.admin.patch(
            "/admin/competitions/nested",
            content=body,
            headers={"Content-Type": "application/json"},
        )
        assert (answer.status_code, answer.json()["code"]) == (400, "bad-json")
        # Taken apart carelessly one of these keeps a machine busy for minutes.
        assert time.monotonic() - started < 20
