"""Errors of predicted numbers: means over rows of a loss, functions of such a mean, and R².

A new one is a subclass of `ErrorOfTables` with `losses` and, where the mean of the losses is not
yet the value, `of_mean` and `slope`.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import polars as pl

from podium.scoring.metrics.pairs.errors import (
    ErrorMetric,
    MeanAbsoluteError,
    RootMeanSquaredError,
)
from podium.scoring.metrics.tables.adding import exact_sum, mean_of
from podium.scoring.metrics.tables.base import TableMeasure, TableMetric, TargetRows
from podium.scoring.metrics.tables.forms import NUMBERS, lack_of_numbers, number_of, numbers_of
from podium.scoring.tables.columns import ColumnType

_EPSILON = 2.0**-52

_MOST = Fraction(10) ** 300
"""A ratio counts as this where it is more, so that it is finite."""


@dataclass(frozen=True)
class ErrorOfTables(TableMetric):
    """A metric of predicted numbers. Less is better, and 0 is perfect."""

    higher_is_better: ClassVar[bool] = False
    types_of_one: ClassVar[tuple[ColumnType, ...]] = NUMBERS

    @abstractmethod
    def losses(self, truth: pl.Series, answers: pl.Series) -> pl.Series:
        """The loss of each row, at least 0."""

    def of_mean(self, mean: float) -> float:
        """The value for the mean of the losses."""
        return mean

    def slope(self, value: float) -> float:
        """The derivative of the value by the mean; `value` is above 0."""
        return 1.0

    def lack(self, rows: TargetRows) -> str | None:
        """Truths that are no numbers."""
        return lack_of_numbers(rows)

    def measure(self, rows: TargetRows) -> TableMeasure:
        """The value; a row moves it by slope · w (loss − mean) / Σ w."""
        return self._of(*numbers_of(rows), rows)

    def _of(self, truth: pl.Series, answers: pl.Series, rows: TargetRows) -> TableMeasure:
        mean = mean_of(self.losses(truth, answers), rows)
        value = self.of_mean(mean.value)
        return TableMeasure(Fraction(value), (self.slope(value) if value else 0.0) * mean.moves)


class ErrorOfPairs(ErrorOfTables):
    """An error that scored pairs have, too: its losses are theirs."""

    pair: ClassVar[ErrorMetric]

    def losses(self, truth: pl.Series, answers: pl.Series) -> pl.Series:
        """The losses of pairs."""
        return self.pair.terms(answers, truth)

    def of_mean(self, mean: float) -> float:
        """As for pairs."""
        return self.pair.of_mean(mean)

    def slope(self, value: float) -> float:
        """As for pairs."""
        return self.pair.slope(value)


class AbsoluteErrorOfTables(ErrorOfPairs):
    """Σ w |prediction − truth| / Σ w.

    Source: Willmott & Matsuura 2005; scikit-learn's `mean_absolute_error`.

    Truths 3 and 5, predicted as 4 and 2: (1 + 3) / 2 = 2.

    >>> AbsoluteErrorOfTables().losses(pl.Series([3.0, 5.0]), pl.Series([4.0, 2.0])).mean()
    2.0
    """

    key: ClassVar[str] = "mae"
    formula: ClassVar[str] = "mean of |prediction - truth| over all rows"
    source: ClassVar[str] = "Willmott & Matsuura 2005; scikit-learn mean_absolute_error"
    pair: ClassVar[ErrorMetric] = MeanAbsoluteError()


class MeanSquaredError(ErrorOfTables):
    """Σ w (prediction − truth)² / Σ w.

    Source: scikit-learn's `mean_squared_error`.

    Truths 3 and 5, predicted as 4 and 2: (1 + 9) / 2 = 5.

    >>> MeanSquaredError().losses(pl.Series([3.0, 5.0]), pl.Series([4.0, 2.0])).mean()
    5.0
    """

    key: ClassVar[str] = "mse"
    formula: ClassVar[str] = "mean of (prediction - truth)^2 over all rows"
    source: ClassVar[str] = "scikit-learn mean_squared_error"

    def losses(self, truth: pl.Series, answers: pl.Series) -> pl.Series:
        """The squared errors."""
        return RootMeanSquaredError().terms(answers, truth)


class RootErrorOfTables(ErrorOfPairs):
    """√(Σ w (prediction − truth)² / Σ w).

    Source: the Netflix Prize (Bennett & Lanning 2007); scikit-learn's `root_mean_squared_error`.

    Truths 3 and 5, predicted as 4 and 2: √((1 + 9) / 2) = √5.

    >>> metric = RootErrorOfTables()
    >>> metric.of_mean(metric.losses(pl.Series([3.0, 5.0]), pl.Series([4.0, 2.0])).mean())
    2.23606797749979
    """

    key: ClassVar[str] = "rmse"
    formula: ClassVar[str] = "square root of the mean of (prediction - truth)^2 over all rows"
    source: ClassVar[str] = "Bennett & Lanning 2007; scikit-learn root_mean_squared_error"
    pair: ClassVar[ErrorMetric] = RootMeanSquaredError()


class RootLogError(RootErrorOfTables):
    """√(Σ w (ln(1 + prediction) − ln(1 + truth))² / Σ w).

    Truths and predictions are at least 0. Source: scikit-learn's `root_mean_squared_log_error`;
    many of Kaggle's sales and demand forecasts.

    Truths 0 and 1, predicted as 1 and 3: both errors are ln 2 = 0.693.

    >>> metric = RootLogError()
    >>> losses = metric.losses(pl.Series([0.0, 1.0]), pl.Series([1.0, 3.0]))
    >>> round(metric.of_mean(losses.mean()), 3)
    0.693
    """

    key: ClassVar[str] = "rmsle"
    formula: ClassVar[str] = (
        "square root of the mean of (ln(1 + prediction) - ln(1 + truth))^2 over all rows"
    )
    source: ClassVar[str] = "scikit-learn root_mean_squared_log_error"
    least_answer: ClassVar[float | None] = 0.0

    def losses(self, truth: pl.Series, answers: pl.Series) -> pl.Series:
        """The squared errors of the logarithms."""
        return super().losses(truth.log1p(), answers.log1p())

    def lack(self, rows: TargetRows) -> str | None:
        """Truths below 0."""
        lack = lack_of_numbers(rows)
        return lack or ("a truth is below 0" if numbers_of(rows)[0].min() < 0 else None)  # type: ignore[operator]


class ColumnwiseRootError(RootErrorOfTables):
    """The mean over columns of the root mean squared error of each.

    Source: scikit-learn's `root_mean_squared_error` of several outputs; Kaggle's MCRMSE.

    A column with errors of 1 and one with errors of 3: (1 + 3) / 2 = 2.

    >>> truth = pl.DataFrame({"a": [0.0, 0.0], "b": [0.0, 0.0]})
    >>> answers = pl.DataFrame({"a": [1.0, -1.0], "b": [3.0, 3.0]})
    >>> float(ColumnwiseRootError().measure(TargetRows(truth, answers)).value)
    2.0
    """

    key: ClassVar[str] = "mcrmse"
    formula: ClassVar[str] = "mean over columns of the square root of mean (prediction - truth)^2"
    source: ClassVar[str] = "scikit-learn root_mean_squared_error; Kaggle MCRMSE"
    types_of_several: ClassVar[tuple[ColumnType, ...]] = NUMBERS

    def measure(self, rows: TargetRows) -> TableMeasure:
        """The mean of the columns' values, which a row moves by the mean of what it moves each."""
        names = rows.answers.columns
        truths = [rows.truth.to_series()] if len(names) == 1 else [rows.truth[n] for n in names]
        parts = [
            self._of(number_of(truth), number_of(rows.answers[name]), rows)
            for truth, name in zip(truths, names, strict=True)
        ]
        return mean_of_measures(parts)


