"""The reconciler of judgings: dispatches unattended runs again."""

from __future__ import annotations

from podium.core.database.engine import Database
from podium.core.models import Run
from podium.judging import queries
from podium.queue import Queue
from podium.queue.reconciler import Rounds
from podium.submissions.service.dispatch import dispatch


def reconciler(database: Database, queue: Queue, *, lease_seconds: float) -> Rounds[Run]:
    """Returns the rounds that look for unfinished runs without a lease."""
    return Rounds(database, queue, lease_seconds, Run, dispatch, queries.may_take)
