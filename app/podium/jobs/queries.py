"""All SQL about jobs; no other room imports it."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import and_, delete, or_, select
from sqlalchemy.orm import Session

from podium.core.database.engine import WriteSession
from podium.core.database.reading import count_where
from podium.core.leases import UNFINISHED, WorkState
from podium.core.models import Job


def joinable(session: Session, *, key: str, now: datetime) -> Job | None:
    """Returns the job that identical requests share: an unfinished one, or one whose outcome has
    not expired."""
    query = (
        select(Job)
        .where(
            Job.key == key,
            Job.state != WorkState.CANCELLED,
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
    """Counts the unfinished jobs of a competition."""
    return count_where(session, Job.competition_id == competition_id, Job.state.in_(UNFINISHED))


def forget_ended(session: WriteSession, *, now: datetime) -> None:
    """Deletes jobs whose outcome has expired."""
    session.execute(delete(Job).where(Job.keep_until <= now))
