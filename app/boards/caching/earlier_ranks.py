"""Ranks of a moment in the past, kept for a short while: pages show with every row how far it came
up, and a board of the past costs a hundred times one of today."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

KEPT_SECONDS = 60.0
"""Seconds that pages may go on with them. Ranks of the past change only with a rejudging, with a
team that is disqualified or hidden, and the like; ranks of today are always those of now."""

MOST_KEPT = 64

Key = tuple[str, ...]
Ranks = Mapping[str, int]


@dataclass(slots=True)
class EarlierRanks:
    """Ranks by what names them: a competition, its board and version, and the moment."""

    clock: Callable[[], float] = time.monotonic
    _kept: OrderedDict[Key, tuple[float, Ranks]] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def get(self, key: Key, compute: Callable[[], Ranks]) -> Ranks:
        """The cached ranks if they are young enough, or else newly computed ones."""
        now = self.clock()
        with self._lock:
            made_at, ranks = self._kept.get(key, (-KEPT_SECONDS, {}))
        if key in self._kept and now - made_at < KEPT_SECONDS:
            return ranks
        ranks = compute()
        with self._lock:
            self._kept[key] = (now, ranks)
            self._kept.move_to_end(key)
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        return ranks
