"""Trials of a metric: the sample submission, or a small file of the organizer's, scored on either
split against the active ground truth. They do not count."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from pydantic import ConfigDict, TypeAdapter, ValidationError
from sqlalchemy.orm import Session

from podium.core.access import Actor, competition_for_organizer
from podium.core.competition_settings.metric_arguments import argument_problems
from podium.core.competition_settings.tables import Argument, Arguments
from podium.core.configuration import refusal_of, setting_problem, settings_of
from podium.core.models import MetricVersion
from podium.core.versions import version_named
from podium.custom_metrics.rules.outcomes import SPLITS, RunOutcome
from podium.custom_metrics.service import runs
from podium.custom_metrics.service.runs import PUBLISHED_AREA, MetricInputs
from podium.custom_metrics.service.versions import NO_SUCH_VERSION
from podium.errors import InvalidInput, NotFound
from podium.errors.codes import ErrorCode
from podium.jobs.means import Means
from podium.sandbox.answers import good_answer, left
from podium.sandbox.definitions.materials import SAMPLE, WriteSample
from podium.sandbox.definitions.tables import COLUMNS, ReadTable
from podium.storage import Area, Stored

UPLOAD_AREA = Area.METRICS
"""The storage area of an uploaded trial file: no row names it, and it may contain answers."""

MAX_UPLOAD_BYTES = 64 << 20

_ARGUMENTS: TypeAdapter[dict[str, Argument]] = TypeAdapter(
    Arguments, config=ConfigDict(strict=True)
)


@dataclass(frozen=True, slots=True)
class Trial:
    """A metric, and the file that it is tried on; None: the sample submission."""

    inputs: MetricInputs
    file: Stored | None


@dataclass(frozen=True, slots=True)
class Tried:
    """The outcome of a trial on each split."""

    splits: Mapping[str, RunOutcome]


def prepare(
    session: Session,
    *,
    actor: Actor,
    slug: str,
    name: str,
    arguments: Mapping[str, Argument] | None,
) -> tuple[str, MetricInputs]:
    """Returns the competition's id, and the inputs of a trial of this version; without `arguments`,
    with those of the settings. Raises `NotFound`, `WrongState` and `InvalidInput`
    (`metric-arguments`)."""
    competition = competition_for_organizer(session, slug=slug, actor=actor)
    row = version_named(session, MetricVersion, competition.id, name)
    if row is None or row.checked is None:
        raise NotFound(NO_SUCH_VERSION)
    settings, wanted = settings_of(competition), row.checked["arguments"]
    if arguments is None:
        known = {each["name"] for each in wanted}
        own = settings.own_metric
        arguments = {} if own is None else {k: v for k, v in own.arguments.items() if k in known}
    problems = [
        setting_problem(ErrorCode.METRIC_ARGUMENTS, f"arguments.{place}", words)
        for place, words in argument_problems(arguments, wanted)
    ]
    if problems:
        raise refusal_of(ErrorCode.METRIC_ARGUMENTS, problems)
    inputs = runs.inputs_of(
        session, competition=competition, settings=settings, row=row, arguments=arguments
    )
    return competition.id, inputs


def arguments_from(text: str | None) -> Mapping[str, Argument] | None:
    """Reads a trial's arguments from the text of a JSON object. Raises `InvalidInput`
    (`metric-arguments`)."""
    if text is None:
        return None
    try:
        return _ARGUMENTS.validate_json(text)
    except ValidationError:
        raise InvalidInput(
            "The arguments are a JSON object of numbers, texts, true and false, or arrays of one of"
            ' these: {"beta": 2}.',
            code=ErrorCode.METRIC_ARGUMENTS,
        ) from None


def try_on(trial: Trial, means: Means) -> Tried:
    """Reads the file without the solution, then runs the metric on each split, each in a child of
    its own. Raises `NoAnswer` with the problems of the file."""
    columns = columns_of(trial, means)
    splits = {
        split: runs.run(trial.inputs, means.in_folder(split), split=split, columns=columns)
        for split in SPLITS
        if split in trial.inputs.solutions
    }
    return Tried(splits)


def columns_of(trial: Trial, means: Means) -> Path:
    """Returns the canonical columns of the file, or of the sample submission. Raises `NoAnswer`."""
    task, storage = trial.inputs.task, means.storage
    with ExitStack() as files:
        published = files.enter_context(
            storage.local(PUBLISHED_AREA, trial.inputs.published_sha256)
        )
        if trial.file is None:
            written = means.in_folder("sample").run(WriteSample(task=task, published=published))
            good_answer(written)
            file = left(written, SAMPLE)
        else:
            file = files.enter_context(storage.local(UPLOAD_AREA, trial.file.sha256))
        read = means.in_folder("read").run(
            ReadTable(file=file, task=task, published=published, fingerprint_seed=None)
        )
    good_answer(read)
    return left(read, COLUMNS)
