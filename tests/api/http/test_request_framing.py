"""Bytes that one server reads as one request and another as two, or as another one."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import suppress

import pytest

from podium.http.middleware.connections import BoundedHeads
from tests.builders.uploads.recording import CUT, Recorder, recording
from tests.builders.uploads.server import eventually

GET = b"GET / HTTP/1.1\r\nHost: a\r\n"
POST = b"POST / HTTP/1.1\r\nHost: a\r\n"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"
SMUGGLED = b"GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n"
LAST = b"GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
"""After its answer the connection ends, so that reading to the end shows all answers."""


@pytest.fixture(scope="module")
def server() -> Iterator[Recorder]:
    with recording() as recorder:
        yield recorder


@pytest.fixture
def recorder(server: Recorder) -> Recorder:
    server.asked.clear()
    return server


def _statuses(raw: bytes) -> list[int]:
    return [int(line[9:12]) for line in raw.split(b"\r\n") if line.startswith(b"HTTP/1.1 ")]


def _read_to_end(connection: socket.socket) -> bytes:
    raw = b""
    # What was not read when the server closed makes a reset of it.
    with suppress(ConnectionResetError):
        while piece := connection.recv(1 << 16):
            raw += piece
    return raw


def _exchange(recorder: Recorder, *pieces: bytes) -> bytes:
    """All answers, up to the end of the connection."""
    with recorder.connect() as connection:
        with suppress(OSError):
            # Refused before the last piece, perhaps.
            for piece in pieces:
                connection.sendall(piece)
        return _read_to_end(connection)


def _bytewise(raw: bytes) -> list[bytes]:
    return [raw[place : place + 1] for place in range(len(raw))]


HEADS = {
    "no host": b"GET / HTTP/1.1\r\n\r\n",
    "two hosts": GET + b"Host: b\r\n\r\n",
    "one host twice": GET + b"Host: a\r\n\r\n",
    "two hosts of HTTP/1.0": b"GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n",
    "space before a colon": GET + b"X : 1\r\n\r\n",
    "space before the colon of a length": POST + b"Content-Length : 5\r\n\r\nhello",
    "space before the colon of a coding": POST + b"Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
    "space before the first field": b"GET / HTTP/1.1\r\n X: 1\r\nHost: a\r\n\r\n",
    "folded field": GET + b"X: 1\r\n 2\r\n\r\n",
    "folded by a tab": GET + b"X: 1\r\n\t2\r\n\r\n",
    "folded length": POST + b"Content-Length:\r\n 5\r\n\r\nhello",
    "folded coding": POST + b"Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n",
    "bare LF everywhere": b"GET / HTTP/1.1\nHost: a\n\n",
    "bare LF between fields": GET + b"X: 1\nY: 1\r\n\r\n",
    "bare LF before the end": b"GET / HTTP/1.1\r\nHost: a\r\n\n",
    "bare LF as the end": b"GET / HTTP/1.1\r\nHost: a\n\r\n",
    "bare CR in a value": POST + b"X: a\rTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "two CR": GET + b"X: 1\r\r\nY: 1\r\n\r\n",
    "NUL in a value": GET + b"X: a\0b\r\n\r\n",
    "NUL in a name": GET + b"X\0: a\r\n\r\n",
    "NUL in the target": b"GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n",
    "control character in a value": GET + b"X: a\x01b\r\n\r\n",
    "DEL in a value": GET + b"X: a\x7fb\r\n\r\n",
    "letter beyond ASCII in a name": GET + b"X\xff: a\r\n\r\n",
    "separator in a name": GET + b"X@Y: 1\r\n\r\n",
    "space in a name": GET + b"X Y: 1\r\n\r\n",
    "no name": GET + b": 1\r\n\r\n",
    "no colon": GET + b"hello\r\n\r\n",
    "one length twice": POST + b"Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello",
    "two lengths": POST + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!",
    "list of lengths": POST + b"Content-Length: 5, 5\r\n\r\nhello",
    "signed length": POST + b"Content-Length: +5\r\n\r\nhello",
    "negative length": POST + b"Content-Length: -5\r\n\r\nhello",
    "hexadecimal length": POST + b"Content-Length: 0x5\r\n\r\nhello",
    "empty length": POST + b"Content-Length:\r\n\r\n" + SMUGGLED,
    "space within a length": POST + b"Content-Length: 5 0\r\n\r\nhello",
    "underscore within a length": POST + b"Content-Length: 1_0\r\n\r\nhello",
    "digit of another alphabet": POST + b"Content-Length: \xb2\r\n\r\nhello",
    "vertical tab before a length": POST + b"Content-Length: \x0b5\r\n\r\nhello",
    "length and coding": POST
    + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    + SMUGGLED,
    "coding and length": POST
    + b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n"
    + SMUGGLED,
    "another coding before": POST + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    "another coding behind": POST + b"Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n",
    "another coding alone": POST + b"Transfer-Encoding: identity\r\n\r\n" + SMUGGLED,
    "unknown coding": POST + b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    "one coding twice": POST + b"Transfer-Encoding: chunked\r\n" * 2 + b"\r\n0\r\n\r\n",
    "list of one coding twice": POST + b"Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
    "coding and another one": POST
    + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n",
    "quoted coding": POST + b'Transfer-Encoding: "chunked"\r\n\r\n0\r\n\r\n',
    "coding with a parameter": POST + b"Transfer-Encoding: chunked;a=b\r\n\r\n0\r\n\r\n",
    "empty coding": POST + b"Transfer-Encoding:\r\n\r\n" + SMUGGLED,
    "empty first coding": POST + b"Transfer-Encoding: ,chunked\r\n\r\n0\r\n\r\n",
    "vertical tab before a coding": POST + b"Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n",
    "target beyond ASCII": b"GET /\xff HTTP/1.1\r\nHost: a\r\n\r\n",
    "space in the target": b"GET /a b HTTP/1.1\r\nHost: a\r\n\r\n",
    "tabs in the request line": b"GET\t/\tHTTP/1.1\r\nHost: a\r\n\r\n",
    "two spaces in the request line": b"GET  / HTTP/1.1\r\nHost: a\r\n\r\n",
    "space after the request line": b"GET / HTTP/1.1 \r\nHost: a\r\n\r\n",
    "no target": b"GET  HTTP/1.1\r\nHost: a\r\n\r\n",
    "separator in the method": b"G@T / HTTP/1.1\r\nHost: a\r\n\r\n",
    "HTTP/0.9": b"GET /\r\n\r\n",
    "HTTP/2.0": b"GET / HTTP/2.0\r\nHost: a\r\n\r\n",
    "preface of HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "HTTP/1.10": b"GET / HTTP/1.10\r\nHost: a\r\n\r\n",
    "http/1.1": b"GET / http/1.1\r\nHost: a\r\n\r\n",
    "another protocol": b"SOURCE / ICE/1.0\r\nHost: a\r\n\r\n",
    "empty line before": b"\r\n" + GET + b"\r\n",
    "empty line by LF before": b"\n" + GET + b"\r\n",
    "space before": b" " + GET + b"\r\n",
    "beginning of TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
}


@pytest.mark.parametrize("raw", HEADS.values(), ids=HEADS.keys())
def test_a_head_that_can_be_read_in_two_ways_is_refused(recorder: Recorder, raw: bytes) -> None:
    for pieces in ([raw], _bytewise(raw)):
        assert _statuses(_exchange(recorder, *pieces)) in ([400], [])
    assert _statuses(_exchange(recorder, raw)) == [400]
    assert recorder.asked == []


@pytest.mark.parametrize("length", ["18446744073709551616", "99999999999999999999999"])
def test_a_length_past_counting_is_too_large(recorder: Recorder, length: str) -> None:
    raw = POST + f"Content-Length: {length}\r\n\r\n".encode() + SMUGGLED
    assert _statuses(_exchange(recorder, raw)) == [413]
    assert recorder.asked == []


BODIES = {
    "quoted line end in an extension": b'5;a="\r\n"\r\nhello\r\n0\r\n\r\n',
    "bare LF in an extension": b"5;\nhello\r\n0\r\n\r\n",
    "bare CR in an extension": b"5;\rx\r\nhello\r\n0\r\n\r\n",
    "NUL in an extension": b"5;\0\r\nhello\r\n0\r\n\r\n",
    "space before an extension": b"5 ;a\r\nhello\r\n0\r\n\r\n",
    "bare LF everywhere": b"5\nhello\n0\n\n",
    "bare LF behind a piece": b"5\r\nhello\n0\r\n\r\n",
    "nothing behind a piece": b"5\r\nhello0\r\n\r\n",
    "letters behind a piece": b"5\r\nhelloXX0\r\n\r\n",
    "signed size": b"+5\r\nhello\r\n0\r\n\r\n",
    "negative size": b"-5\r\nhello\r\n0\r\n\r\n",
    "prefixed size": b"0x5\r\nhello\r\n0\r\n\r\n",
    "space behind a size": b"5 \r\nhello\r\n0\r\n\r\n",
    "space before a size": b" 5\r\nhello\r\n0\r\n\r\n",
    "size of 65 bits": b"10000000000000005\r\nhello\r\n0\r\n\r\n",
    "underscore within a size": b"0_5\r\nhello\r\n0\r\n\r\n",
    "no size": b"\r\nhello\r\n0\r\n\r\n",
    "space in the name of a trailer": b"5\r\nhello\r\n0\r\nX Y: 1\r\n\r\n",
    "length as a trailer": b"5\r\nhello\r\n0\r\nContent-Length: 50\r\n\r\n",
    "coding as a trailer": b"5\r\nhello\r\n0\r\nTransfer-Encoding: chunked\r\n\r\n",
    "NUL in a trailer": b"5\r\nhello\r\n0\r\nX: \0\r\n\r\n",
    "bare LF in a trailer": b"5\r\nhello\r\n0\r\nX: 1\n\n",
    "folded trailer": b"5\r\nhello\r\n0\r\nX: 1\r\n 2\r\n\r\n",
    "extension without end": b"5;" + b"a" * (1 << 18),
    "size of zeros without end": b"0" * (1 << 18),
    "trailer without end": b"5\r\nhello\r\n0\r\nX: " + b"a" * (1 << 18),
    "trailers without end": b"5\r\nhello\r\n0\r\n" + b"X: a\r\n" * (1 << 16),
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
def test_pieces_that_can_be_read_in_two_ways_are_refused(recorder: Recorder, body: bytes) -> None:
    with recorder.connect() as connection:
        with suppress(OSError):
            connection.sendall(CHUNKED)
            connection.sendall(body + SMUGGLED)
        # The answer may be lost where the connection is closed while the rest is still sent.
        assert _statuses(_read_to_end(connection)) in ([400], [])
    assert eventually(lambda: len(recorder.asked) == 1)
    assert [(asked.path, asked.body) for asked in recorder.asked] == [("/", CUT)]


@pytest.mark.parametrize("size", [b"5", b"0005", b"5;a=b", b'5;a="b"'])
def test_pieces_are_put_together(recorder: Recorder, size: bytes) -> None:
    raw = CHUNKED + size + b"\r\nhello\r\n6\r\n world\r\n0\r\n\r\n"
    with recorder.connect() as connection:
        for byte in _bytewise(raw):
            connection.sendall(byte)
        first = b""
        while not first.endswith(b"\r\n0\r\n\r\n"):
            first += connection.recv(1 << 16)
        connection.sendall(LAST)
        assert _statuses(first + _read_to_end(connection)) == [200, 200]
    assert [asked.body for asked in recorder.asked] == ["hello world", ""]


def test_fields_behind_a_body_are_not_added_to_its_head(recorder: Recorder) -> None:
    trailers = b"Authorization: Bearer x\r\nHost: b\r\nX-Forwarded-For: 1.2.3.4\r\n"
    body = b"5\r\nhello\r\n0\r\n" + trailers + b"\r\n"
    with recorder.connect() as connection:
        for byte in _bytewise(CHUNKED + body):
            connection.sendall(byte)
        assert eventually(lambda: len(recorder.asked) == 1)
    [asked] = recorder.asked
    assert asked.headers == (("host", "a"), ("transfer-encoding", "chunked"))


def test_what_follows_the_last_piece_at_once_is_never_read(recorder: Recorder) -> None:
    raw = _exchange(recorder, CHUNKED + b"5\r\nhello\r\n0\r\n\r\n" + SMUGGLED)
    assert _statuses(raw) == [200]
    assert b"connection: close" in raw
    assert [asked.path for asked in recorder.asked] == ["/"]


def test_what_follows_a_body_is_the_next_request(recorder: Recorder) -> None:
    first = POST + b"Content-Length: 5\r\n\r\nhello"
    for pieces in ([first + LAST], _bytewise(first + LAST)):
        recorder.asked.clear()
        assert _statuses(_exchange(recorder, *pieces)) == [200, 200]
        assert [(asked.path, asked.body) for asked in recorder.asked] == [
            ("/", "hello"),
            ("/last", ""),
        ]


@pytest.mark.parametrize("version", [b"1.0", b"1.1"])
def test_a_request_after_the_last_one_is_never_read(recorder: Recorder, version: bytes) -> None:
    head = b"GET / HTTP/" + version + b"\r\nHost: a\r\nConnection: close\r\n\r\n"
    assert _statuses(_exchange(recorder, head + SMUGGLED)) == [200]
    assert [asked.path for asked in recorder.asked] == ["/"]


@pytest.mark.parametrize("upgrade", [b"h2c", b"websocket", b"anything"])
def test_who_wishes_to_upgrade_is_answered_by_http(recorder: Recorder, upgrade: bytes) -> None:
    """A body is a body still, however much it looks like a request."""
    head = POST + b"Connection: Upgrade, HTTP2-Settings\r\nuPGRADE: " + upgrade
    head += b"\r\nContent-Length: %d\r\n\r\n" % len(SMUGGLED)
    for pieces in ([head + SMUGGLED + LAST], [head, SMUGGLED, LAST]):
        recorder.asked.clear()
        assert _statuses(_exchange(recorder, *pieces)) == [200, 200]
        assert [(asked.path, asked.body) for asked in recorder.asked] == [
            ("/", SMUGGLED.decode()),
            ("/last", ""),
        ]


@pytest.mark.parametrize(
    ("target", "path", "query"),
    [
        ("http://a/x?y", "/x", "y"),
        ("evil:80", "evil:80", ""),
        ("*", "*", ""),
        ("//evil/x", "//evil/x", ""),
        ("/a#b?c#d", "/a#b", "c#d"),
        ("/a?b?c", "/a", "b?c"),
        ("/%41%2f", "/A/", ""),
        ("\\x", "\\x", ""),
    ],
)
def test_a_target_reaches_the_application_as_it_came(
    recorder: Recorder, target: str, path: str, query: str
) -> None:
    raw = f"GET {target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".encode()
    assert _statuses(_exchange(recorder, raw)) == [200]
    assert [(asked.path, asked.query) for asked in recorder.asked] == [(path, query)]


@pytest.mark.parametrize("method", ["get", "FOO", "CONNECT", "PRI", "M-SEARCH", "A" * 30])
def test_a_method_reaches_the_application_as_it_came(recorder: Recorder, method: str) -> None:
    raw = f"{method} / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".encode()
    assert _statuses(_exchange(recorder, raw)) == [200]
    assert [asked.method for asked in recorder.asked] == [method]


def test_spaces_around_a_value_are_no_part_of_it(recorder: Recorder) -> None:
    raw = b"GET / HTTP/1.1\r\nHost:a\r\nX: \t 1 2\xff \t\r\nY:\r\nConnection: close\r\n\r\n"
    _exchange(recorder, raw)
    [asked] = recorder.asked
    assert asked.headers == (("host", "a"), ("x", "1 2ÿ"), ("y", ""), ("connection", "close"))


def test_requests_wait_as_bytes_until_the_one_before_is_answered(recorder: Recorder) -> None:
    recorder.may_answer.clear()
    try:
        with recorder.connect() as connection:
            connection.sendall((GET + b"\r\n") * 500 + LAST)
            assert eventually(lambda: len(recorder.asked) == 1)
            with recorder.connect() as another:
                another.sendall(GET + b"\r\n")
                assert eventually(lambda: len(recorder.asked) == 2)
            recorder.may_answer.set()
            assert _statuses(_read_to_end(connection)) == [200] * 501
    finally:
        recorder.may_answer.set()


def test_what_is_no_request_does_not_take_the_answer_before_it(recorder: Recorder) -> None:
    assert _statuses(_exchange(recorder, GET + b"\r\nBAD\r\n\r\n")) == [200, 400]
    assert len(recorder.asked) == 1


def test_the_beginning_of_a_head_behind_a_request_is_not_waited_for(
    recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BoundedHeads, "head_seconds", 0.3)
    with recorder.connect() as connection:
        connection.sendall(GET + b"\r\nGET /next")
        assert _statuses(_read_to_end(connection)) == [200]


def test_an_answer_without_a_length_ends_with_the_connection_of_http_1_0(
    recorder: Recorder,
) -> None:
    head, _, body = _exchange(recorder, b"GET / HTTP/1.0\r\n\r\n").partition(b"\r\n\r\n")
    assert b"transfer-encoding" not in head.lower()
    assert body == b"ok"


def test_an_answer_without_a_length_comes_in_pieces_else(recorder: Recorder) -> None:
    raw = GET + b"Connection: close\r\n\r\n"
    head, _, body = _exchange(recorder, raw).partition(b"\r\n\r\n")
    assert b"transfer-encoding: chunked" in head
    assert body == b"1\r\no\r\n1\r\nk\r\n0\r\n\r\n"
