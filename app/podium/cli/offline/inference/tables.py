"""The task of a table that no settings describe, from options and from a solution or a sample."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from podium.cli.offline.inference.file_heads import head_of
from podium.errors import NotConfigured
from podium.scoring.inference.heads import names_in
from podium.scoring.inference.tables import WholeTable
from podium.scoring.kinds import TABLE
from podium.scoring.metrics import row_metric_of
from podium.scoring.names import header_of
from podium.scoring.problems import FileRejected
from podium.scoring.text.fields import RowProblem, names_of

if TYPE_CHECKING:
    from podium.scoring.kinds import TaskKind
    from podium.scoring.task import Task


def columns_named(columns: str | None, example: str, *, exactly: bool = True) -> list[str] | None:
    """Returns the columns that an option names: as many as an example has, or else two or more;
    None without the option. Raises `NotConfigured`."""
    if columns is None:
        return None
    names, count = [name.strip() for name in _named(columns)], len(example.split(","))
    is_wrong = len(names) != count if exactly else len(names) < count
    if is_wrong or len(set(names)) != len(names) or not all(names):
        how_many = f"{count} names" if exactly else f"at least {count} names"
        raise NotConfigured(f"--columns {columns}: {how_many}, for example {example}.")
    return names


def _named(columns: str) -> list[str]:
    """Splits an option into names, by the rules of quotes where it has good ones."""
    try:
        return [name.decode() for name in names_of(columns.encode())]
    except RowProblem:
        return columns.split(",")


def task_of_table(
    known: Path,
    submission: Path | None,
    metrics: Sequence[str],
    *,
    kind: TaskKind = TABLE,
    columns: str | None = None,
    forms: Sequence[str] = (),
) -> Task:
    """Returns the task of a solution or a sample, whose first column has the ids; `columns` are
    those of a submission, as an option names them. Files are in the encoding of these forms. Raises
    `NotConfigured`."""
    named = columns_named(columns, "id,price", exactly=False)
    try:
        table = WholeTable.read(known, forms)
    except FileRejected as rejected:
        raise NotConfigured(f"{known}: {rejected}") from None
    if named is None:
        names = table.answers(row_metric_of(metrics[0], kind), _header(submission, forms))
    elif table.id_column in named:
        names = [name for name in named if name != table.id_column]
    else:
        raise NotConfigured(
            f"--columns {header_of(named)}: the column of ids is missing, which is"
            f" {table.id_column} in {known}."
        )
    try:
        return table.task(names, metrics, kind)
    except ValueError as error:
        raise NotConfigured(f"{known}: {error}.") from None


def _header(submission: Path | None, forms: Sequence[str]) -> list[str]:
    """Returns the columns of a submission; none if it cannot be read, which its judge reports."""
    with suppress(NotConfigured):
        return names_in(head_of(submission, forms)) if submission else []
    return []
