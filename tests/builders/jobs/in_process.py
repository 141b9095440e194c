"""A worker that does nothing but jobs, in a thread of the test's own process. It needs no engine,
of which a process has one: hundreds of installations may have a worker of their own."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import event, or_, select
from sqlalchemy.orm import object_session

from podium.application import Application
from podium.core.database.engine import WriteSession, database_now
from podium.core.leases import UNFINISHED
from podium.core.models import Job
from podium.operations.service import workers
from podium.worker.holding import LeaseHolder
from podium.worker.jobs import JobRunner
from podium.worker.scratch import ScratchFolder
from tests.builders.rows import add_live_worker

LOOK_SECONDS = 0.2
"""Between two looks at the database where this process has written no job: a lease may lapse, and
others may write."""

HAS_JOBS = "has jobs"
"""The mark of a session that has written a job."""


@contextmanager
def doing_jobs(application: Application) -> Iterator[None]:
    """While the block runs, jobs are done as a worker does them."""
    worker_id = f"jobs-{uuid.uuid4().hex[:8]}"
    shared = application.settings.data_dir.absolute() / "scratch" / "judgings"
    scratch = ScratchFolder(shared, worker_id)
    holder = LeaseHolder(application, worker_id, scratch.path)
    runner = JobRunner(holder)
    is_over, written = holder.is_stopping, threading.Event()
    with application.database.write() as session:
        add_live_worker(session, worker_id)

    def work() -> None:
        while not is_over.is_set():
            written.clear()
            for job_id in _waiting(application):
                runner.run(job_id)
            written.wait(LOOK_SECONDS)

    thread = threading.Thread(target=work, name="jobs", daemon=True)
    thread.start()
    try:
        with _set_by_jobs(written):
            yield
    finally:
        is_over.set()
        written.set()
        thread.join()
        with application.database.write() as session:
            workers.end(session, worker_id=worker_id)
        scratch.remove()


@contextmanager
def _set_by_jobs(written: threading.Event) -> Iterator[None]:
    """While the block runs, the event is set whenever jobs of this process are committed."""

    def look(session: WriteSession) -> None:
        if session.info.get(HAS_JOBS):
            written.set()

    event.listen(WriteSession, "after_commit", look)
    try:
        yield
    finally:
        event.remove(WriteSession, "after_commit", look)


@event.listens_for(Job, "after_insert")
@event.listens_for(Job, "after_update")
def _note(_: object, __: object, job: Job) -> None:
    """Most transactions are about something else, and are not worth a look at the database."""
    session = object_session(job)
    assert session is not None
    session.info[HAS_JOBS] = True


def _waiting(application: Application) -> list[str]:
    with application.database.read() as session:
        is_free = or_(Job.lease_until.is_(None), Job.lease_until <= database_now(session))
        query = select(Job.id).where(Job.state.in_(UNFINISHED), is_free)
        return list(session.scalars(query.order_by(Job.priority, Job.id)))
