"""Error metrics of predicted ratings: mean absolute error and root mean squared error.

A new one is a subclass with `losses` and, where the mean of the losses is not yet the value,
`of_mean` and `slope`.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import ClassVar

import polars as pl

from podium.scoring.metrics.pairs.means import MeanMetric
from podium.scoring.task import TaskKind


class ErrorMetric(MeanMetric):
    """A metric of prediction − rating. Less is better, and 0 is perfect."""

    tasks: ClassVar[tuple[TaskKind, ...]] = ("rating",)
    higher_is_better: ClassVar[bool] = False

    @abstractmethod
    def losses(self, errors: pl.Series) -> pl.Series:
        """The loss of each error, at least 0."""

    def terms(self, numbers: pl.Series, targets: pl.Series) -> pl.Series:
        """The losses."""
        return self.losses(numbers - targets)


class MeanAbsoluteError(ErrorMetric):
    """Σ |prediction − rating| / pairs.

    Source: Willmott & Matsuura 2005; scikit-learn's `mean_absolute_error`.

    Ratings 3 and 5, predicted as 4 and 2: (1 + 3) / 2 = 2.

    >>> MeanAbsoluteError().losses(pl.Series([1.0, -3.0])).mean()
    2.0
    """

    key: ClassVar[str] = "mae"
    formula: ClassVar[str] = "mean of |prediction - rating| over all pairs"
    source: ClassVar[str] = "Willmott & Matsuura 2005; scikit-learn mean_absolute_error"

    def losses(self, errors: pl.Series) -> pl.Series:
        """The absolute errors."""
        return errors.abs()


class RootMeanSquaredError(ErrorMetric):
    """√(Σ (prediction − rating)² / pairs).

    Source: the Netflix Prize (Bennett & Lanning 2007); scikit-learn's `root_mean_squared_error`.

    Ratings 3 and 5, predicted as 4 and 2: √((1 + 9) / 2) = √5.

    >>> metric = RootMeanSquaredError()
    >>> metric.of_mean(metric.losses(pl.Series([1.0, -3.0])).mean())
    2.23606797749979
    """

    key: ClassVar[str] = "rmse"
    formula: ClassVar[str] = "square root of the mean of (prediction - rating)^2 over all pairs"
    source: ClassVar[str] = "Bennett & Lanning 2007; scikit-learn root_mean_squared_error"

    def losses(self, errors: pl.Series) -> pl.Series:
        """The squared errors."""
        return errors * errors

    def of_mean(self, mean: float) -> float:
        """The square root."""
        return math.sqrt(mean)

    def slope(self, value: float) -> float:
        """The derivative of the square root."""
        return 1 / (2 * value)
