"""Defines the form of a metric of rows: values by split, and the influence of each unit.

A metric is a frozen value with one method, `measure_part` or `of_split`, over the rows of one
objective, be they pairs or rows of a table. The unit (a user, an impression, or a row) is what is
sampled and divided into splits; so every metric computes how much each unit moves its value, from
which standard errors, and those of differences, follow: SE² = n / (n − 1) · Σ moves², over the n
units of a split, or over its clusters, whose units' moves are added up first.

Results never depend on the order of rows, on chunks or on threads.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, ClassVar, Literal, Self

import polars as pl

from podium.scoring.columns import COLUMN_TYPES, ColumnType, TableColumn
from podium.scoring.metrics.base import Metric
from podium.scoring.metrics.rows.targets import TargetRows, rows_of
from podium.scoring.metrics.sums import sums_by_slot

Classes = Literal["any", "relevant in a split", "both in a split", "both in a unit"]
"""The targets that a metric needs: any; in each split some that are not 0; or also some that are 0,
in the split or in at least one unit of it."""

TruthForm = Literal["number", "class", "text", "any"]
"""The form of truth that a metric compares with: `number`, a column of numbers; `class`, one of
labels or, for several columns of answers, labels that name one of these columns, or a 1 in one of
them; `text`, a column of text."""


@dataclass(frozen=True)
class RowMeasure:
    """The result of a metric over the rows of a submission.

    `values` by split, exact as a fraction (of the float64 where it is computed as one). `moves`:
    for each row of `TargetRows.units` the influence of that unit on the value of its split,
    Float64; they add up to 0 in each split. None where it is unknown, and there is no standard
    error. `notes` are counts by name and split that help to interpret the value.
    """

    values: Mapping[int, Fraction]
    moves: pl.Series | None
    notes: Mapping[str, Mapping[int, int]] = field(default_factory=dict)


@dataclass(frozen=True)
class OfSplit:
    """The result of a metric over the rows of one split: `moves` are those of each row, in their
    order."""

    value: Fraction
    moves: pl.Series | None
    notes: Mapping[str, int] = field(default_factory=dict)


MEAN = "_mean"
"""The suffix of ids of means over columns."""


@dataclass(frozen=True)
class RowMetric(Metric):
    """A metric of the numbers of pairs, or of the columns of a table."""

    is_column_mean: bool = field(default=False, kw_only=True)
    """True where the value is the plain mean of those of each column of a table."""

    classes: ClassVar[Classes] = "any"
    truth_form: ClassVar[TruthForm] = "number"
    takes_weights: ClassVar[bool] = True
    types_of_one: ClassVar[tuple[ColumnType, ...]] = COLUMN_TYPES
    """The types that a single column of answers may have; empty for a metric of several columns."""
    types_of_several: ClassVar[tuple[ColumnType, ...]] = ()
    """The types that each of several columns may have; empty for a metric of one column."""
    takes_missing: ClassVar[bool] = False
    """True where a missing value is valid: an empty text, or an empty mask."""
    least_answer: ClassVar[float | None] = None
    """The lower bound of valid answers; None where there is none."""
    tasks: ClassVar[tuple[str, ...]] = ()
    """The kinds of task that the metric of an add-on supports; those of built-in ones are in
    `rows`."""
    companions: ClassVar[tuple[str, ...]] = ()
    """Names of further columns of the solution that belong to the truth if they exist."""

    @classmethod
    def made(cls, parameter: str | None) -> Self:
        """Creates the metric with the parameter after the @ of its id. Raises ValueError."""
        if parameter is not None:
            raise ValueError(f"{cls.key} has nothing behind an @")
        return cls()

    def over_columns(self) -> Self:
        """Derives the mean over columns of this metric. Raises ValueError where it does not look at
        one column."""
        if self.is_column_mean or not self.types_of_one:
            raise ValueError(f"{self.id} looks at several columns itself")
        return replace(self, is_column_mean=True)

    @property
    def id(self) -> str:
        """The name, marked where it is a mean over columns."""
        return self.name + MEAN if self.is_column_mean else self.name

    @property
    def formula_in_full(self) -> str:
        """The formula with the parameters of this metric, and the mean over columns."""
        formula = super().formula_in_full
        return f"mean over columns of: {formula}" if self.is_column_mean else formula

    def answer_type(self, truth: pl.Series) -> ColumnType:
        """Chooses the type of a column of answers to these values of the truth, where no settings
        define one: the first supported one. For labels 0 and 1 probabilities are possible, too."""
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
        """Explains why columns with this description cannot be its answers; None where they can."""
        is_of_one = len(columns) == 1 or self.is_column_mean
        types = self.types_of_one if is_of_one else self.types_of_several
        if not types:
            words = "several columns" if is_of_one else f"{ONE}, or take {self.over_columns().id}"
            return f"{self.id} looks at {words}"
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
        """Explains why the metric has no value for a split with this truth, whatever the answers;
        None where it has one. Called when a solution is loaded, with the answers of a perfect
        submission."""
        if rows.count == 0:
            return "there is no row"
        if rows.weights is not None and not self.takes_weights:
            return f"{self.id} has no weights"
        has_missing = any(column.null_count() for column in rows.truth.get_columns())
        if has_missing and not self.takes_missing:
            return f"{self.id} needs a truth in each row, and some are missing"
        return self._lack_of_columns(rows) if self.is_column_mean else self.lack(rows)

    def _lack_of_columns(self, rows: TargetRows) -> str | None:
        """Explains problems of the first column whose truth has some."""
        names = rows.answers.columns
        if len(names) > 1 and not set(names) <= set(rows.truth.columns):
            return NO_COLUMN
        for part in by_column(rows, self.companions):
            lack = self.lack(part)
            if lack is not None:
                return f"{part.answers.columns[0]}: {lack}"
        return None

    def lack(self, rows: TargetRows) -> str | None:
        """Explains further problems of the truth of a split: for `refusal` alone."""
        return None

    def measure(self, rows: TargetRows) -> RowMeasure:
        """Computes the values, and the influence of units; where rows have groups, the plain means
        of those in each. Requires that `unsuited` and `refusal` accept the rows."""
        if rows.groups is not None:
            return _mean(map(self.measure_part, rows.parts))
        if self.is_column_mean:
            return mean_over_columns(map(self.measure_part, by_column(rows, self.companions)))
        return self.measure_part(rows)

    @abstractmethod
    def measure_part(self, rows: TargetRows) -> RowMeasure:
        """Computes the same for rows without groups."""

    def example_value(self, truth: Any, answers: Any, weights: Any = None) -> float:  # noqa: ANN401 - columns
        """Computes the value over rows of one split: for notebooks and examples."""
        [value] = self.measure(rows_of(truth, answers, weights)).values.values()
        return float(value)


class SplitMetric(RowMetric):
    """A metric that is computed split by split."""

    def measure_part(self, rows: TargetRows) -> RowMeasure:
        """Computes the values of all splits together."""
        return split_by_split(self.of_split, rows)

    @abstractmethod
    def of_split(self, rows: TargetRows) -> OfSplit:
        """Computes the value of the only split, and the influence of its rows."""


def split_by_split(of_split: Callable[[TargetRows], OfSplit], rows: TargetRows) -> RowMeasure:
    """Applies a function of one split to all splits."""
    parts = [rows.of_split(split) for split in rows.splits]
    found = [of_split(part) for part in parts]
    moves = [
        (part.slots, each.moves)
        for part, each in zip(parts, found, strict=True)
        if each.moves is not None
    ]
    notes: dict[str, dict[int, int]] = {}
    for split, each in zip(rows.splits, found, strict=True):
        for name, count in each.notes.items():
            notes.setdefault(name, {})[split] = count
    return RowMeasure(
        {split: each.value for split, each in zip(rows.splits, found, strict=True)},
        sums_by_slot(moves, size=rows.units.height) if len(moves) == len(parts) else None,
        notes,
    )


@dataclass(frozen=True)
class WithHundredths(RowMetric):
    """A metric with a number between 0 and 1, in hundredths after its name; 0.5 by default."""

    hundredths: int = 50
    """The number in hundredths, 1 to 99."""
    hundredths_word: ClassVar[str]
    """The word for the number in messages."""

    def __post_init__(self) -> None:
        """Refuses numbers out of range."""
        if not 1 <= self.hundredths <= 99:
            raise ValueError(f"{self.key} needs a {self.hundredths_word} in hundredths, 01 to 99")

    @property
    def name(self) -> str:
        """The name, with its number where that is not 0.5."""
        return self.key if self.hundredths == 50 else f"{self.key}_{self.hundredths:02}"


def by_column(rows: TargetRows, companions: Sequence[str] = ()) -> Iterator[TargetRows]:
    """Yields the rows of each column of answers with the column of the truth of its name, or the
    first one where only one is answered, and the companions of a metric."""
    names, known = rows.answers.columns, rows.truth.columns
    truths = known[:1] if len(names) == 1 else names
    for truth, name in zip(truths, names, strict=True):
        beside = [each for each in companions if each in known and each != truth]
        own = rows.truth.select(truth, *beside)
        yield replace(rows, truth=own, answers=rows.answers.select(name))


def mean_over_columns(parts: Iterable[RowMeasure]) -> RowMeasure:
    """Averages the results of columns with equal weights, values rounded once."""
    found = _mean(parts)
    values = {split: Fraction(float(value)) for split, value in found.values.items()}
    return replace(found, values=values)


def _mean(parts: Iterable[RowMeasure]) -> RowMeasure:
    """Averages results with equal weights, one after the other, as there may be many."""
    each = iter(parts)
    total, count = next(each), 1
    for part in each:
        total, count = _sum(total, part), count + 1
    values = {split: value / count for split, value in total.values.items()}
    moves = None if total.moves is None else total.moves / count
    return RowMeasure(values, moves, total.notes)


def _sum(one: RowMeasure, other: RowMeasure) -> RowMeasure:
    are_known = one.moves is not None and other.moves is not None
    return RowMeasure(
        {split: value + other.values[split] for split, value in one.values.items()},
        one.moves + other.moves if are_known else None,  # type: ignore[operator]
        {
            name: {split: count + other.notes[name][split] for split, count in counts.items()}
            for name, counts in one.notes.items()
        },
    )


def _is_within(column: TableColumn, least: float, largest: float) -> bool:
    """True where the description of a column restricts its numbers to this range."""
    if column.type == "boolean":
        return True
    above = column.minimum is not None and column.minimum >= least
    return above and (
        largest == math.inf or (column.maximum is not None and column.maximum <= largest)
    )


ONE = "one column: make each column an objective"

NO_COLUMN = "the solution needs a column for each column of answers, with its name"
