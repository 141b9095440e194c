"""A server that answers what a test wrote down, for the failures that a real one seldom has."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Answer:
    """One answer; `cut` closes the connection instead, after so many bytes of the body. `content`
    is sent instead of a document."""

    status: int = 200
    document: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    cut: int | None = None
    content: bytes | None = None


@dataclass
class Seen:
    """One request as it arrived."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


class Script(ThreadingHTTPServer):
    """Gives the answers in order and keeps the requests."""

    daemon_threads = True

    def __init__(self, answers: list[Answer]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answers = answers
        self.seen: list[Seen] = []

    @property
    def url(self) -> str:
        """The address at which it listens."""
        return f"http://127.0.0.1:{self.server_port}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A cut connection is what the test asked for."""


class _Handler(BaseHTTPRequestHandler):
    server: Script

    def _answer(self) -> None:
        answer = self.server.answers.pop(0)
        length = int(self.headers.get("content-length", 0))
        if answer.cut is not None:
            self.rfile.read(answer.cut)
            self.close_connection = True
            return
        body = self.rfile.read(length)
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.seen.append(Seen(self.command, self.path, headers, body))
        content = b"" if answer.document is None else json.dumps(answer.document).encode()
        content = content if answer.content is None else answer.content
        self.send_response(answer.status)
        for name, value in ({"Content-Length": str(len(content))} | answer.headers).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)
        self.close_connection = "Content-Length" in answer.headers

    do_GET = do_POST = do_PUT = _answer  # noqa: N815 - the library's names

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the library's name
        """Silence."""


@contextmanager
def scripted(*answers: Answer) -> Iterator[Script]:
    """A running server with these answers."""
    server = Script(list(answers))
    thread = threading.Thread(target=server.serve_forever, args=[0.01])
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
