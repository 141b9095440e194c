"""Kinds of jobs of custom metrics: checks of uploads, and trials."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from podium.application import Application
from podium.core.database.engine import WriteSession
from podium.core.models import MetricVersion
from podium.custom_metrics.service import checking, trials
from podium.custom_metrics.service.checking import FileToCheck
from podium.custom_metrics.service.trials import Trial, Tried
from podium.jobs import starting
from podium.jobs.kinds import JobKind, JobOutcome
from podium.jobs.means import Means
from podium.jobs.starting import Origin
from podium.queue import Queue
from podium.sandbox.definitions.custom_metrics import MetricChecked

TRIAL_KEPT = timedelta(minutes=1)
"""Long enough for the client that waits for it; soon over, because a metric may be random."""


def _check(application: Application, given: FileToCheck, means: Means) -> MetricChecked:
    with application.database.read() as session:
        sha256 = checking.prepare(session, upload_id=given.upload_id)
    return checking.check(sha256, means)


def _record_check(session: WriteSession, outcome: JobOutcome[FileToCheck, MetricChecked]) -> None:
    checking.record(
        session,
        actor=outcome.actor(session),
        upload_id=outcome.arguments.upload_id,
        checked=outcome.result,
        problem=outcome.problem,
    )


def _try(application: Application, given: Trial, means: Means) -> Tried:
    inputs = given.inputs.within(application.settings.custom_metric_seconds)
    return trials.try_on(replace(given, inputs=inputs), means)


METRIC_CHECK = JobKind(
    "metric-check", FileToCheck, MetricChecked, work=_check, record=_record_check
)

METRIC_TRIAL = JobKind("metric-trial", Trial, Tried, work=_try, kept=TRIAL_KEPT)


def start_check(session: WriteSession, *, queue: Queue, row: MetricVersion, origin: Origin) -> str:
    """Starts the check of an upload; returns the id of the job."""
    job = starting.start(
        session,
        queue=queue,
        kind=METRIC_CHECK,
        competition_id=row.competition_id,
        arguments=FileToCheck(row.id),
        origin=origin,
    )
    return job.id


KINDS = (METRIC_CHECK, METRIC_TRIAL)
"""All kinds of jobs of this subject."""