def mean_of_measures(parts: list[TableMeasure]) -> TableMeasure:
    """The mean of some values, and of what moves them."""
    value = sum((part.value for part in parts), Fraction(0)) / len(parts)
    moves = pl.DataFrame({str(n): part.moves for n, part in enumerate(parts)}).sum_horizontal()
    return TableMeasure(Fraction(float(value)), moves / float(len(parts)))


class PercentageError(ErrorOfTables):
    """Σ w |prediction − truth| / |truth| / Σ w, a share and not in per cent.

    No truth is 0. Source: scikit-learn's `mean_absolute_percentage_error`.

    Truths 2 and 4, predicted as 3 and 3: (1/2 + 1/4) / 2 = 0.375.

    >>> PercentageError().losses(pl.Series([2.0, 4.0]), pl.Series([3.0, 3.0])).mean()
    0.375
    """

    key: ClassVar[str] = "mape"
    formula: ClassVar[str] = "mean of |prediction - truth| / |truth| over all rows"
    source: ClassVar[str] = "scikit-learn mean_absolute_percentage_error"

    def losses(self, truth: pl.Series, answers: pl.Series) -> pl.Series:
        """The shares; a truth nearer to 0 than 2**-52 counts as that."""
        return (answers - truth).abs() / truth.abs().clip(_EPSILON)

    def lack(self, rows: TargetRows) -> str | None:
        """Truths that are 0."""
        lack = lack_of_numbers(rows)
        return lack or ("a truth is 0" if (numbers_of(rows)[0] == 0).any() else None)


