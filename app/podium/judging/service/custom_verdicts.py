"""Verdicts that a custom metric takes part in: the public run decides what everybody sees,
and the private score follows without a word to anybody but the organizers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any

from podium.core import leases, lookups
from podium.core.configuration import settings_of
from podium.core.database.engine import WriteSession
from podium.core.judging_states import METRIC_FAILED, State
from podium.core.leases import JobState, Lease
from podium.core.models import Competition, Judging, Run
from podium.judging.service import pauses, scores, verdicts
from podium.judging.service.custom_runs import FailedRun, MeasuredRun, RefusedRun
from podium.judging.service.verdicts import Work
from podium.logs import get_logger
from podium.sandbox.definitions.judging import Judged, SplitFigures
from podium.sandbox.definitions.tables import TableRead
from podium.scoring.metrics import metric_of
from podium.scoring.metrics.rows import CustomMetricValue
from podium.scoring.problems import Code, Problem, Rejection
from podium.scoring.task import Task
from podium.standings.service import ladder, standings

_log = get_logger("judging")


@dataclass(frozen=True, slots=True)
class CustomVerdict:
    """The part of a verdict that all outcomes of a custom metric share: the metric's version,
    and the time after the judging began at which the verdict is made known."""

    metric_version: int
    at_step: timedelta


def record_measured(
    session: WriteSession,
    *,
    lease: Lease[Run],
    own: CustomVerdict,
    judged: Judged,
    runs: Mapping[str, MeasuredRun | FailedRun],
    hits_sha256: str,
    step: ladder.LadderStep | None,
) -> Run | None:
    """A score. Where the private split has not been run, of a live judging, that is due: the run,
    which the caller has followed by another. Where that failed, of a rejudging, there is no private
    score."""
    work = verdicts.held_work(session, lease)
    if work is None:
        return None
    private = runs.get("private")
    _note(work, own, runs["public"].note)
    _warn(session, work.judging, runs["public"].note)
    verdicts.record_score(
        session,
        work,
        judged=judged,
        hits_sha256=hits_sha256,
        step=step,
        at=_at(work, own),
        splits=tuple(judged.splits),
        is_whole=private is not None,
    )
    if private is None:
        return work.run
    session.add(_ended_beside(work.run, private))
    session.flush()
    return None


def record_refused(
    session: WriteSession, *, lease: Lease[Run], own: CustomVerdict, refused: RefusedRun
) -> bool:
    """The metric refused the file, which is charged: its text may depend on the ground truth."""
    work = verdicts.held_work(session, lease)
    if work is None:
        return False
    _note(work, own, refused.note)
    work.judging.problem = Rejection.of([Problem(Code.METRIC_REFUSED, refused.text)]).to_dict()
    verdicts.end(session, work, State.REJECTED, at=_at(work, own))
    return True


def record_metric_failed(
    session: WriteSession, *, lease: Lease[Run], own: CustomVerdict, failed: FailedRun
) -> bool:
    """The metric failed. The slot stays used until organizers give it back or judge anew: the team
    may have learned something of the ground truth."""
    work = verdicts.held_work(session, lease)
    if work is None:
        return False
    _note(work, own, failed.note)
    _log.warning("metric.failed", judging=work.judging.id, split="public")
    work.judging.problem = {"code": METRIC_FAILED}
    last = failed.note["report"].strip().rpartition("\n")[2]
    work.judging.failure = f"The metric failed: {last}"[: verdicts.REPORT_CHARACTERS]
    verdicts.end(session, work, State.FAILED, at=_at(work, own))
    return True


def record_private(
    session: WriteSession,
    *,
    lease: Lease[Run],
    run: MeasuredRun | FailedRun,
    judged: Judged | None,
    hits_sha256: str | None,
) -> bool:
    """The private half of a verdict that is there. Before the reveal nothing that others see
    changes."""
    work = verdicts.held_work(session, lease)
    if work is None:
        return False
    judging = work.judging
    work.run.note = run.note
    pauses.end(session, competition_id=judging.competition_id, version=judging.ground_truth_version)
    if isinstance(run, FailedRun):
        _log.warning("metric.failed", judging=judging.id, split="private")
        leases.end(session, work.run, JobState.FAILED)
        return True
    assert judged is not None, "what was measured has figures"
    competition = session.get_one(Competition, judging.competition_id)
    scores.refuse_contradictions(session, judging, judged, splits=("private",))
    session.add_all(scores.rows_of(judging, settings_of(competition), judged))
    judging.hits_sha256 = hits_sha256
    leases.end(session, work.run, JobState.DONE)
    if competition.revealed_at is not None and judging.rejudging_id is None:
        _show(session, judging)
    return True


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
                f"{CustomMetricValue.key}_{name}": str(value * _weight(task))
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
    numbers = {f"{CustomMetricValue.key}_{name}": value for name, value in run.numbers.items()}
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
    signs = (metric_of(o.metric, task.kind).higher_is_better for o in task.objectives)
    terms = zip(task.objectives, signs, strict=True)
    return sum((Fraction(o.weight) * (value if up else -value) for o, up in terms), Fraction(0))


def _weight(task: Task) -> Fraction:
    return sum((Fraction(objective.weight) for objective in task.objectives), Fraction(0))


def _at(work: Work, own: CustomVerdict) -> datetime:
    assert work.run.started_at is not None, "a run that is held has begun"
    return work.run.started_at + own.at_step


def _note(work: Work, own: CustomVerdict, note: dict[str, Any]) -> None:
    work.judging.metric_version, work.run.note = own.metric_version, note


def _ended_beside(run: Run, outcome: MeasuredRun | FailedRun) -> Run:
    """The run for the private split that a rejudging had together with that of its verdict."""
    return Run(
        judging_id=run.judging_id,
        is_private=True,
        state=JobState.DONE if isinstance(outcome, MeasuredRun) else JobState.FAILED,
        priority=run.priority,
        created_at=run.created_at,
        started_at=run.started_at,
        ended_at=run.ended_at,
        worker_id=run.worker_id,
        note=outcome.note,
    )


def _warn(session: WriteSession, judging: Judging, note: Mapping[str, Any]) -> None:
    """Keeps, for organizers, which rules of now the metric that goes on breaks."""
    assert judging.metric_version is not None, "it is noted with its version"
    row = lookups.metric_version(session, judging.competition_id, judging.metric_version)
    if row is not None and (warnings := note.get("warnings")):
        row.checked = (row.checked or {}) | {"warnings": warnings}


def _show(session: WriteSession, judging: Judging) -> None:
    submission = lookups.submission_of(session, submission_id=judging.submission_id)
    if not submission.is_late:
        standings.refresh(
            session, competition_id=judging.competition_id, team_id=submission.team_id
        )
