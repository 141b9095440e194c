"""Limits of attempts in a time, counted in this process."""

from __future__ import annotations

import ipaddress
import threading
import time
from collections.abc import Callable, Sequence

from podium.accounts.rules import Attempts
from podium.errors import QuotaExhausted
from podium.errors.codes import ErrorCode


class RateLimits:
    """Several limits, each (attempts, seconds), of attempts that have a key for each limit."""

    def __init__(
        self,
        *limits: tuple[int, float],
        detail: str,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._detail = detail
        self._clock = clock
        self._lock = threading.Lock()
        self._kinds = tuple(Attempts(limit=limit, seconds=seconds) for limit, seconds in limits)

    def begin(self, *keys: str) -> None:
        """Counts an attempt before it is checked, so that many at once do not slip through.

        Raises `QuotaExhausted` (`too-many-attempts`).
        """
        now = self._clock()
        with self._lock:
            pairs = self._pairs(keys)
            wait = max(attempts.wait(each, now) for attempts, each in pairs)
            if wait == 0:
                for attempts, each in pairs:
                    attempts.count(each, now)
        if wait > 0:
            raise QuotaExhausted(self._detail, code=ErrorCode.TOO_MANY_ATTEMPTS, retry_after=wait)

    def forget(self, *keys: str) -> None:
        """Removes the count of an attempt that succeeded, or could not be checked."""
        with self._lock:
            for attempts, each in self._pairs(keys):
                attempts.forgive(each)

    def _pairs(self, keys: Sequence[str]) -> list[tuple[Attempts, str]]:
        return list(zip(self._kinds, keys, strict=True))


def network_of(address: str | None) -> str:
    """Computes the key of an address: for IPv6 its network, since one client has 2⁶⁴ addresses."""
    try:
        parsed = ipaddress.ip_address(address or "")
    except ValueError:
        return address or ""
    if parsed.version == 4:
        return str(parsed)
    return str(ipaddress.ip_network((parsed, 64), strict=False))
