"""Runs of a custom metric for trials and launches. Each runs in a child of its own, which gets one
split and canonical columns, never a submission's file."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from sqlalchemy.orm import Session

from podium.core import lookups
from podium.core.competition_settings import CompetitionSettings
from podium.core.competition_settings.tables import Argument, CustomMetric
from podium.core.configuration import numbers_of_custom_metric, task_of
from podium.core.models import Competition, MetricVersion, PublishedIdList
from podium.custom_metric_runner.boards import Board
from podium.custom_metrics.rules.findings import line_of
from podium.custom_metrics.rules.outcomes import SPLITS, RunOutcome
from podium.custom_metrics.service.checking import within
from podium.custom_metrics.service.versions import AREA
from podium.errors import WrongState
from podium.sandbox import Limits, Sandbox
from podium.sandbox.answers import good_answer
from podium.sandbox.definitions.custom_metrics import MetricRun, RunMetric
from podium.sandbox.metric_answers import OF_THE_MACHINE, run_of
from podium.scoring.task import Task
from podium.storage import Area, Storage

PUBLISHED_AREA = Area.FILES


@dataclass(frozen=True, slots=True)
class MetricInputs:
    """The inputs of a metric's runs: its file and arguments, the solution of each split, and the
    limits of the competition."""

    version: int
    metric_sha256: str
    arguments: Mapping[str, Argument]
    solutions: Mapping[str, str]
    """The SHA-256 of each split's solution."""
    published_sha256: str
    task: Task
    numbers: tuple[str, ...]
    seconds: float
    memory_bytes: int
    decimals: int
    resamples: int
    is_lenient: bool

    def within(self, seconds: float) -> MetricInputs:
        """Returns the same with runs no longer than this installation allows."""
        return replace(self, seconds=min(self.seconds, seconds))


def inputs_of(
    session: Session,
    *,
    competition: Competition,
    settings: CompetitionSettings,
    row: MetricVersion,
    arguments: Mapping[str, Argument],
) -> MetricInputs:
    """Returns the inputs of runs of this version, against the active ground truth. Raises
    `WrongState` if there is none."""
    truth = lookups.active_version(session, competition.id, competition.active_ground_truth)
    published = session.get(PublishedIdList, competition.id)
    if truth is None or published is None or not truth.parts:
        raise WrongState("Upload the ground truth first: a metric is run against it.")
    limits = settings.own_metric or CustomMetric(version=1)
    assert row.version is not None, "only stored versions are run"
    return MetricInputs(
        version=row.version,
        metric_sha256=row.sha256,
        arguments=arguments,
        solutions={split: str(truth.parts[split]) for split in SPLITS if split in truth.parts},
        published_sha256=published.sha256,
        task=task_of(settings),
        numbers=numbers_of_custom_metric(settings),
        seconds=limits.seconds,
        memory_bytes=limits.memory_bytes,
        decimals=settings.decimals,
        resamples=limits.resamples,
        is_lenient=lookups.goes_on(competition, row),
    )


def run(
    inputs: MetricInputs,
    *,
    split: str,
    columns: Path,
    storage: Storage,
    sandbox: Sandbox,
    limits: Limits,
    scratch: Path,
    hash_seed: int | None = None,
    shuffled_by: int | None = None,
) -> RunOutcome:
    """Scores one split in a fresh child; `scratch` is an empty folder. Raises `NoAnswer` if we are
    at fault."""
    began = time.monotonic()
    with ExitStack() as files:
        metric = files.enter_context(storage.local(AREA, inputs.metric_sha256))
        solution = files.enter_context(storage.local(Area.GROUND_TRUTH, inputs.solutions[split]))
        wanted = RunMetric(
            metric=metric,
            arguments=inputs.arguments,
            columns=columns,
            solution=solution,
            id_column=inputs.task.id_column,
            cluster_column=inputs.task.cluster_column,
            numbers=inputs.numbers,
            resamples=inputs.resamples,
            is_lenient=inputs.is_lenient,
            hash_seed=hash_seed,
            shuffled_by=shuffled_by,
        )
        result = sandbox.run(
            wanted,
            limits=within(limits, seconds=inputs.seconds, memory_bytes=inputs.memory_bytes),
            scratch=scratch,
        )
    seconds = time.monotonic() - began
    if result.failure in OF_THE_MACHINE:
        return outcome_of(good_answer(result), seconds)
    return outcome_of(run_of(result, Board(inputs.numbers, inputs.decimals)), seconds)


def outcome_of(run: MetricRun, seconds: float) -> RunOutcome:
    """Converts a run to the outcome that trials and launches use."""
    return RunOutcome(
        outcome=run.outcome,
        seconds=seconds,
        score=run.score,
        numbers=run.numbers,
        standard_error=run.standard_error,
        rows=run.rows,
        text=run.text,
        report=run.report,
        line=line_of(run.report),
        output=run.output,
        processor=run.processor,
    )
