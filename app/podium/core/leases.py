"""Leases: a claim on a row until a given time, by the database's clock."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum

from sqlalchemy import ColumnElement, or_, update
from sqlalchemy.orm import InstrumentedAttribute

from podium.core.database.engine import WriteSession, database_now
from podium.core.models import Job, Judging

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


def is_lapsed(
    until: InstrumentedAttribute[datetime] | InstrumentedAttribute[datetime | None],
    *,
    now: datetime,
) -> ColumnElement[bool]:
    """The SQL of a lease that was given and is not good any more, by the rule of `is_held`."""
    return or_(until <= now, until > now + LONGEST_LEASE)


def begin_lease(
    leased: Job | Judging, *, running: str, worker_id: str, now: datetime, lease_seconds: float
) -> None:
    """Gives a worker the lease on a row, which goes into this state. The new fence shuts out the
    worker that held it before."""
    leased.state = running
    leased.fence += 1
    leased.worker_id = worker_id
    leased.started_at = now
    leased.lease_until = now + timedelta(seconds=lease_seconds)
    leased.progress = 0.0


def queue_again(leased: Job | Judging, *, queued: str) -> None:
    """Takes the lease on a row back, which waits in this state for another worker."""
    leased.state = queued
    leased.worker_id = None
    leased.lease_until = None
    leased.progress = 0.0


def renew_lease(
    session: WriteSession,
    leased: type[Job] | type[Judging],
    *,
    row_id: str,
    fence: int,
    is_under_way: ColumnElement[bool],
    lease_seconds: float,
    progress: float,
) -> LeaseState:
    """Lengthens the lease on a row, and notes the share that is done; answers whether to go on. The
    lease is lost where the row is not under way or has another fence."""
    query = (
        update(leased)
        .where(leased.id == row_id, leased.fence == fence, is_under_way)
        .values(
            lease_until=database_now(session) + timedelta(seconds=lease_seconds), progress=progress
        )
        .execution_options(synchronize_session=False)
        .returning(leased.cancel_requested)
    )
    is_cancelled = session.scalar(query)
    if is_cancelled is None:
        return LeaseState.LOST
    return LeaseState.CANCELLED if is_cancelled else LeaseState.OURS
