"""Areas under the ROC curve, and under that of precision by recall, of one column or of several.

Without weights they are those of scored pairs; weights are added up at each different number.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar

import polars as pl

from podium.scoring.metrics.pairs.areas import AreaUnderCurve
from podium.scoring.metrics.pairs.precision import AveragePrecisionOfPairs
from podium.scoring.metrics.tables.adding import exact_sum, mean_of, whole_weights
from podium.scoring.metrics.tables.base import TableMeasure, TableMetric, TargetRows, TruthForm
from podium.scoring.metrics.tables.forms import (
    NUMBERS,
    lack_of_classes,
    lack_of_ones,
    numbers_of,
    true_class,
)
from podium.scoring.metrics.tables.pairs import lack_of_one_class, measure_pairs
from podium.scoring.tables.columns import ColumnType


@dataclass(frozen=True)
class _Steps:
    """The different numbers of weighted rows, falling: `positive` and `negative` are the weights of
    both classes at each (Float64), with `more` before the name at higher ones; `place` is the step
    of each row."""

    table: pl.DataFrame
    place: pl.Series
    is_positive: pl.Series
    weights: pl.Series

    @classmethod
    def of(cls, rows: TargetRows) -> _Steps:
        truth, answers = numbers_of(rows)
        weights, is_positive = whole_weights(rows), truth > 0
        place = (-answers).rank("dense").cast(pl.UInt32) - 1
        positive = weights * is_positive.cast(pl.Int64)
        by_class = {"positive": positive, "negative": weights - positive}
        sums = pl.DataFrame({"place": place, **by_class}).group_by("place").sum().sort("place")
        both = pl.col("positive", "negative")
        more = (both.cum_sum() - both).name.prefix("more_")
        table = sums.with_columns(more).cast(pl.Float64)
        return cls(table, place, is_positive, weights.cast(pl.Float64))

    def moves(self, of_positive: pl.Series, of_negative: pl.Series) -> pl.Series:
        """The influence of each row by that of its class at its step, per weight."""
        of_rows = (each.gather(self.place) for each in (of_positive, of_negative))
        positive, negative = of_rows
        return self.weights * positive.zip_with(self.is_positive, negative)


def _weighted_area(rows: TargetRows) -> TableMeasure:
    """The area under the ROC curve, by weight: a row moves it by w (share of the other class that
    it is right about − value) / weights of its class."""
    steps = _Steps.of(rows)
    positive, negative, more_p, more_n = steps.table.drop("place").get_columns()
    all_p, all_n = float(positive.sum()), float(negative.sum())
    beaten = (all_n - more_n - negative / 2) / all_n
    value = float(exact_sum(positive * beaten) / Fraction(all_p))
    above = (more_p + positive / 2) / all_p
    moves = steps.moves((beaten - value) / all_p, (above - value) / all_n)
    return TableMeasure(Fraction(value), moves)


def _weighted_precision(rows: TargetRows) -> TableMeasure:
    """Average precision, by weight. A row of a class y is a part of the precision T of its step and
    of all lower ones, with weights M: it moves it by w (y (T of its step − value) +
    Σ positives (y − T) / M) / all positives."""
    steps = _Steps.of(rows)
    positive, negative, more_p, more_n = steps.table.drop("place").get_columns()
    size = positive + negative + more_p + more_n
    precision, total = (positive + more_p) / size, float(positive.sum())
    value = float(exact_sum(positive * precision) / Fraction(total))
    after, after_hits = (
        each.reverse().cum_sum().reverse()
        for each in (positive / size, positive * precision / size)
    )
    of_positive = precision - value + after - after_hits
    return TableMeasure(Fraction(value), steps.moves(of_positive / total, -after_hits / total))


@dataclass(frozen=True)
class CurveArea(TableMetric):
    """An area of one column of numbers, which mean nothing but an order."""

    truth_form: ClassVar[TruthForm] = "class"
    is_bounded: ClassVar[bool] = True
    upper_bound: ClassVar[int | None] = 1
    types_of_one: ClassVar[tuple[ColumnType, ...]] = NUMBERS

    def lack(self, rows: TargetRows) -> str | None:
        """Truths of one class."""
        return lack_of_one_class(rows)


class RocArea(CurveArea):
    """The share of all combinations of a positive and a negative row in which the positive one
    scores higher, ties half: the area under the ROC curve.

    With weights, a combination counts the product of both. The standard error is that of DeLong,
    DeLong & Clarke-Pearson 1988. Source: Hanley & McNeil 1982; scikit-learn's `roc_auc_score`.

    Positives score 0.8 and 0.4, negatives 0.4 and 0.1: (1 + 1 + 1/2 + 1) / 4 = 0.875.

    >>> truth = pl.DataFrame({"y": [1, 1, 0, 0]})
    >>> rows = TargetRows(truth, pl.DataFrame({"y": [0.8, 0.4, 0.4, 0.1]}))
    >>> float(RocArea().measure(rows).value)
    0.875
    """

    key: ClassVar[str] = "auc"
    formula: ClassVar[str] = (
        "share of combinations of a positive and a negative row in which the positive one scores"
        " higher, ties half"
    )
    source: ClassVar[str] = "Hanley & McNeil 1982; scikit-learn roc_auc_score"

    def measure(self, rows: TargetRows) -> TableMeasure:
        """The value."""
        return area_of(rows)


def area_of(rows: TargetRows) -> TableMeasure:
    """The area under the ROC curve of one column."""
    if rows.weights is not None:
        return _weighted_area(rows)
    return measure_pairs(AreaUnderCurve(), rows)


class PrecisionOfTables(CurveArea):
    """Σ (R_n − R_(n − 1)) · P_n over the different scores, the highest first: precision and recall
    of all rows with at least this score, in steps and without interpolation.

    Tied rows are one step. Source: scikit-learn's `average_precision_score`.

    Positives score 0.8 and 0.4, negatives 0.4 and 0.1: 1/2 · 1 + 1/2 · 2/3 = 0.833.

    >>> truth = pl.DataFrame({"y": [1, 1, 0, 0]})
    >>> rows = TargetRows(truth, pl.DataFrame({"y": [0.8, 0.4, 0.4, 0.1]}))
    >>> round(float(PrecisionOfTables().measure(rows).value), 3)
    0.833
    """

    key: ClassVar[str] = "average_precision"
    formula: ClassVar[str] = AveragePrecisionOfPairs.formula.replace("pairs", "rows")
    source: ClassVar[str] = "scikit-learn average_precision_score"

    def measure(self, rows: TargetRows) -> TableMeasure:
        """The value."""
        if rows.weights is not None:
            return _weighted_precision(rows)
        return measure_pairs(AveragePrecisionOfPairs(), rows)


@dataclass(frozen=True)
class AreaOfColumns(CurveArea):
    """A mean over columns of the area under the ROC curve of each."""

    types_of_one: ClassVar[tuple[ColumnType, ...]] = ()
    types_of_several: ClassVar[tuple[ColumnType, ...]] = NUMBERS

    def lack(self, rows: TargetRows) -> str | None:
        """Truths without a class for each column, or columns of one class."""
        lack = self.lack_of_truth(rows)
        if lack is not None:
            return lack
        for name, part in zip(rows.answers.columns, columns_of(rows), strict=True):
            lack = lack_of_one_class(part)
            if lack is not None:
                return f"{name}: {lack}"
        return None

    def lack_of_truth(self, rows: TargetRows) -> str | None:
        """Truths of another form."""
        return lack_of_classes(rows)

    def measure(self, rows: TargetRows) -> TableMeasure:
        """The value; a row moves it by the mean of what it moves each column."""
        parts = columns_of(rows)
        return self.mean([area_of(part) for part in parts], parts)

    @abstractmethod
    def mean(self, areas: list[TableMeasure], parts: list[TargetRows]) -> TableMeasure:
        """The mean of the columns' areas."""


