"""One attempt at a judging: what its way needs of the worker, and how it comes to a verdict."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from podium.application import Application
from podium.core.database.engine import WriteSession
from podium.core.leases import LeaseState
from podium.core.models import Run
from podium.errors import PodiumError, Unavailable
from podium.errors.codes import ErrorCode
from podium.judging.rules import Consequence
from podium.judging.service import verdicts
from podium.judging.service.assignments import Assignment
from podium.logs import get_logger
from podium.sandbox import FailureReason, Limits, Result
from podium.standings.service import ladder
from podium.standings.service.ladder import LadderStep
from podium.submissions.service import dispatch
from podium.worker import comparing
from podium.worker.heartbeat import Heartbeat
from podium.worker.patience import STORE_FAILS, write_patiently

SCRATCH_BYTES = 256 << 20
"""A child's files may be as large as the submission's text, and so much more for hits."""

STEP_SECONDS = 1.0
"""Verdicts that an organizer's code takes part in come at whole steps after the judging began, so
that small differences in time tell nothing of the truth."""

ERRORS = (PodiumError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError)
"""Errors of stored files that cannot be read, and of answers that make no sense."""

_log = get_logger("worker")


class Settle(Protocol):
    """Writes a verdict; `step` is how far it is from the team's best shown score."""

    def __call__(self, session: WriteSession, *, step: LadderStep | None) -> object:
        """In the transaction of the verdict."""


class TruthUnusable(PodiumError):
    """The input that every judging of a competition needs cannot be read; no single file is at
    fault."""

    CODE = ErrorCode.STORED_FILE_CORRUPT


@dataclass
class Steps:
    """Whole steps since an attempt began; `at` is the one that was last waited for, `begins` is
    called before each wait."""

    began: float
    begins: Callable[[], object]
    at: timedelta = timedelta()

    def wait(self) -> None:
        """Returns at the next step."""
        self.begins()
        steps = max(1, math.ceil((time.monotonic() - self.began) / STEP_SECONDS))
        self.at = timedelta(seconds=steps * STEP_SECONDS)
        time.sleep(max(0.0, self.began + steps * STEP_SECONDS - time.monotonic()))


@dataclass(frozen=True)
class Attempt:
    """One assignment that this worker holds, with the folder that its children work in."""

    application: Application
    assignment: Assignment
    scratch: Path
    heartbeat: Heartbeat
    is_idle: threading.Event
    """Set once no child is left to run: the verdict waits for its time, and needs no slot."""

    began: float = field(default_factory=time.monotonic)

    def limits(self) -> Limits:
        """The limits of a child that reads the submission."""
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

    def is_lost(self) -> bool:
        """True if another worker judges by now, which is logged whenever it is noticed."""
        if self.heartbeat.lease_state is not LeaseState.LOST:
            return False
        held = self.assignment
        _log.warning("lease.lost", judging=held.judging_id, fence=held.lease.fence)
        return True

    def record(self, write: Callable[[WriteSession], object]) -> None:
        """Writes in one transaction, with patience."""
        write_patiently(self.application, write)

    def settle(
        self,
        write: Settle,
        *,
        hits_sha256: str | None = None,
        wait: Callable[[], object] = lambda: None,
    ) -> bool:
        """Records a verdict; with hits, compared with the team's best score where that decides what
        is shown, and again where it was outdated meanwhile. `wait` returns when it is time to write
        it down. Answers False where the lease was lost or handed back."""
        while True:
            try:
                step = self._compared(hits_sha256)
            except Unavailable:
                if not self.heartbeat.should_stop():
                    raise
                self.end_without_answer(Result(failure=FailureReason.STOPPED))
                return False
            wait()
            if self.is_lost():
                return False
            try:
                self.record(partial(write, step=step))
            except ladder.BestHasChanged:
                continue
            return True

    def end_without_answer(self, result: Result[Any]) -> None:
        """Records that a child ended without an answer, or that its end was asked for."""
        self.record(lambda session: self._end_without_answer(session, result))

    def record_error(self, error: Exception) -> None:
        """Records that we could not judge."""
        lease = self.assignment.lease
        report = f"{type(error).__name__}: {error}"
        if is_of_all(error):
            # Every judging would meet the same: all wait, and nothing is counted.
            self.record(
                lambda session: verdicts.record_unusable_truth(
                    session, lease=lease, report=str(error)
                )
            )
        else:
            # A corrupt submission, a document that contradicts itself: all ours.
            self.record(
                lambda session: verdicts.record_own_failure(session, lease=lease, report=report)
            )

    def _compared(self, hits_sha256: str | None) -> LadderStep | None:
        if hits_sha256 is None:
            return None
        return comparing.compared(
            self.application,
            self.assignment,
            hits_sha256=hits_sha256,
            limits=self.limits(),
            scratch=self.scratch,
            should_stop=self.heartbeat.should_stop,
        )

    def _end_without_answer(self, session: WriteSession, result: Result[Any]) -> None:
        lease, failure = self.assignment.lease, result.failure
        if failure is FailureReason.STOPPED and self.heartbeat.lease_state is LeaseState.CANCELLED:
            verdicts.record_cancelled(session, lease=lease)
            return
        assert failure is not None, "a result without an answer names its failure"
        consequence = verdicts.record_child_failure(
            session, lease=lease, failure=failure, report=result.report
        )
        if consequence in (Consequence.RETRY, Consequence.HAND_BACK):
            again = session.get_one(Run, lease.row_id)
            dispatch.dispatch(session, self.application.queue, again)


def is_of_all(error: Exception) -> bool:
    """True for an error that every judging of the competition would meet."""
    return isinstance(error, TruthUnusable) or (
        isinstance(error, Unavailable) and error.code in STORE_FAILS
    )
