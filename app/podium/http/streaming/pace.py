"""The pace of bodies that are files: deadlines for their next bytes, and the number of bodies that
are read at a time.

One event loop reads all bodies, and answers everything else in between. Of sixty that arrive at
once each would be read before a board gets its turn. So bodies take turns at reading, a piece each,
while the sockets of the others stay unread and TCP slows their clients down. None waits for long,
and a client that pauses does not block the turn of another.
"""

from __future__ import annotations

import asyncio
import math
from types import TracebackType

from anyio.lowlevel import RunVar
from starlette.types import Message, Receive

from podium.errors import BadRequest, TooSlow
from podium.errors.codes import ErrorCode

BODIES_AT_A_TIME = 4
"""Bodies that are read at a time: one loop reads them all, whatever the number of cores."""

PIECE_BYTES = 1 << 20
"""Bytes of a turn, and bytes that are collected before a thread writes them: fewer, longer writes
cost less."""

READY_SECONDS = 0.005
"""Seconds for which a turn waits for bytes: those that the system has buffered are there by
then."""

GRACE_SECONDS = 30.0
"""Seconds before the minimum rate counts."""

STALL_SECONDS = 60.0
"""Seconds that may pass without any byte."""

NAP_SECONDS = 0.001
"""The sleep in seconds whose delay measures how late the event loop is."""

LATE_SECONDS = 0.02
"""Seconds that the event loop may be late before bodies wait for the rest of its work."""

LONGEST_PAUSE_SECONDS = 0.5
"""Seconds after which a body gets its turn, however late the loop is."""

_turns: RunVar[asyncio.Semaphore] = RunVar("turns")


class Pace:
    """The reading of one body: use `with` on it, since the turn ends with the block.

    Deadlines count the time spent waiting for the client: what the server takes to write, and for
    other bodies, is not the client's. `min_rate` is in bytes per second, on average after
    `grace_seconds`; 0 means any.
    """

    def __init__(
        self, *, deadline_seconds: float, min_rate: int, grace_seconds: float = GRACE_SECONDS
    ) -> None:
        self._deadline_seconds = deadline_seconds
        self._min_rate = min_rate
        self._grace_seconds = grace_seconds
        self._waited = 0.0
        self._silent = 0.0
        self._turns = _turns_of_loop()
        self._left_of_turn = 0

    def __enter__(self) -> Pace:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self.end_turn()

    async def next_piece(
        self, receive: Receive, *, taken: int, rest_seconds: float = math.inf
    ) -> tuple[bytes, bool] | None:
        """Reads the next bytes after the first `taken`, and whether more follow; None where the
        client pauses for `rest_seconds`. Raises `TooSlow` where it is too slow, and `BadRequest`
        (`upload-cut`) where it disconnected."""
        if not self._left_of_turn:
            await self._turns.acquire()
            self._left_of_turn = PIECE_BYTES
            await _until_on_time()
        left = self._left(taken)
        message = await self._received(receive, min(READY_SECONDS, left))
        if message is None:
            self.end_turn()
            left = self._left(taken)
            message = await self._received(receive, min(rest_seconds, left))
        if message is None:
            if left <= rest_seconds:
                raise self._missed()
            return None
        if message["type"] == "http.disconnect":
            raise BadRequest("The connection ended within the body.", code=ErrorCode.UPLOAD_CUT)
        body: bytes = message.get("body", b"")
        if len(body) >= self._left_of_turn:
            self.end_turn()
        else:
            self._left_of_turn -= len(body)
        return body, message.get("more_body", False)

    def end_turn(self) -> None:
        """Lets others read; to be called before work that takes longer than a check of the
        bytes."""
        if self._left_of_turn:
            self._left_of_turn = 0
            self._turns.release()

    async def _received(self, receive: Receive, seconds: float) -> Message | None:
        """Receives the next message; None where it does not arrive within this time."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            async with asyncio.timeout(seconds):
                message = await receive()
        except TimeoutError:
            self._silent += loop.time() - began
            return None
        finally:
            self._waited += loop.time() - began
        self._silent = 0.0
        return message

    def _left(self, taken: int) -> float:
        """Computes the seconds until the deadline of the next bytes."""
        average = taken / self._min_rate if self._min_rate else math.inf
        most = min(self._deadline_seconds, max(self._grace_seconds, average))
        return min(most - self._waited, STALL_SECONDS - self._silent)

    def _missed(self) -> TooSlow:
        return TooSlow(
            f"The body came too slowly: at least {self._min_rate} bytes per second are needed, and"
            f" all of it within {self._deadline_seconds:.0f} s.",
            code=ErrorCode.UPLOAD_TOO_SLOW,
        )


def _turns_of_loop() -> asyncio.Semaphore:
    """Finds or creates the semaphore of this event loop's bodies."""
    try:
        return _turns.get()
    except LookupError:
        turns = asyncio.Semaphore(BODIES_AT_A_TIME)
        _turns.set(turns)
        return turns


async def _until_on_time() -> None:
    """Waits while the loop is late, each time for as long again as it was: where processors are
    scarce, or busy, requests of milliseconds take precedence over those of seconds."""
    loop = asyncio.get_running_loop()
    latest, pause = loop.time() + LONGEST_PAUSE_SECONDS, NAP_SECONDS
    while loop.time() < latest:
        due = loop.time() + pause
        await asyncio.sleep(pause)
        late = loop.time() - due
        if late < LATE_SECONDS:
            return
        # The longer sleep also measures better on a processor that is taken away now and then.
        pause = late
