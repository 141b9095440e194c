"""Awaits a job in a request, without holding a thread or a transaction."""

from __future__ import annotations

import asyncio
import time
from functools import partial
from typing import TypeVar

from fastapi.concurrency import run_in_threadpool

from podium.application import Application
from podium.core.access import UNKNOWN, Actor
from podium.core.leases import WorkState
from podium.core.models import Job
from podium.core.workers import require_worker as require_live_worker
from podium.errors import NotFound, PodiumError, Unavailable
from podium.errors.codes import ErrorCode, ForeignCode
from podium.http.threads import in_writing_thread
from podium.jobs import starting
from podium.jobs.kinds import JobKind
from podium.jobs.starting import Origin
from podium.logs import current_request
from podium.sandbox.answers import error_for, not_isolated

FIRST_PAUSE, LONGEST_PAUSE = 0.02, 0.2
"""The first and the longest pause between two looks at a job, in seconds; each pause is 1.5 times
the one before. A look is one short query, and few requests wait at a time."""

RETRY_SECONDS = 2
"""Seconds after which to repeat a request whose job still runs. The repeated request waits as
well."""

A = TypeVar("A")
R = TypeVar("R")


def require_worker(application: Application) -> None:
    """Raises `Unavailable` if no worker is alive. Called before anything else, so that no file is
    uploaded in vain."""
    with application.database.read() as session:
        try:
            require_live_worker(session)
        except Unavailable:
            if application.sandbox.refusal() is not None:
                # This machine's worker cannot start, and this is the reason.
                raise error_for(not_isolated().problem) from None
            raise


def origin_of(application: Application, actor: Actor | None) -> Origin:
    """Returns the caller and the current request as the origin of a job."""
    return Origin(
        user_id=actor.user_id if actor else None,
        address=actor.address if actor else None,
        request_id=current_request(),
        traceparent=application.telemetry.place(),
    )


async def result_of(
    application: Application,
    kind: JobKind[A, R],
    *,
    competition_id: str,
    arguments: A,
    actor: Actor | None,
) -> R:
    """Returns the result of a job with these arguments: of an existing one, or of a new one. Raises
    the problem that the job ended with, and `Unavailable`: `no-worker`, `busy`, or `still-running`
    after `answer_seconds`."""
    job_id = await run_in_threadpool(_known, application, kind, competition_id, arguments)
    if job_id is None:
        await run_in_threadpool(require_worker, application)
        origin = origin_of(application, actor)
        job_id = await in_writing_thread(
            partial(_started, application, kind, competition_id, arguments, origin)
        )
    job = await ended(application, job_id)
    if job is None:
        raise Unavailable(
            "This takes longer than a request may wait, and goes on. Repeat the request: it"
            " returns the result once there is one.",
            code=ErrorCode.STILL_RUNNING,
            retry_after=RETRY_SECONDS,
        )
    if job.result is None:
        raise _error_of(job)
    return kind.decoded_result(job.result)


async def ended(application: Application, job_id: str) -> Job | None:
    """Returns the job once it has ended; None after `answer_seconds`, or when the process is
    stopping."""
    deadline = time.monotonic() + application.settings.answer_seconds
    pause = FIRST_PAUSE
    while True:
        job = await run_in_threadpool(_look, application, job_id)
        if WorkState(job.state).is_final:
            return job
        left = deadline - time.monotonic()
        if left <= 0 or application.is_stopping.is_set():
            return None
        await asyncio.sleep(min(pause, left))
        pause = min(1.5 * pause, LONGEST_PAUSE)


def _known(
    application: Application, kind: JobKind[A, R], competition_id: str, arguments: A
) -> str | None:
    with application.database.read() as session:
        job = starting.find(session, kind=kind, competition_id=competition_id, arguments=arguments)
        return None if job is None else job.id


def _started(
    application: Application, kind: JobKind[A, R], competition_id: str, arguments: A, origin: Origin
) -> str:
    with application.database.write() as session:
        return starting.start(
            session,
            queue=application.queue,
            kind=kind,
            competition_id=competition_id,
            arguments=arguments,
            origin=origin,
        ).id


def _look(application: Application, job_id: str) -> Job:
    with application.database.read() as session:
        job = session.get(Job, job_id)
    if job is None:
        raise NotFound(UNKNOWN)  # The competition was deleted meanwhile.
    return job


def _error_of(job: Job) -> PodiumError:
    problem = job.problem or {}
    if job.state == WorkState.FAILED:
        return Unavailable(problem["detail"], code=ForeignCode(problem["code"]))
    return error_for(problem)
