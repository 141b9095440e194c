"""Computes errors of predicted numbers: means over rows of a loss, functions of such a mean, and
R².

A new one is a subclass of `ErrorMetric` with `losses_of` and, where the value is not the mean of
the losses itself, `of_mean` and `slope`.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import polars as pl

from podium.scoring.columns import ColumnType
from podium.scoring.metrics.rows.base import (
    OfSplit,
    RowMeasure,
    RowMetric,
    SplitMetric,
    WithHundredths,
    by_column,
    mean_over_columns,
)
from podium.scoring.metrics.rows.forms import NUMBERS, lack_of_numbers
from podium.scoring.metrics.rows.means import MeanMetric, exact_sum, mean_of
from podium.scoring.metrics.rows.targets import TargetRows

_EPSILON = 2.0**-52

_MOST = Fraction(10) ** 300
"""The upper limit of ratios, so that they are finite."""


@dataclass(frozen=True)
class ErrorMetric(MeanMetric):
    """A metric of predicted numbers. Lower is better, and 0 is perfect."""

    higher_is_better: ClassVar[bool] = False
    types_of_one: ClassVar[tuple[ColumnType, ...]] = NUMBERS

    @abstractmethod
    def losses_of(self, truth: pl.Series, answers: pl.Series) -> pl.Series:
        """Computes the loss of each truth and answer, at least 0."""

    def losses(self, rows: TargetRows) -> pl.Series:
        """Computes the losses of the first columns of truth and answers."""
        return self.losses_of(rows.targets, rows.numbers)

    def lack(self, rows: TargetRows) -> str | None:
        """Refuses truths that are not numbers."""
        return lack_of_numbers(rows)


class MeanAbsoluteError(ErrorMetric):
    """Σ w |prediction − truth| / Σ w.

    Source: Willmott & Matsuura 2005; scikit-learn's `mean_absolute_error`.

    Truths 3 and 5, predicted as 4 and 2: (1 + 3) / 2 = 2.

    >>> MeanAbsoluteError().example_value([3, 5], [4, 2])
    2.0
    """

    key: ClassVar[str] = "mae"
    formula: ClassVar[str] = "mean of |prediction - truth| over all rows"
    source: ClassVar[str] = "Willmott & Matsuura 2005; scikit-learn mean_absolute_error"

    def losses_of(self, truth: pl.Series, answers: pl.Series) -> pl.Series:
        """Computes |prediction − truth| of each row."""
        return (answers - truth).abs()


class MeanSquaredError(ErrorMetric):
    """Σ w (prediction − truth)² / Σ w.

    Source: scikit-learn's `mean_squared_error`.

    Truths 3 and 5, predicted as 4 and 2: (1 + 9) / 2 = 5.

    >>> MeanSquaredError().example_value([3, 5], [4, 2])
    5.0
    """

    key: ClassVar[str] = "mse"
    formula: ClassVar[str] = "mean of (prediction - truth)^2 over all rows"
    source: ClassVar[str] = "scikit-learn mean_squared_error"

    def losses_of(self, truth: pl.Series, answers: pl.Series) -> pl.Series:
        """Computes (prediction − truth)² of each row."""
        errors = answers - truth
        return errors * errors


class RootMeanSquaredError(MeanSquaredError):
    """√(Σ w (prediction − truth)² / Σ w).

    Source: the Netflix Prize (Bennett & Lanning 2007); scikit-learn's `root_mean_squared_error`.

    Truths 3 and 5, predicted as 4 and 2: √((1 + 9) / 2) = √5.

    >>> RootMeanSquaredError().example_value([3, 5], [4, 2])
    2.23606797749979
    """

    key: ClassVar[str] = "rmse"
    formula: ClassVar[str] = "square root of the mean of (prediction - truth)^2 over all rows"
    source: ClassVar[str] = "Bennett & Lanning 2007; scikit-learn root_mean_squared_error"

    def of_mean(self, mean: float) -> float:
        """Takes the square root of the mean."""
        return math.sqrt(mean)

    def slope(self, value: float) -> float:
        """Computes the derivative of the square root."""
        return 1 / (2 * value)


class RootLogError(RootMeanSquaredError):
    """√(Σ w (ln(1 + prediction) − ln(1 + truth))² / Σ w).

    Truths and predictions are at least 0. Source: scikit-learn's `root_mean_squared_log_error`;
    many of Kaggle's sales and demand forecasts.

    Truths 0 and 1, predicted as 1 and 3: both errors are ln 2 = 0.693.

    >>> round(RootLogError().example_value([0, 1], [1, 3]), 3)
    0.693
    """

    key: ClassVar[str] = "rmsle"
    formula: ClassVar[str] = (
        "square root of the mean of (ln(1 + prediction) - ln(1 + truth))^2 over all rows"
    )
    source: ClassVar[str] = "scikit-learn root_mean_squared_log_error"
    least_answer: ClassVar[float | None] = 0.0

    def losses_of(self, truth: pl.Series, answers: pl.Series) -> pl.Series:
        """Computes the squared errors of the logarithms."""
        return super().losses_of(truth.log1p(), answers.log1p())

    def lack(self, rows: TargetRows) -> str | None:
        """Refuses truths below 0."""
        lack = lack_of_numbers(rows)
        return lack or ("a truth is below 0" if rows.targets.min() < 0 else None)  # type: ignore[operator]


class ColumnwiseRootError(RootMeanSquaredError):
    """The mean over columns of the root mean squared error of each.

    Source: scikit-learn's `root_mean_squared_error` of several outputs; Kaggle's MCRMSE.

    A column with errors of 1 and one with errors of 3: (1 + 3) / 2 = 2.

    >>> truth, answers = {"a": [0, 0], "b": [0, 0]}, {"a": [1, -1], "b": [3, 3]}
    >>> ColumnwiseRootError().example_value(truth, answers)
    2.0
    """

    key: ClassVar[str] = "mcrmse"
    formula: ClassVar[str] = "mean over columns of the square root of mean (prediction - truth)^2"
    source: ClassVar[str] = "scikit-learn root_mean_squared_error; Kaggle MCRMSE"
    types_of_several: ClassVar[tuple[ColumnType, ...]] = NUMBERS

    def measure_part(self, rows: TargetRows) -> RowMeasure:
        """Averages the columns' values; a row moves it by the mean of its moves of each column."""
        return mean_over_columns(map(super().measure_part, by_column(rows)))


