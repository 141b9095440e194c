"""The task of a table that no settings describe: its columns as the solution and the submission
tell them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from podium.errors import NotConfigured

if TYPE_CHECKING:
    from podium.scoring.metrics import TableMetric
    from podium.scoring.tables.columns import ColumnType, TableColumn
    from podium.scoring.task import Task


def table_task(known: Path, submission: Path | None, metrics: list[str]) -> Task:
    """The task of a solution, whose first column has the ids. The columns are those of the
    submission, or else the solution's own; each has the type of the solution's column with its
    name, or else of its only one, and is of numbers where there are several. Raises
    `NotConfigured`, and FileRejected for a solution that cannot be read."""
    from decimal import Decimal

    from podium.scoring.metrics import table_metric_of
    from podium.scoring.task import USAGE, Objective, Task

    types, id_column, query_ids = _types(known)
    names = [name for name in types if name != USAGE]
    if submission is not None:
        names = [name for name in _header(submission) if name != id_column] or names
    metric, *_ = map(table_metric_of, metrics)
    first, *others = metrics
    try:
        return Task(
            objectives=(Objective("", Decimal(1), first),),
            kind="table",
            diagnostics=tuple(dict.fromkeys(others)),
            id_column=id_column,
            query_ids="integer" if query_ids == "integer" else "string",
            table=tuple(_columns(names, types, metric)),
        )
    except ValueError as error:
        raise NotConfigured(f"{known}: {error}.") from None


def _types(known: Path) -> tuple[dict[str, ColumnType], str, str]:
    """The types of a solution's own columns, the name of its ids, and their kind."""
    from decimal import Decimal

    from podium.scoring.tables.cells import unproven_ids
    from podium.scoring.tables.solution.cells import read_cells
    from podium.scoring.tables.solution.reading import own_column
    from podium.scoring.tables.truth import OWN_TYPES
    from podium.scoring.task import Objective, Task

    anything = Task(objectives=(Objective("", Decimal(1), "own"),), kind="table")
    cells = read_cells(known, anything)
    id_column, *own = cells.frame.columns
    types: Mapping[Any, Any] = OWN_TYPES
    found = {name: types[own_column(cells.frame[name], cells).values.dtype] for name in own}
    is_text = unproven_ids(cells.frame[id_column], "integer")[1].any()
    return found, id_column, "string" if is_text else "integer"


def _header(submission: Path) -> list[str]:
    """The columns of a submission; none of one that cannot be read, which its judge refuses."""
    from contextlib import suppress

    from podium.cli.offline.beginnings import table_head

    with suppress(NotConfigured):
        return list(table_head(submission).columns)
    return []


def _columns(
    names: list[str], types: Mapping[str, ColumnType], metric: TableMetric
) -> Iterator[TableColumn]:
    from podium.scoring.tables.columns import TableColumn

    only = next(iter(types.values())) if len(types) == 1 and len(names) == 1 else "number"
    for name in names:
        kind = types.get(name, only)
        if kind == "integer" and metric.truth_form != "class":
            kind = "number"
        is_number = kind in ("number", "integer")
        least = metric.least_answer if is_number else None
        most = None
        if metric.needs_probabilities and is_number:
            kind, least, most = "number", 0.0, 1.0
        is_optional = metric.takes_missing
        yield TableColumn(
            name=name, type=kind, minimum=least, maximum=most, is_optional=is_optional
        )
