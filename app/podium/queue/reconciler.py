"""Finds unattended rows, and dispatches them to the engine again.

The engine does not notice that a worker died, and can lose a job when its disk is full. Our tables
show which rows are unfinished and without a lease; the engine is only asked whether a job still
waits. Any number of workers may do this at once: an extra dispatch does no harm.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic

from sqlalchemy import ColumnElement, exists, select, true

from podium.core import leases
from podium.core.database.engine import Database, ReadSession, WriteSession, database_now
from podium.core.database.prechecks import Precheck
from podium.core.leases import UNFINISHED, T
from podium.logs import get_logger
from podium.queue import EngineJobState, Queue, job_name

MAX_AT_ONCE = 500
"""The maximum number of rows of one round; later rounds continue with the rest of a longer
queue."""

_log = get_logger("queue")


@dataclass(frozen=True, slots=True)
class Unattended:
    """An unfinished row without a lease. `was_taken`: its last worker went silent."""

    id: str
    dispatches: int
    was_taken: bool


@dataclass
class Rounds(Generic[T]):
    """Looks for unattended `rows`, a round at a time, leaving out those that no worker `may_take`
    now; remembers since when the engine has reported a job as running."""

    database: Database
    queue: Queue
    lease_seconds: float
    rows: type[T]
    dispatch: Callable[[WriteSession, Queue, T], None]
    may_take: Callable[[ReadSession], ColumnElement[bool]] = lambda _: true()
    _after: str = ""
    _running_since: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._may_be_some = Precheck(exists().where(self.rows.state.in_(UNFINISHED)))

    def round(self) -> int:
        """Dispatches unattended rows again; returns how many."""
        if not self._may_be_some.passes(self.database):
            return 0
        with self.database.read() as session:
            found = self.find(session, after=self._after, limit=MAX_AT_ONCE)
        self._after = found[-1].id if len(found) == MAX_AT_ONCE else ""
        jobs = {job_name(row.id, row.dispatches): row for row in found}
        # Outside of any transaction, because the engine uses connections of its own.
        states = self.queue.states(list(jobs))
        lost = [row for job, row in jobs.items() if self._is_lost(job, row, states[job])]
        self._running_since = {
            job: since for job, since in self._running_since.items() if job in jobs
        }
        return sum(self._dispatched(row) for row in lost)

    def find(
        self, session: ReadSession, *, after: str = "", limit: int = MAX_AT_ONCE
    ) -> Sequence[Unattended]:
        """Returns unattended rows ordered by id, those after `after`."""
        rows, now = self.rows, database_now(session)
        query = (
            select(rows.id, rows.dispatches, rows.worker_id)
            .where(leases.unattended(rows, now=now), rows.id > after, self.may_take(session))
            .order_by(rows.id)
            .limit(limit)
        )
        return [
            Unattended(row_id, dispatches, worker_id is not None)
            for row_id, dispatches, worker_id in session.execute(query)
        ]

    def dispatch_again(self, session: WriteSession, seen: Unattended) -> bool:
        """Dispatches a row again, unless it was dispatched, leased or ended since; returns whether
        it did."""
        row = leases.free(session, self.rows, seen.id)
        if row is None or row.dispatches != seen.dispatches:
            return False
        self.dispatch(session, self.queue, row)
        _log.info("job.redispatched", row=row.id, dispatch=row.dispatches)
        return True

    def _is_lost(self, job: str, row: Unattended, state: EngineJobState) -> bool:
        if state is EngineJobState.WAITING:
            return False
        if state is EngineJobState.RUNNING and not row.was_taken:
            # A worker needs a moment between taking a job and its lease. If that lasts longer than
            # a lease, the worker is dead, or the engine has lost the job on a living one.
            since = self._running_since.setdefault(job, time.monotonic())
            return time.monotonic() - since > self.lease_seconds
        return True

    def _dispatched(self, row: Unattended) -> bool:
        with self.database.write(is_minor=True) as session:
            return self.dispatch_again(session, row)
