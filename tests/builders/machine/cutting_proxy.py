"""A TCP proxy that breaks connections where a test wants it, for clients that must go on."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

BLOCK = 65536


class CuttingProxy:
    """Passes bytes to a port on; breaks a connection after so many bytes of the client's.

    `cuts` holds the number for the next connections that send more than a mebibyte, one each;
    `sent` counts all bytes that clients sent. While `is_down`, every connection ends at once.
    `pause(bytes)` lets nothing more pass once so many are through, until `release()`.
    """

    def __init__(self, port: int, *cuts: int) -> None:
        self.cuts = list(cuts)
        self.sent = 0
        self.is_down = False
        self._limit: int | None = None
        self._may_pass = threading.Event()
        self._target = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = []
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """The address at which it listens."""
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def pause(self, limit: int) -> None:
        """Lets no bytes of clients pass once `sent` has reached a number."""
        self._may_pass.clear()
        self._limit = limit

    def release(self) -> None:
        """Lets all pass again."""
        self._limit = None
        self._may_pass.set()

    def close(self) -> None:
        """Ends everything."""
        self.release()
        # Closing alone does not wake a thread that accepts.
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for connection in self._open:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            connection.close()
        self._thread.join(timeout=10)

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            if self.is_down:
                client.close()
                continue
            server = socket.create_connection(("127.0.0.1", self._target))
            self._open += [client, server]
            threading.Thread(target=self._upwards, args=(client, server), daemon=True).start()
            threading.Thread(target=self._downwards, args=(server, client), daemon=True).start()

    def _upwards(self, client: socket.socket, server: socket.socket) -> None:
        passed, cut = 0, None
        with suppress(OSError):
            while block := client.recv(BLOCK):
                if self._limit is not None and self.sent >= self._limit:
                    self._may_pass.wait()
                server.sendall(block)
                passed += len(block)
                self.sent += len(block)
                if cut is None and passed > 1 << 20 and self.cuts:
                    cut = self.cuts.pop(0)
                if self.is_down or (cut is not None and passed >= cut):
                    break
        self._end(client, server)

    def _downwards(self, server: socket.socket, client: socket.socket) -> None:
        with suppress(OSError):
            while block := server.recv(BLOCK):
                client.sendall(block)
        self._end(client, server)

    def _end(self, *connections: socket.socket) -> None:
        for connection in connections:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            # Without this the kernel goes on taking in what the client sends.
            connection.close()


@contextmanager
def cutting(port: int, *cuts: int) -> Iterator[CuttingProxy]:
    """A proxy before a port while the block runs."""
    proxy = CuttingProxy(port, *cuts)
    try:
        yield proxy
    finally:
        proxy.close()
