"""Verdicts, and the transaction that records one: state, scores, slot and board change together,
and only once.

A worker records under its lease: one that was declared dead, and whose judging another worker now
has, changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, NamedTuple

from podium.core import leases, locks, lookups
from podium.core.configuration import is_scored_by_custom_metric
from podium.core.database.engine import WriteSession, database_now
from podium.core.judging_states import State, is_charged, may_follow
from podium.core.leases import Lease, WorkState
from podium.core.models import Competition, Judging, Run
from podium.judging.service import pauses, scores
from podium.logs import get_logger
from podium.sandbox.definitions.judging import Judged
from podium.standings.service import ladder, leaks, standings
from podium.submissions.service import quota

REPORT_CHARACTERS = 4000

_ENDS = {
    State.SCORED: WorkState.DONE,
    State.REJECTED: WorkState.REFUSED,
    State.FAILED: WorkState.FAILED,
    State.CANCELLED: WorkState.CANCELLED,
}
"""The final state of a run by the state of its verdict."""

_log = get_logger("judging")


@dataclass(frozen=True, slots=True)
class MetricPart:
    """A custom metric's part in a verdict: its version, and the notes of its runs by split, for
    organizers."""

    version: int
    notes: Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The outcome of a run: the verdict of its judging, or, of a private run, only the private half
    of it.

    A score has the figures that a child `judged`, and the hash of the stored hits; a custom
    metric's figures may be those of one split. The `problem` is shown to participants, the
    `failure` to organizers.
    """

    state: State
    judged: Judged | None = None
    hits_sha256: str | None = None
    problem: Mapping[str, Any] | None = None
    failure: str | None = None
    by_metric: MetricPart | None = None

    @property
    def splits(self) -> tuple[str, ...]:
        """The splits for which there must be figures."""
        if self.judged is None:
            return ()
        return scores.SPLITS if self.by_metric is None else tuple(self.judged.splits)


class Work(NamedTuple):
    """A judging and its run, both locked, which no other worker holds."""

    judging: Judging
    run: Run


def held_work(session: WriteSession, lease: Lease[Run]) -> Work | None:
    """Locks and returns the work of a run, if this lease is still the current one."""
    judging = _locked_judging(session, lease.row_id)
    run = leases.held(session, lease)
    return None if judging is None or run is None else Work(judging, run)


def free_work(session: WriteSession, run_id: str) -> Work | None:
    """Locks and returns the work of a run that has not ended, if no worker holds it."""
    judging = _locked_judging(session, run_id)
    run = leases.free(session, Run, run_id)
    return None if judging is None or run is None else Work(judging, run)


def record(
    session: WriteSession,
    work: Work,
    verdict: Verdict,
    *,
    step: ladder.LadderStep | None = None,
    after: timedelta | None = None,
) -> Run | None:
    """Ends a run with its verdict, now or at a time `after` it began; this is the only place that
    does so. Returns the private run that follows a verdict on the public split alone, for the
    caller to dispatch.

    Raises `ValueError` where figures contradict each other, which is our fault and never a score,
    and where there is a verdict already. On a ladder board `step` compares the score with the
    team's best shown one; raises `ladder.BestHasChanged` if that is another one by now.
    """
    judging, run = work
    if verdict.by_metric is not None and verdict.state is State.FAILED:
        split = "private" if run.is_private else "public"
        _log.warning("metric.failed", judging=judging.id, split=split)
    if run.is_private:
        _end_private(session, work, verdict)
        return None
    before = State(judging.state)
    if not may_follow(before, verdict.state):
        raise ValueError(f"a judging cannot go from {before} to {verdict.state}")
    if verdict.judged is not None:
        scores.keep(session, judging, verdict.judged, splits=verdict.splits)
        judging.hits_sha256 = verdict.hits_sha256
        session.flush()
        ladder.decide(session, judging=judging, step=step)
        scores.keep_fingerprint(session, judging=judging, figures=verdict.judged.fingerprint)
    _end_judging(session, work, verdict, after)
    following = _following(session, work, verdict)
    if following is None and _has_read_truth(session, judging):
        _end_pause(session, judging)
    if judging.rejudging_id is None:
        _take_effect(session, judging, before)
    return following


