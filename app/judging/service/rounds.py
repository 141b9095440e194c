"""The reconciler: finds judgings that nobody attends to, and offers them again.

The engine has no one who notices that a worker died, and can lose a job when its disk is full.
Our tables say what has no verdict and no lease; the engine is only asked whether it still has a
job that waits. Any number of workers may do this at once: an offer too many does no harm.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from podium.core import locks
from podium.core.database.engine import Database, WriteSession, database_now
from podium.core.judging_states import State
from podium.core.leases import is_held
from podium.judging import queries
from podium.judging.queries import Unattended
from podium.logs import get_logger
from podium.queue import JobState, Queue, job_name
from podium.submissions.service.dispatch import offer

MOST_AT_ONCE = 500
"""Judgings looked at in one round; a longer queue is looked at in turns."""

_log = get_logger("judging.rounds")


@dataclass
class Reconciler:
    """Looks for unattended judgings, a round at a time; remembers what it saw running."""

    database: Database
    queue: Queue
    lease_seconds: float
    _after: str = ""
    _running_since: dict[str, float] = field(default_factory=dict)

    def round(self) -> int:
        """Offers again what is unattended; answers how many."""
        with self.database.read() as session:
            found = queries.unattended(
                session, now=database_now(session), after=self._after, limit=MOST_AT_ONCE
            )
        self._after = found[-1].judging_id if len(found) == MOST_AT_ONCE else ""
        jobs = {job_name(row.judging_id, row.offers): row for row in found}
        # Outside of any transaction: the engine asks over connections of its own.
        states = self.queue.states(list(jobs))
        lost = [row for job, row in jobs.items() if self._is_lost(job, row, states[job])]
        self._running_since = {
            job: since for job, since in self._running_since.items() if job in jobs
        }
        return sum(self._offer_again(row) for row in lost)

    def _is_lost(self, job: str, row: Unattended, state: JobState) -> bool:
        if state is JobState.WAITING:
            return False
        if state is JobState.RUNNING and not row.was_taken:
            # Between taking a job and its lease a worker needs a moment; one that needs longer
            # than a lease is dead, or the engine lost the job on a living one.
            since = self._running_since.setdefault(job, time.monotonic())
            return time.monotonic() - since > self.lease_seconds
        return True

    def _offer_again(self, row: Unattended) -> bool:
        with self.database.write() as session:
            return offer_again(session, queue=self.queue, seen=row)


def offer_again(session: WriteSession, *, queue: Queue, seen: Unattended) -> bool:
    """Offers a judging anew, unless somebody did or attended to it since it was seen."""
    judging = locks.find_locked_judging(session, judging_id=seen.judging_id)
    if judging is None or State(judging.state).is_final or judging.offers != seen.offers:
        return False
    if is_held(judging.lease_until, now=database_now(session)):
        return False
    offer(session, queue=queue, judging=judging)
    _log.info("offered-again", judging=judging.id, offer=judging.offers)
    return True