class SymmetricPercentageError(ErrorOfTables):
    """Σ w · 2 |prediction − truth| / (|prediction| + |truth|) / Σ w: a share from 0 to 2.

    A row whose truth and prediction are 0 has no error. Kaggle shows 100 times this. Source:
    Makridakis & Hibon, The M3-Competition, 2000; Kaggle's Web Traffic Time Series 2017.

    Truths 1 and 0, predicted as 3 and 0: (2 · 2 / 4 + 0) / 2 = 0.5.

    >>> SymmetricPercentageError().losses(pl.Series([1.0, 0.0]), pl.Series([3.0, 0.0])).mean()
    0.5
    """

    key: ClassVar[str] = "smape"
    formula: ClassVar[str] = (
        "mean of 2 |prediction - truth| / (|prediction| + |truth|) over all rows; 0 where both"
        " are 0"
    )
    source: ClassVar[str] = "Makridakis & Hibon 2000"
    upper_bound: ClassVar[int | None] = 2

    def losses(self, truth: pl.Series, answers: pl.Series) -> pl.Series:
        """The shares."""
        return (2.0 * (answers - truth).abs() / (answers.abs() + truth.abs())).fill_nan(0.0)


@dataclass(frozen=True)
class PinballLoss(ErrorOfTables):
    """Mean of q (truth − prediction) where the truth is higher, else of (1 − q) (prediction −
    truth).

    q is written in hundredths behind the name: `pinball_90` asks for the number that nine in ten
    truths do not exceed; `pinball` is `pinball_50`, which is half of `mae`. Source: Koenker &
    Bassett 1978; scikit-learn's `mean_pinball_loss`.

    Truths 3 and 5, predicted as 4 and 2 at q = 0.9: (0.1 · 1 + 0.9 · 3) / 2 = 1.4.

    >>> losses = PinballLoss(90).losses(pl.Series([3.0, 5.0]), pl.Series([4.0, 2.0]))
    >>> round(losses.mean(), 9), PinballLoss(5).name
    (1.4, 'pinball_05')
    """

    hundredths: int = 50
    """q, 1 to 99."""

    key: ClassVar[str] = "pinball"
    formula: ClassVar[str] = (
        "mean over all rows of q (truth - prediction) where the truth is higher, else of"
        " (1 - q) (prediction - truth)"
    )
    source: ClassVar[str] = "Koenker & Bassett 1978; scikit-learn mean_pinball_loss"

    def __post_init__(self) -> None:
        """Refuses a quantile that there is not."""
        if not 1 <= self.hundredths <= 99:
            raise ValueError(f"{self.key} needs a quantile in hundredths, 01 to 99")

    @property
    def name(self) -> str:
        """The name, with its quantile where that is not 0.5."""
        return self.key if self.hundredths == 50 else f"{self.key}_{self.hundredths:02}"

    def losses(self, truth: pl.Series, answers: pl.Series) -> pl.Series:
        """The weighted distances."""
        share = self.hundredths / 100
        apart = truth - answers
        return (share * apart).zip_with(apart >= 0, (share - 1) * apart)


class Determination(ErrorOfTables):
    """1 − Σ w (prediction − truth)² / Σ w (truth − mean)²: the share of the truth's variance that
    is explained.

    1 is perfect, 0 is to say the mean of the split always, and worse is below 0. Source:
    scikit-learn's `r2_score`.

    Truths 1, 2, 3, predicted as 1, 2, 4: 1 − 1 / 2 = 0.5.

    >>> rows = TargetRows(pl.DataFrame({"y": [1, 2, 3]}), pl.DataFrame({"y": [1.0, 2.0, 4.0]}))
    >>> float(Determination().measure(rows).value)
    0.5
    """

    key: ClassVar[str] = "r2"
    formula: ClassVar[str] = "1 - sum of (prediction - truth)^2 / sum of (truth - mean of truths)^2"
    source: ClassVar[str] = "scikit-learn r2_score"
    higher_is_better: ClassVar[bool] = True
    is_bounded: ClassVar[bool] = True
    upper_bound: ClassVar[int | None] = 1
    lower_bound: ClassVar[int | None] = None

    def losses(self, truth: pl.Series, answers: pl.Series) -> pl.Series:
        """The squared errors."""
        return MeanSquaredError().losses(truth, answers)

    def lack(self, rows: TargetRows) -> str | None:
        """Truths that do not differ."""
        lack = lack_of_numbers(rows)
        return lack or (None if exact_sum(self._distances(rows)) else "all truths are equal")

    def measure(self, rows: TargetRows) -> TableMeasure:
        """The value; a row moves it by −w (error² − (1 − R²) · distance²) / Σ w distance²."""
        error, distance = self.losses(*numbers_of(rows)), self._distances(rows)
        if rows.weights is not None:
            error, distance = rows.weights * error, rows.weights * distance
        total = exact_sum(distance)
        left = float(min(exact_sum(error) / total, _MOST))
        return TableMeasure(Fraction(1.0 - left), (left * distance - error) / float(total))

    def _distances(self, rows: TargetRows) -> pl.Series:
        truth, _ = numbers_of(rows)
        return self.losses(truth, pl.Series([mean_of(truth, rows).value]))


ERRORS: tuple[type[TableMetric], ...] = (
    AbsoluteErrorOfTables,
    MeanSquaredError,
    RootErrorOfTables,
    RootLogError,
    ColumnwiseRootError,
    PercentageError,
    SymmetricPercentageError,
    PinballLoss,
    Determination,
)
"""The metrics of this family."""
