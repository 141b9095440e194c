"""How often somebody may try: attempts in a sliding window, for a bounded number of somebodies."""

from __future__ import annotations

import math
from collections import OrderedDict, deque

MOST_KEYS = 10_000
"""Names or addresses that are remembered; those that tried longest ago are forgotten first."""


class Attempts:
    """At most `limit` attempts of one key in `seconds`. Time is an argument, in seconds."""

    def __init__(self, *, limit: int, seconds: float, most_keys: int = MOST_KEYS) -> None:
        self._limit = limit
        self._seconds = seconds
        self._most_keys = most_keys
        self._made: OrderedDict[str, deque[float]] = OrderedDict()

    def wait(self, key: str, now: float) -> int:
        """Whole seconds until the key may try again; 0 when it may now."""
        made = self._made.get(key, deque())
        while made and made[0] <= now - self._seconds:
            made.popleft()
        if len(made) < self._limit:
            return 0
        return max(1, math.ceil(made[0] + self._seconds - now))

    def count(self, key: str, now: float) -> None:
        """Counts an attempt that begins."""
        self._made.setdefault(key, deque()).append(now)
        self._made.move_to_end(key)
        while len(self._made) > self._most_keys:
            self._made.popitem(last=False)

    def forgive(self, key: str) -> None:
        """Takes the last attempt back: it was a good one."""
        made = self._made.get(key)
        if made:
            made.pop()
        if not made:
            self._made.pop(key, None)
