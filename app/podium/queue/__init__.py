"""ADAPTER: hands judgings and jobs to the engine that runs them. Five functions, so that it can be
replaced.

Our tables own the truth (state, lease, fence, outcome); the engine only carries names of rows.
This file is the interface; `durable.py` implements it with DBOS.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Protocol

from podium.core.database.engine import WriteSession


class EngineJobState(StrEnum):
    """The state of a job in the engine; `GONE` also covers a job that it never had."""

    WAITING = "waiting"
    RUNNING = "running"
    """A worker took it. Only our leases tell whether that worker is alive."""
    ENDED = "ended"
    GONE = "gone"


class Lane(StrEnum):
    """Live submissions go before rejudgings. What runs a custom metric on private rows, and
    jobs, have queues and slots of their own: they take no slot from judgings that people wait for,
    and how long they take shows in no one's wait."""

    LIVE = "live"
    REJUDGING = "rejudging"
    PRIVATE = "private"
    JOB = "job"


def job_name(row_id: str, dispatch: int) -> str:
    """The engine's name for the n-th dispatch of a judging or job; unique for ever."""
    return f"{row_id}:{dispatch}"


class Queue(Protocol):
    """A durable queue of jobs; a job's name is made by `job_name`."""

    def enqueue(self, session: WriteSession, job: str, *, lane: Lane, priority: int) -> None:
        """Adds a job inside the caller's transaction: both are there after the commit, or neither.

        Lower `priority` runs first (1 + the team's judgings in flight).
        """

    def cancel(self, job: str) -> None:
        """Takes a waiting job out; a running one is told through our own table."""

    def states(self, jobs: Sequence[str]) -> dict[str, EngineJobState]:
        """The state of each of the jobs in the engine."""

    def forget_ended(self, *, older_than_seconds: float) -> int:
        """Removes the engine's records of ended jobs, which are never read; answers how many."""

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
        """Starts taking work in threads of this process: calls `judge(judging id)` for judgings, of
        which `slots` run at a time; beside them `run_private(judging id)` for those of the lane
        `PRIVATE`, of which `private_slots` do, and `run_job(job id)` for one job at a time.

        Returns at once, with the function that stops taking and waits for those under way. What
        raises is ended all the same: what is left to do, our tables know.
        """
