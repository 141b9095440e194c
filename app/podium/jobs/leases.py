"""A job from its lease to its end: which worker holds it, and how it ended."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import and_, true
from sqlalchemy.orm import Session

from podium.core import leases
from podium.core.database.engine import WriteSession, database_now
from podium.core.leases import WORKER_DEATHS, Lease, WorkState
from podium.core.models import Job
from podium.errors import lone_problem
from podium.errors.codes import ErrorCode
from podium.jobs import queries
from podium.jobs.kinds import JobKind, JobOutcome
from podium.jobs.starting import dispatch
from podium.jobs.states import OWN_FAILURES, kept_for, wait_after
from podium.queue import Queue
from podium.sandbox.answers import OUR_FAULT

CANCELLED = lone_problem(
    ErrorCode.SETTINGS_CHANGED, "What this depends on was changed meanwhile. Send it again."
)


@dataclass(frozen=True, slots=True)
class Ending:
    """The final state of a job, with its result or the problem that explains why there is none."""

    state: WorkState
    result: Any = None
    problem: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class LeasedJob:
    """A worker's lease on a job, with all that the work needs. With an `ending` there is no work to
    do: the ending only has to be recorded."""

    lease: Lease[Job]
    kind: str
    arguments: Mapping[str, Any]
    created_by: str | None
    address: str | None
    ending: Ending | None


def take(
    session: WriteSession,
    *,
    job_id: str,
    kinds: Collection[str],
    worker_id: str,
    lease_seconds: float,
) -> LeasedJob | None:
    """Leases the job to this worker; returns None if it has ended, is leased, or is of a kind that
    this worker does not know."""
    job = leases.free(session, Job, job_id)
    if job is None or job.kind not in kinds:
        return None
    return LeasedJob(
        lease=leases.begin(session, job, worker_id=worker_id, seconds=lease_seconds),
        kind=job.kind,
        arguments=job.arguments,
        created_by=job.created_by,
        address=job.address,
        ending=_ending_without_work(job),
    )


def end(
    session: WriteSession, *, leased: LeasedJob, kind: JobKind[Any, Any], ending: Ending
) -> bool:
    """Ends the job and records what its kind records; returns False if the lease is no longer
    held."""
    job = leases.held(session, leased.lease)
    if job is None:
        return False
    _keep(job, kind, ending)
    leases.end(session, job, ending.state)
    assert job.ended_at is not None, "it has just ended"
    job.keep_until = job.ended_at + kept_for(
        ending.state, result_kept=kind.kept, problem_code=(job.problem or {}).get("code")
    )
    session.flush()
    if kind.record is not None:
        kind.record(
            session,
            JobOutcome(
                arguments=kind.decoded_arguments(leased.arguments),
                created_by=leased.created_by,
                address=leased.address,
                result=ending.result,
                problem=ending.problem,
            ),
        )
    return True


def hand_back(session: WriteSession, *, leased: LeasedJob, queue: Queue) -> None:
    """Returns the job to the queue for another worker; no failure is counted."""
    job = leases.held(session, leased.lease)
    if job is not None:
        leases.queue_again(session, job)
        dispatch(session, queue, job)


def fail(
    session: WriteSession, *, leased: LeasedJob, kind: JobKind[Any, Any], ending: Ending
) -> None:
    """Counts a failure of ours: the job is retried later, and is `failed` after a few."""
    job = leases.held(session, leased.lease)
    if job is None:
        return
    job.own_failures += 1
    if job.own_failures >= OWN_FAILURES:
        end(session, leased=leased, kind=kind, ending=ending)
    else:
        leases.queue_again(session, job, after=wait_after(job.own_failures))


def cancel(
    session: WriteSession, *, competition_id: str, kind: JobKind[Any, Any] | None = None
) -> None:
    """Cancels the unfinished jobs of a kind, or of all kinds: running ones end within a second or
    so, queued ones when it is their turn."""
    is_of_kind = true() if kind is None else Job.kind == kind.name
    leases.request_end(session, Job, and_(Job.competition_id == competition_id, is_of_kind))


def forget_ended(session: WriteSession) -> None:
    """Deletes jobs whose outcome has expired."""
    queries.forget_ended(session, now=database_now(session))


def has_unfinished(session: Session, *, competition_id: str) -> bool:
    """True if a job of this competition is queued or runs."""
    return queries.unfinished(session, competition_id=competition_id) > 0


def _ending_without_work(job: Job) -> Ending | None:
    if job.cancel_requested:
        return Ending(WorkState.CANCELLED, problem=CANCELLED)
    if job.worker_deaths >= WORKER_DEATHS:
        return Ending(WorkState.FAILED, problem=OUR_FAULT.problem)
    return None


def _keep(job: Job, kind: JobKind[Any, Any], ending: Ending) -> None:
    job.problem = None if ending.problem is None else dict(ending.problem)
    if ending.state is WorkState.DONE:
        if kind.record is None:
            job.result = kind.encoded_result(ending.result)
        if kind.file_of is not None:
            job.file_sha256 = kind.file_of(ending.result).sha256
