"""Runs of a custom metric for trials and launches. Each runs in a child of its own, which gets one
split and canonical columns, never a submission's file."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Self

from sqlalchemy.orm import Session

from podium.core import lookups
from podium.core.competition_settings import CompetitionSettings
from podium.core.competition_settings.tables import Argument, CustomMetric
from podium.core.configuration import numbers_of_custom_metric, task_of
from podium.core.models import Competition, MetricVersion, PublishedIdList
from podium.custom_metric_runner.boards import Board
from podium.custom_metrics.rules.findings import line_of
from podium.custom_metrics.rules.outcomes import SPLITS, RunOutcome
from podium.custom_metrics.service.checking import for_code
from podium.custom_metrics.service.versions import AREA
from podium.errors import WrongState
from podium.jobs.means import Means
from podium.sandbox.answers import good_answer
from podium.sandbox.definitions.custom_metrics import MetricRun, RunMetric
from podium.sandbox.metric_answers import OF_THE_MACHINE, run_of
from podium.scoring.task import Task
from podium.storage import Area

PUBLISHED_AREA = Area.FILES


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricUse:
    """A version of a metric as a competition runs it: its file by hash and its arguments, the
    solution of each split, and the limits of the competition."""

    version: int
    metric_sha256: str
    arguments: Mapping[str, Argument]
    solutions: Mapping[str, str]
    """The SHA-256 of each split's solution."""
    numbers: tuple[str, ...]
    seconds: float
    memory_bytes: int
    decimals: int
    resamples: int
    is_lenient: bool
    """True for a version that was in force before a rule was introduced that it may break."""

    @classmethod
    def of(
        cls, competition: Competition, settings: CompetitionSettings, row: MetricVersion, **own: Any
    ) -> Self:
        """Returns the use of this version under these settings; `own` are all that they do not
        say."""
        assert row.version is not None, "only stored versions are run"
        limits = settings.own_metric or CustomMetric(version=1)
        return cls(
            version=row.version,
            metric_sha256=row.sha256,
            numbers=numbers_of_custom_metric(settings),
            seconds=limits.seconds,
            memory_bytes=limits.memory_bytes,
            decimals=settings.decimals,
            resamples=limits.resamples,
            is_lenient=lookups.goes_on(competition, row),
            **own,
        )

    @property
    def board(self) -> Board:
        """The board that has to hold the numbers."""
        return Board(self.numbers, self.decimals)

    def run_on(
        self, task: Task, *, metric: Path, columns: Path, solution: Path, **how: Any
    ) -> RunMetric:
        """Returns the run on these files."""
        return RunMetric(
            metric=metric,
            arguments=self.arguments,
            columns=columns,
            solution=solution,
            id_column=task.id_column,
            cluster_column=task.cluster_column,
            numbers=self.numbers,
            resamples=self.resamples,
            is_lenient=self.is_lenient,
            **how,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricInputs(MetricUse):
    """The inputs of trials and launches."""

    published_sha256: str
    task: Task

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
    return MetricInputs.of(
        competition,
        settings,
        row,
        arguments=arguments,
        solutions={split: str(truth.parts[split]) for split in SPLITS if split in truth.parts},
        published_sha256=published.sha256,
        task=task_of(settings),
    )


def run(
    inputs: MetricInputs,
    means: Means,
    *,
    split: str,
    columns: Path,
    hash_seed: int | None = None,
    shuffled_by: int | None = None,
) -> RunOutcome:
    """Scores one split in a fresh child. Raises `NoAnswer` if we are at fault."""
    child = for_code(means, seconds=inputs.seconds, memory_bytes=inputs.memory_bytes)
    storage = means.storage
    began = time.monotonic()
    with ExitStack() as files:
        metric = files.enter_context(storage.local(AREA, inputs.metric_sha256))
        solution = files.enter_context(storage.local(Area.GROUND_TRUTH, inputs.solutions[split]))
        wanted = inputs.run_on(
            inputs.task,
            metric=metric,
            columns=columns,
            solution=solution,
            hash_seed=hash_seed,
            shuffled_by=shuffled_by,
        )
        result = child.run(wanted)
    seconds = time.monotonic() - began
    if result.failure in OF_THE_MACHINE:
        return outcome_of(good_answer(result), seconds)
    return outcome_of(run_of(result, inputs.board), seconds)


def outcome_of(run: MetricRun, seconds: float) -> RunOutcome:
    """Converts a run to the outcome that trials and launches use."""
    known = {each.name: getattr(run, each.name) for each in fields(run)}
    return RunOutcome(**known, seconds=seconds, line=line_of(run.report))
