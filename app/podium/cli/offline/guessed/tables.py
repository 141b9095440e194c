"""The task of a table that no settings describe, as a solution or a sample tells it.

The submission that is judged decides nothing. It may only say which of a solution's columns it has,
where these are more than an answer needs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from podium.cli.offline.beginnings import head_of, names_in
from podium.cli.offline.guessed.columns import columns_named
from podium.errors import NotConfigured

if TYPE_CHECKING:
    import polars as pl

    from podium.scoring.metrics import TableMetric
    from podium.scoring.tables.columns import TableColumn
    from podium.scoring.task import IdKind, Objective, Task

LARGEST_TEXT = 10_000_000
"""The longest text, in characters, that a metric file at home is given."""


def _table_task(
    known: Path,
    metrics: Sequence[str],
    *,
    named: Sequence[str] | None = None,
    submission: Path | None = None,
) -> Task:
    """The task of a solution or a sample, whose first column has the ids; `named` are the columns
    of a submission where an option names them. Each has the type that the first metric takes for
    the column's values. Raises `NotConfigured`, and FileRejected for a file that cannot be read."""
    from podium.scoring.metrics import table_metric_of
    from podium.scoring.task import Task

    found = _Known.read(known)
    scorers = [table_metric_of(metric) for metric in metrics]
    if named is not None:
        names = found.checked(known, named)
    else:
        names = found.answers(scorers[0], _header(submission) if submission else [])
    first, *others = metrics
    try:
        return Task(
            objectives=tuple(_objectives(names, first, found.are_apart(names, scorers[0]))),
            kind="table",
            diagnostics=tuple(dict.fromkeys(others)),
            id_column=found.id_column,
            query_ids=found.query_ids,
            table=tuple(_column(name, found.columns.get(name), scorers) for name in names),
        )
    except ValueError as error:
        raise NotConfigured(f"{known}: {error}.") from None


def task_of_table(
    known: Path,
    metrics: Sequence[str],
    *,
    columns: str | None = None,
    submission: Path | None = None,
) -> Task:
    """The same where `columns` are as an option has them, and for a file that cannot be read,
    which is `NotConfigured` as well."""
    from podium.scoring.problems import FileRejected

    named = columns_named(columns, "id,price", exactly=False)
    try:
        return _table_task(known, metrics, named=named, submission=submission)
    except FileRejected as rejected:
        raise NotConfigured(f"{known}: {rejected}") from None


def settings_of(task: Task) -> dict[str, Any]:
    """The settings of a new competition of this table."""
    from podium.materials.rules.plain_tables import objectives_of

    columns = [_described(column) for column in task.table]
    by_objective = {each.name: list(each.columns) for each in task.objectives if each.name}
    if not by_objective:
        names = [column.name for column in task.table]
        by_objective = {next(iter(objectives_of(names[:1]))) if len(names) == 1 else "score": names}
    return {
        "task": "table",
        "id_column": task.id_column,
        "query_ids": task.query_ids,
        "table_columns": columns,
        "objectives": dict.fromkeys(by_objective, 1),
        "objective_columns": {
            objective: names for objective, names in by_objective.items() if [objective] != names
        },
        "missing_rows": "reject",
    }


