"""Builds the columns of a perfect submission, and of one with the truth of other rows.

As secret as the solution.
"""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from podium.scoring.column_kinds import kind_of_column, read_field, sample_of, takes_empty
from podium.scoring.columns import TableColumn
from podium.scoring.metrics.rows.forms import label_text
from podium.scoring.rows.keys import PublishedRows
from podium.scoring.rows.writing import lines_of
from podium.scoring.scores.extremes import SEED
from podium.scoring.scores.table_answers import answer_columns, truth_columns
from podium.scoring.tables.truth import PLACE, TrueTable
from podium.scoring.task import Task


def perfect_table(truth: TrueTable, published: PublishedRows, task: Task) -> Iterator[bytes]:
    """Writes a complete submission with the truth. As secret as the solution."""
    yield from lines_of(published, perfect_columns(truth), task)


def perfect_columns(truth: TrueTable) -> pl.DataFrame:
    """Builds the canonical columns of a submission with the truth. Columns that the solution does
    not determine are as in the sample submission."""
    columns = {column.name: column for column in truth.task.table}
    found: dict[str, pl.Series] = {}
    for position, _ in enumerate(truth.task.objectives):
        answers = answer_columns(truth.task, position)
        names = truth_columns(truth.task, position, truth.own_columns) or ()
        for name in answers:
            if name in truth.own_columns:
                true = truth.frame[name]
            elif len(names) != 1:
                continue
            elif len(answers) == 1:
                true = truth.frame[names[0]]
            else:
                true = label_text(truth.frame[names[0]]) == name
            found.setdefault(name, _as_answer(true, columns[name]))
    whole = [_spread(found.get(name), column, truth) for name, column in columns.items()]
    return pl.DataFrame(whole)


def shuffled_columns(truth: TrueTable) -> pl.DataFrame:
    """Shuffles the same columns, so that each row has the truth of another."""
    perfect = perfect_columns(truth)
    places = truth.frame[PLACE]
    order = pl.int_range(perfect.height, dtype=pl.UInt32, eager=True)
    return perfect[order.scatter(places, places.shuffle(seed=SEED))]


def _spread(true: pl.Series | None, column: TableColumn, truth: TrueTable) -> pl.Series:
    """Spreads the answers over all published ids."""
    value = read_field(sample_of(column).encode(), column)
    kind = kind_of_column(column).dtype
    usual = pl.Series(column.name, [value], dtype=kind).new_from_index(0, truth.row_count)
    if true is None:
        return usual
    if not takes_empty(column):
        true = true.fill_null(pl.lit(value, dtype=kind))
    return usual.scatter(truth.frame[PLACE], true)


def _as_answer(true: pl.Series, column: TableColumn) -> pl.Series:
    """Converts a column of the solution to equivalent answers."""
    kind = kind_of_column(column).dtype
    if kind == pl.String:
        if true.dtype != pl.Boolean:
            return label_text(true)
        return true.cast(pl.String).replace({value.lower(): value for value in column.values})
    if true.dtype == pl.String:
        true = true.cast(pl.Float64, strict=False)
    if kind == pl.Boolean:
        return true if true.dtype == pl.Boolean else true.cast(pl.Float64) > 0
    numbers = true.cast(pl.Float64)
    return numbers.round().cast(pl.Int64, strict=False) if kind == pl.Int64 else numbers
