"""A wire between the service and its database that can stop carrying anything, both ways."""

from __future__ import annotations

import select
import socket
import threading
from contextlib import suppress

PIECE = 1 << 16


class Wire:
    """Listens at `port` and carries bytes to `target` until it is `cut`; `mend` goes on."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port: int = self._listener.getsockname()[1]
        self._carries = threading.Event()
        self._carries.set()
        self._is_over = False
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """From now on nothing arrives, and neither side is told: connections stay as they are."""
        self._carries.clear()

    def mend(self) -> None:
        """Carries on; what was sent meanwhile arrives now."""
        self._carries.set()

    def close(self) -> None:
        """Ends for good."""
        self._is_over = True
        self._carries.set()
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while not self._is_over:
                near, _ = self._listener.accept()
                threading.Thread(target=self._carry, args=(near,), daemon=True).start()

    def _carry(self, near: socket.socket) -> None:
        self._carries.wait()
        with near, suppress(OSError), socket.create_connection(("127.0.0.1", self._target)) as far:
            other = {near: far, far: near}
            while not self._is_over:
                ready, _, _ = select.select([near, far], [], [], 0.2)
                self._carries.wait()
                for one in ready:
                    piece = one.recv(PIECE)
                    if not piece:
                        return
                    other[one].sendall(piece)
