"""Defines the types of columns as values: code that depends on the type asks its value."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from podium.scoring.column_kinds.base import ColumnKind, Value
from podium.scoring.column_kinds.labels import LabelsKind
from podium.scoring.column_kinds.numbers import IntegerKind, NumberKind
from podium.scoring.column_kinds.texts import TextKind
from podium.scoring.column_kinds.words import BooleanKind, CategoryKind
from podium.scoring.columns import ColumnType, TableColumn
from podium.scoring.hints.texts import Hint
from podium.scoring.kernel.text import NotPlain
from podium.scoring.problems import Code
from podium.scoring.text.fields import RowProblem

COLUMN_KINDS: Mapping[ColumnType, ColumnKind] = {
    "number": NumberKind(),
    "integer": IntegerKind(),
    "text": TextKind(),
    "category": CategoryKind(),
    "boolean": BooleanKind(),
    "labels": LabelsKind(),
}


def kind_of_column(column: TableColumn) -> ColumnKind:
    """Returns the value of a column's type."""
    return COLUMN_KINDS[column.type]


def takes_empty(column: TableColumn) -> bool:
    """True where a field may be empty: a missing value, or no label."""
    return column.is_optional or kind_of_column(column).has_empty


def read_field(text: bytes, column: TableColumn, *, compares: bool = True) -> Value:
    """Parses the value of a table's field. Raises RowProblem, which suggests the nearest value
    where it `compares`, which is slow."""
    if text:
        return kind_of_column(column).read(text, column, compares=compares)
    if takes_empty(column):
        return None
    raise RowProblem(Code.BAD_LABEL, "the field is empty", Hint.FIELD_MISSING)


def plain_values(cells: pl.Series, column: TableColumn) -> pl.Series:
    """Converts the values of a column, null for a null cell; categories become an Enum. Raises
    NotPlain."""
    if cells.null_count() and not takes_empty(column):
        raise NotPlain(f"a cell of {column.name} is missing")
    values = kind_of_column(column).prove(cells, column)
    if values.null_count() > cells.null_count():
        raise NotPlain(f"a cell of {column.name} is not plain")
    return values


def sample_of(column: TableColumn) -> str:
    """Chooses the field of a column in the sample submission: the organizer's value, or otherwise a
    valid one."""
    if column.sample is not None:
        return column.sample
    return "" if takes_empty(column) else kind_of_column(column).sample(column)
