"""Judges a submission by the metrics of `scoring`, in one child."""

from __future__ import annotations

import time
from contextlib import ExitStack

from podium.core.judging_states import State
from podium.errors import StoredFileCorrupt
from podium.judging.service.verdicts import Verdict
from podium.logs import get_logger
from podium.materials.service.item_files import ITEMS_AREA
from podium.sandbox import Rejected, Result
from podium.sandbox.answers import left
from podium.sandbox.definitions.judging import HITS, Judged, JudgeFile
from podium.storage import Area
from podium.worker.attempt import Attempt, TruthUnusable

JudgingResult = Result[Judged | Rejected]

_log = get_logger("worker")


def judge_file(attempt: Attempt) -> Verdict | JudgingResult:
    """Runs the child of an assignment; returns the verdict if it scored the file, else the child's
    result."""
    began = time.monotonic()
    with attempt.application.telemetry.span("child") as span:
        result = run_child(attempt)
        span.set(ended=_status_of(result))
    _log.info("child.ended", ended=_status_of(result), seconds=time.monotonic() - began)
    if not isinstance(result.answer, Judged) or attempt.is_lost():
        # After a lost lease no hits are stored: nothing would refer to them.
        return result
    # Before the verdict's transaction, which must not wait for a disk.
    hits = attempt.application.storage.add(Area.HITS, left(result, HITS)).sha256
    return Verdict(state=State.SCORED, judged=result.answer, hits_sha256=hits)


def run_child(attempt: Attempt) -> JudgingResult:
    """Runs the child that reads, checks and scores the submission. Raises `StoredFileCorrupt`,
    whatever the child says, if the submission has other bytes than were uploaded."""
    assignment, storage = attempt.assignment, attempt.application.storage
    with ExitStack() as files:
        # Hashing a large file takes as long as judging it, so both happen at once.
        beside = storage.checked_beside(Area.SUBMISSIONS, assignment.file_sha256)
        file = files.enter_context(beside)
        try:
            ids = files.enter_context(storage.local(Area.FILES, assignment.published_sha256))
            truth = files.enter_context(storage.local(Area.GROUND_TRUTH, assignment.truth_sha256))
            items = None
            if assignment.items_sha256 is not None:
                items = files.enter_context(storage.local(ITEMS_AREA, assignment.items_sha256))
        except StoredFileCorrupt as error:
            raise TruthUnusable(error.detail, code=error.code) from error
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
        return attempt.means(on_progress=attempt.heartbeat.progressed).run(wanted)


def _status_of(result: JudgingResult) -> str:
    """Returns a child's result as one word, which reveals only the status of its answer."""
    return str(result.failure) if result.answer is None else str(result.answer.STATUS)
