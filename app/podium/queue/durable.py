"""The queue on DBOS Transact: its tables are in our database, so a job commits with our rows.

DBOS has one instance a process, no broker and no server of its own. What it does not do without
its commercial part, to notice that a worker died, the reconcilers do (`queue/reconciler.py`).
"""

from __future__ import annotations

import logging
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

from dbos import DBOS, DBOSClient, Queue
from dbos._sys_db import SystemDatabase
from sqlalchemy import Engine, event

from podium.core.database.engine import Database, WriteSession
from podium.core.database.outages import OUTAGES, outage_of
from podium.logs import get_logger
from podium.queue import EngineJobState, Lane

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

POLL_SECONDS = 0.25
"""Polling interval of queues that people wait for: the delay of a job in an idle installation. A
worker takes 3 % of a core for it."""

PRIVATE_POLL_SECONDS = 1.0

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

_STORED_QUEUE = SystemDatabase.get_queue
"""DBOS's own reading of a queue's row, which `_keep_slots` puts something before."""

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
        """Starts DBOS in this process; see the interface."""
        _quieten()
        engine = self._engine(worker_id)
        under_way = _UnderWay()

        @DBOS.workflow(name=WORKFLOW)
        def judging(name: str) -> None:
            under_way.run(judge, name)

        @DBOS.workflow(name=PRIVATE_WORKFLOW)
        def private_run(name: str) -> None:
            under_way.run(run_private, name)

        @DBOS.workflow(name=JOBS_WORKFLOW)
        def job(name: str) -> None:
            under_way.run(run_job, name)

        own_slots = {QUEUE: slots, PRIVATE_QUEUE: private_slots, JOBS_QUEUE: 1}
        for name, most in own_slots.items():
            # Before the launch, which looks for the rows of queues, and a second later again.
            interval = PRIVATE_POLL_SECONDS if name == PRIVATE_QUEUE else POLL_SECONDS
            self._client.register_queue(
                name, worker_concurrency=most, polling_interval_sec=interval
            )
        _keep_slots(own_slots, engine)
        DBOS.listen_queues(list(own_slots))
        DBOS.launch()

        def stop() -> None:
            under_way.leave(STOP_SECONDS)
            DBOS.destroy(destroy_registry=True)

        return stop

    def _engine(self, worker_id: str) -> DBOS:
        return DBOS(
            config={
                "name": APPLICATION,
                "system_database_url": self._database.url,
                "dbos_system_schema": "dbos",
                # Unique, so that DBOS never takes another process's jobs for its own.
                "executor_id": worker_id,
                "application_version": VERSION,
                "sys_db_pool_size": 3,
                "log_level": "WARNING",
                "run_migrations": False,
                "use_listen_notify": False,
                # We wait for no notification, but for the end of the thread that looks for them.
                "notification_listener_polling_interval_sec": 0.1,
            }
        )

    @cached_property
    def _client(self) -> DBOSClient:
        _quieten()
        return DBOSClient(
            system_database_engine=self._database.write_engine,
            dbos_system_schema="dbos",
            application_name=APPLICATION,
            lazy=True,
            # An unreachable database shall be an error now, not a wait without an end.
            retry_connection_errors=False,
        )


def _keep_slots(slots: Mapping[str, int], engine: DBOS) -> None:
    """Lets this process run so many of each queue at a time, whatever the queue's row says.

    DBOS reads the number from one row for all workers, so that the last one to start would set it
    for the others, on whatever machines they are. A queue is read once instead of at every poll:
    nothing else of it ever changes.
    """
    read: dict[str, Queue] = {}

    def with_own_slots(asked: SystemDatabase, name: str, **options: Any) -> Queue | None:
        if asked is not engine._sys_db_field or name not in slots:
            return _STORED_QUEUE(asked, name, **options)
        if name not in read:
            queue = _STORED_QUEUE(asked, name, **options)
            if queue is None:
                return None
            queue._worker_concurrency = slots[name]
            read[name] = queue
        return read[name]

    # There is no other way in: the engine makes its database while it starts, and reads at once.
    SystemDatabase.get_queue = with_own_slots  # type: ignore[method-assign, assignment]


class _UnderWay:
    """The jobs of this process, so that leaving can wait for them."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._running = 0
        self._is_leaving = False

    def run(self, do: Callable[[str], None], job: str) -> None:
        """One job, as DBOS calls it; it must never raise, or DBOS would keep the error for ever."""
        with self._changed:
            if self._is_leaving:
                return
            self._running += 1
        try:
            do(job.partition(":")[0])
        except Exception as error:  # noqa: BLE001 - a job that fails must not end the worker
            if (outage := outage_of(error)) is not None:
                get_logger("queue").warning("job.raised", job=job, detail=outage)
            else:
                get_logger("queue").exception("job.raised", job=job)
        finally:
            with self._changed:
                self._running -= 1
                self._changed.notify_all()

    def leave(self, seconds: float) -> None:
        """Begins no further job and waits for those under way."""
        with self._changed:
            self._is_leaving = True
            self._changed.wait_for(lambda: not self._running, timeout=seconds)


class _EngineLogHandler(logging.Handler):
    """Forwards the log messages of DBOS as structured events, but for those about a database that
    is away: it tells of each poll."""

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