class PercentageError(ErrorMetric):
    """Σ w |prediction − truth| / |truth| / Σ w, a share and not in per cent.

    No truth is 0. Source: scikit-learn's `mean_absolute_percentage_error`.

    Truths 2 and 4, predicted as 3 and 3: (1/2 + 1/4) / 2 = 0.375.

    >>> PercentageError().example_value([2, 4], [3, 3])
    0.375
    """

    key: ClassVar[str] = "mape"
    formula: ClassVar[str] = "mean of |prediction - truth| / |truth| over all rows"
    source: ClassVar[str] = "scikit-learn mean_absolute_percentage_error"

    def losses_of(self, truth: pl.Series, answers: pl.Series) -> pl.Series:
        """Computes the relative errors; a truth nearer to 0 than 2**-52 counts as that."""
        return (answers - truth).abs() / truth.abs().clip(_EPSILON)

    def lack(self, rows: TargetRows) -> str | None:
        """Refuses truths that are 0."""
        lack = lack_of_numbers(rows)
        return lack or ("a truth is 0" if (rows.targets == 0).any() else None)


class SymmetricPercentageError(ErrorMetric):
    """Σ w · 2 |prediction − truth| / (|prediction| + |truth|) / Σ w: a share from 0 to 2.

    A row whose truth and prediction are 0 has no error. Kaggle shows 100 times this. Source:
    Makridakis & Hibon, The M3-Competition, 2000; Kaggle's Web Traffic Time Series 2017.

    Truths 1 and 0, predicted as 3 and 0: (2 · 2 / 4 + 0) / 2 = 0.5.

    >>> SymmetricPercentageError().example_value([1, 0], [3, 0])
    0.5
    """

    key: ClassVar[str] = "smape"
    formula: ClassVar[str] = (
        "mean of 2 |prediction - truth| / (|prediction| + |truth|) over all rows; 0 where both"
        " are 0"
    )
    source: ClassVar[str] = "Makridakis & Hibon 2000"
    upper_bound: ClassVar[int | None] = 2

    def losses_of(self, truth: pl.Series, answers: pl.Series) -> pl.Series:
        """Computes the error of each row relative to the mean of both sizes; 0 where both are 0."""
        return (2.0 * (answers - truth).abs() / (answers.abs() + truth.abs())).fill_nan(0.0)


