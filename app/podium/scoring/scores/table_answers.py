"""Combines the columns of a submission with the truth, as input for metrics of tables."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import polars as pl

from podium.scoring.metrics import RowMetric
from podium.scoring.metrics.rows.targets import TargetRows
from podium.scoring.tables.truth import PLACE, TrueTable
from podium.scoring.task import Task


def answer_columns(task: Task, position: int) -> tuple[str, ...]:
    """Lists the columns of a submission that an objective scores: those that it names, otherwise
    the one with its name, otherwise all."""
    objective = task.objectives[position]
    names = tuple(column.name for column in task.table)
    if objective.columns:
        return objective.columns
    # An only objective has no name, and its key instead.
    its_own = objective.name or objective.key
    return (its_own,) if its_own in names else names


def truth_columns(task: Task, position: int, own: list[str]) -> tuple[str, ...] | None:
    """Lists the columns of a solution with these own ones that an objective is compared with: those
    with the names of its answers, otherwise the one with its key or name, otherwise the only one;
    None where there is no such column."""
    objective, answers = task.objectives[position], answer_columns(task, position)
    if set(answers) <= set(own):
        return answers
    for name in (objective.key, objective.name):
        if name in own:
            return (name,)
    targets = [name for name in own if name not in (task.weight_column, task.cluster_column)]
    return (targets[0],) if len(targets) == 1 else None


@dataclass(frozen=True)
class TableAnswers:
    """The answers of a submission of a table. `columns`: its canonical columns, for every row of
    the truth."""

    columns: pl.DataFrame
    truth: TrueTable
    _rows: dict[tuple[int, tuple[str, ...]], TargetRows] = field(
        default_factory=dict, compare=False, repr=False
    )

    @classmethod
    def of(cls, columns: pl.DataFrame, truth: TrueTable) -> TableAnswers:
        """Selects the answers from columns for all published ids, in their order."""
        if truth.frame.height == truth.row_count:
            return cls(columns, truth)
        return cls(columns[truth.frame[PLACE]], truth)

    def rows(self, position: int, metric: RowMetric) -> TargetRows:
        """Returns the rows of one objective in the form that a metric needs: split after split, so
        that a row may be in both."""
        truth, task, own = self.truth.frame, self.truth.task, self.truth.own_columns
        names = truth_columns(task, position, own)
        assert names is not None
        beside = tuple(c for c in metric.companions if c in own and c not in names)
        if (position, beside) not in self._rows:
            answers = self.columns[[*answer_columns(task, position)]]
            self._rows[position, beside] = replace(
                self._units,
                truth=self.truth.by_split(truth[[*names, *beside]]),
                answers=self.truth.by_split(answers),
            )
        return self._rows[position, beside]

    @cached_property
    def _units(self) -> TargetRows:
        """The rows without any column: their splits, units and weights."""
        weight, nothing = self.truth.task.weight_column, pl.DataFrame()
        rows = TargetRows.of(nothing, nothing, self.truth.totals)
        if not weight:
            return rows
        weights = self.truth.frame[[weight]].cast(pl.Float64)
        return replace(rows, weights=self.truth.by_split(weights).to_series())
