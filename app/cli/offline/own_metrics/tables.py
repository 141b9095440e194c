"""A solution and a submission of one's own, as a metric file's children take them.

The form of a table is that of a file of settings, or what the two files themselves tell.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from podium.cli.offline.described import settings_in
from podium.errors import InvalidInput, NotConfigured

if TYPE_CHECKING:
    from podium.core.competition_settings.tables import OwnMetric
    from podium.scoring.tables.columns import TableColumn
    from podium.scoring.tables.solution.cells import SolutionCells
    from podium.scoring.task import IdKind, Task

LARGEST_TEXT = 10_000_000


@dataclass(frozen=True, slots=True)
class TableForm:
    """The form of submissions, and how the metric is run where the settings say it."""

    task: Task
    run: OwnMetric | None


@dataclass(frozen=True, slots=True)
class Solution:
    """A solution as it is stored: the rows of each split by its name, and the published ids."""

    parts: dict[str, Path]
    published: Path


def described(preset: str | None, truth: Path, submission: Path) -> TableForm:
    """The form that a file of settings tells, or the files themselves. Raises `NotConfigured`."""
    from podium.core.configuration import task_of

    if preset is None:
        return TableForm(_told_by(truth, submission), None)
    if not Path(preset).is_file():
        raise NotConfigured(
            f"--preset {preset}: with --metric-file it is a file of the competition's settings, as"
            " `podium settings SLUG` prints them."
        )
    settings = settings_in(Path(preset))
    if settings.task != "table":
        raise NotConfigured(f"{preset}: metric files score tables, and this is no table.")
    try:
        return TableForm(task_of(settings), settings.own_metric)
    except InvalidInput as refusal:
        raise NotConfigured(f"{preset}: {refusal.detail}") from None


def read_solution(truth: Path, task: Task, folder: Path) -> Solution:
    """Reads a solution, and writes each split below the folder: public and private rows if it says
    which they are in a column `Usage`, else all as one. Raises FileRejected."""
    from podium.scoring.organizers_files import read_truth
    from podium.scoring.splits import SPLIT_NAMES, SplitRule
    from podium.scoring.tables.truth import TrueTable
    from podium.scoring.task import USAGE

    has_usage = USAGE in _cells(truth).frame.columns
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


def _told_by(truth: Path, submission: Path) -> Task:
    """The form that two files have: the first column of the solution is that of the ids, and the
    submission's columns hold what they hold."""
    from podium.scoring.tables.cells import unproven_ids

    known, sent = _cells(truth).frame, _cells(submission)
    id_column = known.columns[0]
    names = sent.frame.columns
    if id_column not in names:
        raise NotConfigured(
            f"{submission} has no column {json.dumps(id_column)}, which is the first of {truth}"
            " and thus that of the ids."
        )
    if len(names) == 1:
        raise NotConfigured(f"{submission} has no column but that of the ids.")
    is_text = unproven_ids(known[id_column], "integer")[1].any()
    columns = tuple(_column_of(sent, name) for name in names if name != id_column)
    return _task(id_column, "string" if is_text else "integer", columns)


def _task(id_column: str, query_ids: IdKind, columns: tuple[TableColumn, ...]) -> Task:
    from podium.scoring.task import Objective, Task

    return Task(
        objectives=(Objective("", Decimal(1), "own"),),
        kind="table",
        id_column=id_column,
        query_ids=query_ids,
        table=columns,
    )


def _cells(file: Path) -> SolutionCells:
    """All cells of a file. Raises `NotConfigured`."""
    from podium.scoring.problems import FileRejected
    from podium.scoring.tables.columns import TableColumn
    from podium.scoring.tables.solution.cells import read_cells

    try:
        cells = read_cells(file, _task("id", "string", (TableColumn(name="any"),)))
    except FileRejected as refusal:
        raise NotConfigured(f"{file}: {refusal.rejection.problems[0].detail}.") from None
    if not cells.frame.width or not cells.frame.height:
        raise NotConfigured(f"{file} has no rows.")
    return cells


def _column_of(cells: SolutionCells, name: str) -> TableColumn:
    """The column that these cells are of: a field may be empty where one is."""
    from podium.scoring.tables.columns import TableColumn
    from podium.scoring.tables.solution.reading import own_column
    from podium.scoring.tables.truth import OWN_TYPES

    values = own_column(cells.frame[name], cells).values
    types: Mapping[Any, Any] = OWN_TYPES
    return TableColumn(
        name=name,
        type=types[values.dtype],
        is_optional=bool(values.null_count()),
        max_length=LARGEST_TEXT,
    )
