"""A job from its lease to its end: who may work on it, whether that is still so, how it ended.

A lease is by the database's clock. Every new lease raises the fence, and only the holder of the
current fence may renew it or end the job.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import Session

from podium.core.database.engine import WriteSession, database_now
from podium.core.leases import (
    WORKER_DEATHS,
    LeaseState,
    begin_lease,
    is_held,
    queue_again,
    renew_lease,
)
from podium.core.models import Job
from podium.errors.codes import ErrorCode
from podium.jobs import queries
from podium.jobs.kinds import JobKind, JobOutcome
from podium.jobs.starting import dispatch
from podium.jobs.states import OWN_FAILURES, JobState, kept_for, wait_after
from podium.logs import get_logger
from podium.queue import Queue
from podium.sandbox.answers import OUR_FAULT

CANCELLED = {
    "code": ErrorCode.SETTINGS_CHANGED,
    "detail": "What this depends on was changed meanwhile. Send it again.",
    "errors": [],
    "error_count": 0,
}

_log = get_logger("jobs")


@dataclass(frozen=True, slots=True)
class Ending:
    """The result of a job's work: a document, or the problem that explains why there is none."""

    state: JobState
    result: Any = None
    problem: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Lease:
    """A worker's lease on a job: everything that it needs for the work, and the fence. With an
    `ending` nothing is left to do but to write it down."""

    job_id: str
    kind: str
    fence: int
    arguments: Mapping[str, Any]
    created_by: str | None
    address: str | None
    request_id: str | None
    traceparent: str | None
    ending: Ending | None


def take(
    session: WriteSession,
    *,
    job_id: str,
    kinds: Collection[str],
    worker_id: str,
    lease_seconds: float,
) -> Lease | None:
    """Leases the job to this worker; None when it has ended, is leased, or is of a kind that this
    worker does not know. A lease that ran out counts as a worker's death."""
    job = queries.locked(session, job_id=job_id)
    now = database_now(session)
    if job is None or JobState(job.state).is_final or job.kind not in kinds:
        return None
    if is_held(job.lease_until, now=now):
        return None
    if job.state == JobState.RUNNING:
        job.worker_deaths += 1
        _log.warning("worker.died", job=job.id, worker=job.worker_id, deaths=job.worker_deaths)
    begin_lease(
        job,
        running=JobState.RUNNING,
        worker_id=worker_id,
        now=now,
        lease_seconds=lease_seconds,
    )
    session.flush()
    return Lease(
        job_id=job.id,
        kind=job.kind,
        fence=job.fence,
        arguments=job.arguments,
        created_by=job.created_by,
        address=job.address,
        request_id=job.request_id,
        traceparent=job.traceparent,
        ending=_ending_without_work(job),
    )


def renew(
    session: WriteSession, *, lease: Lease, lease_seconds: float, progress: float
) -> LeaseState:
    """Lengthens the lease and notes the share that is done; answers whether to go on."""
    return renew_lease(
        session,
        Job,
        row_id=lease.job_id,
        fence=lease.fence,
        is_under_way=Job.state == JobState.RUNNING,
        lease_seconds=lease_seconds,
        progress=progress,
    )


def end(session: WriteSession, *, lease: Lease, kind: JobKind[Any, Any], ending: Ending) -> bool:
    """Ends the job, with what its kind records; False where the lease is no longer held."""
    job = _held(session, lease)
    if job is None:
        return False
    now = database_now(session)
    job.state = ending.state
    job.problem = None if ending.problem is None else dict(ending.problem)
    if ending.state is JobState.DONE:
        job.progress = 1.0
        if kind.record is None:
            job.result = kind.encoded_result(ending.result)
        if kind.file_of is not None:
            job.file_sha256 = kind.file_of(ending.result).sha256
    job.ended_at = now
    job.keep_until = now + kept_for(
        ending.state, result_kept=kind.kept, problem_code=(job.problem or {}).get("code")
    )
    job.lease_until = None
    session.flush()
    if kind.record is not None:
        kind.record(
            session,
            JobOutcome(
                arguments=kind.decoded_arguments(lease.arguments),
                created_by=lease.created_by,
                address=lease.address,
                result=ending.result,
                problem=ending.problem,
            ),
        )
    return True


def hand_back(session: WriteSession, *, lease: Lease, queue: Queue) -> None:
    """Gives the job back for another worker; nothing is counted."""
    job = _held(session, lease)
    if job is not None:
        queue_again(job, queued=JobState.QUEUED)
        dispatch(session, queue=queue, job=job)


def fail(session: WriteSession, *, lease: Lease, kind: JobKind[Any, Any], ending: Ending) -> None:
    """Notes a failure of ours: the job waits for the next try, and is `failed` after a few."""
    job = _held(session, lease)
    if job is None:
        return
    job.own_failures += 1
    if job.own_failures >= OWN_FAILURES:
        end(session, lease=lease, kind=kind, ending=ending)
        return
    queue_again(job, queued=JobState.QUEUED)
    # A lease without a holder keeps the job from every worker until it is time to try again; the
    # reconciler dispatches it then.
    job.lease_until = database_now(session) + wait_after(job.own_failures)


def cancel(
    session: WriteSession, *, competition_id: str, kind: JobKind[Any, Any] | None = None
) -> None:
    """Cancels the unfinished jobs of a kind, or of all: those that run end within a second or so,
    those that wait when it is their turn."""
    name = None if kind is None else kind.name
    queries.request_end(session, competition_id=competition_id, kind=name)


def has_unfinished(session: Session, *, competition_id: str) -> bool:
    """True if a job of this competition waits or runs."""
    return queries.unfinished(session, competition_id=competition_id) > 0


def _ending_without_work(job: Job) -> Ending | None:
    if job.cancel_requested:
        return Ending(JobState.CANCELLED, problem=CANCELLED)
    if job.worker_deaths >= WORKER_DEATHS:
        return Ending(JobState.FAILED, problem=OUR_FAULT.problem)
    return None


def _held(session: WriteSession, lease: Lease) -> Job | None:
    job = queries.locked(session, job_id=lease.job_id)
    if job is None or job.fence != lease.fence or job.state != JobState.RUNNING:
        _log.warning("fence.outdated", job=lease.job_id, fence=lease.fence)
        return None
    return job
