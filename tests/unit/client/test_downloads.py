"""Files of participants, from a server that breaks off wherever a test wants it to."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from json import dumps
from pathlib import Path
from typing import Any

import pytest

from podium import errors
from podium.client import Podium

CONTENT = bytes(range(256)) * 40
LISTED = {
    "name": "train.jsonl",
    "bytes": len(CONTENT),
    "sha256": hashlib.sha256(CONTENT).hexdigest(),
}


class Shop(ThreadingHTTPServer):
    """Lists one file and sends it, at most `patience` bytes of it an answer, by range or not."""

    daemon_threads = True

    def __init__(
        self, patience: list[int], *, content: bytes = CONTENT, ranges: bool = True
    ) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.patience, self.content, self.ranges = patience, content, ranges
        self.asked: list[str | None] = []
        self.busy = 0
        """The number of refusals because other downloads of this person are under way."""


class _Handler(BaseHTTPRequestHandler):
    server: Shop

    def do_GET(self) -> None:
        if self.path.endswith("/files"):
            body = dumps({"items": [LISTED], "next_cursor": None}).encode()
            self._send(200, body, len(body))
            return
        wanted = self.headers.get("range")
        self.server.asked.append(wanted)
        if self.server.busy:
            self.server.busy -= 1
            problem = dumps({"code": "too-many-downloads", "detail": "Wait."}).encode()
            self._send(429, problem, len(problem), {"Retry-After": "0"})
            return
        ranged = wanted is not None and self.server.ranges
        start = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted and ranged else 0
        rest = self.server.content[start:]
        patience = self.server.patience.pop(0) if self.server.patience else len(rest)
        self._send(206 if ranged else 200, rest[:patience], len(rest))

    def _send(
        self, status: int, body: bytes, length: int, headers: dict[str, str] | None = None
    ) -> None:
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(length))
        self.end_headers()
        self.wfile.write(body)
        self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the library's name
        """Silence."""


@contextmanager
def shop(*patience: int, **more: Any) -> Iterator[tuple[Shop, Podium]]:
    server = Shop(list(patience), **more)
    thread = threading.Thread(target=server.serve_forever, args=[0.01])
    thread.start()
    try:
        with Podium(f"http://127.0.0.1:{server.server_port}") as podium:
            yield server, podium
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_a_cut_download_goes_on_where_it_ended(tmp_path: Path) -> None:
    to = tmp_path / "train.jsonl"
    with shop(1000, 0, 5000) as (server, podium):
        podium.download_file("otto", "train.jsonl", to)
    assert to.read_bytes() == CONTENT
    assert server.asked == [None, "bytes=1000-", "bytes=1000-", "bytes=6000-"]
    assert list(tmp_path.iterdir()) == [to]


def test_a_download_waits_for_its_turn(tmp_path: Path) -> None:
    to = tmp_path / "train.jsonl"
    with shop(1000) as (server, podium):
        server.busy = 6
        podium.download_file("otto", "train.jsonl", to)
    assert to.read_bytes() == CONTENT
    assert server.asked == [None] * 7 + ["bytes=1000-"]


def test_and_not_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("podium.client.connection.TURNS", 3)
    with shop() as (server, podium):
        server.busy = 100
        with pytest.raises(errors.QuotaExhausted):
            podium.download_file("otto", "train.jsonl", tmp_path / "train.jsonl")
    assert len(server.asked) == 3


def test_what_arrived_is_kept_for_the_next_call(tmp_path: Path) -> None:
    to = tmp_path / "train.jsonl"
    with shop(1000, 0, 0, 0, 0) as (server, podium):
        with pytest.raises(errors.Unavailable):
            podium.download_file("otto", "train.jsonl", to)
        assert not to.exists()
        podium.download_file("otto", "train.jsonl", to)
    assert server.asked[-1] == "bytes=1000-"
    assert to.read_bytes() == CONTENT


def test_a_server_without_ranges_is_understood(tmp_path: Path) -> None:
    to = tmp_path / "train.jsonl"
    with shop(1000, ranges=False) as (_, podium):
        podium.download_file("otto", "train.jsonl", to)
    assert to.read_bytes() == CONTENT


def test_other_bytes_than_those_listed_are_refused_and_not_kept(tmp_path: Path) -> None:
    changed = CONTENT[:-1] + b"x"
    with shop(content=changed) as (_, podium), pytest.raises(errors.Unavailable) as caught:
        podium.download_file("otto", "train.jsonl", tmp_path / "train.jsonl")
    assert caught.value.code == "digest-mismatch"
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_there_already_is_not_fetched_again(tmp_path: Path) -> None:
    to = tmp_path / "train.jsonl"
    to.write_bytes(CONTENT)
    with shop() as (server, podium):
        podium.download_file("otto", "train.jsonl", to)
    assert server.asked == []


def test_a_damaged_copy_is_fetched_anew(tmp_path: Path) -> None:
    to = tmp_path / "train.jsonl"
    to.write_bytes(b"x" + CONTENT[1:])
    with shop() as (_, podium):
        podium.download_file("otto", "train.jsonl", to)
    assert to.read_bytes() == CONTENT


def test_progress_goes_up_to_the_size_of_the_file(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    with shop(1000) as (_, podium):
        podium.download_file(
            "otto",
            "train.jsonl",
            tmp_path / "train.jsonl",
            on_progress=lambda done, total: seen.append((done, total)),
        )
    assert seen[-1] == (len(CONTENT), len(CONTENT))
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


def test_a_file_that_is_not_listed_is_not_found(tmp_path: Path) -> None:
    with shop() as (_, podium), pytest.raises(errors.NotFound, match="no file"):
        podium.download_file("otto", "other.jsonl", tmp_path / "other.jsonl")
