"""A real server on a real port, and clients as rude as they need to be."""

from __future__ import annotations

import json
import secrets
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import uvicorn

from podium.accounts.service.accounts import new_token
from podium.application import Application
from podium.core.access import Actor
from podium.core.models import QuotaSlot, Submission, User
from podium.http.middleware.connections import BoundedHeads
from podium.main import create_app

API = "/api/v1"


@dataclass
class Answer:
    """The answer on a raw connection. `sent` counts the body bytes that we could send."""

    status: int
    headers: dict[str, str]
    body: bytes
    sent: int = 0

    def json(self) -> Any:
        return json.loads(self.body)


class Server:
    """The application behind uvicorn, with people in it."""

    def __init__(self, application: Application, port: int, connections: set[Any]) -> None:
        self.application = application
        self.port = port
        self.connections = connections
        self.client = self.another_client()

    def another_client(self, *, timeout: float = 60) -> httpx2.Client:
        """A client with connections of its own; `timeout` in seconds."""
        # Without certificates, which take longer to read than most tests.
        address = f"http://127.0.0.1:{self.port}"
        return httpx2.Client(base_url=address, timeout=timeout, verify=False)

    def token(self, actor: Actor) -> str:
        """A new token of this person."""
        with self.application.database.write() as session:
            return new_token(session, user=session.get_one(User, actor.user_id), label="test")[1]

    def request(self, method: str, path: str, token: str | None = None, **options: Any) -> Any:
        """A polite request below the prefix."""
        headers = dict(options.pop("headers", {}))
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        return self.client.request(method, API + path, headers=headers, **options)

    def submit(self, token: str, body: Any = b"a", query: str = "", **options: Any) -> Any:
        """Sends a file to the competition `otto`."""
        path = f"/competitions/otto/submissions{query}"
        return self.request("POST", path, token, content=body, **options)

    def slots(self) -> int:
        """The number of quota slots in use."""
        with self.application.database.read() as session:
            return session.query(QuotaSlot).count()

    def submissions(self) -> int:
        """The number of submissions."""
        with self.application.database.read() as session:
            return session.query(Submission).count()

    def unfinished_files(self) -> list[Path]:
        """The files in the storage that are not finished submissions."""
        root = self.application.settings.data_dir / "storage"
        return [
            path
            for path in root.rglob("*")
            if path.is_file() and path.parent.parent.parent.name != "submissions"
        ]

    def connect(self) -> socket.socket:
        """A raw connection."""
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=60)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection

    def head(self, token: str | None, *lines: str, path: str = "") -> bytes:
        """The head of a submission request."""
        target = path or f"{API}/competitions/otto/submissions"
        every = [f"POST {target} HTTP/1.1", "Host: podium", *lines]
        if token is not None:
            every.append(f"Authorization: Bearer {token}")
        return ("\r\n".join(every) + "\r\n\r\n").encode()


def read_answer(connection: socket.socket) -> Answer:
    """Reads one answer; the body as far as its Content-Length says."""
    raw = b""
    while b"\r\n\r\n" not in raw:
        piece = connection.recv(65536)
        if not piece:
            raise ConnectionError("closed without an answer")
        raw += piece
    head, _, body = raw.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (x.partition(":") for x in lines)}
    while len(body) < int(headers.get("content-length", 0)):
        piece = connection.recv(65536)
        if not piece:
            break
        body += piece
    return Answer(int(first.split()[1]), headers, body)


def send_until_refused(connection: socket.socket, head: bytes, total: int) -> Answer:
    """Sends a head and up to `total` body bytes, reading meanwhile, until the server closes."""
    found: list[Answer] = []
    reader = threading.Thread(target=lambda: found.append(read_answer(connection)))
    reader.start()
    connection.sendall(head)
    sent, block = 0, b"x" * 65536
    try:
        while sent < total:
            connection.sendall(block)
            sent += len(block)
    except OSError:
        pass
    reader.join(timeout=60)
    found[0].sent = sent
    return found[0]


def eventually(condition: Any, *, seconds: float = 60.0) -> bool:
    """True if the condition becomes true in time."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


@contextmanager
def running(application: Application) -> Iterator[Server]:
    """Serves the application on a free port while the block runs."""
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(
        create_app(application),
        http=BoundedHeads,
        log_config=None,
        access_log=False,
        lifespan="off",
        loop="uvloop",
    )
    service = uvicorn.Server(config)
    thread = threading.Thread(target=service.run, kwargs={"sockets": [listener]})
    thread.start()
    connections = service.server_state.connections
    server = Server(application, listener.getsockname()[1], connections)
    try:
        assert eventually(lambda: service.started)
        yield server
    finally:
        server.client.close()
        service.should_exit = True
        thread.join(timeout=60)
        listener.close()


def random_name() -> str:
    """A name that is used nowhere else."""
    return f"name {secrets.token_hex(4)}"
