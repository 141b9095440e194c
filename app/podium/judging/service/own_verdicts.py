"""Verdicts that an organizer's metric takes part in: the public run decides what everybody sees,
and the private score follows without a word to anybody but the organizers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any

from podium.core import locks, lookups
from podium.core.configuration import settings_of
from podium.core.database.engine import WriteSession, database_now
from podium.core.judging_states import METRIC_FAILED, PrivateRun, State
from podium.core.models import Competition, Judging
from podium.judging.rules import OWN_FAILURES, seconds_until_retry
from podium.judging.service import pauses, scores, verdicts
from podium.judging.service.own_runs import FailedRun, MeasuredRun, RefusedRun
from podium.judging.service.verdicts import Held
from podium.logs import get_logger
from podium.sandbox.definitions.judging import Judged, SplitFigures
from podium.sandbox.definitions.tables import TableRead
from podium.scoring.metrics import metric_of
from podium.scoring.metrics.tables import OwnMetricValue
from podium.scoring.problems import Code, Problem, Rejection
from podium.scoring.task import Task
from podium.standings.service import ladder, standings

_log = get_logger("judging")


@dataclass(frozen=True, slots=True)
class OwnVerdict:
    """The part of a verdict that all outcomes of an organizer's metric share: the metric's version,
    and the time after the judging began at which the verdict is made known."""

    metric_version: int
    at_step: timedelta


def record_measured(
    session: WriteSession,
    *,
    held: Held,
    own: OwnVerdict,
    judged: Judged,
    runs: Mapping[str, MeasuredRun | FailedRun],
    hits_sha256: str,
    step: ladder.LadderStep | None,
) -> Judging | None:
    """A score. Without a private run, of a live judging, that is due: the judging, which the caller
    dispatches. With one that failed, of a rejudging, there is no private score."""
    judging = verdicts.held_judging(session, held)
    if judging is None:
        return None
    private = runs.get("private")
    if private is None:
        judging.private_run = PrivateRun.PENDING
    elif isinstance(private, FailedRun):
        judging.private_run = PrivateRun.FAILED
    _note(judging, own, {split: run.note for split, run in runs.items()})
    _warn(session, judging, runs["public"].note)
    verdicts.record_held_score(
        session,
        judging,
        judged=judged,
        hits_sha256=hits_sha256,
        step=step,
        at=_at(judging, own),
        splits=tuple(judged.splits),
    )
    if not judging.is_private_due:
        return None
    # A cancellation that came too late must not end the private run.
    judging.cancel_requested = False
    judging.own_failures = 0
    _let_go(session, judging)
    return judging


def record_refused(
    session: WriteSession, *, held: Held, own: OwnVerdict, refused: RefusedRun
) -> bool:
    """The metric refused the file, which is charged: its text may depend on the ground truth."""
    judging = verdicts.held_judging(session, held)
    if judging is None:
        return False
    _note(judging, own, {"public": refused.note})
    judging.problem = Rejection.of([Problem(Code.METRIC_REFUSED, refused.text)]).to_dict()
    verdicts.end(session, judging=judging, state=State.REJECTED, at=_at(judging, own))
    return True


def record_metric_failed(
    session: WriteSession, *, held: Held, own: OwnVerdict, failed: FailedRun
) -> bool:
    """The metric failed. The slot stays used until organizers give it back or judge anew: the team
    may have learned something of the ground truth."""
    judging = verdicts.held_judging(session, held)
    if judging is None:
        return False
    _note(judging, own, {"public": failed.note})
    _log.warning("metric.failed", judging=judging.id, split="public")
    judging.problem = {"code": METRIC_FAILED}
    last = failed.note["report"].strip().rpartition("\n")[2]
    judging.failure = f"The metric failed: {last}"[: verdicts.REPORT_CHARACTERS]
    verdicts.end(session, judging=judging, state=State.FAILED, at=_at(judging, own))
    return True


def record_private(
    session: WriteSession,
    *,
    held: Held,
    run: MeasuredRun | FailedRun,
    judged: Judged | None,
    hits_sha256: str | None,
) -> bool:
    """The private half of a verdict that is there. Before the reveal nothing that others see
    changes."""
    judging = held_private(session, held)
    if judging is None:
        return False
    judging.metric_notes = (judging.metric_notes or {}) | {"private": run.note}
    judging.lease_until = None
    pauses.end(session, competition_id=judging.competition_id, version=judging.ground_truth_version)
    if isinstance(run, MeasuredRun):
        assert judged is not None, "what was measured has figures"
        competition = session.get_one(Competition, judging.competition_id)
        scores.refuse_contradictions(session, judging, judged, splits=("private",))
        session.add_all(scores.rows_of(judging, settings_of(competition), judged))
        judging.private_run, judging.hits_sha256 = None, hits_sha256
        session.flush()
        if competition.revealed_at is not None and judging.rejudging_id is None:
            _show(session, judging)
    else:
        _log.warning("metric.failed", judging=judging.id, split="private")
        judging.private_run = PrivateRun.FAILED
        session.flush()
    return True


def record_private_trouble(
    session: WriteSession, *, held: Held, report: str, tries: int | None = OWN_FAILURES
) -> bool:
    """We could not run the metric for the private split: again after a while, and after so many
    `tries` there is no private score. Where they are not counted, no submission's would be there:
    all wait until the ground truth can be read, and organizers see why."""
    judging = held_private(session, held)
    if judging is None:
        return False
    judging.worker_id = None
    if tries is None:
        # The pause says when it is tried again.
        _let_go(session, judging)
        pauses.pause(
            session,
            competition_id=judging.competition_id,
            version=judging.ground_truth_version,
            because=report,
        )
        return True
    _log.error("judging.failed", judging=judging.id, report=report)
    judging.own_failures += 1
    if judging.own_failures >= tries:
        end_private(session, judging, report)
        return True
    wait = timedelta(seconds=seconds_until_retry(judging.own_failures))
    judging.lease_until = database_now(session) + wait
    session.flush()
    return True


def end_private(session: WriteSession, judging: Judging, report: str) -> None:
    """Gives the private run up, for a reason that organizers see."""
    note = {"outcome": "failed", "report": report[: verdicts.REPORT_CHARACTERS]}
    judging.metric_notes = (judging.metric_notes or {}) | {"private": note}
    judging.private_run, judging.lease_until = PrivateRun.FAILED, None
    session.flush()


def hand_back_private(session: WriteSession, *, held: Held) -> Judging | None:
    """Gives the private run to the next worker; the caller dispatches it."""
    judging = held_private(session, held)
    if judging is not None:
        _let_go(session, judging)
    return judging


def held_private(session: WriteSession, held: Held) -> Judging | None:
    """The judging, locked, if this lease is still the one for its private run."""
    judging = locks.locked_judging(session, judging_id=held.judging_id)
    if (
        judging is None
        or judging.fence != held.fence
        or judging.state != State.SCORED
        or judging.private_run != PrivateRun.PENDING
    ):
        _log.warning("fence.outdated", judging=held.judging_id, fence=held.fence)
        return None
    return judging


def judged_of(
    task: Task, read: TableRead, runs: Mapping[str, MeasuredRun], *, scorer_version: str
) -> Judged:
    """The figures of a verdict from those of the runs, in the form of a child that scores itself.
    There are no hits to count; the queries are the rows of the split."""
    return Judged(
        counts=read.counts,
        splits={split: _figures(task, run) for split, run in runs.items()},
        scorer_version=scorer_version,
        metrics={each.name: each.metric for each in task.objectives},
        scores={split: str(_score(task, run.head.exact)) for split, run in runs.items()},
        diagnostic_scores={
            split: {
                f"{OwnMetricValue.key}_{name}": str(value * _weight(task))
                for name, value in run.numbers.items()
            }
            for split, run in runs.items()
        },
        fingerprint=read.fingerprint,
        lists=None,
    )


def _figures(task: Task, run: MeasuredRun) -> SplitFigures:
    error = run.standard_error
    nothing = dict.fromkeys(task.names, 0)
    numbers = {f"{OwnMetricValue.key}_{name}": value for name, value in run.numbers.items()}
    return SplitFigures(
        hits=nothing,
        denominators=nothing,
        queries=dict.fromkeys(task.names, run.head.rows),
        values=dict.fromkeys(task.names, run.head.value),
        diagnostics={name: dict.fromkeys(task.names, str(v)) for name, v in numbers.items()},
        standard_error=None if error is None else error * float(_weight(task)),
        diagnostic_errors=dict.fromkeys(numbers),
        notes={},
    )


def _score(task: Task, value: Fraction) -> Fraction:
    """Σ weight · value; an error counts negative, so that more is always better."""
    signs = (metric_of(o.metric, "table").higher_is_better for o in task.objectives)
    terms = zip(task.objectives, signs, strict=True)
    return sum((Fraction(o.weight) * (value if up else -value) for o, up in terms), Fraction(0))


def _weight(task: Task) -> Fraction:
    return sum((Fraction(objective.weight) for objective in task.objectives), Fraction(0))


def _at(judging: Judging, own: OwnVerdict) -> datetime:
    assert judging.started_at is not None, "a judging that is held has begun"
    return judging.started_at + own.at_step


def _note(judging: Judging, own: OwnVerdict, notes: Mapping[str, Mapping[str, Any]]) -> None:
    judging.metric_version = own.metric_version
    processor = next((note["processor"] for note in notes.values() if "processor" in note), None)
    judging.metric_notes = {"processor": processor} | dict(notes)


def _warn(session: WriteSession, judging: Judging, note: Mapping[str, Any]) -> None:
    """Keeps, for organizers, which rules of now the metric that goes on breaks."""
    assert judging.metric_version is not None, "it is noted with its version"
    row = lookups.metric_version(session, judging.competition_id, judging.metric_version)
    if row is not None and (warnings := note.get("warnings")):
        row.checked = (row.checked or {}) | {"warnings": warnings}


def _let_go(session: WriteSession, judging: Judging) -> None:
    """Leaves a private run that is due to any worker; the heart of this one renews no lease any
    more."""
    judging.worker_id = None
    judging.fence += 1
    # Never without a lease: lapsed ones are looked for, and verdicts that are whole have none.
    judging.lease_until = database_now(session)
    session.flush()


def _show(session: WriteSession, judging: Judging) -> None:
    submission = lookups.submission_of(session, submission_id=judging.submission_id)
    if not submission.is_late:
        standings.refresh(
            session, competition_id=judging.competition_id, team_id=submission.team_id
        )
