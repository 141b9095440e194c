"""The queue on DBOS Transact: its tables are in our database, so a job commits with our rows.

We use only the client of DBOS: it stores jobs, and takes the next ones by priority. The workers of
DBOS poll each queue, its settings and an internal queue all the time; ours (`queue/taker.py`) sleep
until there is a job. The reconcilers (`queue/reconciler.py`) detect dead workers.
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
otherwise derive the version from the code. Raise it when a job's arguments change."""

STOP_SECONDS = 18.0
"""Seconds that `stop` waits for judgings under way before it abandons them to the reconciler."""

BEHIND_LIVE = 1_000_000
"""Added to the priority of rejudgings, so that every live submission goes first."""

LANES = {
    Lane.LIVE: (QUEUE, WORKFLOW, 0),
    Lane.REJUDGING: (QUEUE, WORKFLOW, BEHIND_LIVE),
    Lane.PRIVATE: (PRIVATE_QUEUE, PRIVATE_WORKFLOW, 0),
    Lane.JOB: (JOBS_QUEUE, JOBS_WORKFLOW, 0),
}
"""Queue and workflow of each lane, and the number added to a priority there."""

STATES = {
    "ENQUEUED": EngineJobState.WAITING,
    "DELAYED": EngineJobState.WAITING,
    "PENDING": EngineJobState.RUNNING,
}
"""The unfinished states of DBOS; all others are final."""

FORGET_AT_ONCE = 500

OLDEST_SQLITE_WITH_FRACTIONS = (3, 42)
"""The first SQLite that supports `unixepoch('subsec')`. DBOS relies on it from Python 3.12 on, but
a system's Python may be linked with an older SQLite."""

if sys.version_info >= (3, 12) and sqlite3.sqlite_version_info < OLDEST_SQLITE_WITH_FRACTIONS:

    @event.listens_for(Engine, "connect")
    def _tell_fractions_of_seconds(connection: object, _: object) -> None:
        if isinstance(connection, sqlite3.Connection):
            # DBOS calls it with this argument only; SQLite selects the function by arity.
            connection.create_function("unixepoch", 1, lambda _subsec: time.time())


class DurableQueue:
    """Jobs in tables of the same database: in the schema `dbos` on PostgreSQL, without a schema on
    SQLite."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lookouts: list[Lookout] = []

    def enqueue(self, session: WriteSession, job: str, *, lane: Lane, priority: int) -> None:
        """Adds a job inside the caller's transaction; a name that exists changes nothing."""
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
                # PostgreSQL sends it at the commit, and only once for several equal ones.
                session.execute(select(func.pg_notify(CHANNEL, "")))

    def states(self, jobs: Sequence[str]) -> dict[str, EngineJobState]:
        """Returns the state in DBOS of each of the jobs."""
        if not jobs:
            return {}
        found = self._client.list_workflows(
            workflow_ids=list(jobs), load_input=False, load_output=False
        )
        known = {job.workflow_id: STATES.get(job.status, EngineJobState.ENDED) for job in found}
        return {job: known.get(job, EngineJobState.GONE) for job in jobs}

    def forget_ended(self, *, older_than_seconds: float) -> int:
        """Deletes some of the jobs that do not wait and are old enough; returns how many."""
        before = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - older_than_seconds))
        ended = self._client.list_workflows(
            # Those of a worker that died stay PENDING; others end without a trace.
            status=["SUCCESS", "ERROR", "CANCELLED", "PENDING"],
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
        queues = []
        for name, (run, most) in given.items():
            stored = self._client.register_queue(name, on_conflict="never_update")
            queues.append(TakenQueue(name, partial(self._claim, stored, worker_id), run, most))
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

    def _claim(self, queue: Queue, worker_id: str, most: int) -> Sequence[str]:
        """Takes at most `most` jobs of a queue for this worker; no other worker gets the same
        ones."""
        # DBOS reads the number from one row for all workers; ours differ, and have a different
        # number of free slots each time.
        queue._worker_concurrency = most
        # Not part of the public interface of DBOS, whose own callers poll.
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
            # An unreachable database must be an error now, not an endless wait.
            retry_connection_errors=False,
        )


class _EngineLogHandler(logging.Handler):
    """Forwards log messages of DBOS as structured events, except those about an unreachable
    database, which DBOS logs at every try."""

    def emit(self, record: logging.LogRecord) -> None:
        failure = sys.exc_info()[1]
        if failure is not None and OUTAGES.tell(failure):
            return
        get_logger("dbos").warning("engine.warned", text=record.getMessage())


def _quieten() -> None:
    # DBOS adds a console handler of its own unless there is one.
    logger: Any = logging.getLogger("dbos")
    logger.setLevel(logging.WARNING)
    if not any(isinstance(handler, _EngineLogHandler) for handler in logger.handlers):
        logger.handlers = [_EngineLogHandler()]
        logger.propagate = False
