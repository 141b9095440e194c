"""The columns of a submission beside what is true: everything that a metric of tables is made
from."""

from __future__ import annotations

from dataclasses import dataclass, field

import polars as pl

from podium.scoring.metrics import TableMetric
from podium.scoring.metrics.tables import TargetRows
from podium.scoring.splits import BOTH
from podium.scoring.tables.truth import PLACE, TrueTable
from podium.scoring.task import USAGE, Task


def answer_columns(task: Task, position: int) -> tuple[str, ...]:
    """The columns of a submission that an objective looks at: those that it names, else the one
    with its name, else all."""
    objective = task.objectives[position]
    names = tuple(column.name for column in task.table)
    if objective.columns:
        return objective.columns
    # An only objective has no name, and its key instead.
    its_own = objective.name or objective.key
    return (its_own,) if its_own in names else names


def truth_columns(task: Task, position: int, own: list[str]) -> tuple[str, ...] | None:
    """The columns of a solution with these own ones that an objective is compared with: those with
    the names of its answers, else the one with its key or name, else the only one; None where
    there is no such column."""
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
    """`columns`: the canonical columns of a submission, for every row of the truth."""

    columns: pl.DataFrame
    truth: TrueTable
    _masks: dict[int, pl.Series] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def of(cls, columns: pl.DataFrame, truth: TrueTable) -> TableAnswers:
        """The answers of columns for all published ids, in their order."""
        if truth.frame.height == truth.id_count:
            return cls(columns, truth)
        return cls(columns[truth.frame[PLACE]], truth)

    def rows(self, split: int, position: int, metric: TableMetric) -> TargetRows:
        """The rows of a split for one objective, as a metric takes them."""
        truth, task, mask = self.truth, self.truth.task, self._mask(split)
        names = truth_columns(task, position, truth.own_columns)
        assert names is not None
        beside = (c for c in metric.companions if c in truth.own_columns and c not in names)
        weights = None
        if task.weight_column:
            weights = truth.frame[task.weight_column].filter(mask).cast(pl.Float64)
        return TargetRows(
            truth=truth.frame.select(*names, *beside).filter(mask),
            answers=self.columns.select(answer_columns(task, position)).filter(mask),
            weights=weights,
        )

    def _mask(self, split: int) -> pl.Series:
        if split not in self._masks:
            self._masks[split] = self.truth.frame[USAGE].is_in([split, BOTH])
        return self._masks[split]
