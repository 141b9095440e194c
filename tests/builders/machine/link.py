"""A TCP connection to a server that can be cut, or held so that nothing passes, and mended."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress

PIECE = 1 << 16


class Link:
    """Listens on a port of its own and passes everything on to `port` of this machine."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._open: set[socket.socket] = set()
        self._passes = threading.Event()
        self._passes.set()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._accept()

    def freeze(self) -> None:
        """From now on nothing passes, and neither side is told."""
        self._passes.clear()

    def cut(self) -> None:
        """Ends all connections and refuses new ones."""
        # Closing alone would not wake who waits for a connection.
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for end in list(self._open):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        self._passes.set()

    def mend(self) -> None:
        """Lets everything pass again."""
        self._passes.set()
        if self._listener.fileno() == -1:
            self._listener = socket.create_server(("127.0.0.1", self.port))
            self._accept()

    def _accept(self) -> None:
        threading.Thread(target=self._serve, args=[self._listener], daemon=True).start()

    def _serve(self, listener: socket.socket) -> None:
        while True:
            try:
                near, _ = listener.accept()
                far = socket.create_connection(("127.0.0.1", self._target))
            except OSError:
                return
            self._open.update((near, far))
            for source, target in ((near, far), (far, near)):
                threading.Thread(target=self._pass, args=[source, target], daemon=True).start()

    def _pass(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while piece := source.recv(PIECE):
                self._passes.wait()
                target.sendall(piece)
        for end in (source, target):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        # The other direction may still read from it; the last one closes both.
        if source not in self._open:
            source.close()
            target.close()
        self._open.difference_update((source, target))
