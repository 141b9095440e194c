"""The readiness of the store, checked seldom and by one thread: a bucket may hang for minutes, and
monitoring polls every few seconds."""

from __future__ import annotations

import threading
import time

from podium.errors import PodiumError
from podium.logs import get_logger
from podium.storage import Storage

FRESH_SECONDS = 10.0
"""Seconds for which the last check of the store counts."""

_log = get_logger("http")


class StoreWatch:
    """Caches the store's state, and checks again once that is too old."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._changed = threading.Condition()
        self._is_asking = False
        self._answer: tuple[float, bool] | None = None

    def works(self, *, within_seconds: float) -> bool:
        """True if the store works; false also if it does not answer in time."""
        with self._changed:
            if self._is_fresh():
                return self._answer is not None and self._answer[1]
            if not self._is_asking:
                self._is_asking = True
                threading.Thread(target=self._ask, name="store-watch", daemon=True).start()
            self._changed.wait_for(self._is_fresh, timeout=within_seconds)
            return self._is_fresh() and self._answer is not None and self._answer[1]

    def _is_fresh(self) -> bool:
        return self._answer is not None and time.monotonic() - self._answer[0] < FRESH_SECONDS

    def _ask(self) -> None:
        is_good = False
        try:
            self._storage.check()
            is_good = True
        except (PodiumError, OSError) as error:
            _log.warning("store.failed", error=type(error).__name__)
        finally:
            with self._changed:
                self._answer, self._is_asking = (time.monotonic(), is_good), False
                self._changed.notify_all()
