"""Limits on long answers, such as files and live events: per client, and in all.

A seat is taken when the answer begins and freed when it ends, however it ends. Between the check
for a free seat and its taking nothing else of the event loop runs, so that no other request takes
it at the same moment.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterable, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from podium.errors import PodiumError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@dataclass(slots=True)
class Room:
    """Seats of one kind or of several that share a total."""

    seats: int
    taken: int = 0


class Seats:
    """Seats of one kind in this process. Only ever touched by the event loop's thread."""

    def __init__(
        self,
        *,
        each: int,
        room: Room | None = None,
        refuse_one: Callable[[], PodiumError],
        refuse_all: Callable[[], PodiumError] | None = None,
    ) -> None:
        self._each, self._room = each, room
        self._refuse_one, self._refuse_all = refuse_one, refuse_all or refuse_one
        self._taken: Counter[str] = Counter()

    def require_free(self, who: str) -> None:
        """Raises the refusal of the respective function where all seats are taken, or all of this
        client's."""
        if self._room is not None and self._room.taken >= self._room.seats:
            raise self._refuse_all()
        if self._taken[who] >= self._each:
            raise self._refuse_one()

    @contextmanager
    def taken(self, who: str) -> Iterator[None]:
        """Takes a seat while the block runs. Raises what `require_free` raises."""
        self.require_free(who)
        self._taken[who] += 1
        if self._room is not None:
            self._room.taken += 1
        try:
            yield
        finally:
            if self._room is not None:
                self._room.taken -= 1
            self._taken[who] -= 1
            if not self._taken[who]:
                del self._taken[who]


class SeatedResponse(StreamingResponse):
    """A streamed answer that occupies a seat while it lasts; without a free one it never begins,
    and the refusal is answered instead."""

    def __init__(
        self,
        content: AsyncIterable[bytes | str] | Iterable[bytes | str],
        status: int = 200,
        headers: Mapping[str, str] | None = None,
        *,
        media_type: str,
        seats: Seats,
        who: str,
    ) -> None:
        super().__init__(content, status, headers, media_type)
        self._seats, self._who = seats, who

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Streams the answer while it holds a seat."""
        with self._seats.taken(self._who):
            await super().__call__(scope, receive, send)
