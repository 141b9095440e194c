"""Runs of judgings, given to the engine that runs jobs."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy.orm import Session

from podium.core import lookups
from podium.core.configuration import is_scored_by_custom_metric
from podium.core.database.engine import WriteSession, database_now
from podium.core.leases import WorkState
from podium.core.models import Judging, Run
from podium.queue import Lane, Queue, job_name
from podium.submissions.queries import submissions


@dataclass(frozen=True, slots=True)
class Trace:
    """The request that something is run for, for logs and traces; none where a round began it."""

    request_id: str | None = None
    traceparent: str | None = None


def begin(
    session: WriteSession, queue: Queue, judging: Judging, *, trace: Trace | None = None
) -> None:
    """Gives a judging its run, and that to the engine, in the caller's transaction.

    The priority is 1 + the judgings of the team's uploads in flight, so that a team with many
    submissions does not delay a team with one.
    """
    trace, in_flight = trace or Trace(), 0
    if judging.rejudging_id is None:
        submission = lookups.submission_of(session, submission_id=judging.submission_id)
        in_flight = submissions.in_flight(session, team_id=submission.team_id, besides=judging.id)
    run = Run(
        id=judging.id,
        judging_id=judging.id,
        state=WorkState.QUEUED,
        priority=1 + in_flight,
        created_at=database_now(session),
        request_id=trace.request_id,
        traceparent=trace.traceparent,
    )
    session.add(run)
    dispatch(session, queue, run)


def dispatch(session: WriteSession, queue: Queue, run: Run) -> None:
    """Gives a run to the engine in the caller's transaction, once more if need be."""
    run.dispatches = (run.dispatches or 0) + 1
    session.flush()
    queue.enqueue(
        session, job_name(run.id, run.dispatches), lane=lane_of(session, run), priority=run.priority
    )


def lane_of(session: Session, run: Run) -> Lane:
    """The lane of a run. Rejudgings go behind all uploads. Where a custom metric runs on
    private rows, no upload may wait for it: a rejudging by it has both splits in the lane of
    private runs."""
    if run.is_private:
        return Lane.PRIVATE
    judging = session.get_one(Judging, run.judging_id)
    if judging.rejudging_id is None:
        return Lane.LIVE
    is_own = is_scored_by_custom_metric(lookups.settings_of_judging(session, judging))
    return Lane.PRIVATE if is_own else Lane.REJUDGING