def columns_of(rows: TargetRows) -> list[TargetRows]:
    """Each column of answers beside whether it is the true one, 0 or 1."""
    names = rows.answers.columns
    if rows.truth.width == 1:
        true = true_class(rows)
        truths = [(true == n).cast(pl.Float64).alias(name) for n, name in enumerate(names)]
    else:
        truths = [rows.truth[name].cast(pl.Float64) for name in names]
    return [
        replace(rows, truth=truth.to_frame(), answers=rows.answers.select(name))
        for truth, name in zip(truths, names, strict=True)
    ]


class MeanColumnArea(AreaOfColumns):
    """The plain mean over columns of the area under the ROC curve of each.

    A row may have a 1 in several columns of the truth, or in none. Source: Kaggle's mean
    column-wise AUC; scikit-learn's `roc_auc_score` of several labels.

    Column a has the area 1, and column b, where all score the same, 1/2.

    >>> truth = pl.DataFrame({"a": [1, 0], "b": [1, 0]})
    >>> answers = pl.DataFrame({"a": [0.9, 0.1], "b": [0.5, 0.5]})
    >>> float(MeanColumnArea().measure(TargetRows(truth, answers)).value)
    0.75
    """

    key: ClassVar[str] = "auc_mean"
    formula: ClassVar[str] = "mean over columns of the auc of each"
    source: ClassVar[str] = "scikit-learn roc_auc_score of several labels"

    def lack_of_truth(self, rows: TargetRows) -> str | None:
        """Truths that are neither labels nor of 0 and 1."""
        return lack_of_classes(rows) if rows.truth.width == 1 else lack_of_ones(rows)

    def mean(self, areas: list[TableMeasure], parts: list[TargetRows]) -> TableMeasure:
        """All columns count alike."""
        value = sum((area.value for area in areas), Fraction(0)) / len(areas)
        moves = [area.moves for area in areas if area.moves is not None]
        return TableMeasure(Fraction(float(value)), _total(moves) / float(len(areas)))