@dataclass(frozen=True)
class _Known:
    """The ids of a table that is known, by their column and kind, and its other columns with their
    types."""

    id_column: str
    query_ids: IdKind
    columns: Mapping[str, pl.Series]

    @classmethod
    def read(cls, path: Path) -> _Known:
        """Reads a solution or a sample. Raises FileRejected."""
        from podium.scoring.tables.cells import unproven_ids
        from podium.scoring.tables.solution.cells import read_cells
        from podium.scoring.tables.solution.reading import own_column
        from podium.scoring.task import USAGE, Objective, Task

        anything = Task(objectives=(Objective("", Decimal(1), "own"),), kind="table")
        cells = read_cells(path, anything)
        id_column, *own = cells.frame.columns
        columns = {
            name: own_column(cells.frame[name], cells).values for name in own if name != USAGE
        }
        is_text = unproven_ids(cells.frame[id_column], "integer")[1].any()
        return cls(id_column, "string" if is_text else "integer", columns)

    def checked(self, known: Path, named: Sequence[str]) -> list[str]:
        """The columns of an option beside that of the ids, which must be among them."""
        if self.id_column not in named:
            raise NotConfigured(
                f"--columns {','.join(named)}: the column of ids is missing, which is"
                f" {self.id_column} in {known}."
            )
        return [name for name in named if name != self.id_column]

    def answers(self, metric: TableMetric, header: Sequence[str]) -> list[str]:
        """The columns of answers: those of a header if they are a choice that the known columns
        and the metric leave, else all that suit the metric."""
        suited = self._suited(metric)
        classes = self._classes(suited)
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

    def are_apart(self, names: Sequence[str], metric: TableMetric) -> bool:
        """True where the metric looks at each of these columns by itself: it takes one, or they
        are no classes of which each row has one."""
        if not metric.types_of_one or len(names) < 2:
            return False
        columns = [self.columns[name] for name in names if name in self.columns]
        if not metric.types_of_several:
            return True
        return metric.truth_form == "class" and bool(columns) and not _are_one_hot(columns)

    def _suited(self, metric: TableMetric) -> list[str]:
        """The known columns with which a metric compares."""
        from podium.scoring.metrics.tables.forms import is_numeric

        names = [name for name in self.columns if name not in metric.companions]
        wants = {"number": True, "text": False}.get(metric.truth_form)
        fitting = [
            name for name in names if wants is None or is_numeric(self.columns[name]) == wants
        ]
        return fitting or names

    def _classes(self, names: Sequence[str]) -> list[str]:
        """The labels of the only column, by which columns of several classes are called."""
        from podium.scoring.metrics.tables.forms import label_text

        if len(names) != 1:
            return []
        return label_text(self.columns[names[0]].drop_nulls()).unique().sort().to_list()

    def _is_of_many(self, metric: TableMetric, name: str) -> bool:
        """True of labels other than 0 and 1, of which one number cannot be a probability."""
        return metric.needs_probabilities and not set(self._classes([name])) <= {"0", "1"}


def _header(submission: Path) -> list[str]:
    """The columns of a submission; none of one that cannot be read, which its judge refuses."""
    with suppress(NotConfigured):
        return names_in(head_of(submission))
    return []


def _are_one_hot(columns: Sequence[pl.Series]) -> bool:
    import polars as pl

    from podium.scoring.metrics.tables.forms import is_numeric

    if not all(map(is_numeric, columns)):
        return False
    rows = pl.DataFrame(columns).cast(pl.Float64)
    are_ones = all(column.is_in([0.0, 1.0]).all() for column in rows.get_columns())
    return are_ones and bool((rows.sum_horizontal() == 1.0).all())


def _objectives(names: Sequence[str], metric: str, are_apart: bool) -> Iterator[Objective]:
    """One objective, or one for each column."""
    from podium.materials.rules.plain_tables import objectives_of
    from podium.scoring.task import Objective

    if not are_apart:
        yield Objective("", Decimal(1), metric)
        return
    for name, column in objectives_of(names).items():
        yield Objective(name, Decimal(1), metric, columns=(column,))


def _column(name: str, values: pl.Series | None, scorers: Sequence[TableMetric]) -> TableColumn:
    """A column of answers, with the bounds that the metrics ask for."""
    import polars as pl

    from podium.scoring.metrics.tables.own import OwnMetricValue
    from podium.scoring.tables.columns import TableColumn

    metric = scorers[0]
    is_own = isinstance(metric, OwnMetricValue)
    numbers = pl.Series(name, [], dtype=pl.Float64)
    if values is not None and values.null_count() == len(values) and is_own:
        # A column that is empty everywhere may hold anything.
        values = values.cast(pl.String)
    kind = metric.answer_type(numbers if values is None else values)
    least = most = None
    if kind in ("number", "integer"):
        least = max((m.least_answer for m in scorers if m.least_answer is not None), default=None)
    if kind == "number" and any(each.needs_probabilities for each in scorers):
        least, most = 0.0, 1.0
    has_gaps = values is not None and values.null_count() > 0
    return TableColumn(
        name=name,
        type=kind,
        minimum=least,
        maximum=most,
        is_optional=has_gaps if is_own else metric.takes_missing,
        **cast("Any", {"max_length": LARGEST_TEXT} if is_own else {}),
    )


def _described(column: TableColumn) -> dict[str, Any]:
    """A column as settings say it: what is usual is left out."""
    from podium.scoring.tables.columns import TableColumn

    usual = TableColumn(name=column.name).to_dict()
    return {"type": column.type} | {
        name: value
        for name, value in column.to_dict().items()
        if name == "name" or value != usual[name]
    }
