"""The way of a submission that a custom metric scores: one child reads the file without the
solution, and one for each split runs the metric on its columns.

Of a live judging the verdict comes from the public run alone, at a whole step of time; the private
run follows in a lane of its own, with the file read anew, and no other file waits for it.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from podium.core.database.engine import WriteSession
from podium.core.models import Judging
from podium.errors import StoredFileCorrupt
from podium.errors.codes import ErrorCode
from podium.judging.service import custom_runs, custom_verdicts, verdicts
from podium.judging.service.custom_runs import CustomRun, FailedRun, MeasuredRun, RefusedRun
from podium.judging.service.custom_verdicts import CustomVerdict
from podium.logs import get_logger
from podium.sandbox import FailureReason, Limits, Rejected, Result
from podium.sandbox.answers import left
from podium.sandbox.definitions.custom_metrics import RunMetric
from podium.sandbox.definitions.tables import COLUMNS, ReadTable, TableRead
from podium.sandbox.metric_answers import OF_THE_MACHINE
from podium.sandbox.serialization import encoded
from podium.scoring.engine import scorer_version
from podium.scoring.uncertainty.custom_terms import StoredTerms, stored_terms, write_terms
from podium.standings.service.ladder import LadderStep
from podium.storage import Area
from podium.submissions.service import dispatch
from podium.worker.attempt import SCRATCH_BYTES, Attempt, Steps, TruthUnusable

SHARE_OF_READING = 0.5
"""The share of a judging that is shown as done once the file is read. How far the metric is may
depend on the solution, and is not shown."""

Outcome = MeasuredRun | RefusedRun | FailedRun
"""The end of a run by the metric's doing."""

_log = get_logger("worker")


@dataclass(frozen=True)
class _Scoring:
    """A submission that was read, and the metric that scores it."""

    attempt: Attempt
    own: CustomRun
    read: TableRead
    columns: Path


def judge_by_custom_metric(attempt: Attempt, own: CustomRun) -> None:
    """Runs the children of an assignment, and records how they ended."""
    scoring = _read(attempt, own)
    if isinstance(scoring, _Scoring):
        _score(scoring)
    elif attempt.is_lost():
        return
    elif isinstance(scoring.answer, Rejected):
        if own.is_only_private:
            raise ValueError(f"the file was good before: {scoring.answer.problem.detail}")
        problem = encoded(scoring.answer.problem)
        attempt.settle(
            lambda session, step: verdicts.record_rejected(
                session, lease=attempt.assignment.lease, problem=problem
            )
        )
    else:
        attempt.end_without_answer(scoring)


def _score(scoring: _Scoring) -> None:
    attempt, runs = scoring.attempt, dict[str, Outcome]()
    for split in scoring.own.splits:
        run = _run(scoring, split)
        if isinstance(run, Result):
            if not attempt.is_lost():
                attempt.end_without_answer(run)
            return
        runs[split] = run
        if split == "public" and not isinstance(run, MeasuredRun):
            break
    if not scoring.own.is_only_private:
        _settle(scoring, runs)
    elif not attempt.is_lost():
        _record_private(scoring, _no_verdict(runs["private"]))


def _read(attempt: Attempt, own: CustomRun) -> _Scoring | Result[Any]:
    """The columns of the submission, or what came instead."""
    assignment, storage = attempt.assignment, attempt.application.storage
    with ExitStack() as files, attempt.application.telemetry.span("child") as span:
        file = files.enter_context(storage.local(Area.SUBMISSIONS, assignment.file_sha256))
        try:
            ids = files.enter_context(storage.local(Area.FILES, assignment.published_sha256))
        except StoredFileCorrupt as error:
            raise TruthUnusable(error.detail, code=error.code) from error
        result = attempt.application.sandbox.run(
            ReadTable(
                file=file,
                task=assignment.task,
                published=ids,
                fingerprint_seed=assignment.fingerprint_seed,
            ),
            limits=attempt.limits(),
            scratch=_folder(attempt, "read"),
            on_progress=lambda share: attempt.heartbeat.progressed(SHARE_OF_READING * share),
            should_stop=attempt.heartbeat.should_stop,
        )
        span.set(ended=str(result.failure or "read"))
    if not isinstance(result.answer, TableRead):
        return result
    return _Scoring(attempt, own, result.answer, left(result, COLUMNS))


def _run(scoring: _Scoring, split: str) -> Outcome | Result[Any]:
    """Runs the metric for a split; a bare result is one of the machine's. Raises `TruthUnusable`
    where the solution, or the metric itself, cannot be read, or no metric may run here: all
    judgings need them."""
    attempt, own = scoring.attempt, scoring.own
    storage, began = attempt.application.storage, time.monotonic()
    with ExitStack() as files, attempt.application.telemetry.span("child") as span:
        try:
            if split not in own.parts:
                raise TruthUnusable(f"The ground truth has no {split} part. Upload it again.")
            metric = files.enter_context(storage.local(Area.METRICS, own.sha256))
            part = files.enter_context(storage.local(Area.GROUND_TRUTH, own.parts[split]))
        except StoredFileCorrupt as error:
            raise TruthUnusable(error.detail, code=error.code) from error
        result = attempt.application.sandbox.run(
            _task(scoring, metric=metric, part=part),
            limits=_limits(attempt, own),
            scratch=_folder(attempt, split),
            should_stop=attempt.heartbeat.should_stop,
        )
        span.set(ended=str(result.failure or "run"))
    seconds = time.monotonic() - began
    if result.failure is FailureReason.NOT_ALLOWED:
        # The operator has switched metrics off: all wait until they are on again.
        raise TruthUnusable(result.report, code=ErrorCode.METRICS_OFF)
    if result.failure in OF_THE_MACHINE:
        return result
    rows = scoring.read.counts.rows
    outcome = custom_runs.outcome_of(result, own, published=rows, seconds=seconds)
    _log.info("metric.ended", split=split, outcome=outcome.note["outcome"], seconds=seconds)
    return outcome


