"""Workers in the database: each registers, sends heartbeats, and signs off."""

from __future__ import annotations

import os
import socket
from datetime import timedelta

from sqlalchemy.orm import Session

from podium import __version__
from podium.core.database.engine import WriteSession, database_now
from podium.core.models import Worker
from podium.operations import queries

HEARTBEAT_SECONDS = 5.0

FORGOTTEN_AFTER = timedelta(days=1)


def register(session: WriteSession, *, worker_id: str) -> None:
    """Adds a worker of this process."""
    now = database_now(session)
    session.add(
        Worker(
            id=worker_id,
            host=socket.gethostname(),
            process_id=os.getpid(),
            version=__version__,
            started_at=now,
            heartbeat_at=now,
        )
    )


def heartbeat(session: WriteSession, *, worker_id: str) -> None:
    """Records that a worker is alive now, by the clock of the database."""
    queries.stamp(session, worker_id=worker_id, now=database_now(session))


def end(session: WriteSession, *, worker_id: str) -> None:
    """Records that a worker has stopped in an orderly way."""
    queries.say_goodbye(session, worker_id=worker_id, now=database_now(session))


def forget_silent(session: WriteSession) -> None:
    """Removes workers that have been silent for a day."""
    queries.forget_silent(session, before=database_now(session) - FORGOTTEN_AFTER)


def is_oldest(session: Session, *, worker_id: str) -> bool:
    """True if this worker started first among those with a recent heartbeat: for work that one of
    all workers does."""
    heard_since = database_now(session) - timedelta(seconds=6 * HEARTBEAT_SECONDS)
    return queries.oldest_worker(session, heard_since=heard_since) == worker_id
