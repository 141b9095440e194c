"""Leases: a worker's claim on a row until a given time, by the database's clock."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum

LONGEST_LEASE = timedelta(hours=1)
"""No lease is set as long. One that ends later was begun before the clock was set back, and its
holder may be dead: waiting for its end could take a day."""

WORKER_DEATHS = 50
"""A worker's death is our fault, and can hit the same work many times in a storm of restarts; only
far beyond that is it likelier that the work takes workers down."""


class LeaseState(StrEnum):
    """The standing of a worker's lease: held, lost, or asked to stop."""

    OURS = "ours"
    CANCELLED = "cancelled"
    LOST = "lost"
    """The lease ended and another worker may be at it: stop, and change nothing."""


def is_held(until: datetime | None, *, now: datetime) -> bool:
    """True if a lease that ends then is still good.

    >>> noon = datetime(2026, 11, 20, 12)
    >>> [is_held(noon + timedelta(minutes=n), now=noon) for n in (-1, 0, 1, 60, 61)]
    [False, False, True, True, False]
    """
    return until is not None and now < until <= now + LONGEST_LEASE
