"""The administrator's view of the installation: the queue, workers, uploads under way."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import text
from sqlalchemy.orm import Session

from podium import __version__
from podium.core.database.engine import database_now
from podium.core.models import Worker
from podium.core.workers import WORKER_SILENCE
from podium.operations import queries
from podium.operations.queries import UploadUnderWay
from podium.operations.service import progress
from podium.operations.service.backup_records import LastBackup, last_backup
from podium.operations.service.progress import JudgingProgress

MAX_SHOWN = 100
"""Workers, and uploads, that are listed."""


@dataclass(frozen=True, slots=True)
class SeenWorker:
    """A worker process. `is_alive`: it sent a heartbeat lately and has not signed off."""

    worker: Worker
    is_alive: bool


@dataclass(frozen=True, slots=True)
class ServerState:
    """The installation at the moment `now` of the database's clock."""

    now: datetime
    seen: JudgingProgress
    workers: Sequence[SeenWorker]
    uploads: Sequence[UploadUnderWay]
    database_version: str
    backup: LastBackup | None


def look(session: Session) -> ServerState:
    """Reads the present state of the server. The caller has to check permissions."""
    now = database_now(session)
    return ServerState(
        now=now,
        seen=progress.look(session),
        workers=_workers(session, now),
        uploads=queries.oldest_uploads(session, limit=MAX_SHOWN),
        database_version=_database_version(session),
        backup=last_backup(session),
    )


def other_versions(session: Session) -> list[str]:
    """Lists the versions of live workers other than this one's."""
    return sorted({row.version for row in _live_workers(session)} - {__version__})


def silences(session: Session) -> dict[str, float]:
    """Seconds since the last heartbeat of each worker that has not signed off, by its id."""
    now = database_now(session)
    return {
        seen.worker.id: max(0.0, (now - seen.worker.heartbeat_at).total_seconds())
        for seen in _workers(session, now)
        if seen.worker.stopped_at is None
    }


def is_judged_elsewhere(session: Session) -> bool:
    """True if workers are alive, and none of them on this machine or in this container."""
    hosts = {row.host for row in _live_workers(session)}
    return bool(hosts) and socket.gethostname() not in hosts


def _live_workers(session: Session) -> list[Worker]:
    return [seen.worker for seen in _workers(session, database_now(session)) if seen.is_alive]


def _workers(session: Session, now: datetime) -> list[SeenWorker]:
    since = now - WORKER_SILENCE
    return [
        SeenWorker(row, row.stopped_at is None and row.heartbeat_at >= since)
        for row in queries.known(session, limit=MAX_SHOWN)
    ]


def _database_version(session: Session) -> str:
    is_sqlite = session.get_bind().dialect.name == "sqlite"
    query = "select sqlite_version()" if is_sqlite else "show server_version"
    return str(session.scalar(text(query)))
