"""Limits of the HTTP server's connections: for request heads that are endless or too long, for
answers that are never read, and for the connections of one address.

The server has no timeout for a request's head nor for the reading of its answer, and an open
connection costs a file descriptor, and buffered parts of the answer.
"""

from __future__ import annotations

import asyncio
import fcntl
import socket
import struct
import termios
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from typing import ClassVar

from podium.http.middleware.parsing import StrictRequests
from podium.http.middleware.proxies import Network, is_trusted, network_of

HEAD_SECONDS = 10.0
"""Seconds from the connection, or the first byte of a further request, to the end of the head."""

UNREAD_SECONDS = 60.0
"""Seconds that an answer waits for a client that does not read it."""

MIN_TAKEN = 64 << 10
"""Bytes that a client must read within that time: else a byte a minute would occupy a connection
for ever."""

LOOKS = 4
"""Checks of a waiting answer within that time."""

CONNECTIONS_PER_ADDRESS = 512

AT_ONCE = struct.pack("ii", 1, 0)
"""The socket option that lets a closed connection linger for no second."""


class BoundedHeads(StrictRequests):
    """Closes connections whose head is not complete in time, whose answer is not read, or that
    exceed the limit of their address."""

    head_seconds = HEAD_SECONDS
    unread_seconds = UNREAD_SECONDS
    connections_per_address = CONNECTIONS_PER_ADDRESS
    trusted_proxies: Sequence[Network] = ()
    held: ClassVar[Counter[str]] = Counter()
    """Connections by network, of one kind of server."""

    _head_clock: asyncio.TimerHandle | None = None
    _reader_clock: asyncio.TimerHandle | None = None
    _network: str | None = None
    _waits_since: float | None = None
    _waiting = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Starts the timer of the first head, or resets a connection that exceeds the limit."""
        super().connection_made(transport)
        address = self.client[0] if self.client else None
        if address is not None and not is_trusted(address, self.trusted_proxies):
            self._network = network_of(address)
            self.held[self._network] += 1
            if self.held[self._network] > self.connections_per_address:
                _reset(transport)
                return
        # The event loop sets TCP_NODELAY only for listeners that were created with the protocol's
        # number. Without it the body of an answer waits 40 ms for the receipt of its head.
        connection = transport.get_extra_info("socket")
        if connection is not None and connection.family in (socket.AF_INET, socket.AF_INET6):
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._watch_head()
        self._look_at_reader()

    def data_received(self, data: bytes) -> None:
        """Parses bytes; the timer runs as long as they are not a complete head."""
        super().data_received(data)
        self._watch_head()

    def on_response_complete(self) -> None:
        """Restarts the timer after an answer if the next head has begun meanwhile."""
        super().on_response_complete()
        if self.has_begun:
            self._watch_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stops the timers and frees the address's place."""
        self._stop_head_clock()
        if self._reader_clock is not None:
            self._reader_clock.cancel()
        if self._network is not None:
            self.held[self._network] -= 1
            if not self.held[self._network]:
                del self.held[self._network]
        super().connection_lost(exc)

    def resume_writing(self) -> None:
        """Records that the client has read the buffered data."""
        self._waits_since = None
        super().resume_writing()

    def _watch_head(self) -> None:
        if not self.awaits_head or self.transport.is_closing():
            self._stop_head_clock()
        elif self._head_clock is None:
            self._head_clock = self.loop.call_later(
                self.head_seconds, self.timeout_keep_alive_handler
            )

    def _stop_head_clock(self) -> None:
        if self._head_clock is not None:
            self._head_clock.cancel()
            self._head_clock = None

    def _look_at_reader(self) -> None:
        """Resets the connection where the client reads nothing. The size of the buffer shows that
        as long as nothing is added: while the answer is paused, or complete with the connection
        about to close."""
        now, waiting = self.loop.time(), self.transport.get_write_buffer_size()
        if waiting:
            waiting += self._unreceived()
        if not waiting or not (self.flow.write_paused or self.transport.is_closing()):
            self._waits_since = None
        elif self._waits_since is None or waiting <= self._waiting - MIN_TAKEN:
            self._waits_since, self._waiting = now, waiting
        elif now - self._waits_since >= self.unread_seconds:
            _reset(self.transport)
            return
        self._reader_clock = self.loop.call_later(self.unread_seconds / LOOKS, self._look_at_reader)

    def _unreceived(self) -> int:
        """Counts the bytes that the system has taken from us and the client has not received.

        The system takes more only once about a third of its megabytes are gone, so our own buffer
        does not shrink for a long time though a slow client reads without a pause. 0 where the
        system does not report it.
        """
        connection = self.transport.get_extra_info("socket")
        with suppress(AttributeError, OSError):
            answer = fcntl.ioctl(connection.fileno(), termios.TIOCOUTQ, bytes(4))
            return int(struct.unpack("i", answer)[0])
        return 0


def _reset(transport: asyncio.Transport) -> None:
    """Resets a connection and drops unreceived data. After a mere close the system keeps the data,
    megabytes for each, and tries to deliver it for minutes more."""
    connection = transport.get_extra_info("socket")
    if connection is not None:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE)
    transport.abort()


def protocol_for(
    *,
    unread_seconds: float,
    connections_per_address: int,
    trusted_proxies: Sequence[Network],
) -> type[BoundedHeads]:
    """Creates the protocol class of a server's connections, by an operator's settings."""

    class Protocol(BoundedHeads):
        held: ClassVar[Counter[str]] = Counter()

    Protocol.unread_seconds = unread_seconds
    Protocol.connections_per_address = connections_per_address
    Protocol.trusted_proxies = trusted_proxies
    return Protocol
