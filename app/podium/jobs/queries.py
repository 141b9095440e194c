"""Questions about jobs, and changes of many of them: all SQL about jobs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import and_, delete, func, or_, select, update
from sqlalchemy.orm import Session

from podium.core.database.engine import WriteSession
from podium.core.leases import is_lapsed
from podium.core.models import Job
from podium.jobs.states import UNFINISHED, JobState
from podium.queue.reconciler import Unattended


def joinable(session: Session, *, key: str, now: datetime) -> Job | None:
    """The job that identical requests share: one that has not ended, or whose outcome is kept."""
    query = (
        select(Job)
        .where(
            Job.key == key,
            Job.state != JobState.CANCELLED,
            or_(
                and_(Job.state.in_(UNFINISHED), Job.cancel_requested.is_(False)),
                Job.keep_until > now,
            ),
        )
        .order_by(Job.id.desc())
        .limit(1)
    )
    return session.scalar(query)


def unfinished(session: Session, *, competition_id: str) -> int:
    """The number of jobs of a competition that have not ended."""
    query = (
        select(func.count())
        .select_from(Job)
        .where(Job.competition_id == competition_id, Job.state.in_(UNFINISHED))
    )
    return session.scalar(query) or 0


def locked(session: WriteSession, *, job_id: str) -> Job | None:
    """A job as it is now, locked against other writers until the transaction ends."""
    query = select(Job).where(Job.id == job_id).with_for_update()
    return session.scalar(query.execution_options(populate_existing=True))


def request_end(session: WriteSession, *, competition_id: str, kind: str | None) -> None:
    """Asks workers that run jobs of this kind, or of any, to end them."""
    jobs = update(Job).where(Job.competition_id == competition_id, Job.state.in_(UNFINISHED))
    if kind is not None:
        jobs = jobs.where(Job.kind == kind)
    session.execute(jobs.values(cancel_requested=True).execution_options(synchronize_session=False))


def unattended(session: Session, *, now: datetime, after: str, limit: int) -> Sequence[Unattended]:
    """Jobs that have not ended and whose lease is over or never began, by id, from `after` on."""
    query = (
        select(Job.id, Job.dispatches, Job.state)
        .where(
            Job.state.in_(UNFINISHED),
            or_(Job.lease_until.is_(None), is_lapsed(Job.lease_until, now=now)),
            Job.id > after,
        )
        .order_by(Job.id)
        .limit(limit)
    )
    return [
        Unattended(job_id, dispatches, state == JobState.RUNNING)
        for job_id, dispatches, state in session.execute(query)
    ]


def forget_ended(session: WriteSession, *, now: datetime) -> None:
    """Removes jobs whose outcome is kept no longer."""
    session.execute(delete(Job).where(Job.keep_until <= now))
