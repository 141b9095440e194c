"""Delivers answers that are sent before the body has arrived.

A server that answers and closes while bytes are still under way resets the connection, and the
client may never see the reason. So the answer is sent completely, then a little more is read and
discarded, then the connection ends. Without this the HTTP server would go on reading a refused body
forever.
"""

from __future__ import annotations

import asyncio

from starlette.datastructures import MutableHeaders
from starlette.types import Message, Receive, Scope, Send

DISCARD_BYTES = 7 << 20
"""Maximum bytes of a refused body that are read; with the server's own buffers less than 8 MiB."""

DISCARD_SECONDS = 2.0


def answering_early(scope: Scope, receive: Receive, send: Send) -> tuple[Receive, Send]:
    """Wraps `receive` and `send` for the application, which may answer at any time."""
    has_chunks = first_value(scope, b"transfer-encoding") is not None
    if not has_chunks and first_value(scope, b"content-length") in (None, b"0"):
        return receive, send
    exchange = _Exchange(receive, send, asks_first=first_value(scope, b"expect") is not None)
    return exchange.receive, exchange.send


def first_value(scope: Scope, name: bytes) -> bytes | None:
    """Finds the first value of a header, named in lower case; None without one. Every request reads
    a few headers this way: the framework's class costs several times as much."""
    for key, value in scope["headers"]:
        if key == name:
            found: bytes = value
            return found
    return None


class _Exchange:
    """Tracks how much of one request's body arrived before its answer."""

    def __init__(self, receive: Receive, send: Send, *, asks_first: bool) -> None:
        self._receive = receive
        self._send = send
        self._asks_first = asks_first
        self._asked = False
        self._complete = False
        self._is_early = False
        self._taken = 0

    async def receive(self) -> Message:
        self._asked = True
        message = await self._receive()
        self._taken += len(message.get("body", b""))
        self._complete = not message.get("more_body", False)
        return message

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start" and not self._complete:
            self._is_early = True
            MutableHeaders(scope=message)["Connection"] = "close"
        is_last = message["type"] == "http.response.body" and not message.get("more_body", False)
        if not (self._is_early and is_last):
            await self._send(message)
            return
        await self._send({**message, "more_body": True})
        # A client that waited for “100 Continue” and got this answer instead sends nothing.
        if self._asked or not self._asks_first:
            await self._discard()
        await self._send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _discard(self) -> None:
        try:
            async with asyncio.timeout(DISCARD_SECONDS):
                while not self._complete and self._taken < DISCARD_BYTES:
                    await self.receive()
        except TimeoutError:
            return
