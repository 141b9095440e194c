"""Reads a solution and a submission of the user's own for a custom metric's children.

The form of the table comes from a file of settings, or from the solution.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from podium.cli.offline.described import settings_in
from podium.cli.offline.inference.file_heads import head_of
from podium.cli.offline.inference.tables import task_of_table
from podium.cli.offline.truths import published_in
from podium.core.competition_settings import CompetitionSettings
from podium.core.configuration import task_of
from podium.errors import InvalidInput, NotConfigured
from podium.scoring.engine import engine_of, read_truth
from podium.scoring.inference.heads import names_in
from podium.scoring.kinds import kind_of
from podium.scoring.splits import SPLIT_NAMES, SplitRule
from podium.scoring.task import USAGE

if TYPE_CHECKING:
    from podium.core.competition_settings.tables import CustomMetric
    from podium.scoring.task import Task


@dataclass(frozen=True, slots=True)
class TableForm:
    """The form of submissions, how to run the metric if the settings say so, and the decimals of
    the board."""

    task: Task
    run: CustomMetric | None
    decimals: int


@dataclass(frozen=True, slots=True)
class SubmissionFiles:
    """A submission with what scores it: the solution, and the list of published ids, if some of
    them have no row there."""

    submission: Path
    truth: Path
    ids: Path | None = None


@dataclass(frozen=True, slots=True)
class Solution:
    """A solution as it is stored: the rows of each split by name, and the published ids."""

    parts: dict[str, Path]
    published: Path


def described(
    preset: str | None, truth: Path, submission: Path, columns: str | None = None
) -> TableForm:
    """Returns the form by a file of settings, or else by the solution; `columns` are those of a
    submission if an option names them. Raises `NotConfigured`."""
    if preset is None:
        task = task_of_table(truth, submission, ["own"], columns=columns)
        return TableForm(task, None, CompetitionSettings.model_fields["decimals"].default)
    if columns is not None:
        raise NotConfigured("Give either --preset or --columns: settings have their own.")
    if not Path(preset).is_file():
        raise NotConfigured(
            f"--preset {preset}: with --metric-file it is a file of the competition's settings, as"
            " `podium settings SLUG` prints them."
        )
    settings = settings_in(Path(preset))
    if not kind_of(settings.task).has_table:
        raise NotConfigured(f"{preset}: custom metrics score tables, and this is not a table.")
    try:
        return TableForm(task_of(settings), settings.own_metric, settings.decimals)
    except InvalidInput as refusal:
        raise NotConfigured(f"{preset}: {refusal.detail}") from None


def read_solution(truth: Path, task: Task, folder: Path, ids: Path | None = None) -> Solution:
    """Reads a solution, and writes each split below the folder: public and private rows if a column
    `Usage` divides them, else all rows as one split. If `ids` lists the published ids, some may
    have no row. Raises FileRejected, and `InvalidInput` for such a list."""
    has_usage = USAGE in names_in(head_of(truth))
    rule = SplitRule("usage" if has_usage else "whole")
    listed = None if ids is None else published_in(ids, task)
    known, rows = read_truth(truth, task=task, published=listed, split=rule)
    published = folder / "published.parquet"
    rows.write(published)
    paths = {name: folder / f"solution-{name}.parquet" for name in SPLIT_NAMES.values()}
    written = engine_of(task).parts(known, paths) or {}
    return Solution({name: paths[name] for name in written}, published)
