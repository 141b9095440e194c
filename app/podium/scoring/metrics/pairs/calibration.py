"""Calibration: whether pairs with a probability of 0.3 are positive in three of ten cases."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import ClassVar

import polars as pl

from podium.scoring.metrics.pairs.adding import pairs_of, slices
from podium.scoring.metrics.pairs.base import PairMeasure, PairMetric
from podium.scoring.metrics.sums import exact_sums
from podium.scoring.pairs.answers import ScoredPairs
from podium.scoring.task import TaskKind

_BINS = 10


class CalibrationError(PairMetric):
    """Σ over bins of |Σ p − positive pairs| / pairs: the expected calibration error.

    There are ten bins of the same width: number ⌊10 p⌋, and p = 1 is in the last one. 0 is best,
    but who always says the base rate reaches it, too, so it only tells. It has no standard error:
    the absolute value has no slope where a bin is calibrated, and noise alone is an error. Source:
    Naeini, Cooper & Hauskrecht, Obtaining well calibrated probabilities using Bayesian binning,
    2015.

    A positive with p = 0.8 and a negative with p = 0.5: (|0.8 − 1| + |0.5 − 0|) / 2 = 0.35.

    >>> _bins(pl.Series([0.0, 0.09, 0.1, 0.55, 1.0])).to_list()
    [0, 0, 1, 5, 9]
    """

    key: ClassVar[str] = "ece"
    formula: ClassVar[str] = (
        "sum over ten bins of equal width of |sum of p − positive pairs|, / all pairs"
    )
    source: ClassVar[str] = "Naeini et al. 2015"
    tasks: ClassVar[tuple[TaskKind, ...]] = ("scores",)
    ranks: ClassVar[bool] = False
    higher_is_better: ClassVar[bool] = False
    upper_bound: ClassVar[int | None] = 1
    needs_probabilities: ClassVar[bool] = True

    def measure(self, scored: ScoredPairs) -> PairMeasure:
        """The value by split: one division of exact sums."""
        expected: Counter[int] = Counter()
        found: Counter[int] = Counter()
        for _, part in slices(scored):
            keys = part.side * _BINS + _bins(part.numbers)
            expected.update(exact_sums(part.numbers, keys))
            found.update(dict(keys.filter(part.targets > 0).value_counts().iter_rows()))
        pairs = pairs_of(scored).by_split
        values = {}
        for split in scored.splits:
            bins = range(split * _BINS, (split + 1) * _BINS)
            apart = sum((abs(Fraction(expected[b]) - found[b]) for b in bins), Fraction(0))
            values[split] = Fraction(float(apart / pairs[split]))
        return PairMeasure(values, None)


def _bins(numbers: pl.Series) -> pl.Series:
    return (numbers * _BINS).floor().clip(upper_bound=_BINS - 1).cast(pl.UInt8)
