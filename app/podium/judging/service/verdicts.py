"""The verdict transaction: state, scores, slot and board change together, and only once.

What a worker records, it records with its fence: one that was declared dead, and whose judging
another one has, changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from podium.core import leases, locks, lookups
from podium.core.configuration import settings_of
from podium.core.database.engine import WriteSession, database_now
from podium.core.judging_states import State, is_charged, may_follow
from podium.core.leases import JobState, Lease
from podium.core.models import Competition, Judging, Run
from podium.judging.rules import (
    OWN_FAILURES,
    Consequence,
    consequence_of,
    seconds_until_retry,
    tries_after,
)
from podium.judging.service import pauses, scores
from podium.logs import get_logger
from podium.sandbox import FailureReason
from podium.sandbox.definitions.judging import Judged
from podium.scoring.problems import Code, Problem, Rejection
from podium.standings.service import ladder, leaks, standings
from podium.submissions.service import quota

REPORT_CHARACTERS = 4000

LIMITS = {
    FailureReason.MEMORY: "more memory than a judging may use, also when it was given more",
    FailureReason.WALL_TIME: "more time than a judging may take",
    FailureReason.CPU_TIME: "more processor time than a judging may use",
    FailureReason.FILE_SIZE: "more scratch space than a judging may use",
    FailureReason.CRASH: "the judge crash, twice",
    FailureReason.NO_ANSWER: "the judge end without an answer, twice",
}
"""The fault of a file by the way its child failed, as the end of a sentence."""

_ENDS = {
    State.SCORED: JobState.DONE,
    State.REJECTED: JobState.REFUSED,
    State.FAILED: JobState.FAILED,
    State.CANCELLED: JobState.CANCELLED,
}
"""The last state of the run of a verdict."""

_log = get_logger("judging")


class Work(NamedTuple):
    """A judging and its run, both locked."""

    judging: Judging
    run: Run


def held_work(session: WriteSession, lease: Lease[Run]) -> Work | None:
    """The work of a run, if this lease is still the one on it."""
    judging = _locked_judging(session, lease.row_id)
    run = leases.held(session, lease)
    return None if judging is None or run is None else Work(judging, run)


def free_work(session: WriteSession, run_id: str) -> Work | None:
    """The work of a run that has not ended, if no worker is at it."""
    judging = _locked_judging(session, run_id)
    run = leases.free(session, Run, run_id)
    return None if judging is None or run is None else Work(judging, run)


def record_scored(
    session: WriteSession,
    *,
    lease: Lease[Run],
    judged: Judged,
    hits_sha256: str | None,
    step: ladder.LadderStep | None = None,
) -> bool:
    """A good file's verdict from the child's answer: both scores, then slot and board.

    Raises `ValueError` when the answer contradicts itself: that is our fault, never a score. On a
    ladder `step` compares it with the team's best shown one; raises `ladder.BestHasChanged` where
    that is another one by now.
    """
    work = held_work(session, lease)
    if work is None:
        return False
    record_score(session, work, judged=judged, hits_sha256=hits_sha256, step=step)
    return True


def record_score(
    session: WriteSession,
    work: Work,
    *,
    judged: Judged,
    hits_sha256: str | None,
    step: ladder.LadderStep | None,
    at: datetime | None = None,
    splits: Sequence[str] = scores.SPLITS,
    is_whole: bool = True,
) -> None:
    """The same of work that the caller holds, `at` a time of its own, and of some splits; it
    `is_whole` where no run is left for the others."""
    judging = work.judging
    scores.refuse_contradictions(session, judging, judged, splits=splits)
    competition = session.get_one(Competition, judging.competition_id)
    settings = settings_of(competition)
    session.add_all(scores.rows_of(judging, settings, judged))
    judging.counts = scores.counts_of(settings, judged)
    judging.scorer_version = judged.scorer_version
    judging.hits_sha256 = hits_sha256
    session.flush()
    ladder.decide(session, judging=judging, step=step)
    scores.keep_fingerprint(session, judging=judging, figures=judged.fingerprint)
    end(session, work, State.SCORED, at=at, is_whole=is_whole)


def record_rejected(
    session: WriteSession, *, lease: Lease[Run], problem: Mapping[str, Any]
) -> bool:
    """The file is at fault, and `problem` says where."""
    work = held_work(session, lease)
    if work is None:
        return False
    work.judging.problem = dict(problem)
    end(session, work, State.REJECTED)
    return True


def record_cancelled(session: WriteSession, *, lease: Lease[Run]) -> bool:
    """An organizer asked for the end while the child ran."""
    work = held_work(session, lease)
    if work is None:
        return False
    end(session, work, State.CANCELLED)
    return True


def record_child_failure(
    session: WriteSession, *, lease: Lease[Run], failure: FailureReason, report: str
) -> Consequence | None:
    """The child ended without an answer. Ends the judging or makes it wait for the next try.

    Answers the consequence, None where the lease is no longer held; for `RETRY` and `HAND_BACK` the
    caller dispatches the run again in this transaction.
    """
    work = held_work(session, lease)
    if work is None:
        return None
    consequence = _consequence(work.run, failure)
    _log.warning(
        "child.died",
        judging=work.judging.id,
        failure=failure,
        consequence=str(consequence),
        report=report,
    )
    if consequence is Consequence.LATER:
        _fail_or_wait(session, work, f"{failure}: {report}", tries=tries_after(failure))
        return consequence
    if consequence is not Consequence.HAND_BACK:
        work.run.child_deaths += 1
        work.judging.failure = f"{failure}: {report}"[:REPORT_CHARACTERS]
    if consequence is Consequence.REJECT:
        detail = (
            f"This file made {LIMITS[failure]}."
            if failure in (FailureReason.CRASH, FailureReason.NO_ANSWER)
            else f"Judging this file took {LIMITS[failure]}."
        )
        work.judging.problem = Rejection.of([Problem(Code.RESOURCE_LIMIT, detail)]).to_dict()
        end(session, work, State.REJECTED)
    else:
        _wait(session, work)
    return consequence


def record_own_failure(
    session: WriteSession, *, lease: Lease[Run], report: str, tries: int = OWN_FAILURES
) -> bool:
    """We could not judge: again after a while, and `failed` after so many `tries`. Never
    charged."""
    work = held_work(session, lease)
    if work is None:
        return False
    _log.error("judging.failed", judging=work.judging.id, report=report)
    _fail_or_wait(session, work, report, tries=tries)
    return True


def record_unusable_truth(session: WriteSession, *, lease: Lease[Run], report: str) -> bool:
    """The ground truth cannot be read: the judging waits with all others against this version.
    Nothing is counted, neither against the file nor as a failure of ours."""
    work = held_work(session, lease)
    if work is None:
        return False
    _wait(session, work)
    pauses.pause(
        session,
        competition_id=work.judging.competition_id,
        version=work.judging.ground_truth_version,
        because=report,
    )
    return True


def give_up(session: WriteSession, work: Work, report: str) -> None:
    """Ends what could not be done, for a reason that organizers see."""
    report = report[:REPORT_CHARACTERS]
    if work.run.is_private:
        work.run.note = {"outcome": "failed", "report": report}
        leases.end(session, work.run, JobState.FAILED)
    else:
        work.judging.failure = report
        end(session, work, State.FAILED)


def end(
    session: WriteSession,
    work: Work,
    state: State,
    *,
    at: datetime | None = None,
    is_whole: bool = True,
) -> None:
    """Gives a judging its last state, now or `at` another time, the slot back where it is not
    charged, and the team its standing. A rejudging's verdict changes none of these before it is
    applied. Where the verdict `is_whole`, what waited for the ground truth goes on."""
    judging = work.judging
    if not may_follow(State(judging.state), state):
        raise ValueError(f"a judging cannot go from {judging.state} to {state}")
    before, judging.state = State(judging.state), state
    judging.judged_at = at or database_now(session)
    leases.end(session, work.run, _ENDS[state])
    if is_whole and _has_read_truth(session, judging):
        pauses.end(
            session,
            competition_id=judging.competition_id,
            version=judging.ground_truth_version,
        )
    if judging.rejudging_id is not None:
        return
    leaks.record(session, judging=judging)
    code = (judging.problem or {}).get("code")
    if not is_charged(state, problem_code=code, before=before):
        quota.return_slot(session, submission_id=judging.submission_id)
    if state is State.SCORED:
        submission = lookups.submission_of(session, submission_id=judging.submission_id)
        if not submission.is_late:
            standings.refresh(
                session, competition_id=judging.competition_id, team_id=submission.team_id
            )


def _locked_judging(session: WriteSession, run_id: str) -> Judging | None:
    """The judging of a run, which is locked before the run."""
    seen = session.get(Run, run_id)
    return None if seen is None else locks.locked_judging(session, judging_id=seen.judging_id)


def _has_read_truth(session: WriteSession, judging: Judging) -> bool:
    """True if the files of the ground truth could be opened on the way to this verdict. A
    custom metric is given none for a bad file."""
    if judging.state == State.SCORED:
        return True
    competition = session.get_one(Competition, judging.competition_id)
    return judging.state == State.REJECTED and settings_of(competition).own_metric is None


def _consequence(run: Run, failure: FailureReason) -> Consequence:
    """A file that was scored once is at fault for nothing any more."""
    if run.is_private and failure is not FailureReason.STOPPED:
        return Consequence.LATER
    return consequence_of(failure, child_deaths=run.child_deaths)


def _fail_or_wait(session: WriteSession, work: Work, report: str, *, tries: int) -> None:
    work.run.own_failures += 1
    if work.run.own_failures >= tries:
        give_up(session, work, report)
        return
    if not work.run.is_private:
        work.judging.failure = report[:REPORT_CHARACTERS]
    _wait(session, work, after=timedelta(seconds=seconds_until_retry(work.run.own_failures)))


def _wait(session: WriteSession, work: Work, *, after: timedelta | None = None) -> None:
    """Makes the run wait for another worker, and with it the judging that has no verdict yet."""
    if not work.run.is_private:
        work.judging.state = State.QUEUED
    leases.queue_again(session, work.run, after=after)