class PinballLoss(WithHundredths, ErrorMetric):
    """Mean of q (truth − prediction) where the truth is higher, else of (1 − q) (prediction −
    truth).

    q is written in hundredths behind the name: `pinball_90` asks for the number that nine in ten
    truths do not exceed; `pinball` is `pinball_50`, which is half of `mae`. Source: Koenker &
    Bassett 1978; scikit-learn's `mean_pinball_loss`.

    Truths 3 and 5, predicted as 4 and 2 at q = 0.9: (0.1 · 1 + 0.9 · 3) / 2 = 1.4.

    >>> round(PinballLoss(90).example_value([3, 5], [4, 2]), 9), PinballLoss(5).name
    (1.4, 'pinball_05')
    """

    key: ClassVar[str] = "pinball"
    formula: ClassVar[str] = (
        "mean over all rows of q (truth - prediction) where the truth is higher, else of"
        " (1 - q) (prediction - truth)"
    )
    source: ClassVar[str] = "Koenker & Bassett 1978; scikit-learn mean_pinball_loss"
    hundredths_word: ClassVar[str] = "quantile"

    def losses_of(self, truth: pl.Series, answers: pl.Series) -> pl.Series:
        """Weights the distance of each row by q where the truth is higher, else by 1 − q."""
        share = self.hundredths / 100
        apart = truth - answers
        return (share * apart).zip_with(apart >= 0, (share - 1) * apart)


@dataclass(frozen=True)
class Determination(SplitMetric):
    """1 − Σ w (prediction − truth)² / Σ w (truth − mean)²: the share of the truth's variance that
    is explained.

    1 is perfect, 0 is to say the mean of the split always, and worse is below 0. Source:
    scikit-learn's `r2_score`.

    Truths 1, 2, 3, predicted as 1, 2, 4: 1 − 1 / 2 = 0.5.

    >>> Determination().example_value([1, 2, 3], [1, 2, 4])
    0.5
    """

    key: ClassVar[str] = "r2"
    formula: ClassVar[str] = "1 - sum of (prediction - truth)^2 / sum of (truth - mean of truths)^2"
    source: ClassVar[str] = "scikit-learn r2_score"
    is_bounded: ClassVar[bool] = True
    lower_bound: ClassVar[int | None] = None
    types_of_one: ClassVar[tuple[ColumnType, ...]] = NUMBERS

    def lack(self, rows: TargetRows) -> str | None:
        """Refuses truths that are all equal."""
        lack = lack_of_numbers(rows)
        return lack or (None if exact_sum(self._distances(rows)) else "all truths are equal")

    def of_split(self, rows: TargetRows) -> OfSplit:
        """Computes the value; a row moves it by −w (error² − (1 − R²) · distance²) / Σ w
        distance²."""
        error, distance = MeanSquaredError().losses(rows), self._distances(rows)
        if rows.weights is not None:
            error, distance = rows.weights * error, rows.weights * distance
        total = exact_sum(distance)
        left = float(min(exact_sum(error) / total, _MOST))
        return OfSplit(Fraction(1.0 - left), (left * distance - error) / float(total))

    def _distances(self, rows: TargetRows) -> pl.Series:
        mean = pl.Series([mean_of(rows.targets, rows).value])
        return MeanSquaredError().losses_of(rows.targets, mean)


ERRORS: tuple[type[RowMetric], ...] = (
    MeanAbsoluteError,
    MeanSquaredError,
    RootMeanSquaredError,
    RootLogError,
    ColumnwiseRootError,
    PercentageError,
    SymmetricPercentageError,
    PinballLoss,
    Determination,
)
"""The metrics of this family."""
