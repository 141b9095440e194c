"""Bodies that are still arriving when this process has to stop: a deadline for each.

The HTTP server gives requests a while, and then ends them in the middle: the client would see an
error of ours. So a body is given up somewhat earlier, in order: its route cleans up, and the client
is asked to send it again, which then reaches the next process.
"""

from __future__ import annotations

import asyncio
import threading

from starlette.exceptions import HTTPException
from starlette.types import Message, Receive

BODY_SECONDS = 14.0
"""Seconds from the signal to stop; the rest of the 20 s that requests have is for cleaning up, and
for the answer, which waits two seconds for what is still under way."""

LOOK_SECONDS = 1.0
"""Seconds until a route that waits for bytes notices the order to stop."""

RETRY_SECONDS = 5


class BodyGivenUp(HTTPException):
    """Raised where a body has not arrived when the process shuts down.

    An HTTPException, because the framework turns every other error of a body's reading into 400.
    """

    def __init__(self) -> None:
        super().__init__(
            503,
            "The server is shutting down and your upload did not finish in time. Please retry.",
            {"Retry-After": str(RETRY_SECONDS), "Connection": "close"},
        )


class Draining:
    """The deadline for bodies after the process was asked to stop."""

    def __init__(self, is_stopping: threading.Event) -> None:
        self._is_stopping = is_stopping
        self._due: float | None = None

    def giving_up(self, receive: Receive) -> Receive:
        """Wraps `receive` of one request to raise `BodyGivenUp` after the deadline."""
        is_complete = False

        async def receive_in_time() -> Message:
            nonlocal is_complete
            while not is_complete:
                if self._is_over():
                    raise BodyGivenUp()
                try:
                    async with asyncio.timeout(LOOK_SECONDS):
                        message = await receive()
                except TimeoutError:
                    continue
                is_complete = not message.get("more_body", False)
                return message
            # A caller that listens for the end of the connection is not waiting for a body.
            return await receive()

        return receive_in_time

    def _is_over(self) -> bool:
        if not self._is_stopping.is_set():
            return False
        now = asyncio.get_running_loop().time()
        if self._due is None:
            self._due = now + BODY_SECONDS
        return now >= self._due
