"""Compression of answers, by type and client."""

from __future__ import annotations

import asyncio
import gzip
from typing import Any

import pytest

from podium.http.middleware.compression import Compression, takes_gzip

TEXT = b"<p>Podium</p>" * 200


def answered(
    headers: list[tuple[bytes, bytes]], bodies: list[bytes], accepted: str | None = "gzip, br"
) -> tuple[dict[bytes, bytes], list[bytes]]:
    """The headers and the pieces that a client gets of an answer."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": list(headers)})
        for number, body in enumerate(bodies, start=1):
            more = number < len(bodies)
            await send({"type": "http.response.body", "body": body, "more_body": more})

    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    given = [] if accepted is None else [(b"accept-encoding", accepted.encode())]
    scope = {"type": "http", "headers": given}
    asyncio.run(Compression(app)(scope, None, send))  # type: ignore[arg-type]
    return dict(sent[0]["headers"]), [message["body"] for message in sent[1:]]


HTML = (b"content-type", b"text/html; charset=utf-8")
LENGTH = (b"content-length", str(len(TEXT)).encode())


def test_a_whole_text_is_compressed_for_clients_that_take_it() -> None:
    headers, bodies = answered([HTML, LENGTH], [TEXT])
    assert headers[b"content-encoding"] == b"gzip"
    assert headers[b"content-length"] == str(len(bodies[0])).encode()
    assert headers[b"vary"] == b"Accept-Encoding"
    assert len(bodies[0]) < len(TEXT) / 10
    assert gzip.decompress(bodies[0]) == TEXT


def test_the_same_text_becomes_the_same_bytes() -> None:
    assert answered([HTML], [TEXT]) == answered([HTML], [TEXT])


def test_a_client_that_does_not_take_it_gets_the_text_and_caches_know() -> None:
    headers, bodies = answered([HTML, LENGTH, (b"vary", b"Cookie")], [TEXT], accepted=None)
    assert b"content-encoding" not in headers
    assert headers[b"vary"] == b"Cookie, Accept-Encoding"
    assert bodies == [TEXT]


@pytest.mark.parametrize(
    "headers",
    [
        [(b"content-type", b"application/octet-stream")],
        [(b"content-type", b"text/event-stream")],
        [(b"content-type", b"image/png")],
        [HTML, (b"etag", b'"these very bytes"')],
        [HTML, (b"content-encoding", b"br")],
        [],
    ],
)
def test_other_answers_go_as_they_are(headers: list[tuple[bytes, bytes]]) -> None:
    assert answered(headers, [TEXT]) == (dict(headers), [TEXT])


def test_what_is_streamed_or_short_goes_as_it_is() -> None:
    headers, bodies = answered([HTML], [TEXT, TEXT])
    assert (b"content-encoding" in headers, bodies) == (False, [TEXT, TEXT])
    headers, bodies = answered([HTML], [b"short"])
    assert (b"content-encoding" in headers, bodies) == (False, [b"short"])


def test_a_weak_tag_stays() -> None:
    headers, _ = answered([HTML, (b"etag", b'W/"1"')], [TEXT])
    assert headers[b"etag"] == b'W/"1"'
    assert headers[b"content-encoding"] == b"gzip"


@pytest.mark.parametrize(
    ("accepted", "does"),
    [
        ("gzip", True),
        ("br;q=1.0, GZIP;q=0.5", True),
        ("gzip;q=0", False),
        ("gzip; q=0.000", False),
        ("identity", False),
        ("xgzip", False),
        ("", False),
    ],
)
def test_clients_say_what_they_take(accepted: str, does: bool) -> None:
    scope = {"type": "http", "headers": [(b"accept-encoding", accepted.encode())]}
    assert takes_gzip(scope) is does
