"""Runs of an organizer's metric that are no judgings: of trials, and of launches. Each is a child
of its own, which is given one split and canonical columns, never a submission's file."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy.orm import Session

from podium.core import lookups
from podium.core.competition_settings import CompetitionSettings
from podium.core.competition_settings.tables import Argument, OwnMetric
from podium.core.configuration import task_of
from podium.core.models import Competition, MetricVersion, PublishedIdList
from podium.errors import WrongState
from podium.metric_files.rules.findings import cleaned, line_of
from podium.metric_files.rules.outcomes import SPLITS, RunOutcome, finite
from podium.metric_files.service.checking import answer_about_code, within
from podium.metric_files.service.versions import AREA
from podium.sandbox import Limits, Sandbox
from podium.sandbox.answers import NoAnswer, Refused
from podium.sandbox.definitions.own_metrics import (
    MOST_OUTPUT_BYTES,
    MOST_VISIBLE_CHARACTERS,
    MetricRun,
    RunMetric,
)
from podium.scoring.metrics.tables.own import OWN
from podium.scoring.task import Task
from podium.storage import Area, Storage

PUBLISHED_AREA = Area.FILES


@dataclass(frozen=True, slots=True)
class MetricInputs:
    """Everything that runs of a metric need: its file and arguments, the solution of each split,
    and the limits that the competition sets."""

    version: int
    metric_sha256: str
    arguments: Mapping[str, Argument]
    solutions: Mapping[str, str]
    """SHA-256 of the solution of each split."""
    published_sha256: str
    task: Task
    numbers: tuple[str, ...]
    seconds: int
    memory_bytes: int


def inputs_of(
    session: Session,
    *,
    competition: Competition,
    settings: CompetitionSettings,
    row: MetricVersion,
    arguments: Mapping[str, Argument],
) -> MetricInputs:
    """The inputs of runs of this version, against the ground truth in force. Raises `WrongState`
    where there is none."""
    truth = lookups.active_version(session, competition.id, competition.active_ground_truth)
    published = session.get(PublishedIdList, competition.id)
    if truth is None or published is None or not truth.parts:
        raise WrongState("Upload the ground truth first: a metric is run against it.")
    limits = settings.own_metric or OwnMetric(version=1)
    assert row.version is not None, "only stored versions are run"
    return MetricInputs(
        version=row.version,
        metric_sha256=row.sha256,
        arguments=arguments,
        solutions={split: str(truth.parts[split]) for split in SPLITS if split in truth.parts},
        published_sha256=published.sha256,
        task=task_of(settings),
        numbers=tuple(
            found[1] for each in settings.diagnostics if (found := OWN.fullmatch(each)) and found[1]
        ),
        seconds=limits.seconds,
        memory_bytes=limits.memory_bytes,
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
    """Scores one split in a fresh child; `scratch` is an empty folder. Raises `NoAnswer` where we
    are at fault."""
    began = time.monotonic()
    try:
        with ExitStack() as files:
            metric = files.enter_context(storage.local(AREA, inputs.metric_sha256))
            solution = files.enter_context(
                storage.local(Area.GROUND_TRUTH, inputs.solutions[split])
            )
            wanted = RunMetric(
                metric=metric,
                arguments=inputs.arguments,
                columns=columns,
                solution=solution,
                id_column=inputs.task.id_column,
                cluster_column=inputs.task.cluster_column,
                numbers=inputs.numbers,
                hash_seed=hash_seed,
                shuffled_by=shuffled_by,
            )
            result = sandbox.run(
                wanted,
                limits=within(limits, seconds=inputs.seconds, memory_bytes=inputs.memory_bytes),
                scratch=scratch,
            )
        answer = answer_about_code(result, "The run")
    except NoAnswer as error:
        if not isinstance(error.answer, Refused):
            raise
        return RunOutcome(
            outcome="failed",
            seconds=time.monotonic() - began,
            report=error.answer.problem["detail"],
        )
    return outcome_of(answer, time.monotonic() - began)


def outcome_of(answer: MetricRun, seconds: float) -> RunOutcome:
    """The end of a run, checked and cleaned: its child ran code of organizers."""
    outcome, score, report = answer.outcome, answer.score, cleaned(answer.report, 8_000)
    if outcome == "measured" and (score is None or finite(float.fromhex(score)) is None):
        outcome, report = "failed", f"The score is no finite number: {score and cleaned(score, 40)}"
        score = None
    return RunOutcome(
        outcome=outcome,
        seconds=seconds,
        score=score if outcome == "measured" else None,
        numbers={**(answer.numbers or {})} if outcome == "measured" else None,
        standard_error=answer.standard_error,
        rows=answer.rows,
        text=cleaned(answer.text, MOST_VISIBLE_CHARACTERS),
        report=report,
        line=line_of(answer.report),
        output=cleaned(answer.output, MOST_OUTPUT_BYTES),
        processor=cleaned(answer.processor, 2_000),
    )
