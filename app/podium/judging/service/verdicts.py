"""The verdict transaction: state, scores, slot and board change together, and only once.

What a worker records, it records with its fence: one that was declared dead, and whose judging
another one has, changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Protocol

from podium.core import locks, lookups
from podium.core.configuration import settings_of
from podium.core.database.engine import WriteSession, database_now
from podium.core.judging_states import PrivateRun, State, is_charged, may_follow
from podium.core.leases import queue_again
from podium.core.models import Competition, Judging
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

_log = get_logger("judging")


class Held(Protocol):
    """The identity of a lease: the judging, and the fence that came with it."""

    @property
    def judging_id(self) -> str:
        """The judging that is leased."""

    @property
    def fence(self) -> int:
        """The number of the lease, by which a later one is told from it."""


def record_scored(
    session: WriteSession,
    *,
    held: Held,
    judged: Judged,
    hits_sha256: str | None,
    step: ladder.LadderStep | None = None,
) -> bool:
    """A good file's verdict from the child's answer: both scores, then slot and board.

    Raises `ValueError` when the answer contradicts itself: that is our fault, never a score. On a
    ladder `step` compares it with the team's best shown one; raises `ladder.BestHasChanged` where
    that is another one by now.
    """
    judging = held_judging(session, held)
    if judging is None:
        return False
    record_held_score(session, judging, judged=judged, hits_sha256=hits_sha256, step=step)
    return True


def record_held_score(
    session: WriteSession,
    judging: Judging,
    *,
    judged: Judged,
    hits_sha256: str | None,
    step: ladder.LadderStep | None,
    at: datetime | None = None,
    splits: Sequence[str] = scores.SPLITS,
) -> None:
    """The same of a judging that the caller has locked and holds, `at` a time of its own, and of
    some splits where the others have their time."""
    scores.refuse_contradictions(session, judging, judged, splits=splits)
    competition = session.get_one(Competition, judging.competition_id)
    settings = settings_of(competition)
    session.add_all(scores.rows_of(judging, settings, judged))
    judging.counts = scores.counts_of(settings, judged)
    judging.scorer_version = judged.scorer_version
    judging.hits_sha256 = hits_sha256
    judging.progress = 1.0
    session.flush()
    ladder.decide(session, judging=judging, step=step)
    scores.keep_fingerprint(session, judging=judging, figures=judged.fingerprint)
    end(session, judging=judging, state=State.SCORED, at=at)


def record_rejected(session: WriteSession, *, held: Held, problem: Mapping[str, Any]) -> bool:
    """The file is at fault, and `problem` says where."""
    judging = held_judging(session, held)
    if judging is None:
        return False
    judging.problem = dict(problem)
    end(session, judging=judging, state=State.REJECTED)
    return True


def record_cancelled(session: WriteSession, *, held: Held) -> bool:
    """An organizer asked for the end while the child ran."""
    judging = held_judging(session, held)
    if judging is None:
        return False
    end(session, judging=judging, state=State.CANCELLED)
    return True


def record_child_failure(
    session: WriteSession, *, held: Held, failure: FailureReason, report: str
) -> Consequence | None:
    """The child ended without an answer. Ends the judging or makes it wait for the next try.

    Answers the consequence, None where the lease is no longer held; for `RETRY` and `HAND_BACK` the
    caller dispatches the judging again in this transaction.
    """
    judging = held_judging(session, held)
    if judging is None:
        return None
    consequence = consequence_of(failure, child_deaths=judging.child_deaths)
    _log.warning(
        "child.died",
        judging=judging.id,
        failure=failure,
        consequence=str(consequence),
        report=report,
    )
    if consequence is Consequence.LATER:
        _fail_or_wait(session, judging, f"{failure}: {report}", tries=tries_after(failure))
        return consequence
    if consequence is not Consequence.HAND_BACK:
        judging.child_deaths += 1
        judging.failure = f"{failure}: {report}"[:REPORT_CHARACTERS]
    if consequence is Consequence.REJECT:
        detail = (
            f"This file made {LIMITS[failure]}."
            if failure in (FailureReason.CRASH, FailureReason.NO_ANSWER)
            else f"Judging this file took {LIMITS[failure]}."
        )
        judging.problem = Rejection.of([Problem(Code.RESOURCE_LIMIT, detail)]).to_dict()
        end(session, judging=judging, state=State.REJECTED)
    else:
        queue_again(judging, queued=State.QUEUED)
        session.flush()
    return consequence


def record_own_failure(session: WriteSession, *, held: Held, report: str) -> bool:
    """We could not judge: again after a while, and `failed` after a few times. Never charged."""
    judging = held_judging(session, held)
    if judging is None:
        return False
    _log.error("judging.failed", judging=judging.id, report=report)
    _fail_or_wait(session, judging, report)
    return True


def record_unusable_truth(session: WriteSession, *, held: Held, report: str) -> bool:
    """The ground truth cannot be read: the judging waits with all others against this version.
    Nothing is counted, neither against the file nor as a failure of ours."""
    judging = held_judging(session, held)
    if judging is None:
        return False
    queue_again(judging, queued=State.QUEUED)
    session.flush()
    pauses.pause(
        session,
        competition_id=judging.competition_id,
        version=judging.ground_truth_version,
        because=report,
    )
    return True


def end(
    session: WriteSession, *, judging: Judging, state: State, at: datetime | None = None
) -> None:
    """Gives the judging its last state, now or `at` another time, the slot back where it is not
    charged, and the team its standing. A rejudging's verdict changes none of these before it is
    applied."""
    if not may_follow(State(judging.state), state):
        raise ValueError(f"a judging cannot go from {judging.state} to {state}")
    before, judging.state = State(judging.state), state
    judging.judged_at = at or database_now(session)
    judging.lease_until = None
    session.flush()
    if _has_read_truth(session, judging):
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


def _has_read_truth(session: WriteSession, judging: Judging) -> bool:
    """True if every file of the ground truth could be opened on the way to this verdict. An
    organizer's metric is given one split after the other, and none for a bad file."""
    if judging.state == State.SCORED:
        return judging.private_run != PrivateRun.PENDING
    competition = session.get_one(Competition, judging.competition_id)
    return judging.state == State.REJECTED and settings_of(competition).own_metric is None


def held_judging(session: WriteSession, held: Held) -> Judging | None:
    """The judging, locked, if this lease is still the one for its verdict."""
    judging = locks.locked_judging(session, judging_id=held.judging_id)
    if judging is None or judging.fence != held.fence or judging.state != State.RUNNING:
        _log.warning("fence.outdated", judging=held.judging_id, fence=held.fence)
        return None
    return judging


def _fail_or_wait(
    session: WriteSession, judging: Judging, report: str, *, tries: int = OWN_FAILURES
) -> None:
    judging.own_failures += 1
    judging.failure = report[:REPORT_CHARACTERS]
    if judging.own_failures >= tries:
        end(session, judging=judging, state=State.FAILED)
        return
    queue_again(judging, queued=State.QUEUED)
    # A lease without a holder keeps the judging from every worker until it is time to try again.
    wait = timedelta(seconds=seconds_until_retry(judging.own_failures))
    judging.lease_until = database_now(session) + wait
    session.flush()
