"""Finds unattended rows, and dispatches them to the engine again.

The engine does not notice that a worker died, and can lose a job when its disk is full. Our tables
say which rows have not ended and have no lease; the engine is only asked whether a job still waits.
Any number of workers may do this at once: an extra dispatch does no harm.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field

from podium.core.database.engine import Database, ReadSession, WriteSession
from podium.queue import EngineJobState, Queue, job_name

MOST_AT_ONCE = 500
"""Rows looked at in one round; a longer queue is looked at in turns."""


@dataclass(frozen=True, slots=True)
class Unattended:
    """A row that has not ended and has no lease. `was_taken`: its last worker went silent."""

    id: str
    dispatches: int
    was_taken: bool


@dataclass
class Rounds(ABC):
    """Looks for unattended rows, a round at a time; remembers what it saw running."""

    database: Database
    queue: Queue
    lease_seconds: float
    _after: str = ""
    _running_since: dict[str, float] = field(default_factory=dict)

    @abstractmethod
    def find(self, session: ReadSession, *, after: str, limit: int) -> Sequence[Unattended]:
        """Unattended rows by id, from `after` on."""

    @abstractmethod
    def dispatch_again(self, session: WriteSession, seen: Unattended) -> bool:
        """Dispatches a row again, unless it was dispatched or leased since."""

    def round(self) -> int:
        """Dispatches again what is unattended; answers how many."""
        with self.database.read() as session:
            found = self.find(session, after=self._after, limit=MOST_AT_ONCE)
        self._after = found[-1].id if len(found) == MOST_AT_ONCE else ""
        jobs = {job_name(row.id, row.dispatches): row for row in found}
        # Outside of any transaction: the engine asks over connections of its own.
        states = self.queue.states(list(jobs))
        lost = [row for job, row in jobs.items() if self._is_lost(job, row, states[job])]
        self._running_since = {
            job: since for job, since in self._running_since.items() if job in jobs
        }
        return sum(self._dispatched(row) for row in lost)

    def _is_lost(self, job: str, row: Unattended, state: EngineJobState) -> bool:
        if state is EngineJobState.WAITING:
            return False
        if state is EngineJobState.RUNNING and not row.was_taken:
            # Between taking a job and its lease a worker needs a moment; one that needs longer
            # than a lease is dead, or the engine lost the job on a living one.
            since = self._running_since.setdefault(job, time.monotonic())
            return time.monotonic() - since > self.lease_seconds
        return True

    def _dispatched(self, row: Unattended) -> bool:
        with self.database.write(is_minor=True) as session:
            return self.dispatch_again(session, row)
