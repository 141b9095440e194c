"""Questions about worker processes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from podium.db.engine import WriteSession
from podium.db.models import Worker


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


def known(session: Session, *, limit: int) -> Sequence[Worker]:
    """Worker processes that have not been forgotten, the last sign of life first."""
    query = select(Worker).order_by(Worker.heartbeat_at.desc(), Worker.id).limit(limit)
    return session.scalars(query).all()