class MacroArea(MeanColumnArea):
    """The plain mean over classes of the area under the ROC curve of each class against all others.

    Each row is of one class. Numbers need not add up to 1. Source: Provost & Domingos 2000;
    scikit-learn's `roc_auc_score` with `multi_class="ovr"` and `average="macro"`.

    Classes a and b of two rows, in the right order for a, tied for b: (1 + 1/2) / 2.

    >>> answers = pl.DataFrame({"a": [0.9, 0.1], "b": [0.5, 0.5]})
    >>> rows = TargetRows(pl.DataFrame({"y": ["a", "b"]}), answers)
    >>> float(MacroArea().measure(rows).value)
    0.75
    """

    key: ClassVar[str] = "auc_ovr_macro"
    formula: ClassVar[str] = "mean over classes of the auc of each against all others"
    source: ClassVar[str] = "scikit-learn roc_auc_score, ovr, macro"

    def lack_of_truth(self, rows: TargetRows) -> str | None:
        """Truths that are not one class for each row."""
        return lack_of_classes(rows)


class WeightedMeanOfAreas(AreaOfColumns):
    """The mean over classes of the area under the ROC curve of each class against all others,
    weighed by the class's share of the truth.

    Source: Provost & Domingos 2000; scikit-learn's `roc_auc_score` with `multi_class="ovr"` and
    `average="weighted"`.

    Two rows of a and one of b; in the right order for a, tied for b: 2/3 · 1 + 1/3 · 1/2.

    >>> answers = pl.DataFrame({"a": [0.9, 0.8, 0.1], "b": [0.5, 0.5, 0.5]})
    >>> rows = TargetRows(pl.DataFrame({"y": ["a", "a", "b"]}), answers)
    >>> round(float(WeightedMeanOfAreas().measure(rows).value), 4)
    0.8333
    """

    key: ClassVar[str] = "auc_ovr_weighted"
    formula: ClassVar[str] = (
        "mean over classes of the auc of each against all others, weighed by their rows"
    )
    source: ClassVar[str] = "scikit-learn roc_auc_score, ovr, weighted"

    def mean(self, areas: list[TableMeasure], parts: list[TargetRows]) -> TableMeasure:
        """A row moves the areas, and adds to the weight of its class."""
        shares = [mean_of(part.truth.to_series(), part) for part in parts]
        value = sum(
            (Fraction(share.value) * area.value for share, area in zip(shares, areas, strict=True)),
            Fraction(0),
        )
        moves = [
            share.value * area.moves + float(area.value) * share.moves
            for share, area in zip(shares, areas, strict=True)
            if area.moves is not None
        ]
        return TableMeasure(Fraction(float(value)), _total(moves))


def _total(columns: list[pl.Series]) -> pl.Series:
    return pl.DataFrame({str(n): each for n, each in enumerate(columns)}).sum_horizontal()


AREAS: tuple[type[TableMetric], ...] = (
    RocArea,
    MeanColumnArea,
    MacroArea,
    WeightedMeanOfAreas,
    PrecisionOfTables,
)
"""The metrics of this family."""
