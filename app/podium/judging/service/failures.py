"""Attempts that ended without an answer: the run is retried later, or the judging ends."""

from __future__ import annotations

from datetime import timedelta

from podium.core import leases
from podium.core.database.engine import WriteSession
from podium.core.judging_states import State
from podium.core.models import Run
from podium.judging.rules import (
    OWN_FAILURES,
    Consequence,
    consequence_of,
    seconds_until_retry,
    tries_after,
)
from podium.judging.service import pauses, verdicts
from podium.judging.service.verdicts import Verdict, Work
from podium.logs import get_logger
from podium.sandbox import FailureReason
from podium.scoring.problems import Code, Problem, Rejection

LIMITS = {
    FailureReason.MEMORY: "more memory than a judging may use, also when it was given more",
    FailureReason.WALL_TIME: "more time than a judging may take",
    FailureReason.CPU_TIME: "more processor time than a judging may use",
    FailureReason.FILE_SIZE: "more scratch space than a judging may use",
    FailureReason.CRASH: "the judge crash, twice",
    FailureReason.NO_ANSWER: "the judge end without an answer, twice",
}
"""The fault of a file by its child's failure, worded as the end of a sentence."""

_log = get_logger("judging")


def record_child_failure(
    session: WriteSession, work: Work, *, failure: FailureReason, report: str
) -> Run | None:
    """Records that the child ended without an answer: ends the judging, or returns the run if the
    caller is to dispatch it again at once."""
    judging, run = work
    consequence = _consequence(run, failure)
    _log.warning(
        "child.died",
        judging=judging.id,
        failure=failure,
        consequence=str(consequence),
        report=report,
    )
    report = f"{failure}: {report}"
    if consequence is Consequence.LATER:
        _fail_or_wait(session, work, report, tries=tries_after(failure))
        return None
    if consequence is not Consequence.HAND_BACK:
        run.child_deaths += 1
        judging.failure = report[: verdicts.REPORT_CHARACTERS]
    if consequence is Consequence.REJECT:
        verdicts.record(session, work, Verdict(state=State.REJECTED, problem=_limit_met(failure)))
        return None
    _wait(session, work)
    return run


def record_own_failure(session: WriteSession, work: Work, *, report: str) -> None:
    """Records that we could not judge: the run is retried later, and `failed` after a few tries.
    Never charged."""
    _log.error("judging.failed", judging=work.judging.id, report=report)
    _fail_or_wait(session, work, report, tries=OWN_FAILURES)


def _fail_or_wait(session: WriteSession, work: Work, report: str, *, tries: int) -> None:
    judging, run = work
    run.own_failures += 1
    if run.own_failures >= tries:
        verdicts.record(session, work, Verdict(state=State.FAILED, failure=report))
        return
    if not run.is_private:
        judging.failure = report[: verdicts.REPORT_CHARACTERS]
    _wait(session, work, after=timedelta(seconds=seconds_until_retry(run.own_failures)))


def record_unusable_truth(session: WriteSession, work: Work, *, report: str) -> None:
    """Records that the ground truth cannot be read, which pauses all judgings against this version.
    Counted neither against the file nor as a failure of ours."""
    _wait(session, work)
    pauses.pause(
        session,
        competition_id=work.judging.competition_id,
        version=work.judging.ground_truth_version,
        because=report,
    )


def _consequence(run: Run, failure: FailureReason) -> Consequence:
    """Returns the consequence of a child's failure. A private run is never rejected: its file was
    scored before."""
    if run.is_private and failure is not FailureReason.STOPPED:
        return Consequence.LATER
    return consequence_of(failure, child_deaths=run.child_deaths)


def _limit_met(failure: FailureReason) -> dict[str, object]:
    is_by_judge = failure in (FailureReason.CRASH, FailureReason.NO_ANSWER)
    begins = "This file made" if is_by_judge else "Judging this file took"
    return Rejection.of([Problem(Code.RESOURCE_LIMIT, f"{begins} {LIMITS[failure]}.")]).to_dict()


def _wait(session: WriteSession, work: Work, *, after: timedelta | None = None) -> None:
    """Returns the run to the queue, and with it the judging if it has no verdict yet."""
    if not work.run.is_private:
        work.judging.state = State.QUEUED
    leases.queue_again(session, work.run, after=after)
