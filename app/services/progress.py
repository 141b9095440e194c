"""How the installation is doing, in a few numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy.orm import Session

from podium.db.engine import database_now
from podium.db.queries import progress
from podium.domain.judging import State

WORKER_SILENCE = timedelta(seconds=30)
"""A worker that was silent for longer does not count as alive."""


@dataclass(frozen=True, slots=True)
class Progress:
    """`waiting` judgings are queued or under way; `oldest_waiting_seconds` is 0 without any."""

    workers: int
    judgings: Mapping[State, int]
    oldest_waiting_seconds: float
    uploads: int

    @property
    def waiting(self) -> int:
        """Judgings without a verdict."""
        return self.judgings.get(State.QUEUED, 0) + self.judgings.get(State.JUDGING, 0)


def look(session: Session) -> Progress:
    """Counts what is under way."""
    now = database_now(session)
    oldest = progress.oldest_waiting(session)
    return Progress(
        workers=progress.workers_seen_since(session, now - WORKER_SILENCE),
        judgings=progress.judgings_by_state(session),
        oldest_waiting_seconds=0.0 if oldest is None else max(0.0, (now - oldest).total_seconds()),
        uploads=progress.uploads_under_way(session),
    )
