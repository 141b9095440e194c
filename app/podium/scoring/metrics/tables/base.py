"""The form of a metric of tables: one value over the rows of a split, and what each row moves.

A metric is a frozen value with one method, `measure`. Standard errors, and those of differences,
follow from what each row moves: SE² = n / (n − 1) · Σ moves², over the n rows of a split, or over
its clusters, whose rows' moves are added up first.

Results never depend on the order of rows, on chunks or on threads.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar, Literal, Self

import polars as pl

from podium.scoring.metrics.base import Average
from podium.scoring.tables.columns import COLUMN_TYPES, ColumnType, TableColumn
from podium.scoring.task import TaskKind

TruthForm = Literal["number", "class", "text", "any"]
"""The truth that a metric compares with: `number`, a column of numbers; `class`, one of labels or,
for several columns of answers, labels that name one of these columns, or a 1 in one of them;
`text`, a column of text."""


@dataclass(frozen=True)
class TargetRows:
    """The rows of one split for one objective, in published order.

    `truth` has one column, or as many as `answers` under the same names (one-hot, or several
    targets), and behind these the metric's `companions`, where the solution has them; `answers` has
    the columns of a submission that the objective looks at, in order. `weights` are positive,
    Float64; None weighs all rows alike.
    """

    truth: pl.DataFrame
    answers: pl.DataFrame
    weights: pl.Series | None = None

    @property
    def count(self) -> int:
        """The number of rows."""
        return self.answers.height


@dataclass(frozen=True)
class TableMeasure:
    """A value, exact as a fraction (of the float64 where it is computed as one). `moves`: the
    influence of each row on it, Float64, in the order of the rows; they add up to 0. None where it
    is not known, and there is no standard error. `notes` are counts that help to read the value.
    """

    value: Fraction
    moves: pl.Series | None
    notes: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class TableMetric(ABC):
    """A metric of the columns of a table."""

    key: ClassVar[str]
    """The name without parameter."""
    formula: ClassVar[str]
    """The computation over the rows of a split, as a sentence; `{k}` stands for a parameter."""
    source: ClassVar[str]
    """The publication of the definition."""
    truth_form: ClassVar[TruthForm] = "number"
    tasks: ClassVar[tuple[TaskKind, ...]] = ("table",)
    averages: ClassVar[tuple[Average, ...]] = ()
    takes_k: ClassVar[str] = "never"
    is_bounded: ClassVar[bool] = False
    """True where a perfect answer reaches exactly 1, and nothing more."""
    upper_bound: ClassVar[int | None] = None
    """The number above which there is no value, reached or not; None where there is none."""
    lower_bound: ClassVar[int | None] = 0
    """The number below which there is no value; None where there is none."""
    higher_is_better: ClassVar[bool] = True
    ranks: ClassVar[bool] = True
    """False where an answer that says nothing of use may be the best: it only tells."""
    needs_probabilities: ClassVar[bool] = False
    """True where numbers below 0 or above 1 mean nothing."""
    takes_weights: ClassVar[bool] = True
    types_of_one: ClassVar[tuple[ColumnType, ...]] = COLUMN_TYPES
    """The types that the column of answers may have where there is one; none wants several."""
    types_of_several: ClassVar[tuple[ColumnType, ...]] = ()
    """The types that each of several columns may have; none wants one."""
    takes_missing: ClassVar[bool] = False
    """True where a missing value means something: an empty text, or an empty mask."""
    least_answer: ClassVar[float | None] = None
    """The number below which an answer means nothing; None where there is none."""
    companions: ClassVar[tuple[str, ...]] = ()
    """Names of further columns of the solution that belong to the truth where they are there."""

    @classmethod
    def made(cls, parameter: str | None) -> Self:
        """The metric with what stands behind the @ of its id. Raises ValueError."""
        if parameter is not None:
            raise ValueError(f"{cls.key} has nothing behind an @")
        return cls()

    @property
    def name(self) -> str:
        """The name, with its parameter where it has one."""
        return self.key

    @property
    def id(self) -> str:
        """The id, which is the name."""
        return self.name

    @property
    def k(self) -> int | None:
        """Nothing of a table has a rank."""
        return None

    def answer_type(self, truth: pl.Series) -> ColumnType:
        """The type of a column of answers to these values of the truth, where no settings name
        one: the metric says what it takes. Of labels 0 and 1 it takes probabilities as well."""
        types = self.types_of_one or self.types_of_several
        if not {"number", "text"} <= set(types):
            return types[0]
        if truth.dtype == pl.Boolean:
            return "boolean"
        if not truth.dtype.is_numeric():
            return "text"
        given = truth.drop_nulls().cast(pl.Float64)
        are_labels = self.truth_form == "class" and not ((given == 0) | (given == 1)).all()
        return "integer" if are_labels and (given == given.floor()).all() else "number"

    def unsuited(self, columns: Sequence[TableColumn]) -> str | None:
        """The reason why columns described so cannot be its answers; None where they can."""
        types = self.types_of_one if len(columns) == 1 else self.types_of_several
        if not types:
            return f"{self.id} looks at {'several columns' if self.types_of_several else ONE}"
        for column in columns:
            if column.type not in types:
                allowed = " or ".join(types)
                return f"{self.id} needs {allowed}, and the column {column.name} is {column.type}"
            if column.is_optional and not self.takes_missing:
                return f"{self.id} needs a value in each row, and {column.name} is optional"
            if self.needs_probabilities and not _is_within(column, 0.0, 1.0):
                return (
                    f"{self.id} needs probabilities: give {column.name} a minimum 0 and maximum 1"
                )
            least = self.least_answer
            if least is not None and not _is_within(column, least, math.inf):
                return f"{self.id} needs numbers from {least:g} on: give {column.name} a minimum"
        return None

    def refusal(self, rows: TargetRows) -> str | None:
        """The reason why a split with this truth gives the metric no value, whatever the answers
        are; None where it does. Called when a solution is loaded, with the answers of a perfect
        submission."""
        if rows.count == 0:
            return "there is no row"
        if rows.weights is not None and not self.takes_weights:
            return f"{self.id} has no weights"
        has_missing = any(column.null_count() for column in rows.truth.get_columns())
        if has_missing and not self.takes_missing:
            return f"{self.id} needs a truth in each row, and some are missing"
        return self.lack(rows)

    def lack(self, rows: TargetRows) -> str | None:
        """The further lack of the truth of a split: for `refusal` alone."""
        return None

    @abstractmethod
    def measure(self, rows: TargetRows) -> TableMeasure:
        """The value, and what moves it. `unsuited` and `refusal` have nothing against the rows."""


def _is_within(column: TableColumn, least: float, largest: float) -> bool:
    """True where the description of a column allows no number outside."""
    if column.type == "boolean":
        return True
    above = column.minimum is not None and column.minimum >= least
    return above and (
        largest == math.inf or (column.maximum is not None and column.maximum <= largest)
    )


ONE = "one column: make each column an objective"
