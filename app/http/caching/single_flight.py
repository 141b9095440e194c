"""Requests that cost much and that anybody may make: one after the other, and few that wait."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from podium.errors import Unavailable
from podium.errors.codes import ErrorCode

BUSY_SECONDS = 2
"""Seconds after which a refused client may try again."""


class OneAtATime:
    """Lets one request of its kind in, and `most_waiting` wait; each of those keeps a thread."""

    def __init__(self, *, most_waiting: int) -> None:
        self._alone = threading.Lock()
        self._seats = threading.BoundedSemaphore(most_waiting + 1)

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Waits for its turn. Raises `Unavailable` (`busy`) when too many wait."""
        if not self._seats.acquire(blocking=False):
            raise Unavailable(
                "Too many ask for this right now. Try again shortly.",
                code=ErrorCode.BUSY,
                retry_after=BUSY_SECONDS,
            )
        try:
            with self._alone:
                yield
        finally:
            self._seats.release()
