"""Runs one assignment from its lease to its verdict: heartbeat, scratch folder, failures.

It has no rules about what an outcome means (its subject has), and parses no byte of a submission.
"""

from __future__ import annotations

import threading
from concurrent.futures import Future, ThreadPoolExecutor, wait

from podium.core.database.outages import OUTAGES
from podium.judging.service import assignments
from podium.judging.service.assignments import Assignment
from podium.logs import get_logger
from podium.worker.attempt import ERRORS, Attempt
from podium.worker.custom_metrics import judge_by_custom_metric
from podium.worker.files import judge_file
from podium.worker.holding import LeaseHolder

MAX_VERDICTS = 128
"""Judgings by custom metrics at a time, including those whose verdicts wait for their time."""

_log = get_logger("worker")


class Judge:
    """Judges one assignment at a time in each thread that calls `judge`."""

    def __init__(self, holder: LeaseHolder) -> None:
        self._holder = holder
        self._beside = ThreadPoolExecutor(MAX_VERDICTS, thread_name_prefix="judging")
        self._under_way: set[Future[None]] = set()

    def wait(self, seconds: float | None = None) -> None:
        """Returns once all waiting verdicts are recorded, or after so many seconds."""
        wait(list(self._under_way), timeout=seconds)

    def judge(self, run_id: str, *, is_private: bool = False) -> None:
        """Leases a run (`is_private`: one of the lane of private runs), runs its children and
        records the outcome. A verdict that only waits for its time is recorded after this has
        returned, so that another judging may begin meanwhile."""
        with self._holder.application.database.write(is_minor=True) as session:
            assignment = assignments.take(
                session,
                run_id=run_id,
                worker_id=self._holder.worker_id,
                lease_seconds=self._holder.lease_seconds,
                is_private=is_private,
            )
        if assignment is None:
            return
        is_idle = threading.Event()
        if assignment.custom is None:
            self._judge(assignment, is_idle)
            return
        judged = self._beside.submit(self._judge, assignment, is_idle)
        self._under_way.add(judged)
        judged.add_done_callback(self._ended)
        judged.add_done_callback(lambda _: is_idle.set())
        is_idle.wait()

    def _ended(self, judged: Future[None]) -> None:
        self._under_way.discard(judged)
        if (error := judged.exception()) is not None and not OUTAGES.tell(error):
            _log.error("judging.raised", exc_info=error)

    def _judge(self, assignment: Assignment, is_idle: threading.Event) -> None:
        application, custom = self._holder.application, assignment.custom
        about = {"judging": assignment.judging_id}
        with self._holder.at_work(assignment.lease, "judge", about) as place:
            attempt = Attempt(application, assignment, *place, is_idle)
            try:
                outcome = (
                    judge_file(attempt)
                    if custom is None
                    else judge_by_custom_metric(attempt, custom)
                )
                with application.telemetry.span("verdict"):
                    attempt.end(outcome)
            except ERRORS as error:
                attempt.end_in_error(error)
