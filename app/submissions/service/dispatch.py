"""Giving a judging to the engine that runs jobs."""

from __future__ import annotations

from podium.core import lookups
from podium.core.database.engine import WriteSession
from podium.core.models import Judging
from podium.queue import Lane, Queue, job_name
from podium.submissions.queries import submissions


def dispatch(session: WriteSession, *, queue: Queue, judging: Judging) -> None:
    """Gives the judging to the engine in the caller's transaction, once more if need be.

    The first dispatch sets the priority: 1 + the judgings of the team's uploads in flight, so that
    a team with many submissions does not delay a team with one. Rejudgings have a lane of their own
    behind all uploads.
    """
    session.flush()
    if judging.dispatches == 0 and judging.rejudging_id is None:
        submission = lookups.submission_of(session, submission_id=judging.submission_id)
        waiting = submissions.in_flight(session, team_id=submission.team_id, besides=judging.id)
        judging.priority = 1 + waiting
    judging.dispatches += 1
    session.flush()
    queue.enqueue(
        session,
        job_name(judging.id, judging.dispatches),
        lane=Lane.LIVE if judging.rejudging_id is None else Lane.REJUDGING,
        priority=judging.priority,
    )
