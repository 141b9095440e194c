"""The progress of judging: the queue, the workers, durations; the numbers behind the metrics."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from podium.core.database.engine import database_now
from podium.core.judging_states import State
from podium.core.workers import live_workers
from podium.operations import queries
from podium.operations.queries import Durations
from podium.operations.service.backup_records import last_backup

BOUNDS = (0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 300.0, 600.0)
"""Bounds of the histogram of judgings' durations, in seconds."""

MAX_HOSTS = 200
"""Containers have a new name with every start; hosts of the last day are reported, up to this
number."""


@dataclass(frozen=True, slots=True)
class Queued:
    """Judgings of one class and state without a verdict, and the age of the oldest."""

    kind: str
    state: State
    judgings: int
    oldest_seconds: float


@dataclass(frozen=True, slots=True)
class InstallationFigures:
    """Everything that is counted over rows; ages in seconds of the database's clock."""

    progress: JudgingProgress
    queued: Sequence[Queued]
    durations: Mapping[str, Durations]
    rejected: Mapping[str, int]
    submissions: int
    submission_bytes: int
    heartbeat_ages: Mapping[str, float]
    backup_age_seconds: float
    """Age of the last good backup; infinite without one."""


def measure(session: Session) -> InstallationFigures:
    """Collects the figures of the installation; some queries read a row of each judging, so once in
    a few seconds is enough."""
    now = database_now(session)
    submissions, size = queries.accepted(session)
    backup = last_backup(session)
    return InstallationFigures(
        progress=look(session),
        queued=[
            Queued(
                _kind(each.is_rejudging),
                each.state,
                each.judgings,
                max(0.0, (now - each.oldest).total_seconds()),
            )
            for each in queries.waiting(session)
        ],
        durations={
            _kind(each.is_rejudging): each for each in queries.durations(session, bounds=BOUNDS)
        },
        rejected=queries.rejected_by_code(session),
        submissions=submissions,
        submission_bytes=size,
        backup_age_seconds=backup.age_seconds if backup else math.inf,
        heartbeat_ages={
            host: max(0.0, (now - at).total_seconds())
            for host, at in queries.heartbeats(session, limit=MAX_HOSTS).items()
        },
    )


def _kind(is_rejudging: bool) -> str:
    return "rejudging" if is_rejudging else "upload"


@dataclass(frozen=True, slots=True)
class JudgingProgress:
    """`waiting` judgings are queued or under way; `oldest_waiting_seconds` is 0 without any."""

    workers: int
    judgings: Mapping[State, int]
    oldest_waiting_seconds: float
    uploads: int

    @property
    def waiting(self) -> int:
        """The number of judgings without a verdict."""
        return self.judgings.get(State.QUEUED, 0) + self.judgings.get(State.RUNNING, 0)


def look(session: Session) -> JudgingProgress:
    """Counts workers, unfinished judgings and uploads."""
    now = database_now(session)
    oldest = queries.oldest_waiting(session)
    return JudgingProgress(
        workers=live_workers(session),
        judgings=queries.judgings_by_state(session),
        oldest_waiting_seconds=0.0 if oldest is None else max(0.0, (now - oldest).total_seconds()),
        uploads=queries.uploads_under_way(session),
    )
