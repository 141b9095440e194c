"""Converts truths and answers to the forms that metrics need: numbers, texts, labels, and
probabilities of classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import polars as pl

from podium.scoring.columns import ColumnType
from podium.scoring.metrics.rows.base import NO_COLUMN, RowMetric, TruthForm
from podium.scoring.metrics.rows.targets import TargetRows, number_of
from podium.scoring.repeating import repeat

NUMBERS: tuple[ColumnType, ...] = ("number", "integer", "boolean")

LABELS: tuple[ColumnType, ...] = ("integer", "category", "text", "boolean", "number")

TEXTS: tuple[ColumnType, ...] = ("text", "category")


@dataclass(frozen=True)
class BinaryMetric(RowMetric):
    """A metric of one column of numbers with two classes: rows are positive or negative."""

    truth_form: ClassVar[TruthForm] = "class"
    types_of_one: ClassVar[tuple[ColumnType, ...]] = NUMBERS

    def lack(self, rows: TargetRows) -> str | None:
        """Refuses truths that are not two classes, or all of one where both are needed."""
        return lack_of_binary(rows) if self.classes == "any" else lack_of_one_class(rows)


def texts_of(rows: TargetRows) -> tuple[list[str], list[str]]:
    """Converts the first columns of the truth and of the answers to texts; a missing one is
    empty."""
    both = (rows.truth.to_series(), rows.answers.to_series())
    truth, answers = (each.cast(pl.String).fill_null("").to_list() for each in both)
    return truth, answers


def is_numeric(column: pl.Series) -> bool:
    """True for columns of numbers, and of booleans."""
    return column.dtype.is_numeric() or column.dtype == pl.Boolean


def lack_of_numbers(rows: TargetRows) -> str | None:
    """Explains why the truth does not have a column of numbers for each column of answers; None
    where it does."""
    if any(not is_numeric(column) for column in rows.truth.get_columns()):
        return "the truth is not a number in each row"
    if rows.truth.width < rows.answers.width:
        return NO_COLUMN
    return None


def lack_of_binary(rows: TargetRows) -> str | None:
    """Explains why a truth is not of two classes, 0 and above; None where it is."""
    lack = lack_of_numbers(rows)
    if lack is None and any(column.min() < 0 for column in rows.truth.get_columns()):  # type: ignore[operator]
        return "a truth below 0 is neither 0 nor 1"
    return lack


def lack_of_one_class(rows: TargetRows) -> str | None:
    """Explains why a truth does not have both classes; None where it does."""
    lack = lack_of_binary(rows)
    if lack is None and (not rows.positive.any() or rows.positive.all()):
        return "all rows are of one class"
    return lack


@dataclass(frozen=True)
class LabelledRows:
    """The label of the truth and of the answer for each row, as numbers below `count`, UInt32.

    One column of answers holds the label, or, where it is a number, the probability that the truth
    is 1: from 0.5 on the label is 1, else 0. With several columns the label is the name of the one
    with the largest number, the first of equal ones.
    """

    truth: pl.Series
    answers: pl.Series
    count: int

    @classmethod
    def of(cls, rows: TargetRows) -> LabelledRows:
        """Finds the labels of rows that `lack_of_labels` accepts."""
        if rows.answers.width > 1:
            given = [number_of(column) for column in rows.answers.get_columns()]
            return cls(true_class(rows), _largest(given), len(given))
        truth, answers = label_texts(rows.truth.to_series(), rows.answers.to_series())
        names = pl.concat([truth, answers]).unique().sort()
        return cls(_places(truth, names), _places(answers, names), len(names))

    @property
    def right(self) -> pl.Series:
        """1 where the answer equals the truth, else 0, Float64."""
        return (self.truth == self.answers).cast(pl.Float64)


def label_texts(truth: pl.Series, answers: pl.Series) -> tuple[pl.Series, pl.Series]:
    """Converts both to texts that are equal where the labels are: `true` equals 1, and 1.0 equals
    1."""
    if answers.dtype == pl.Float64:
        answers = answers >= 0.5
    if truth.dtype == pl.Boolean and answers.dtype == pl.String:
        return truth.cast(pl.String), answers.str.to_lowercase()
    return label_text(truth), label_text(answers)


def label_text(column: pl.Series) -> pl.Series:
    """Converts labels to texts: whole numbers without a point, true and false as 1 and 0."""
    if column.dtype == pl.Boolean or column.dtype.is_float():
        whole = column.cast(pl.Int64, strict=False)
        if whole.null_count() == column.null_count() and (whole.cast(column.dtype) == column).all():
            column = whole
    return column.cast(pl.String)


def lack_of_labels(rows: TargetRows, *, least: int = 1) -> str | None:
    """Explains why a truth does not name classes, or fewer than `least` distinct ones; None where
    it does."""
    if rows.answers.width > 1:
        lack = lack_of_classes(rows)
    else:
        truth, answers = rows.truth.to_series(), rows.answers.to_series()
        is_number = answers.dtype in (pl.Float64, pl.Boolean)
        names = {"0", "1"} if is_number else set(label_text(truth))
        others = set(label_text(truth)) - names
        lack = f"{min(others)} is neither 0 nor 1" if others else None
    if lack is None and least > 1:
        classes = true_class(rows) if rows.answers.width > 1 else rows.truth.to_series()
        if classes.n_unique() < least:
            return "all rows have the same truth"
    return lack


def true_class(rows: TargetRows) -> pl.Series:
    """Finds for each row the index of the true column of answers, UInt32: the one that the truth
    names, or the one in which it has a 1."""
    columns = rows.answers.columns
    if rows.truth.width == 1:
        return _places(label_text(rows.truth.to_series()), columns)
    ones = (rows.truth[name].cast(pl.Float64) for name in columns)
    places = (place * one for place, one in enumerate(ones))
    return (
        pl.DataFrame({str(n): each for n, each in enumerate(places)})
        .sum_horizontal()
        .cast(pl.UInt32)
    )


def lack_of_classes(rows: TargetRows) -> str | None:
    """Explains why a truth does not determine one true column of answers; None where it does."""
    if rows.truth.width == 1:
        others = set(label_text(rows.truth.to_series())) - set(rows.answers.columns)
        return f"the truth {min(others)} names no column of answers" if others else None
    lack = lack_of_ones(rows)
    if lack is None and (rows.truth.cast(pl.Float64).sum_horizontal() != 1.0).any():
        return "a row needs a 1 in one column of the truth"
    return lack


def lack_of_ones(rows: TargetRows) -> str | None:
    """Explains why several columns of the truth are not of 0 and 1; None where they are."""
    lack = lack_of_numbers(rows)
    if lack is not None:
        return lack
    columns = (column.cast(pl.Float64) for column in rows.truth.get_columns())
    if any(not column.is_in([0.0, 1.0]).all() for column in columns):
        return "several columns of the truth have 0 and 1 alone"
    return None


def _places(texts: pl.Series, names: Sequence[str] | pl.Series) -> pl.Series:
    return texts.cast(pl.Enum(names)).to_physical().cast(pl.UInt32)


def _largest(columns: list[pl.Series]) -> pl.Series:
    best, place = columns[0], repeat(0, len(columns[0]), pl.UInt32)
    for number, column in enumerate(columns[1:], 1):
        is_better = column > best
        best = column.zip_with(is_better, best)
        place = place.set(is_better, number)
    return place
