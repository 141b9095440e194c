"""ADAPTER: hands runs and jobs to the engine that dispatches them, through four functions, so that
it can be replaced.

Our tables own the truth (state, lease, fence, outcome); the engine only carries ids of rows. This
file is the interface; `durable.py` implements it with DBOS.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Protocol

from podium.core.database.engine import WriteSession


class EngineJobState(StrEnum):
    """The state of a job in the engine; `GONE` also stands for a job that it never had."""

    WAITING = "waiting"
    RUNNING = "running"
    """A worker took it. Only our leases show whether that worker is alive."""
    ENDED = "ended"
    GONE = "gone"


class Lane(StrEnum):
    """Live submissions go before rejudgings. Runs of a custom metric on private rows, and jobs,
    have queues and slots of their own: they take no slot from judgings that people wait for, and
    their duration shows in no one's wait."""

    LIVE = "live"
    REJUDGING = "rejudging"
    PRIVATE = "private"
    JOB = "job"


def job_name(row_id: str, dispatch: int) -> str:
    """Returns the engine's name for the n-th dispatch of a run or job; never used again."""
    return f"{row_id}:{dispatch}"


class Queue(Protocol):
    """A durable queue of jobs, which are named by `job_name`."""

    def enqueue(self, session: WriteSession, job: str, *, lane: Lane, priority: int) -> None:
        """Adds a job inside the caller's transaction: after the commit both are stored, or neither.

        Lower `priority` runs first (1 + the team's judgings in flight).
        """

    def states(self, jobs: Sequence[str]) -> dict[str, EngineJobState]:
        """Returns the engine's state of each of the jobs."""

    def forget_ended(self, *, older_than_seconds: float) -> int:
        """Deletes the engine's records of jobs that have ended or that a worker took, if they are
        so old; returns how many. None is read again: our tables say who still works."""

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
        """Starts taking work in threads of this process: calls `judge(run id)` for judgings, at
        most `slots` at a time; beside them `run_private(run id)` for runs of the lane `PRIVATE`, at
        most `private_slots` at a time, and `run_job(job id)` for one job at a time.

        Returns at once, with a function that stops taking work and waits for the calls under way. A
        call that raises ends its job as well: our tables know what is left to do.
        """
