"""Leases: a worker's claim on a row until a given time, by the database's clock.

Every new lease raises the fence, and only the holder of the current one may renew it, or end the
work on the row.

queued ──▶ running ──▶ done | refused | failed | cancelled
   ▲          │
   └──────────┘  the worker died or left, or we failed and try once more
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Generic, TypeVar

from sqlalchemy import ColumnElement, and_, or_, update
from sqlalchemy.orm import InstrumentedAttribute

from podium.core.database.engine import WriteSession, database_now
from podium.core.locks import locked_row
from podium.core.models import Job, Run
from podium.logs import get_logger

T = TypeVar("T", Job, Run)

LONGEST_LEASE = timedelta(hours=1)
"""The upper bound of any lease. One that ends later began before the clock was set back, and its
holder may be dead: waiting for its end could take a day."""

WORKER_DEATHS = 50
"""Deaths of workers before a row fails. A death is our fault, and can hit the same work many times
in a storm of restarts; only far beyond that is the work itself the likelier cause."""


_log = get_logger("leases")


class WorkState(StrEnum):
    """The state of a job, or of a judging's run. `refused`: what was sent is at fault. `failed`: we
    are."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    REFUSED = "refused"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def is_final(self) -> bool:
        """True if no other state follows."""
        return self not in UNFINISHED


UNFINISHED = (WorkState.QUEUED, WorkState.RUNNING)


class LeaseState(StrEnum):
    """The standing of a worker's lease: held, lost, or asked to stop."""

    OURS = "ours"
    CANCELLED = "cancelled"
    LOST = "lost"
    """The lease ended and another worker may run the work: stop, and change nothing."""


@dataclass(frozen=True, slots=True)
class Lease(Generic[T]):
    """A lease that a worker has, on one of the `rows`; and the request that asked for the work."""

    rows: type[T]
    row_id: str
    fence: int
    request_id: str | None
    traceparent: str | None


def is_held(until: datetime | None, *, now: datetime) -> bool:
    """True if a lease that ends then is still valid.

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
    """Builds the SQL condition for a lease that has expired, by the rule of `is_held`."""
    return or_(until <= now, until > now + LONGEST_LEASE)


def unattended(rows: type[T], *, now: datetime) -> ColumnElement[bool]:
    """Builds the SQL condition for unfinished rows without a valid lease."""
    return and_(
        rows.state.in_(UNFINISHED),
        or_(rows.lease_until.is_(None), is_lapsed(rows.lease_until, now=now)),
    )


def free(session: WriteSession, rows: type[T], row_id: str) -> T | None:
    """Locks and returns the row, if it has not ended and no worker holds a lease on it."""
    row = locked_row(session, rows, row_id)
    if row is None or WorkState(row.state).is_final:
        return None
    return None if is_held(row.lease_until, now=database_now(session)) else row


def held(session: WriteSession, lease: Lease[T]) -> T | None:
    """Locks and returns the row, if this lease is still the current one."""
    row = locked_row(session, lease.rows, lease.row_id)
    if row is None or row.fence != lease.fence or row.state != WorkState.RUNNING:
        _log.warning("fence.outdated", row=lease.row_id, fence=lease.fence)
        return None
    return row


def begin(session: WriteSession, row: T, *, worker_id: str, seconds: float) -> Lease[T]:
    """Gives a worker the lease on a free row. A lease that ran out counts as the death of its
    worker, which the new fence shuts out."""
    if row.state == WorkState.RUNNING:
        row.worker_deaths += 1
        _log.warning("worker.died", row=row.id, worker=row.worker_id, deaths=row.worker_deaths)
    now = database_now(session)
    row.state = WorkState.RUNNING
    row.fence += 1
    row.worker_id = worker_id
    row.started_at = now
    row.lease_until = now + timedelta(seconds=seconds)
    row.progress = 0.0
    return Lease(type(row), row.id, row.fence, row.request_id, row.traceparent)


def renew(session: WriteSession, lease: Lease[T], *, seconds: float, progress: float) -> LeaseState:
    """Extends a lease and stores the progress; returns whether the worker may go on."""
    rows = lease.rows
    query = (
        update(rows)
        .where(rows.id == lease.row_id, rows.fence == lease.fence, rows.state == WorkState.RUNNING)
        .values(lease_until=database_now(session) + timedelta(seconds=seconds), progress=progress)
        .execution_options(synchronize_session=False)
        .returning(rows.cancel_requested)
    )
    is_cancelled = session.scalar(query)
    if is_cancelled is None:
        return LeaseState.LOST
    return LeaseState.CANCELLED if is_cancelled else LeaseState.OURS


def queue_again(session: WriteSession, row: Job | Run, *, after: timedelta | None = None) -> None:
    """Returns a row to the queue for another worker, at the earliest after the time `after`."""
    row.state = WorkState.QUEUED
    row.worker_id = None
    # A lease without a holder keeps every worker away; the reconciler dispatches the row then.
    row.lease_until = None if after is None else database_now(session) + after
    row.progress = 0.0


def queue_all_again(session: WriteSession, rows: type[T]) -> None:
    """Returns all unfinished rows to the queue, with or without a lease on them."""
    unfinished = update(rows).where(rows.state.in_(UNFINISHED))
    queued = {"state": WorkState.QUEUED, "worker_id": None, "lease_until": None, "progress": 0.0}
    session.execute(unfinished.values(queued))


def request_end(session: WriteSession, rows: type[T], which: ColumnElement[bool]) -> None:
    """Asks the workers that have unfinished rows, or take them, to end them."""
    asked = update(rows).where(which, rows.state.in_(UNFINISHED)).values(cancel_requested=True)
    session.execute(asked.execution_options(synchronize_session=False))


def cancel(
    session: WriteSession, rows: type[T], which: ColumnElement[bool], *, now: datetime
) -> None:
    """Ends unfinished rows at once; the holder of a lease on one finds that it was lost."""
    cancelled = {"state": WorkState.CANCELLED, "ended_at": now, "lease_until": None}
    ended = update(rows).where(which, rows.state.in_(UNFINISHED)).values(cancelled)
    session.execute(ended.execution_options(synchronize_session=False))


def end(session: WriteSession, row: Job | Run, state: WorkState) -> None:
    """Sets the final state of a row, and ends its lease."""
    row.state = state
    row.ended_at = database_now(session)
    row.lease_until = None
    if state is WorkState.DONE:
        row.progress = 1.0
