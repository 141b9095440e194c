"""Reads pieces of text ahead of their consumer, in a thread."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from threading import Condition, Thread

MAX_BYTES = 96 << 20
"""The most text that waits to be read: as much as is decompressed while a ground truth is
loaded."""


class MadeAhead(Iterator[bytes]):
    """Iterates over pieces that a thread reads in advance. An exception is raised in the position
    of the failed piece."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._made: deque[bytes | BaseException] = deque()
        self._bytes, self._is_closed = 0, False
        self._change = Condition()
        self._thread = Thread(target=self._make, args=(pieces,), daemon=True)
        self._thread.start()

    def __next__(self) -> bytes:
        with self._change:
            self._change.wait_for(lambda: self._made)
            made = self._made.popleft()
            if not isinstance(made, bytes):
                self._made.append(made)
                raise made
            self._bytes -= len(made)
            self._change.notify_all()
            return made

    def close(self) -> None:
        """Stops the thread, and drops the pieces that it has read."""
        with self._change:
            self._is_closed = True
            self._change.notify_all()
        self._thread.join()
        self._made = deque([StopIteration()])

    def _make(self, pieces: Iterator[bytes]) -> None:
        try:
            for piece in pieces:
                if self._is_closed:
                    return
                self._put(piece, len(piece))
            self._put(StopIteration(), 0)
        except BaseException as error:  # noqa: BLE001 - the one who reads has to know
            self._put(error, 0)

    def _put(self, made: bytes | BaseException, size: int) -> None:
        with self._change:
            self._change.wait_for(lambda: self._bytes < MAX_BYTES or self._is_closed)
            self._made.append(made)
            self._bytes += size
            self._change.notify_all()
