"""A server that answers every request in the same way and tells which ones it was asked."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import uvicorn
from starlette.types import Receive, Scope, Send

from podium.http.middleware.connections import BoundedHeads
from tests.builders.uploads.server import eventually

CUT = "cut"
"""Instead of a body of which the rest did not come."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A request as the application saw it once its body was over."""

    method: str
    path: str
    query: str
    headers: tuple[tuple[str, str], ...]
    body: str


@dataclass
class Recorder:
    """The requests that were read out of a connection's bytes."""

    port: int = 0
    asked: list[Recorded] = field(default_factory=list)
    may_answer: threading.Event = field(default_factory=threading.Event)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Takes the body, writes the request down and answers it as soon as it may."""
        body, more = b"", True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                self._write_down(scope, CUT)
                return
            body, more = body + message["body"], message["more_body"]
        self._write_down(scope, body.decode("latin-1"))
        while not self.may_answer.is_set():
            await asyncio.sleep(0.01)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"o", "more_body": True})
        await send({"type": "http.response.body", "body": b"k"})

    def _write_down(self, scope: Scope, body: str) -> None:
        headers = tuple(
            (name.decode(), value.decode("latin-1")) for name, value in scope["headers"]
        )
        query = scope["query_string"].decode()
        self.asked.append(Recorded(scope["method"], scope["path"], query, headers, body))

    def connect(self) -> socket.socket:
        """A raw connection."""
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=60)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection


@contextmanager
def recording() -> Iterator[Recorder]:
    """Serves a recorder, which may answer, by the product's protocol while the block runs."""
    recorder = Recorder()
    recorder.may_answer.set()
    listener = socket.create_server(("127.0.0.1", 0))
    recorder.port = listener.getsockname()[1]
    config = uvicorn.Config(
        recorder,
        http=BoundedHeads,
        loop="uvloop",
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
    )
    service = uvicorn.Server(config)
    thread = threading.Thread(target=service.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        assert eventually(lambda: service.started)
        yield recorder
    finally:
        recorder.may_answer.set()
        service.should_exit = True
        thread.join(timeout=60)
        listener.close()
