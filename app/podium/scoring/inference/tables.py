"""Infers the task of a table without settings from a whole solution or sample.

The submission that is judged decides nothing, except for the choice among the solution's columns
where there are more than an answer needs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import polars as pl

from podium.scoring.column_kinds import COLUMN_KINDS
from podium.scoring.columns import TableColumn
from podium.scoring.containers.detection import opening_any, problems_of
from podium.scoring.kinds import TABLE
from podium.scoring.kinds.table_rows import objectives_of, table_settings
from podium.scoring.metrics import row_metric_of
from podium.scoring.metrics.rows.custom import CustomMetricValue
from podium.scoring.metrics.rows.forms import is_numeric, label_text
from podium.scoring.rows.cells import unproven_ids
from podium.scoring.solutions.cells import read_cells
from podium.scoring.solutions.tables import own_column
from podium.scoring.task import USAGE, Objective, Task

if TYPE_CHECKING:
    from podium.scoring.kinds import TaskKind
    from podium.scoring.metrics import RowMetric
    from podium.scoring.task import IdKind

LARGEST_TEXT = 10_000_000
"""The longest text, in characters, that is passed to a custom metric on local files."""


@dataclass(frozen=True)
class WholeTable:
    """The ids of a known table, by their column and kind, and its other columns with their
    types."""

    id_column: str
    query_ids: IdKind
    columns: Mapping[str, pl.Series]

    @classmethod
    def read(cls, path: Path, forms: Iterable[str] = ()) -> WholeTable:
        """Reads a solution or a sample, in the encoding of these forms. Raises FileRejected."""
        objectives = (Objective("", Decimal(1), "own"),)
        anything = Task(objectives=objectives, kind=TABLE, forms=opening_any(forms).forms)
        with problems_of(path):
            cells = read_cells(path, anything)
        id_column, *own = cells.frame.columns
        columns = {
            name: own_column(cells.frame[name], cells).values for name in own if name != USAGE
        }
        is_text = unproven_ids(cells.frame[id_column], "integer")[1].any()
        return cls(id_column, "string" if is_text else "integer", columns)

    def task(self, names: Sequence[str], metrics: Sequence[str], kind: TaskKind) -> Task:
        """Builds the task of this kind of submissions with these columns beside the id. Each has
        the type that the first metric takes for the column's values. Raises ValueError."""
        scorers = [row_metric_of(metric, kind) for metric in metrics]
        first, *others = metrics
        return Task(
            objectives=tuple(_objectives(names, first, self._are_apart(names, scorers[0]))),
            kind=kind,
            diagnostics=tuple(dict.fromkeys(others)),
            id_column=self.id_column,
            query_ids=self.query_ids,
            table=tuple(_column(name, self.columns.get(name), scorers) for name in names),
        )

    def answers(self, metric: RowMetric, header: Sequence[str]) -> list[str]:
        """Chooses the columns of answers: those of a header if they are a valid choice for the
        known columns and the metric, otherwise all that suit the metric."""
        suited = self._suited(metric)
        classes = [] if metric.is_column_mean else self._classes(suited)
        if self.id_column in header and len(set(header)) == len(header):
            chosen = {name for name in header if name != self.id_column}
            if chosen and chosen <= set(self.columns):
                return [name for name in self.columns if name in chosen]
            if metric.types_of_several and chosen == set(classes):
                return classes
        is_of_classes = classes and metric.types_of_several and metric.truth_form == "class"
        if is_of_classes and (not metric.types_of_one or self._is_of_many(metric, suited[0])):
            return classes
        return suited

    def _are_apart(self, names: Sequence[str], metric: RowMetric) -> bool:
        """True where each of these columns has a score of its own: the metric takes one column, or
        they are not one-hot classes."""
        if metric.is_column_mean or not metric.types_of_one or len(names) < 2:
            return False
        columns = [self.columns[name] for name in names if name in self.columns]
        if not metric.types_of_several:
            return True
        return metric.truth_form == "class" and bool(columns) and not _are_one_hot(columns)

    def _suited(self, metric: RowMetric) -> list[str]:
        """Lists the known columns that a metric can compare with."""
        names = [name for name in self.columns if name not in metric.companions]
        wants = {"number": True, "text": False}.get(metric.truth_form)
        fitting = [
            name for name in names if wants is None or is_numeric(self.columns[name]) == wants
        ]
        return fitting or names

    def _classes(self, names: Sequence[str]) -> list[str]:
        """Lists the distinct labels of the only column, by which the columns of several classes are
        named."""
        if len(names) != 1:
            return []
        return label_text(self.columns[names[0]].drop_nulls()).unique().sort().to_list()

    def _is_of_many(self, metric: RowMetric, name: str) -> bool:
        """True for labels other than 0 and 1, for which one number cannot be a probability."""
        return metric.needs_probabilities and not set(self._classes([name])) <= {"0", "1"}


def settings_of(task: Task) -> dict[str, Any]:
    """Builds the settings of a new competition of this table."""
    names = [column.name for column in task.table]
    objectives = {each.name: list(each.columns) for each in task.objectives if each.name}
    if not objectives:
        objectives = {next(iter(objectives_of(names))) if len(names) == 1 else "score": names}
    columns = list(map(_described, task.table))
    return table_settings(task.id_column, task.query_ids, columns, objectives, task=task.kind)


def _are_one_hot(columns: Sequence[pl.Series]) -> bool:
    if not all(map(is_numeric, columns)):
        return False
    rows = pl.DataFrame(columns).cast(pl.Float64)
    are_ones = all(column.is_in([0.0, 1.0]).all() for column in rows.get_columns())
    return are_ones and bool((rows.sum_horizontal() == 1.0).all())


def _objectives(names: Sequence[str], metric: str, are_apart: bool) -> Iterator[Objective]:
    """Yields one objective, or one for each column."""
    if not are_apart:
        yield Objective("", Decimal(1), metric)
        return
    for name, column in objectives_of(names).items():
        yield Objective(name, Decimal(1), metric, columns=(column,))


def _column(name: str, values: pl.Series | None, scorers: Sequence[RowMetric]) -> TableColumn:
    """Describes a column of answers, with the bounds that the metrics require."""
    metric = scorers[0]
    is_custom = isinstance(metric, CustomMetricValue)
    numbers = pl.Series(name, [], dtype=pl.Float64)
    if values is not None and values.null_count() == len(values) and is_custom:
        # A column that is empty everywhere may hold anything.
        values = values.cast(pl.String)
    kind = metric.answer_type(numbers if values is None else values)
    least = most = None
    if COLUMN_KINDS[kind].has_bounds:
        least = max((m.least_answer for m in scorers if m.least_answer is not None), default=None)
    if kind == "number" and any(each.needs_probabilities for each in scorers):
        least, most = 0.0, 1.0
    has_gaps = values is not None and values.null_count() > 0
    return TableColumn(
        name=name,
        type=kind,
        minimum=least,
        maximum=most,
        is_optional=has_gaps if is_custom else metric.takes_missing,
        **cast("Any", {"max_length": LARGEST_TEXT} if is_custom else {}),
    )


def _described(column: TableColumn) -> dict[str, Any]:
    """Formats a column for settings, without default values."""
    usual = TableColumn(name=column.name).to_dict()
    return {"type": column.type} | {
        name: value
        for name, value in column.to_dict().items()
        if name == "name" or value != usual[name]
    }
