"""A solution and a submission of one's own, as a metric file's children take them.

The form of a table is that of a file of settings, or what the solution tells.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from podium.cli.offline.beginnings import head_of, names_in
from podium.cli.offline.described import settings_in
from podium.cli.offline.guessed.tables import task_of_table
from podium.errors import InvalidInput, NotConfigured

if TYPE_CHECKING:
    from podium.core.competition_settings.tables import OwnMetric
    from podium.scoring.task import Task


@dataclass(frozen=True, slots=True)
class TableForm:
    """The form of submissions, how the metric is run where the settings say it, and the decimals of
    its board."""

    task: Task
    run: OwnMetric | None
    decimals: int


@dataclass(frozen=True, slots=True)
class Solution:
    """A solution as it is stored: the rows of each split by its name, and the published ids."""

    parts: dict[str, Path]
    published: Path


def described(
    preset: str | None, truth: Path, submission: Path, columns: str | None = None
) -> TableForm:
    """The form that a file of settings tells, or else the solution; `columns` are those of a
    submission where an option names them. Raises `NotConfigured`."""
    from podium.core.competition_settings import CompetitionSettings
    from podium.core.configuration import task_of

    if preset is None:
        task = task_of_table(truth, ["own"], columns=columns, submission=submission)
        return TableForm(task, None, CompetitionSettings.model_fields["decimals"].default)
    if columns is not None:
        raise NotConfigured("Give either --preset or --columns: settings have their own.")
    if not Path(preset).is_file():
        raise NotConfigured(
            f"--preset {preset}: with --metric-file it is a file of the competition's settings, as"
            " `podium settings SLUG` prints them."
        )
    settings = settings_in(Path(preset))
    if settings.task != "table":
        raise NotConfigured(f"{preset}: metric files score tables, and this is no table.")
    try:
        return TableForm(task_of(settings), settings.own_metric, settings.decimals)
    except InvalidInput as refusal:
        raise NotConfigured(f"{preset}: {refusal.detail}") from None


def read_solution(truth: Path, task: Task, folder: Path) -> Solution:
    """Reads a solution, and writes each split below the folder: public and private rows if it says
    which they are in a column `Usage`, else all as one. Raises FileRejected."""
    from podium.scoring.organizers_files import read_truth
    from podium.scoring.splits import SPLIT_NAMES, SplitRule
    from podium.scoring.tables.truth import TrueTable
    from podium.scoring.task import USAGE

    has_usage = USAGE in names_in(head_of(truth))
    rule = SplitRule("usage" if has_usage else "whole")
    known, ids = read_truth(truth, task=task, published=None, split=rule)
    assert isinstance(known, TrueTable), "the task is of tables"
    published = folder / "published.parquet"
    ids.write(published)
    parts = {}
    for split in known.splits:
        name = SPLIT_NAMES[split]
        parts[name] = folder / f"solution-{name}.parquet"
        known.write_part(split, parts[name])
    return Solution(parts, published)
