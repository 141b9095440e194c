"""Judges a submission by a custom metric: one child reads the file without the solution, and one
for each split runs the metric on its columns.

The verdict of a live judging comes from the public run alone, at a whole step of time; the private
run follows in a lane of its own, with the file read anew, and delays no other file.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from podium.errors import StoredFileCorrupt
from podium.errors.codes import ErrorCode
from podium.judging.service import custom_runs
from podium.judging.service.custom_runs import CustomRun, MeasuredRun, Outcome
from podium.judging.service.custom_verdicts import verdict_of
from podium.judging.service.verdicts import Verdict
from podium.logs import get_logger
from podium.sandbox import FailureReason, Limits, Rejected, Result
from podium.sandbox.answers import left
from podium.sandbox.definitions.tables import COLUMNS, ReadTable, TableRead
from podium.sandbox.metric_answers import OF_THE_MACHINE
from podium.scoring.uncertainty.custom_terms import StoredTerms, stored_terms, write_terms
from podium.storage import Area
from podium.worker.attempt import SCRATCH_BYTES, Attempt, TruthUnusable

SHARE_OF_READING = 0.5
"""The progress shown once the file is read. The metric's own progress may depend on the solution,
and is not shown."""

_log = get_logger("worker")


@dataclass(frozen=True)
class _Scoring:
    """A submission that was read, and the metric that scores it."""

    attempt: Attempt
    custom: CustomRun
    read: TableRead
    columns: Path


def judge_by_custom_metric(attempt: Attempt, custom: CustomRun) -> Verdict | Result[Any]:
    """Runs the children of an assignment; returns the verdict, or the result of a child that failed
    before the metric could decide."""
    result = _read(attempt)
    if not isinstance(result.answer, TableRead):
        if custom.is_only_private and isinstance(result.answer, Rejected):
            raise ValueError(f"the file was good before: {result.answer.problem.detail}")
        return result
    scoring = _Scoring(attempt, custom, result.answer, left(result, COLUMNS))
    outcomes = dict[str, Outcome]()
    for split in custom.splits:
        outcome = _run(scoring, split)
        if isinstance(outcome, Result):
            return outcome
        outcomes[split] = outcome
        if not isinstance(outcome, MeasuredRun):
            break
    measured = {split: run for split, run in outcomes.items() if isinstance(run, MeasuredRun)}
    hits = _stored(attempt, custom, measured) if measured else None
    return verdict_of(custom, outcomes, attempt.assignment.task, result.answer, hits_sha256=hits)


def _read(attempt: Attempt) -> Result[TableRead | Rejected]:
    """Reads the submission without the solution, into canonical columns. Raises
    `StoredFileCorrupt`, whatever the child says, if it has other bytes than were uploaded."""
    assignment, storage = attempt.assignment, attempt.application.storage
    with ExitStack() as files, attempt.application.telemetry.span("child") as span:
        beside = storage.checked_beside(Area.SUBMISSIONS, assignment.file_sha256)
        file = files.enter_context(beside)
        try:
            ids = files.enter_context(storage.local(Area.FILES, assignment.published_sha256))
        except StoredFileCorrupt as error:
            raise TruthUnusable(error.detail, code=error.code) from error
        wanted = ReadTable(
            file=file,
            task=assignment.task,
            published=ids,
            fingerprint_seed=assignment.fingerprint_seed,
        )
        means = attempt.means(
            on_progress=lambda share: attempt.heartbeat.progressed(SHARE_OF_READING * share)
        )
        result = means.in_folder("read").run(wanted)
        span.set(ended=str(result.failure or "read"))
    return result


def _run(scoring: _Scoring, split: str) -> Outcome | Result[Any]:
    """Runs the metric on a split; a bare result is a failure of the machine. Raises `TruthUnusable`
    if the solution or the metric cannot be read, or if no metric may run here: then all judgings
    must wait."""
    attempt, custom = scoring.attempt, scoring.custom
    storage, began = attempt.application.storage, time.monotonic()
    with ExitStack() as files, attempt.application.telemetry.span("child") as span:
        try:
            if split not in custom.solutions:
                raise TruthUnusable(f"The ground truth has no {split} part. Upload it again.")
            metric = files.enter_context(storage.local(Area.METRICS, custom.metric_sha256))
            part = files.enter_context(storage.local(Area.GROUND_TRUTH, custom.solutions[split]))
        except StoredFileCorrupt as error:
            raise TruthUnusable(error.detail, code=error.code) from error
        wanted = custom.run_on(
            attempt.assignment.task,
            metric=metric,
            columns=scoring.columns,
            solution=part,
            seed=custom.seed,
        )
        result = attempt.means(_limits(attempt, custom)).in_folder(split).run(wanted)
        span.set(ended=str(result.failure or "run"))
    seconds = time.monotonic() - began
    if result.failure is FailureReason.NOT_ALLOWED:
        # The operator has switched custom metrics off: all judgings wait until they are on again.
        raise TruthUnusable(result.report, code=ErrorCode.METRICS_OFF)
    if result.failure in OF_THE_MACHINE:
        return result
    rows = scoring.read.counts.rows
    outcome = custom_runs.outcome_of(result, custom, published=rows, seconds=seconds)
    _log.info("metric.ended", split=split, outcome=outcome.note["outcome"], seconds=seconds)
    return outcome


def _stored(attempt: Attempt, custom: CustomRun, measured: Mapping[str, MeasuredRun]) -> str:
    """Stores the terms of these splits, a private run's together with the public ones; returns the
    hash."""
    storage = attempt.application.storage
    terms = {split: StoredTerms(run.head, run.terms) for split, run in measured.items()}
    with ExitStack() as files:
        if custom.is_only_private:
            if custom.terms_sha256 is None:
                raise ValueError("the terms of the public split are gone")
            before = files.enter_context(storage.local(Area.HITS, custom.terms_sha256))
            terms = stored_terms(before) | terms
        write_terms(attempt.scratch / "terms", terms)
    return storage.add(Area.HITS, attempt.scratch / "terms").sha256


def _limits(attempt: Attempt, custom: CustomRun) -> Limits:
    """Returns the metric's limits, capped by those of the installation."""
    settings = attempt.application.settings
    return Limits(
        memory_bytes=min(custom.memory_bytes, settings.judging_memory_bytes),
        wall_seconds=min(custom.seconds, settings.custom_metric_seconds),
        file_bytes=SCRATCH_BYTES,
        in_background=attempt.assignment.in_background,
    )
