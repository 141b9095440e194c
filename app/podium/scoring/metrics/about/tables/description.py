"""Examples of metrics of tables, and what their pages say alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import polars as pl

from podium.scoring.metrics.about.description import Case, Example
from podium.scoring.metrics.tables import TargetRows, table_metric_of

Values = Sequence[str] | Sequence[float]

Columns = Values | Mapping[str, Values]
"""The only column, or columns by their names."""

ROWS_ALIKE = (
    "There is none to choose: all rows of a split count alike, or by their weights where the"
    " solution has some."
)

ERROR_OF_MEAN = (
    "From the spread between rows, or between clusters of rows where there are some: what the rows"
    " of one add counts together. Differences between submissions are paired."
)

ERROR_BY_DERIVATIVE = (
    "By the derivative of the value by the weight of each row (delta method), added up over"
    " clusters of rows where there are some. Differences between submissions are paired."
)

NO_WEIGHTS: Case = ("Weights of rows", "are refused with the solution, as there is no definition.")

MISSING: Case = (
    "A missing value",
    "rejects the file; a column that may have some is refused in the settings.",
)

FILES: tuple[Case, ...] = (("A missing row, or a row twice", "rejects the file."), MISSING)

SEVERAL: Case = ("Several columns", "are refused in the settings: make each column an objective.")


def example_of_tables(
    metric: str, truth: Columns, answers: Columns, *, steps: Sequence[str], value: float
) -> Example:
    """The example of a few rows."""
    return Example(
        metric=metric,
        given=(*_named("Truth", truth), *_named("Answers", answers)),
        steps=tuple(steps),
        value=value,
        compute=partial(value_of_tables, metric, truth, answers),
    )


def value_of_tables(metric: str, truth: Columns, answers: Columns) -> float:
    """The metric of these rows."""
    rows = TargetRows(_frame(truth), _frame(answers))
    return float(table_metric_of(metric).measure(rows).value)


def _named(name: str, columns: Columns) -> list[tuple[str, str]]:
    if isinstance(columns, Mapping):
        return [(f"{name}: {column}", _text(values)) for column, values in columns.items()]
    return [(name, _text(columns))]


def _text(values: Values) -> str:
    texts = [each if isinstance(each, str) else f"{each:g}" for each in values]
    return (" | " if any(" " in text for text in texts) else " ").join(texts)


def _frame(columns: Columns) -> pl.DataFrame:
    return pl.DataFrame(columns if isinstance(columns, Mapping) else {"y": columns})
