"""Boards as they went out last, kept in this process: a board is asked for far more often than it
changes. Nothing here decides who may see one."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

MOST_BYTES = 32 << 20
"""Of all kept bodies together; those that were not asked for longest go first."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """The body of an answer, and the cursor of the page that follows."""

    body: bytes
    next_cursor: str | None = None


class RenderedBoards:
    """Bodies by a competition's id and the `ETag`, which names board, version, page and format."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._bytes = 0
        self._kept: OrderedDict[tuple[str, str], Rendered] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, competition_id: str, etag: str, render: Callable[[], Rendered]) -> Rendered:
        """What was kept, or else what `render` makes now; racing callers may both render."""
        key = (competition_id, etag)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        rendered = render()
        with self._lock:
            if key not in self._kept:
                self._kept[key] = rendered
                self._bytes += len(rendered.body)
            while self._bytes > self._most_bytes:
                _, oldest = self._kept.popitem(last=False)
                self._bytes -= len(oldest.body)
        return rendered
