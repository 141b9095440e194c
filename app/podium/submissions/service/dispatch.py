"""Giving a judging to the engine that runs jobs."""

from __future__ import annotations

from sqlalchemy.orm import Session

from podium.core import lookups
from podium.core.configuration import is_scored_by_own_metric
from podium.core.database.engine import WriteSession
from podium.core.models import Judging
from podium.queue import Lane, Queue, job_name
from podium.submissions.queries import submissions


def dispatch(session: WriteSession, *, queue: Queue, judging: Judging) -> None:
    """Gives the judging to the engine in the caller's transaction, once more if need be.

    The first dispatch sets the priority: 1 + the judgings of the team's uploads in flight, so that
    a team with many submissions does not delay a team with one.
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
        lane=lane_of(session, judging),
        priority=judging.priority,
    )


def lane_of(session: Session, judging: Judging) -> Lane:
    """The lane of what is due of a judging. Rejudgings go behind all uploads. Where an organizer's
    metric runs on private rows, no upload may wait for it: a rejudging by it has both splits in the
    lane of private runs."""
    if judging.is_private_due:
        return Lane.PRIVATE
    if judging.rejudging_id is None:
        return Lane.LIVE
    is_own = is_scored_by_own_metric(lookups.settings_of_judging(session, judging))
    return Lane.PRIVATE if is_own else Lane.REJUDGING
