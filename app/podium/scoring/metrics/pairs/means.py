"""Metrics that are the mean of a loss, or of a gain, over all pairs, or a function of this mean.

A new one is a subclass with `terms` and, where the mean is not yet the value, `of_mean` and
`slope`. All pairs of a split count alike, however many a unit has.
"""

from __future__ import annotations

from abc import abstractmethod
from fractions import Fraction

import polars as pl

from podium.scoring.metrics.pairs.adding import added, by_side, pairs_of, ratio
from podium.scoring.metrics.pairs.base import PairMeasure, PairMetric
from podium.scoring.pairs.answers import ScoredPairs


class MeanMetric(PairMetric):
    """A metric that is a function of a mean over pairs."""

    @abstractmethod
    def terms(self, numbers: pl.Series, targets: pl.Series) -> pl.Series:
        """The number of each pair that is averaged, at least 0."""

    def of_mean(self, mean: float) -> float:
        """The value for this mean."""
        return mean

    def slope(self, value: float) -> float:
        """The derivative of the value by the mean; `value` is above 0."""
        return 1.0

    def measure(self, scored: ScoredPairs) -> PairMeasure:
        """The value by split: one float64, made by one division from the exact sum.

        With L_u losses summed over the n_u pairs of a unit, and their mean over all pairs
        μ = Σ L / Σ n, a unit moves slope / Σ n · (L_u − μ · n_u); the slope of a root mean square
        is 1 / (2 · rmse).
        """
        mean = ratio(added(scored, self.terms), pairs_of(scored), scored)
        values = {split: self.of_mean(each) for split, each in mean.values.items()}
        slopes = {split: self.slope(value) for split, value in values.items() if value}
        moves = by_side(slopes, scored.units["split"]) * mean.moves
        return PairMeasure({split: Fraction(value) for split, value in values.items()}, moves)
