"""Live workers, by the heartbeats in the database."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy.orm import Session

from podium.core.database.engine import database_now
from podium.core.database.reading import count_where
from podium.core.models import Worker
from podium.errors import Unavailable
from podium.errors.codes import ErrorCode

WORKER_SILENCE = timedelta(seconds=30)
"""A worker that was silent for longer does not count as alive."""

NO_WORKER_RETRY_SECONDS = 30


def live_workers(session: Session) -> int:
    """Counts the workers that sent a heartbeat lately and have not signed off."""
    since = database_now(session) - WORKER_SILENCE
    return count_where(session, Worker.heartbeat_at >= since, Worker.stopped_at.is_(None))


def require_worker(session: Session) -> None:
    """Raises `Unavailable` (`no-worker`) if no live worker could do the work."""
    if live_workers(session) == 0:
        raise Unavailable(
            "No worker is running, so nothing was started. Ask the operator to start"
            " `podium worker`, then repeat the request.",
            code=ErrorCode.NO_WORKER,
            retry_after=NO_WORKER_RETRY_SECONDS,
        )
