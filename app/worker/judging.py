"""One assignment from its lease to its verdict: files, child, heartbeats, verdict.

Knows no rule about what an end means (its subject does), and parses no byte of a submission.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from podium.application import Application
from podium.core.database.engine import WriteSession
from podium.core.leases import LeaseState
from podium.core.models import Judging
from podium.errors import PodiumError, StoredFileCorrupt, Unavailable
from podium.judging.rules import Consequence
from podium.judging.service import assignments, verdicts
from podium.judging.service.assignments import Assignment
from podium.logs import about, get_logger
from podium.materials.service.item_files import ITEMS_AREA
from podium.sandbox import FailureReason, Limits, Rejected, Result
from podium.sandbox.answers import left
from podium.sandbox.definitions.judging import HITS, Judged, JudgeFile
from podium.sandbox.leavings import remove
from podium.sandbox.serialization import encoded
from podium.standings.service import ladder
from podium.standings.service.ladder import LadderStep
from podium.storage import Area
from podium.submissions.service import dispatch
from podium.worker import comparing
from podium.worker.heartbeat import Heartbeat
from podium.worker.patience import STORE_FAILS, write_patiently

SCRATCH_BYTES = 256 << 20
"""A child's files may be as large as the submission's text, and so much more for hits."""

JudgingResult = Result[Judged | Rejected]

_log = get_logger("worker")


class _TruthUnusable(PodiumError):
    """The input that every judging of a competition needs cannot be read; no single file is at
    fault."""


class Judge:
    """Judges one assignment at a time in each thread that calls `judge`."""

    def __init__(self, application: Application, *, worker_id: str, scratch: Path) -> None:
        self._application = application
        self._worker_id = worker_id
        self._scratch = scratch
        self._is_leaving = threading.Event()

    def leave(self) -> None:
        """Ends the children under way; their judgings are handed back."""
        self._is_leaving.set()

    def judge(self, judging_id: str) -> None:
        """Leases the judging, runs its child and records how that ended."""
        with self._application.database.write(is_minor=True) as session:
            assignment = assignments.take(
                session,
                judging_id=judging_id,
                worker_id=self._worker_id,
                lease_seconds=self._application.settings.lease_seconds,
            )
        if assignment is None:
            return
        with (
            about(judging=assignment.judging_id, request_id=assignment.request_id),
            self._application.telemetry.span(
                "judge",
                of_request=assignment.request_id,
                within={"traceparent": assignment.traceparent or ""},
                judging=assignment.judging_id,
                fence=assignment.fence,
                worker=self._worker_id,
            ),
        ):
            self._judge(assignment)

    def _judge(self, assignment: Assignment) -> None:
        scratch = self._scratch / f"{assignment.judging_id}-{assignment.fence}"
        scratch.mkdir(mode=0o700)
        lease_seconds = self._application.settings.lease_seconds
        heartbeat = Heartbeat(
            self._application,
            lambda session, progress: assignments.renew(
                session, assignment=assignment, lease_seconds=lease_seconds, progress=progress
            ),
            self._is_leaving,
            name=assignment.judging_id,
        )
        try:
            # Files that come from far away take as long as they take.
            with heartbeat.kept_up():
                self._attempt(assignment, scratch, heartbeat)
        finally:
            remove(scratch)

    def _attempt(self, assignment: Assignment, scratch: Path, heartbeat: Heartbeat) -> None:
        try:
            began = time.monotonic()
            with self._application.telemetry.span("child") as span:
                result = self._run(assignment, scratch, heartbeat)
                span.set(ended=_told(result))
            _log.info("child.ended", ended=_told(result), seconds=time.monotonic() - began)
            if _is_lost(assignment, heartbeat):
                return
            with self._application.telemetry.span("verdict"):
                hits = self._stored_hits(result)
                while not self._is_settled(assignment, result, hits, scratch, heartbeat):
                    pass
        except (PodiumError, ValueError, LookupError, TypeError, AttributeError) as error:
            self._record_error(assignment, error)

    def _record_error(self, assignment: Assignment, error: Exception) -> None:
        report = f"{type(error).__name__}: {error}"
        if isinstance(error, _TruthUnusable) or (
            isinstance(error, Unavailable) and error.code in STORE_FAILS
        ):
            # Every judging would meet the same: all wait, and nothing is counted.
            self._record(
                lambda session: verdicts.record_unusable_truth(
                    session, held=assignment, report=str(error)
                )
            )
        else:
            # A corrupt submission, a document that contradicts itself: all ours.
            self._record(
                lambda session: verdicts.record_own_failure(session, held=assignment, report=report)
            )

    def _run(self, assignment: Assignment, scratch: Path, heartbeat: Heartbeat) -> JudgingResult:
        storage = self._application.storage
        with ExitStack() as files:
            file = files.enter_context(storage.local(Area.SUBMISSIONS, assignment.file_sha256))
            try:
                ids = files.enter_context(storage.local(Area.FILES, assignment.published_sha256))
                truth = files.enter_context(
                    storage.local(Area.GROUND_TRUTH, assignment.truth_sha256)
                )
                items = None
                if assignment.items_sha256 is not None:
                    items = files.enter_context(storage.local(ITEMS_AREA, assignment.items_sha256))
            except StoredFileCorrupt as error:
                raise _TruthUnusable(error.detail, code=error.code) from error
            wanted = JudgeFile(
                file=file,
                task=assignment.task,
                published=ids,
                truth=truth,
                truth_sha256=assignment.truth_sha256,
                items=items,
                items_sha256=assignment.items_sha256,
                fingerprint_seed=assignment.fingerprint_seed,
            )
            return self._application.sandbox.run(
                wanted,
                limits=self._limits(assignment),
                scratch=scratch,
                on_progress=heartbeat.progressed,
                should_stop=heartbeat.should_stop,
            )

    def _is_settled(
        self,
        assignment: Assignment,
        result: JudgingResult,
        hits_sha256: str | None,
        scratch: Path,
        heartbeat: Heartbeat,
    ) -> bool:
        """Records the verdict; False where a ladder's comparison was outdated meanwhile."""
        step = None
        try:
            if hits_sha256 is not None:
                step = comparing.compared(
                    self._application,
                    assignment,
                    hits_sha256=hits_sha256,
                    limits=self._limits(assignment),
                    scratch=scratch,
                    should_stop=heartbeat.should_stop,
                )
        except Unavailable:
            if not heartbeat.should_stop():
                raise
            result, hits_sha256 = Result(failure=FailureReason.STOPPED), None
        if _is_lost(assignment, heartbeat):
            return True
        try:
            self._record(
                lambda session: self._verdict(
                    session, assignment, result, hits_sha256, step, heartbeat
                )
            )
        except ladder.BestHasChanged:
            return False
        return True

    def _verdict(
        self,
        session: WriteSession,
        assignment: Assignment,
        result: JudgingResult,
        hits_sha256: str | None,
        step: LadderStep | None,
        heartbeat: Heartbeat,
    ) -> None:
        answer = result.answer
        if isinstance(answer, Rejected):
            problem = encoded(answer.problem)
            verdicts.record_rejected(session, held=assignment, problem=problem)
        elif answer is not None:
            verdicts.record_scored(
                session, held=assignment, judged=answer, hits_sha256=hits_sha256, step=step
            )
        elif (
            result.failure is FailureReason.STOPPED
            and heartbeat.lease_state is LeaseState.CANCELLED
        ):
            verdicts.record_cancelled(session, held=assignment)
        else:
            assert result.failure is not None, "a result without an answer names its failure"
            consequence = verdicts.record_child_failure(
                session, held=assignment, failure=result.failure, report=result.report
            )
            if consequence in (Consequence.RETRY, Consequence.HAND_BACK):
                again = session.get_one(Judging, assignment.judging_id)
                dispatch.dispatch(session, queue=self._application.queue, judging=again)

    def _stored_hits(self, result: JudgingResult) -> str | None:
        # Before the verdict's transaction, which shall not wait for a disk.
        if not isinstance(result.answer, Judged):
            return None
        return self._application.storage.add(Area.HITS, left(result, HITS)).sha256

    def _record(self, write: Callable[[WriteSession], object]) -> None:
        write_patiently(self._application, write)

    def _limits(self, assignment: Assignment) -> Limits:
        settings = self._application.settings
        return Limits(
            memory_bytes=(
                settings.judging_retry_memory_bytes
                if assignment.is_retry
                else settings.judging_memory_bytes
            ),
            wall_seconds=settings.judging_seconds,
            file_bytes=assignment.max_expanded_bytes + SCRATCH_BYTES,
        )


def _is_lost(assignment: Assignment, heartbeat: Heartbeat) -> bool:
    """True if another worker judges by now, which is logged whenever it is noticed."""
    if heartbeat.lease_state is not LeaseState.LOST:
        return False
    _log.warning("lease.lost", judging=assignment.judging_id, fence=assignment.fence)
    return True


def _told(result: JudgingResult) -> str:
    """The result of a child in a word that tells nothing of its answer but the status."""
    return str(result.failure) if result.answer is None else str(result.answer.STATUS)
