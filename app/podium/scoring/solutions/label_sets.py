"""Reads columns of a solution with sets of labels, which are text, even if labels look like
numbers."""

from __future__ import annotations

import polars as pl

from podium.scoring.column_kinds import plain_values, read_field
from podium.scoring.columns import TableColumn
from podium.scoring.kernel.text import NotPlain
from podium.scoring.metrics.rows.forms import label_text
from podium.scoring.problems import Problem
from podium.scoring.scores.table_answers import answer_columns, truth_columns
from podium.scoring.solutions.column_types import Inferred
from podium.scoring.task import Task
from podium.scoring.text.fields import RowProblem
from podium.scoring.text.findings import ENOUGH_PROBLEMS


def set_columns(task: Task, own: list[str]) -> dict[str, TableColumn]:
    """Finds the columns of a solution with these own ones that sets of labels are compared with,
    each with the description of its answers."""
    described = {column.name: column for column in task.table}
    found: dict[str, TableColumn] = {}
    for position, _ in enumerate(task.objectives):
        names = truth_columns(task, position, own) or ()
        found |= zip(names, map(described.get, answer_columns(task, position)), strict=False)  # type: ignore[arg-type]
    return {name: column for name, column in found.items() if column and column.type == "labels"}


def read_sets(cells: pl.Series, lines: pl.Series, column: TableColumn) -> Inferred:
    """Normalizes the sets of a column as in a submission, and collects their problems."""
    texts = label_text(cells.fill_nan(None) if cells.dtype.is_float() else cells)
    try:
        return Inferred(plain_values(texts, column).alias(cells.name))
    except NotPlain:
        found, problems = [], []
    for text, line in zip(texts.fill_null(""), lines, strict=True):
        try:
            found.append(read_field(text.encode(), column))
        except RowProblem as wrong:
            found.append(None)
            problems.append(Problem(wrong.code, wrong.detail, line, column=cells.name))
    values = pl.Series(cells.name, found, dtype=pl.String)
    return Inferred(values, tuple(problems[:ENOUGH_PROBLEMS]))
