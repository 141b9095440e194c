"""One attempt at a judging: its limits, its waits, and the record of its outcome."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

from podium.application import Application
from podium.core.database.engine import WriteSession
from podium.core.judging_states import State
from podium.core.leases import LeaseState
from podium.core.models import Run
from podium.errors import PodiumError, Unavailable
from podium.errors.codes import ErrorCode
from podium.jobs.means import Means
from podium.judging.service import failures, verdicts
from podium.judging.service.assignments import Assignment
from podium.judging.service.verdicts import Verdict, Work
from podium.logs import get_logger
from podium.sandbox import FailureReason, Limits, Rejected, Result
from podium.sandbox.serialization import encoded
from podium.standings.service import ladder
from podium.standings.service.ladder import LadderStep
from podium.submissions.service import dispatch
from podium.worker import comparing
from podium.worker.heartbeat import Heartbeat
from podium.worker.patience import STORE_FAILS, write_patiently

SCRATCH_BYTES = 256 << 20
"""Bytes that a child may write beyond the size of the submission's text, for hits."""

STEP_SECONDS = 1.0
"""Verdicts that involve a custom metric are recorded at whole steps after the judging began, so
that small differences in time reveal nothing about the ground truth."""

ERRORS = (PodiumError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError)
"""Errors of unreadable stored files and of contradictory answers."""

_log = get_logger("worker")


class TruthUnusable(PodiumError):
    """An input that every judging of a competition needs cannot be read; no submission is at
    fault."""

    CODE = ErrorCode.STORED_FILE_CORRUPT


@dataclass(frozen=True)
class Attempt:
    """An assignment that this worker holds, with the folder that its children work in."""

    application: Application
    assignment: Assignment
    scratch: Path
    heartbeat: Heartbeat
    is_idle: threading.Event
    """Set once there is no child left to run: the verdict waits for its time, and needs no slot."""

    began: float = field(default_factory=time.monotonic)

    def limits(self) -> Limits:
        """Returns the limits of a child that reads the submission."""
        settings = self.application.settings
        return Limits(
            memory_bytes=(
                settings.judging_retry_memory_bytes
                if self.assignment.is_retry
                else settings.judging_memory_bytes
            ),
            wall_seconds=settings.judging_seconds,
            file_bytes=self.assignment.max_expanded_bytes + SCRATCH_BYTES,
            in_background=self.assignment.in_background,
        )

    def means(
        self, limits: Limits | None = None, on_progress: Callable[[float], None] | None = None
    ) -> Means:
        """Returns the means of a child, with the limits of one that reads the submission unless
        others are given."""
        return Means(
            storage=self.application.storage,
            sandbox=self.application.sandbox,
            limits=limits or self.limits(),
            scratch=self.scratch,
            should_stop=self.heartbeat.should_stop,
            on_progress=on_progress,
        )

    def end(self, outcome: Verdict | Result[Any]) -> None:
        """Records a verdict, or the failure of a child that gave no answer."""
        if self.is_lost():
            return
        if isinstance(outcome, Verdict):
            self._settle(outcome)
        elif isinstance(outcome.answer, Rejected):
            problem = encoded(outcome.answer.problem)
            self._settle(Verdict(state=State.REJECTED, problem=problem))
        elif (
            outcome.failure is FailureReason.STOPPED
            and self.heartbeat.lease_state is LeaseState.CANCELLED
        ):
            self._settle(Verdict(state=State.CANCELLED))
        else:
            self._end_without_answer(outcome.failure, outcome.report)

    def end_in_error(self, error: Exception) -> None:
        """Records that we could not judge."""
        if is_of_all(error):
            # Every judging would fail in the same way: all wait, and no failure is counted.
            self._write(partial(failures.record_unusable_truth, report=str(error)))
        else:
            # A corrupt submission or a contradictory document is our failure.
            report = f"{type(error).__name__}: {error}"
            self._write(partial(failures.record_own_failure, report=report))

    def _settle(self, verdict: Verdict) -> None:
        """Records a verdict when its time has come. On a ladder board, a verdict with hits is first
        compared with the team's best score, and compared again if that has changed meanwhile."""
        while True:
            try:
                step = self._compared(verdict)
            except Unavailable:
                if not self.heartbeat.should_stop():
                    raise
                self.end(Result(failure=FailureReason.STOPPED))
                return
            after = self._waited(verdict)
            if self.is_lost():
                return
            try:
                self._write(partial(verdicts.record, verdict=verdict, step=step, after=after))
            except ladder.BestHasChanged:
                continue
            return

    def _compared(self, verdict: Verdict) -> LadderStep | None:
        if verdict.hits_sha256 is None or "public" not in verdict.splits:
            return None
        database, means = self.application.database, self.means()
        return comparing.compared(database, self.assignment, verdict.hits_sha256, means)

    def _waited(self, verdict: Verdict) -> timedelta | None:
        """Waits for the next whole step if a custom metric decides, and returns the time of that
        step since the start. No child runs meanwhile, so the slot is free for another judging,
        unless the metric has failed: then the slot stays occupied until the failure is counted,
        because a few failures stop the team's next file."""
        custom = self.assignment.custom
        if verdict.by_metric is None or custom is None or custom.is_only_private:
            return None
        if verdict.state is State.SCORED:
            self.is_idle.set()
        steps = max(1, math.ceil((time.monotonic() - self.began) / STEP_SECONDS))
        time.sleep(max(0.0, self.began + steps * STEP_SECONDS - time.monotonic()))
        return timedelta(seconds=steps * STEP_SECONDS)

    def is_lost(self) -> bool:
        """True if another worker has the judging by now; logs that each time."""
        if self.heartbeat.lease_state is not LeaseState.LOST:
            return False
        held = self.assignment
        _log.warning("lease.lost", judging=held.judging_id, fence=held.lease.fence)
        return True

    def _end_without_answer(self, failure: FailureReason | None, report: str) -> None:
        assert failure is not None, "a result without an answer names its failure"
        self._write(partial(failures.record_child_failure, failure=failure, report=report))

    def _write(self, act: Callable[[WriteSession, Work], Run | None]) -> None:
        """Writes under the lease, in one transaction and with retries, and dispatches the run that
        `act` returns."""

        def write(session: WriteSession) -> None:
            work = verdicts.held_work(session, self.assignment.lease)
            due = None if work is None else act(session, work)
            if due is not None:
                dispatch.dispatch(session, self.application.queue, due)

        write_patiently(self.application, write)


def is_of_all(error: Exception) -> bool:
    """True for an error that every judging of the competition would meet."""
    return isinstance(error, TruthUnusable) or (
        isinstance(error, Unavailable) and error.code in STORE_FAILS
    )