def _task(scoring: _Scoring, *, metric: Path, part: Path) -> RunMetric:
    own, task = scoring.own, scoring.attempt.assignment.task
    return RunMetric(
        metric=metric,
        arguments=own.arguments,
        columns=scoring.columns,
        solution=part,
        id_column=task.id_column,
        cluster_column=task.cluster_column,
        numbers=own.numbers,
        resamples=own.resamples,
        seed=own.seed,
        is_lenient=own.is_lenient,
    )


def _settle(scoring: _Scoring, runs: Mapping[str, Outcome]) -> None:
    """Records the verdict at the next whole step, and waits for it without a child: but where the
    metric has failed with it the slot is kept until that is counted, because after a few failures
    the team's next file waits."""
    attempt, public = scoring.attempt, runs["public"]
    if isinstance(public, MeasuredRun):
        _settle_score(scoring, runs, Steps(attempt.began, attempt.is_idle.set))
        return
    lease, steps = attempt.assignment.lease, Steps(attempt.began, lambda: None)

    def write(session: WriteSession, *, step: LadderStep | None) -> None:
        own = CustomVerdict(scoring.own.version, steps.at)
        if isinstance(public, RefusedRun):
            custom_verdicts.record_refused(session, lease=lease, own=own, refused=public)
        else:
            custom_verdicts.record_metric_failed(session, lease=lease, own=own, failed=public)

    attempt.settle(write, wait=steps.wait)


def _settle_score(scoring: _Scoring, runs: Mapping[str, Outcome], steps: Steps) -> None:
    attempt = scoring.attempt
    ended = {split: _no_verdict(run) for split, run in runs.items()}
    measured = {split: run for split, run in ended.items() if isinstance(run, MeasuredRun)}
    terms = {split: StoredTerms(run.head, run.terms) for split, run in measured.items()}
    hits = _stored(attempt, terms)
    task = attempt.assignment.task
    judged = custom_verdicts.judged_of(
        task, scoring.read, measured, scorer_version=scorer_version(task)
    )

    def write(session: WriteSession, *, step: LadderStep | None) -> None:
        followed = custom_verdicts.record_measured(
            session,
            lease=attempt.assignment.lease,
            own=CustomVerdict(scoring.own.version, steps.at),
            judged=judged,
            runs=ended,
            hits_sha256=hits,
            step=step,
        )
        if followed is not None:
            dispatch.follow(session, attempt.application.queue, followed)

    attempt.settle(write, hits_sha256=hits, wait=steps.wait)


def _no_verdict(run: Outcome) -> MeasuredRun | FailedRun:
    """A run beside the one that decides, which refuses nothing to anyone: it failed."""
    return FailedRun(run.note | {"report": run.text}) if isinstance(run, RefusedRun) else run


def _record_private(scoring: _Scoring, run: MeasuredRun | FailedRun) -> None:
    attempt, judged, hits = scoring.attempt, None, None
    if isinstance(run, MeasuredRun):
        task, runs = attempt.assignment.task, {"private": run}
        judged = custom_verdicts.judged_of(
            task, scoring.read, runs, scorer_version=scorer_version(task)
        )
        hits = _with_private(attempt, StoredTerms(run.head, run.terms))
    attempt.record(
        lambda session: custom_verdicts.record_private(
            session, lease=attempt.assignment.lease, run=run, judged=judged, hits_sha256=hits
        )
    )


def _with_private(attempt: Attempt, private: StoredTerms) -> str:
    """Stores the terms of both splits; answers the hash."""
    application = attempt.application
    with application.database.read() as session:
        before = session.get_one(Judging, attempt.assignment.judging_id).hits_sha256
    if before is None:
        raise ValueError("the terms of the public split are gone")
    with application.storage.local(Area.HITS, before) as file:
        return _stored(attempt, stored_terms(file) | {"private": private})


def _stored(attempt: Attempt, terms: Mapping[str, StoredTerms]) -> str:
    path = attempt.scratch / f"hits-{len(terms)}"
    write_terms(path, terms)
    return attempt.application.storage.add(Area.HITS, path).sha256


def _folder(attempt: Attempt, name: str) -> Path:
    folder = attempt.scratch / name
    folder.mkdir(mode=0o700)
    return folder


def _limits(attempt: Attempt, own: CustomRun) -> Limits:
    """The metric's own, within those of the installation."""
    settings = attempt.application.settings
    return Limits(
        memory_bytes=min(own.memory_bytes, settings.judging_memory_bytes),
        wall_seconds=min(own.seconds, settings.custom_metric_seconds),
        file_bytes=SCRATCH_BYTES,
        in_background=attempt.assignment.in_background,
    )
