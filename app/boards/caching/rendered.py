"""Boards as they went out last, kept in this process: a board is asked for far more often than it
changes. Nothing here decides who may see one."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

MOST_BYTES = 32 << 20
"""Of all that is kept together; what was not asked for longest goes first."""

ENTRY_BYTES = 1 << 10
"""The cost of an entry besides its body, in bytes."""

Key = tuple[str, str, str]
"""A competition's id, its board, and which part of it in which form."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """The body of an answer, and the cursor of the page that follows."""

    body: bytes
    next_cursor: str | None = None


class RenderedBoards:
    """The latest body of each part of a board, with the `ETag` that names its version: no earlier
    one can be asked for again."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._bytes = 0
        self._kept: OrderedDict[Key, tuple[str, Rendered]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Key, etag: str, render: Callable[[], Rendered]) -> Rendered:
        """The cached body of this version, or else what `render` makes now; racing callers may both
        render."""
        with self._lock:
            of, kept = self._kept.get(key, ("", Rendered(b"")))
            if of == etag:
                self._kept.move_to_end(key)
                return kept
        rendered = render()
        with self._lock:
            self._forget(key)
            self._kept[key] = etag, rendered
            self._bytes += _cost(rendered)
            while self._bytes > self._most_bytes:
                self._forget(next(iter(self._kept)))
        return rendered

    def _forget(self, key: Key) -> None:
        if (kept := self._kept.pop(key, None)) is not None:
            self._bytes -= _cost(kept[1])


def _cost(rendered: Rendered) -> int:
    return len(rendered.body) + ENTRY_BYTES
