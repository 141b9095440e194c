"""Durations in words, and the error for a wait that took too long."""

from __future__ import annotations

import math
from datetime import UTC, datetime

from podium.errors import Unavailable
from podium.errors.codes import ErrorCode

UNITS = ((86_400, "d"), (3_600, "h"), (60, "min"), (1, "s"))


def in_words(seconds: float) -> str:
    """Formats a duration with its two largest units, rounded up.

    >>> in_words(11_520), in_words(86_400), in_words(59.2), in_words(-3)
    ('3 h 12 min', '1 d', '1 min', '0 s')
    """
    left = max(0, math.ceil(seconds))
    if left >= 60:
        # Seconds are irrelevant beside hours, and minutes beside days.
        step = 3_600 if left >= 86_400 else 60
        left = math.ceil(left / step) * step
    parts = []
    for size, unit in UNITS:
        amount, left = divmod(left, size)
        if amount:
            parts.append(f"{amount} {unit}")
    return " ".join(parts[:2]) or "0 s"


def timed_out(what: str, timeout: float, then: str) -> Unavailable:
    """Returns the error for work of the server that takes longer than the caller wants to wait:
    `what` is still under way, and what to do `then`."""
    return Unavailable(
        f"{what} after {in_words(timeout)}. {then}", code=ErrorCode.WAIT_TIMED_OUT, timeout=timeout
    )


def seconds_until(moment: str) -> float:
    """Returns the seconds until a time of the API, by this machine's clock."""
    return (datetime.fromisoformat(moment) - datetime.now(UTC)).total_seconds()
