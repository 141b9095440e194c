"""Reads columns of a solution as the answers to them are described, whatever their cells look like:
labels are text, even if they look like numbers."""

from __future__ import annotations

import polars as pl

from podium.scoring.column_kinds import kind_of_column, plain_values, read_field
from podium.scoring.columns import TableColumn
from podium.scoring.kernel.text import NotPlain
from podium.scoring.metrics.rows.forms import label_text
from podium.scoring.problems import Problem
from podium.scoring.scores.table_answers import answer_columns, truth_columns
from podium.scoring.solutions.column_types import Inferred
from podium.scoring.task import Task
from podium.scoring.text.fields import RowProblem
from podium.scoring.text.findings import ENOUGH_PROBLEMS


def described_columns(task: Task, own: list[str]) -> dict[str, TableColumn]:
    """Finds the columns of a solution with these own ones that are read as their answers are, each
    with the description of these."""
    described = {column.name: column for column in task.table}
    found: dict[str, TableColumn] = {}
    for position, _ in enumerate(task.objectives):
        names = truth_columns(task, position, own) or ()
        found |= zip(names, map(described.get, answer_columns(task, position)), strict=False)  # type: ignore[arg-type]
    return {
        name: column
        for name, column in found.items()
        if column and kind_of_column(column).reads_solutions
    }


def read_described(cells: pl.Series, lines: pl.Series, column: TableColumn) -> Inferred:
    """Normalizes the values of a column as in a submission, and collects their problems."""
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
    values = pl.Series(cells.name, found, dtype=kind_of_column(column).dtype)
    return Inferred(values, tuple(problems[:ENOUGH_PROBLEMS]))
