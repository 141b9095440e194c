"""Error metrics of predicted ratings: mean absolute error and root mean squared error.

A new one is a subclass with `losses` and, where the mean of the losses is not yet the value,
`of_mean` and `slope`. All pairs of a split count alike, however many ratings a user has. Losses are
summed exactly.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from fractions import Fraction
from typing import ClassVar

import polars as pl

from podium.scoring.metrics.pairs.base import PairMeasure, PairMetric
from podium.scoring.metrics.sums import exact_sums, sums_by_slot
from podium.scoring.pairs.answers import ScoredPairs
from podium.scoring.splits import SPLIT_NAMES
from podium.scoring.task import TaskKind


class ErrorMetric(PairMetric):
    """A metric of prediction − rating. Less is better, and 0 is perfect."""

    tasks: ClassVar[tuple[TaskKind, ...]] = ("rating",)
    higher_is_better: ClassVar[bool] = False

    @abstractmethod
    def losses(self, errors: pl.Series) -> pl.Series:
        """The loss of each error, at least 0."""

    def of_mean(self, mean: float) -> float:
        """The value for this mean of the losses."""
        return mean

    def slope(self, value: float) -> float:
        """The derivative of the value by the mean of the losses; `value` is above 0."""
        return 1.0

    def measure(self, scored: ScoredPairs) -> PairMeasure:
        """The value by split: one float64, made by one division from the exact sum.

        With L_u losses summed over the n_u pairs of a unit, and their mean over all pairs
        μ = Σ L / Σ n, a unit moves slope / Σ n · (L_u − μ · n_u); the slope of a root mean square
        is 1 / (2 · rmse).
        """
        losses = self.losses(scored.numbers - scored.targets)
        sums = exact_sums(losses, scored.side)
        pairs = dict(scored.side.value_counts().iter_rows())
        values, pull, mean = {}, [0.0] * (1 + max(SPLIT_NAMES)), [0.0] * (1 + max(SPLIT_NAMES))
        for split in scored.splits:
            mean[split] = float(sums.get(split, Fraction(0)) / pairs[split])
            value = self.of_mean(mean[split])
            values[split] = Fraction(value)
            if split in sums:
                pull[split] = self.slope(value) / pairs[split]
        above = sums_by_slot(losses, scored.slots, size=scored.units.height)
        side = scored.units["split"]
        centred = above - pl.Series(mean).gather(side) * scored.units["pairs"]
        return PairMeasure(values, pl.Series(pull).gather(side) * centred)


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
