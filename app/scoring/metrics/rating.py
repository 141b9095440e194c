"""Error metrics of predicted ratings: mean absolute error and root mean squared error.

A metric is a frozen value; a new one is a subclass with `losses` and, where the mean of the losses
is not yet the value, `of_mean` and `slope`. All pairs of a split count alike, however many ratings
a user has.

Results never depend on the order of rows, on chunks or on threads: losses are summed exactly.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import polars as pl

from podium.scoring.kernel.terms import Terms
from podium.scoring.metrics.base import Average
from podium.scoring.metrics.sums import exact_sums, sums_by_slot
from podium.scoring.ratings.errors import Errors


@dataclass(frozen=True)
class RatingMetric(ABC):
    """A metric of predicted ratings. An error, so less is better, and 0 is perfect."""

    key: ClassVar[str]
    """The name."""
    formula: ClassVar[str]
    """The computation over the pairs of a split, as a sentence."""
    source: ClassVar[str]
    """The publication of the definition."""
    averages: ClassVar[tuple[Average, ...]] = ()
    """There is nothing to choose: all pairs are averaged at once."""
    is_bounded: ClassVar[bool] = False
    upper_bound: ClassVar[int | None] = None
    higher_is_better: ClassVar[bool] = False

    @property
    def name(self) -> str:
        """The name, `rmse`."""
        return self.key

    @property
    def id(self) -> str:
        """The id, which is the name: there is neither a K nor an average."""
        return self.key

    @abstractmethod
    def losses(self, errors: pl.Series) -> pl.Series:
        """The loss of each error, at least 0."""

    def of_mean(self, mean: float) -> float:
        """The value for this mean of the losses."""
        return mean

    def slope(self, value: float) -> float:
        """The derivative of the value by the mean of the losses; `value` is above 0."""
        return 1.0

    def compute(self, errors: Errors) -> dict[int, Fraction]:
        """The value by split: one float64, made by one division from the exact sum."""
        truth = errors.truth
        sums = exact_sums(self.losses(errors.values), truth.frame["split"])
        means = {split: sums.get(split, Fraction(0)) / n for split, n in truth.totals.items()}
        return {split: Fraction(self.of_mean(float(mean))) for split, mean in means.items()}

    def terms(self, errors: Errors) -> Terms:
        """The mean of the losses as a ratio of sums over users: Σ losses and number of pairs, for
        each row of `TrueRatings.users`. The same for the same errors, to the bit."""
        truth = errors.truth
        losses = self.losses(errors.values)
        above = sums_by_slot(losses, truth.user_slots, size=truth.users.height)
        return Terms(above, truth.users["pairs"].cast(pl.Float64))


class MeanAbsoluteError(RatingMetric):
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


class RootMeanSquaredError(RatingMetric):
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