def _end_judging(
    session: WriteSession, work: Work, verdict: Verdict, after: timedelta | None
) -> None:
    judging, run = work
    if verdict.problem is not None:
        judging.problem = dict(verdict.problem)
    if verdict.failure is not None:
        judging.failure = verdict.failure[:REPORT_CHARACTERS]
    judging.state, judging.judged_at = verdict.state, database_now(session)
    if after is not None:
        assert run.started_at is not None, "a run that is held has begun"
        judging.judged_at = run.started_at + after
    leases.end(session, run, _ENDS[verdict.state])


def _take_effect(session: WriteSession, judging: Judging, before: State) -> None:
    """Returns the slot where it is not charged, and refreshes the team's standing. A rejudging's
    verdict does neither before it is applied."""
    leaks.record(session, judging=judging)
    code = (judging.problem or {}).get("code")
    if not is_charged(State(judging.state), problem_code=code, before=before):
        quota.return_slot(session, submission_id=judging.submission_id)
    if judging.state == State.SCORED:
        _refresh_standing(session, judging)


def _following(session: WriteSession, work: Work, verdict: Verdict) -> Run | None:
    """Stores the notes of a custom metric; returns the private run that is due after a score on the
    public split alone. A rejudging runs both splits at once, so its private run is stored as
    ended."""
    part = verdict.by_metric
    if part is None:
        return None
    judging, run = work
    judging.metric_version, run.note = part.version, dict(part.notes["public"])
    if verdict.state is not State.SCORED:
        return None
    _keep_warnings(session, judging, run.note)
    private = Run(
        judging_id=judging.id,
        is_private=True,
        state=WorkState.QUEUED,
        priority=run.priority,
        created_at=database_now(session),
        request_id=run.request_id,
        traceparent=run.traceparent,
    )
    session.add(private)
    if "private" not in part.notes:
        return private
    private.state = WorkState.DONE if "private" in verdict.splits else WorkState.FAILED
    private.note = dict(part.notes["private"])
    private.started_at, private.ended_at = run.started_at, run.ended_at
    private.worker_id = run.worker_id
    session.flush()
    return None


def _end_private(session: WriteSession, work: Work, verdict: Verdict) -> None:
    """Records the private half of a verdict. Before the reveal nothing changes that others see."""
    judging, run = work
    if verdict.judged is not None:
        scores.keep(session, judging, verdict.judged, splits=("private",))
    run.hits_sha256 = verdict.hits_sha256
    leases.end(session, run, _ENDS[verdict.state])
    if verdict.by_metric is None:
        run.note = {"outcome": "failed", "report": (verdict.failure or "")[:REPORT_CHARACTERS]}
        return
    run.note = dict(verdict.by_metric.notes["private"])
    _end_pause(session, judging)
    competition = session.get_one(Competition, judging.competition_id)
    if verdict.judged is not None and competition.revealed_at is not None:
        _refresh_standing(session, judging)


def _refresh_standing(session: WriteSession, judging: Judging) -> None:
    submission = lookups.submission_of(session, submission_id=judging.submission_id)
    if not submission.is_late:
        standings.refresh(
            session, competition_id=judging.competition_id, team_id=submission.team_id
        )


def _locked_judging(session: WriteSession, run_id: str) -> Judging | None:
    """Locks and returns the judging of a run; it is always locked before the run."""
    seen = session.get(Run, run_id)
    return None if seen is None else locks.locked_judging(session, judging_id=seen.judging_id)


def _has_read_truth(session: WriteSession, judging: Judging) -> bool:
    """True if the files of the ground truth could be opened on the way to this verdict. A custom
    metric gets none for a bad file."""
    if judging.state == State.SCORED:
        return True
    settings = lookups.settings_of_judging(session, judging)
    return judging.state == State.REJECTED and not is_scored_by_custom_metric(settings)


def _end_pause(session: WriteSession, judging: Judging) -> None:
    """Resumes judging that was paused because of this version of the ground truth."""
    pauses.end(session, competition_id=judging.competition_id, version=judging.ground_truth_version)


def _keep_warnings(session: WriteSession, judging: Judging, note: Mapping[str, Any]) -> None:
    """Stores, for organizers, which of today's rules a metric breaks that is still allowed to
    score."""
    assert judging.metric_version is not None, "it is noted with its version"
    row = lookups.metric_version(session, judging.competition_id, judging.metric_version)
    if row is not None and (warnings := note.get("warnings")):
        row.checked = (row.checked or {}) | {"warnings": warnings}
