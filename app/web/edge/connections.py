"""What the HTTP server itself must not put up with: heads that never end, or are too long.

The server has no deadline for a request's head, and an open connection costs a file descriptor.
"""

from __future__ import annotations

import asyncio
import json
import socket
from http import HTTPStatus

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from app.web.errors import problem_document

HEAD_SECONDS = 10.0
"""From the connection, or the first byte of a further request, to the end of the head."""

HEAD_BYTES = 64 << 10
"""Longest request head that is waited for."""


class BoundedHeads(H11Protocol):
    """Closes a connection whose head is not complete in time, and says so where it is too long."""

    head_seconds = HEAD_SECONDS
    _head_clock: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Starts the clock of the first head."""
        super().connection_made(transport)
        # The event loop does this only for listeners that were made with the protocol's number.
        # Without it the body of an answer waits 40 ms for the receipt of its head.
        connection = transport.get_extra_info("socket")
        if connection is not None and connection.family in (socket.AF_INET, socket.AF_INET6):
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._watch_head()

    def data_received(self, data: bytes) -> None:
        """Takes bytes; the clock runs as long as they are not a whole head."""
        super().data_received(data)
        self._watch_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stops the clock."""
        self._stop_head_clock()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """A problem document, unless an answer is under way already."""
        if self.conn.our_state not in (h11.IDLE, h11.SEND_RESPONSE):
            self.transport.close()
            return
        is_too_long = len(self.conn.trailing_data[0]) > HEAD_BYTES
        status = HTTPStatus(431 if is_too_long else 400)
        document = problem_document(
            status=status,
            code="head-too-long" if is_too_long else "bad-request",
            detail="The head of the request is too long." if is_too_long else msg,
            request_id=None,
        )
        body = json.dumps(document).encode()
        headers = [
            ("Content-Type", "application/problem+json"),
            ("Content-Length", str(len(body))),
            ("Connection", "close"),
        ]
        for event in (
            h11.Response(status_code=status, headers=headers, reason=status.phrase),
            h11.Data(data=body),
            h11.EndOfMessage(),
        ):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def _watch_head(self) -> None:
        if self.conn.their_state is not h11.IDLE or self.transport.is_closing():
            self._stop_head_clock()
        elif self._head_clock is None:
            self._head_clock = self.loop.call_later(
                self.head_seconds, self.timeout_keep_alive_handler
            )

    def _stop_head_clock(self) -> None:
        if self._head_clock is not None:
            self._head_clock.cancel()
            self._head_clock = None
