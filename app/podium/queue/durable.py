"""The queue on DBOS Transact: its tables are in our database, so a job commits with our rows.

Of DBOS we use the client: it stores jobs, and takes the next ones by priority. Its own workers poll
each queue, its settings and its internal queue all the time; ours (`queue/taker.py`) sleep until
there is a job. That a worker died the reconcilers notice (`queue/reconciler.py`).
"""

from __future__ import annotations

import logging
import sqlite3
import sys
import time
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import Any

from dbos import DBOSClient, Queue
from sqlalchemy import Engine, event, func, select

from podium.core.database.engine import Database, WriteSession
from podium.core.database.outages import OUTAGES
from podium.logs import get_logger
from podium.queue import EngineJobState, Lane
from podium.queue.lookout import CHANNEL, SCHEMA, Lookout, lookout
from podium.queue.taker import TakenQueue, Taker

QUEUE = "judgings"
WORKFLOW = "judge"
PRIVATE_QUEUE = "private-runs"
PRIVATE_WORKFLOW = "run-private"
JOBS_QUEUE = "jobs"
JOBS_WORKFLOW = "run-job"
APPLICATION = "podium"

VERSION = "1"
"""Fixed: DBOS hands a job only to workers of the version that it was enqueued for, and would
otherwise make the version from the code. It changes when a job's arguments do."""

STOP_SECONDS = 18.0
"""Seconds that `stop` waits for judgings under way before it leaves them to the reconciler."""

BEHIND_LIVE = 1_000_000
"""Added to the priority of rejudgings: every live submission goes first."""

LANES = {
    Lane.LIVE: (QUEUE, WORKFLOW, 0),
    Lane.REJUDGING: (QUEUE, WORKFLOW, BEHIND_LIVE),
    Lane.PRIVATE: (PRIVATE_QUEUE, PRIVATE_WORKFLOW, 0),
    Lane.JOB: (JOBS_QUEUE, JOBS_WORKFLOW, 0),
}
"""Queue and workflow of each lane, and what is added to a priority there."""

STATES = {
    "ENQUEUED": EngineJobState.WAITING,
    "DELAYED": EngineJobState.WAITING,
    "PENDING": EngineJobState.RUNNING,
}
"""DBOS's own states; every other is an end."""

FORGET_AT_ONCE = 500

OLDEST_SQLITE_WITH_FRACTIONS = (3, 42)
"""The first SQLite whose `unixepoch('subsec')` answers. From Python 3.12 on DBOS counts on it,
but a system's Python may be linked with an older SQLite of the system."""

if sys.version_info >= (3, 12) and sqlite3.sqlite_version_info < OLDEST_SQLITE_WITH_FRACTIONS:

    @event.listens_for(Engine, "connect")
    def _tell_fractions_of_seconds(connection: object, _: object) -> None:
        if isinstance(connection, sqlite3.Connection):
            # DBOS asks with this argument alone; SQLite takes the function of that arity.
            connection.create_function("unixepoch", 1, lambda _subsec: time.time())


