"""Caches of boards in this process, which are read far more often than they change: rendered parts,
ranks of a moment in the past, and the headers for clients' caches."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from podium.boards.service import views
from podium.core.models import Competition
from podium.core.visibility import Board
from podium.http.caching import OneAtATime
from podium.http.schemas import OpenApi

MAX_BYTES = 32 << 20
"""Maximum bytes of all entries together; the least recently used are removed first."""

ENTRY_BYTES = 1 << 10
"""The cost of an entry besides its body, in bytes."""

PartKey = tuple[str, str, str]
"""A competition's id, its board, and a part of the board with its format."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """The body of an answer, and the cursor of the next page."""

    body: bytes
    next_cursor: str | None = None


class RenderedBoards:
    """Caches the latest body of each part of a board, with the `ETag` of its version: earlier
    versions are never requested again."""

    def __init__(self, most_bytes: int = MAX_BYTES) -> None:
        self._most_bytes = most_bytes
        self._bytes = 0
        self._entries: OrderedDict[PartKey, tuple[str, Rendered]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: PartKey, etag: str, render: Callable[[], Rendered]) -> Rendered:
        """Returns the cached body of this version, or calls `render`; racing callers may both
        render."""
        with self._lock:
            of, found = self._entries.get(key, ("", Rendered(b"")))
            if of == etag:
                self._entries.move_to_end(key)
                return found
        rendered = render()
        with self._lock:
            self._forget(key)
            self._entries[key] = etag, rendered
            self._bytes += _cost(rendered)
            while self._bytes > self._most_bytes:
                self._forget(next(iter(self._entries)))
        return rendered

    def _forget(self, key: PartKey) -> None:
        if (found := self._entries.pop(key, None)) is not None:
            self._bytes -= _cost(found[1])


def _cost(rendered: Rendered) -> int:
    return len(rendered.body) + ENTRY_BYTES


KEPT_SECONDS = 60.0
"""Seconds for which earlier ranks are reused. Ranks of the past change only with a rejudging, with
a team that is disqualified or hidden, and the like; ranks of today are always current."""

MAX_KEPT = 64

MomentKey = tuple[str, ...]
Ranks = Mapping[str, int]


@dataclass(slots=True)
class EarlierRanks:
    """Caches ranks by competition, board, version, and moment."""

    clock: Callable[[], float] = time.monotonic
    _entries: OrderedDict[MomentKey, tuple[float, Ranks]] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def get(self, key: MomentKey, compute: Callable[[], Ranks]) -> Ranks:
        """Returns the cached ranks if they are young enough, or else computes them."""
        now = self.clock()
        with self._lock:
            made_at, ranks = self._entries.get(key, (-KEPT_SECONDS, {}))
        if key in self._entries and now - made_at < KEPT_SECONDS:
            return ranks
        ranks = compute()
        with self._lock:
            self._entries[key] = (now, ranks)
            self._entries.move_to_end(key)
            while len(self._entries) > MAX_KEPT:
                self._entries.popitem(last=False)
        return ranks


histories = OneAtATime(most_waiting=8)
"""A board of the past costs a hundred times one of today, and every visitor may request many."""

NOT_MODIFIED: dict[int | str, OpenApi] = {
    304: {"description": "Not changed since `If-None-Match`."}
}


def board_headers(competition: Competition, split: Board, part: str) -> dict[str, str]:
    """Builds the headers of a part of a board, which clients may store and revalidate. Another
    competition of the same slug has other tags."""
    tag = f'W/"{competition.id}.{split}.{views.version_of(competition)}.{part}"'
    return {"ETag": tag, "Cache-Control": "no-cache", "Vary": "Authorization, Cookie"}
