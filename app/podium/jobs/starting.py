"""Starts a job, or joins the one that an identical request has started."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from sqlalchemy.orm import Session

from podium.core import locks
from podium.core.database.engine import Database, WriteSession, database_now, lock_name
from podium.core.leases import WorkState
from podium.core.models import Job
from podium.core.workers import require_worker
from podium.errors import Unavailable
from podium.errors.codes import ErrorCode
from podium.jobs import queries
from podium.jobs.kinds import JobKind, key_of
from podium.queue import Lane, Queue, job_name
from podium.queue.reconciler import Rounds

MAX_UNFINISHED = 16
"""Unfinished jobs that one competition may have, so that it cannot fill the queue."""

BUSY_RETRY_SECONDS = 10

A = TypeVar("A")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Origin:
    """The caller and the request that asked for a job."""

    user_id: str | None
    address: str | None = None
    request_id: str | None = None
    traceparent: str | None = None


def find(session: Session, *, kind: JobKind[A, R], competition_id: str, arguments: A) -> Job | None:
    """Returns the job of an identical request, ended or not; None if there is none."""
    key = key_of(kind.name, competition_id, kind.encoded_arguments(arguments))
    return queries.joinable(session, key=key, now=database_now(session))


def start(
    session: WriteSession,
    *,
    queue: Queue,
    kind: JobKind[A, R],
    competition_id: str,
    arguments: A,
    origin: Origin,
) -> Job:
    """Returns the job of an identical request, or stores a new one, which the engine has after the
    commit.

    Raises `Unavailable`: `no-worker`, or `busy` if the competition has too many unfinished jobs;
    and `NotFound` for a competition that was deleted meanwhile.
    """
    locks.lock_acts(session, competition_id=competition_id)
    # Serializes the counting below, and identical requests.
    lock_name(session, f"jobs {competition_id}")
    encoded = kind.encoded_arguments(arguments)
    key = key_of(kind.name, competition_id, encoded)
    known = queries.joinable(session, key=key, now=database_now(session))
    if known is not None:
        return known
    require_worker(session)
    if queries.unfinished(session, competition_id=competition_id) >= MAX_UNFINISHED:
        raise Unavailable(
            f"{MAX_UNFINISHED} jobs of this competition are unfinished. Try again when some of"
            " them have ended.",
            code=ErrorCode.BUSY,
            retry_after=BUSY_RETRY_SECONDS,
        )
    job = Job(
        kind=kind.name,
        competition_id=competition_id,
        key=key,
        arguments=encoded,
        state=WorkState.QUEUED,
        priority=kind.priority,
        # Read after the count: jobs that were not counted have ended before this time.
        created_at=database_now(session),
        created_by=origin.user_id,
        address=origin.address,
        request_id=origin.request_id,
        traceparent=origin.traceparent,
    )
    session.add(job)
    dispatch(session, queue, job)
    return job


def dispatch(session: WriteSession, queue: Queue, job: Job) -> None:
    """Dispatches a job to the engine in the caller's transaction, for the first time or again."""
    job.dispatches = (job.dispatches or 0) + 1
    session.flush()
    queue.enqueue(session, job_name(job.id, job.dispatches), lane=Lane.JOB, priority=job.priority)


def reconciler(database: Database, queue: Queue, *, lease_seconds: float) -> Rounds[Job]:
    """Returns the rounds that look for unfinished jobs without a lease."""
    return Rounds(database, queue, lease_seconds, Job, dispatch)