class DurableQueue:
    """Jobs in the database's own tables: schema `dbos` on PostgreSQL, `dbos`-less on SQLite."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lookouts: list[Lookout] = []

    def enqueue(self, session: WriteSession, job: str, *, lane: Lane, priority: int) -> None:
        """Adds a job inside the caller's transaction; an existing name changes nothing."""
        queue_name, workflow, behind = LANES[lane]
        self._client.enqueue_in_transaction(
            session,
            {
                "workflow_name": workflow,
                "queue_name": queue_name,
                "workflow_id": job,
                "app_version": VERSION,
                "priority": priority + behind,
            },
            job,
        )
        if self._wake not in session.after_commit:
            session.after_commit.append(self._wake)
            if not self._database.is_sqlite:
                # The server sends it at the commit, and of several equal ones one.
                session.execute(select(func.pg_notify(CHANNEL, "")))

    def cancel(self, job: str) -> None:
        """Takes a waiting job out; harmless for any other."""
        self._client.cancel_workflow(job)

    def states(self, jobs: Sequence[str]) -> dict[str, EngineJobState]:
        """The state of each of the jobs in DBOS."""
        if not jobs:
            return {}
        found = self._client.list_workflows(
            workflow_ids=list(jobs), load_input=False, load_output=False
        )
        known = {job.workflow_id: STATES.get(job.status, EngineJobState.ENDED) for job in found}
        return {job: known.get(job, EngineJobState.GONE) for job in jobs}

    def forget_ended(self, *, older_than_seconds: float) -> int:
        """Removes some of the ended jobs that are old enough; answers how many."""
        before = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - older_than_seconds))
        ended = self._client.list_workflows(
            status=["SUCCESS", "ERROR", "CANCELLED"],
            end_time=before,
            limit=FORGET_AT_ONCE,
            load_input=False,
            load_output=False,
        )
        names = [workflow.workflow_id for workflow in ended]
        if names:
            self._client.delete_workflows(names)
        return len(names)

    def run_worker(
        self,
        judge: Callable[[str], None],
        run_private: Callable[[str], None],
        run_job: Callable[[str], None],
        *,
        worker_id: str,
        slots: int,
        private_slots: int,
    ) -> Callable[[], None]:
        """Starts a thread that takes jobs; see the interface."""
        given = {
            QUEUE: (judge, slots),
            PRIVATE_QUEUE: (run_private, private_slots),
            JOBS_QUEUE: (run_job, 1),
        }
        queues = [
            TakenQueue(name, partial(self._claim, self._stored(name), worker_id), run, most)
            for name, (run, most) in given.items()
        ]
        look = lookout(self._database, list(given))
        self._lookouts.append(look)
        taker = Taker(queues, look, self._forget)

        def stop() -> None:
            taker.stop(STOP_SECONDS)
            self._lookouts.remove(look)

        return stop

    def _wake(self) -> None:
        for look in list(self._lookouts):
            look.wake()

    def _stored(self, name: str) -> Queue:
        return self._client.register_queue(name, on_conflict="never_update")

    def _claim(self, queue: Queue, worker_id: str, most: int) -> Sequence[str]:
        """Takes so many jobs of a queue for this worker; of several workers each gets others."""
        # DBOS reads the number from one row for all workers; ours differ, and have other slots free
        # at each look.
        queue._worker_concurrency = most
        # Only DBOS's own workers call it, which poll.
        claim = self._client._sys_db.start_queued_workflows
        with self._database.turns.taken():
            jobs, _ = claim(queue, worker_id, VERSION, None)
        return jobs

    def _forget(self, jobs: list[str]) -> None:
        with self._database.turns.taken():
            self._client.delete_workflows(jobs)

    @cached_property
    def _client(self) -> DBOSClient:
        _quieten()
        return DBOSClient(
            system_database_engine=self._database.write_engine,
            dbos_system_schema=SCHEMA,
            application_name=APPLICATION,
            lazy=True,
            # An unreachable database shall be an error now, not a wait without an end.
            retry_connection_errors=False,
        )


class _EngineLogHandler(logging.Handler):
    """Forwards the log messages of DBOS as structured events, but for those about a database that
    is away: it tells of each try."""

    def emit(self, record: logging.LogRecord) -> None:
        failure = sys.exc_info()[1]
        if failure is not None and OUTAGES.tell(failure):
            return
        get_logger("dbos").warning("engine.warned", text=record.getMessage())


def _quieten() -> None:
    # DBOS adds a console handler of its own only where there is none yet.
    logger: Any = logging.getLogger("dbos")
    logger.setLevel(logging.WARNING)
    if not any(isinstance(handler, _EngineLogHandler) for handler in logger.handlers):
        logger.handlers = [_EngineLogHandler()]
        logger.propagate = False
