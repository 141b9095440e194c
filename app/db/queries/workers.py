"""Questions about worker processes."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from app.db.engine import WriteSession, database_now
from app.db.models import Worker

SILENCE = timedelta(seconds=30)
"""A worker that was silent for longer does not count as alive."""


def living_workers(session: Session) -> int:
    """How many workers gave a sign of life lately and have not said goodbye."""
    query = (
        select(func.count())
        .select_from(Worker)
        .where(Worker.heartbeat_at >= database_now(session) - SILENCE, Worker.stopped_at.is_(None))
    )
    return session.scalar(query) or 0


def stamp(session: WriteSession, *, worker_id: str, now: datetime) -> None:
    """A sign of life."""
    session.execute(update(Worker).where(Worker.id == worker_id).values(heartbeat_at=now))


def say_goodbye(session: WriteSession, *, worker_id: str, now: datetime) -> None:
    """An orderly end."""
    values = {"heartbeat_at": now, "stopped_at": now}
    session.execute(update(Worker).where(Worker.id == worker_id).values(values))


def forget_silent(session: WriteSession, *, before: datetime) -> None:
    """Removes workers whose last sign of life is older: the list is of today, not a history."""
    session.execute(delete(Worker).where(Worker.heartbeat_at < before))
