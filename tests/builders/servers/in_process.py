"""A client of an application in this process.

Starlette's goes to the application's thread and back eight times for each request, so that an
answer can be read while it is made, and starts an event loop for each unless it was entered: 1 to 2
ms of a processor, where a route takes 5. Here a request goes there once, in 0.2 ms.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from typing import Any
from urllib.parse import unquote

import httpx2 as httpx
from anyio.from_thread import BlockingPortal
from starlette import testclient
from starlette.types import ASGIApp, Message, Scope


class TestClient(testclient.TestClient):
    """Starlette's in all but how a request gets to the application."""

    def __init__(
        self, app: ASGIApp, *, raise_server_exceptions: bool = True, **options: Any
    ) -> None:
        super().__init__(app, **options)
        self.address = options.get("client", ("testclient", 50000))
        self._transport = _Transport(self, () if raise_server_exceptions else (Exception,))

    @contextmanager
    def _portal_factory(self) -> Iterator[BlockingPortal]:
        yield self.portal or _portal()


class _Transport(httpx.BaseTransport):
    """Sends requests to the application in the event loop of its client."""

    def __init__(self, client: TestClient, suppressed: tuple[type[Exception], ...]) -> None:
        self.client, self.suppressed = client, suppressed

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        exchange = _Exchange(request.read())
        with self.client._portal_factory() as portal, suppress(*self.suppressed):
            portal.call(self.client.app, self._scope(request), exchange.receive, exchange.send)
        content = b"" if request.method == "HEAD" else exchange.content
        return httpx.Response(
            exchange.status, headers=exchange.headers, content=content, request=request
        )

    def _scope(self, request: httpx.Request) -> Scope:
        url = request.url
        headers = [(name.lower(), value) for name, value in request.headers.raw]
        return {
            "type": "http",
            "http_version": "1.1",
            "method": request.method,
            "path": unquote(url.path),
            "raw_path": url.raw_path.split(b"?", 1)[0],
            "root_path": "",
            "scheme": url.scheme,
            "query_string": url.query,
            "headers": headers,
            "client": self.client.address,
            "server": (url.host, url.port or {"http": 80, "https": 443}[url.scheme]),
            "extensions": {},
            "state": self.client.app_state.copy(),
        }


class _Exchange:
    """A request's body on its way there, and what is answered."""

    def __init__(self, body: bytes) -> None:
        self._coming: list[Message] = [{"type": "http.request", "body": body}]
        self._is_answered = asyncio.Event()
        self.status = 500
        self.headers: list[tuple[bytes, bytes]] = []
        self.content = b""

    async def receive(self) -> Message:
        if self._coming:
            return self._coming.pop()
        await self._is_answered.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status, self.headers = message["status"], list(message["headers"])
        elif message["type"] == "http.response.body":
            self.content += message.get("body", b"")
            if not message.get("more_body", False):
                self._is_answered.set()


@cache
def _portal() -> BlockingPortal:
    """The way to an event loop for clients that were not entered, in a thread of this process."""
    found: list[BlockingPortal] = []
    is_there = threading.Event()

    async def loop() -> None:
        async with BlockingPortal() as portal:
            found.append(portal)
            is_there.set()
            await portal.sleep_until_stopped()

    threading.Thread(target=asyncio.run, args=(loop(),), daemon=True).start()
    is_there.wait()
    return found[0]
