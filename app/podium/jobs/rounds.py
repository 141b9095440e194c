"""The reconciler of jobs, and their retention."""

from __future__ import annotations

from collections.abc import Sequence

from podium.core.database.engine import ReadSession, WriteSession, database_now
from podium.core.leases import is_held
from podium.jobs import queries
from podium.jobs.starting import dispatch
from podium.jobs.states import JobState
from podium.logs import get_logger
from podium.queue.reconciler import Rounds, Unattended

_log = get_logger("jobs")


class JobReconciler(Rounds):
    """Looks for jobs that have not ended and have no lease."""

    def find(self, session: ReadSession, *, after: str, limit: int) -> Sequence[Unattended]:
        """Those that have not ended and have no lease."""
        return queries.unattended(session, now=database_now(session), after=after, limit=limit)

    def dispatch_again(self, session: WriteSession, seen: Unattended) -> bool:
        """Dispatches a job anew."""
        job = queries.locked(session, job_id=seen.id)
        if job is None or JobState(job.state).is_final or job.dispatches != seen.dispatches:
            return False
        if is_held(job.lease_until, now=database_now(session)):
            return False
        dispatch(session, queue=self.queue, job=job)
        _log.info("job.redispatched", job=job.id, dispatch=job.dispatches)
        return True


def forget_ended(session: WriteSession) -> None:
    """Removes jobs whose outcome is kept no longer."""
    queries.forget_ended(session, now=database_now(session))
