"""Computes losses of probabilities, of one column for two classes or of a column for each class:
logarithmic loss, alone and relative to that of the base rate, the Brier score, and calibration.

With two classes, a row is positive where its target is above 0, and the probability is that of
being positive.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import polars as pl

from podium.scoring.columns import ColumnType
from podium.scoring.metrics.rows.base import Classes, RowMeasure, RowMetric
from podium.scoring.metrics.rows.forms import BinaryMetric, lack_of_classes, true_class
from podium.scoring.metrics.rows.means import (
    MeanMetric,
    added,
    by_side,
    positives_of,
    ratio,
    sizes_of,
    slices,
)
from podium.scoring.metrics.rows.targets import TargetRows, number_of
from podium.scoring.metrics.sums import exact_sums
from podium.scoring.repeating import repeat

MIN_PROBABILITY = 1e-15
"""ε: the minimum probability that is assumed for the truth."""

_BINS = 10


@dataclass(frozen=True)
class LossOfProbabilities(MeanMetric, BinaryMetric):
    """A mean over rows of a loss of probabilities. Lower is better, and 0 is perfect."""

    higher_is_better: ClassVar[bool] = False
    needs_probabilities: ClassVar[bool] = True
    types_of_one: ClassVar[tuple[ColumnType, ...]] = ("number",)
    types_of_several: ClassVar[tuple[ColumnType, ...]] = ("number",)

    def lack(self, rows: TargetRows) -> str | None:
        """Refuses truths that do not name a class."""
        return lack_of_classes(rows) if rows.answers.width > 1 else super().lack(rows)

    def losses(self, rows: TargetRows) -> pl.Series:
        """Computes the loss of each row."""
        if rows.answers.width == 1:
            return self.of_two_classes(rows.numbers, rows.positive)
        return self.of_classes(rows)

    @abstractmethod
    def of_two_classes(self, numbers: pl.Series, positive: pl.Series) -> pl.Series:
        """Computes the losses of probabilities of being positive."""

    @abstractmethod
    def of_classes(self, rows: TargetRows) -> pl.Series:
        """Computes the losses of rows with a column for each class."""


class LogLoss(LossOfProbabilities):
    """Σ w (−ln q) / Σ w, q being the probability that was given to what is true.

    One column is the probability of being positive, and q is p or 1 − p. Of several columns q is
    the number in that of the true class; numbers of a row need not add up to 1, and are not divided
    by their sum: `log_loss_normalized` does that. q is raised to ε = 1e-15 where it is less, so
    that no loss is above 34.54. Source: scikit-learn's `log_loss`, which had this ε before version
    1.2 and has 2.2e-16 since.

    A positive with p = 0.8 and a negative with p = 0.5: (−ln 0.8 − ln 0.5) / 2 = 0.458. True
    classes that were given 0.5 and 0.25: (ln 2 + ln 4) / 2 = 1.04.

    >>> round(LogLoss().example_value([1, 0], [0.8, 0.5]), 3)
    0.458
    >>> answers = {"a": [0.5, 0.7], "b": [0.5, 0.25], "c": [0.0, 0.05]}
    >>> round(LogLoss().example_value(["a", "b"], answers), 3)
    1.04
    """

    key: ClassVar[str] = "log_loss"
    formula: ClassVar[str] = (
        "mean of −ln of the probability that was given to what is true, of no less than 1e-15"
    )
    source: ClassVar[str] = "scikit-learn log_loss"

    def of_two_classes(self, numbers: pl.Series, positive: pl.Series) -> pl.Series:
        """Computes −ln q."""
        return log_losses(numbers, positive)

    def of_classes(self, rows: TargetRows) -> pl.Series:
        """Computes −ln q."""
        return _minus_log(_given(rows))


class NormalizedLogLoss(LogLoss):
    """Σ w (−ln q) / Σ w, q being the number that was given to the true class, divided by the sum of
    its row. Numbers are at least 0, and may be above 1.

    q is raised to 1e-15 where it is less; a row of zeros counts as the same for all classes.
    Source: Kaggle's competitions of several classes, which divide and then replace p by
    max(min(p, 1 − 1e-15), 1e-15), a difference of at most 1e-15.

    A row of 0.2 and 0.6 whose first class is true: −ln(0.2 / 0.8) = 1.386.

    >>> round(NormalizedLogLoss().example_value(["a"], {"a": [0.2], "b": [0.6]}), 3)
    1.386
    """

    key: ClassVar[str] = "log_loss_normalized"
    formula: ClassVar[str] = (
        "mean of −ln of the probability that was given to what is true, divided by the sum of its"
        " row, of no less than 1e-15"
    )
    source: ClassVar[str] = "Kaggle, multi-class logarithmic loss"
    needs_probabilities: ClassVar[bool] = False
    least_answer: ClassVar[float | None] = 0.0
    types_of_one: ClassVar[tuple[ColumnType, ...]] = ()

    def of_classes(self, rows: TargetRows) -> pl.Series:
        """Computes −ln q."""
        total = pl.DataFrame(list(map(number_of, rows.answers.get_columns()))).sum_horizontal()
        share = (_given(rows) / total).fill_nan(1.0 / rows.answers.width)
        return _minus_log(share.clip(upper_bound=1.0))


class BrierScore(LossOfProbabilities):
    """Σ w (p − y)² / Σ w, y being 1 for what is true; of several columns the squares of a row are
    added up.

    One column is the probability of being positive, and its score lies between 0 and 1; several
    have 0 to 2. Source: Brier 1950; scikit-learn's `brier_score_loss`.

    A positive with p = 0.8 and a negative with p = 0.5: (0.04 + 0.25) / 2 = 0.145. A row of 0.5,
    0.3 and 0.2 whose first class is true: 0.25 + 0.09 + 0.04 = 0.38.

    >>> round(BrierScore().example_value([1, 0], [0.8, 0.5]), 3)
    0.145
    >>> round(BrierScore().example_value(["a"], {"a": [0.5], "b": [0.3], "c": [0.2]}), 6)
    0.38
    """

    key: ClassVar[str] = "brier"
    formula: ClassVar[str] = (
        "mean of (p − y)^2 over all rows, y being 1 for what is true; added up over columns, where"
        " there are several"
    )
    source: ClassVar[str] = "Brier 1950; scikit-learn brier_score_loss"

    def of_two_classes(self, numbers: pl.Series, positive: pl.Series) -> pl.Series:
        """Computes (q − y)² of each row, y being 1 for the positive class and else 0."""
        apart = numbers - positive.cast(pl.Float64)
        return apart * apart

    def of_classes(self, rows: TargetRows) -> pl.Series:
        """Sums the squared distances of all columns."""
        true = true_class(rows)
        parts = {
            name: self.of_two_classes(number_of(rows.answers[name]), true == n)
            for n, name in enumerate(rows.answers.columns)
        }
        return pl.DataFrame(parts).sum_horizontal()


class NormalizedEntropy(BinaryMetric):
    """Logarithmic loss / entropy of the base rate: 1 for who always says the base rate.

    The base rate π is the share of positive pairs in the split, or in the group of it, and its
    entropy −π ln π − (1 − π) ln(1 − π). Losses are those of `log_loss`. Source: He et al.,
    Practical lessons from predicting clicks on ads at Facebook, 2014.

    A positive with p = 0.8 and a negative with p = 0.5, π = 0.5: 0.458 / ln 2 = 0.661.

    >>> round(NormalizedEntropy().example_value([1, 0], [0.8, 0.5]), 3)
    0.661
    """

    key: ClassVar[str] = "normalized_entropy"
    formula: ClassVar[str] = "log_loss / entropy of the share of positive pairs"
    source: ClassVar[str] = "He et al. 2014"
    takes_weights: ClassVar[bool] = False
    higher_is_better: ClassVar[bool] = False
    needs_probabilities: ClassVar[bool] = True
    classes: ClassVar[Classes] = "both in a split"

    at_none: ClassVar[int] = 0
    """The value where there is no loss."""
    per_entropy: ClassVar[int] = 1
    """The change of the value for a loss as large as the entropy."""

    def measure_part(self, rows: TargetRows) -> RowMeasure:
        """Computes the value by split.

        With the loss L, the rate π and the entropy H(π) of a split, L / H is moved by
        (moves of L − L / H · H'(π) · moves of π) / H, H'(π) = ln((1 − π) / π).
        """
        sizes = sizes_of(rows)
        loss = ratio(added(rows, LogLoss().losses), sizes, rows)
        rate = ratio(positives_of(rows), sizes, rows)
        values, by_loss, by_rate = {}, {}, {}
        for split in rows.splits:
            entropy, found = _entropy(rate.values[split]), rate.values[split]
            share = loss.values[split] / entropy
            values[split] = Fraction(self.at_none + self.per_entropy * share)
            by_loss[split] = self.per_entropy / entropy
            by_rate[split] = -by_loss[split] * share * math.log((1 - found) / found)
        side = rows.units["split"]
        moves = by_side(by_loss, side) * loss.moves + by_side(by_rate, side) * rate.moves
        return RowMeasure(values, moves)


class RelativeCrossEntropy(NormalizedEntropy):
    """100 · (1 − logarithmic loss / entropy of the base rate): the share of the entropy, in per
    cent, that is explained.

    100 is perfect, 0 is to say the base rate always, and worse is below 0. The base rate is that of
    the split, or of the group of it. Source: RecSys Challenge 2020 (Belli et al.).

    A positive with p = 0.8 and a negative with p = 0.5: 100 · (1 − 0.661) = 33.9.

    >>> round(RelativeCrossEntropy().example_value([1, 0], [0.8, 0.5]), 1)
    33.9
    """

    key: ClassVar[str] = "rce"
    formula: ClassVar[str] = "100 · (1 − log_loss / entropy of the share of positive pairs)"
    source: ClassVar[str] = "RecSys Challenge 2020"
    higher_is_better: ClassVar[bool] = True
    upper_bound: ClassVar[int | None] = 100
    lower_bound: ClassVar[int | None] = None
    at_none: ClassVar[int] = 100
    per_entropy: ClassVar[int] = -100


class CalibrationError(BinaryMetric):
    """Σ over bins of |Σ p − positive pairs| / pairs: the expected calibration error, whether pairs
    with a probability of 0.3 are positive in three of ten cases.

    There are ten bins of the same width: number ⌊10 p⌋, and p = 1 is in the last one. 0 is best,
    but who always says the base rate reaches it, too, so it only tells. It has no standard error:
    the absolute value has no slope where a bin is calibrated, and noise alone is an error. Source:
    Naeini, Cooper & Hauskrecht, Obtaining well calibrated probabilities using Bayesian binning,
    2015.

    A positive with p = 0.8 and a negative with p = 0.5: (|0.8 − 1| + |0.5 − 0|) / 2 = 0.35.

    >>> round(CalibrationError().example_value([1, 0], [0.8, 0.5]), 9)
    0.35
    >>> _bins(pl.Series([0.0, 0.09, 0.1, 0.55, 1.0])).to_list()
    [0, 0, 1, 5, 9]
    """

    key: ClassVar[str] = "ece"
    formula: ClassVar[str] = (
        "sum over ten bins of equal width of |sum of p − positive pairs|, / all pairs"
    )
    source: ClassVar[str] = "Naeini et al. 2015"
    takes_weights: ClassVar[bool] = False
    ranks: ClassVar[bool] = False
    higher_is_better: ClassVar[bool] = False
    upper_bound: ClassVar[int | None] = 1
    needs_probabilities: ClassVar[bool] = True

    def measure_part(self, rows: TargetRows) -> RowMeasure:
        """Computes the value by split: one division of exact sums."""
        expected: Counter[int] = Counter()
        found: Counter[int] = Counter()
        for _, part in slices(rows):
            keys = part.side * _BINS + _bins(part.numbers)
            expected.update(exact_sums(part.numbers, keys))
            found.update(dict(keys.filter(part.positive).value_counts().iter_rows()))
        sizes = sizes_of(rows).by_split
        values = {}
        for split in rows.splits:
            bins = range(split * _BINS, (split + 1) * _BINS)
            apart = sum((abs(Fraction(expected[b]) - found[b]) for b in bins), Fraction(0))
            values[split] = Fraction(float(apart / sizes[split]))
        return RowMeasure(values, None)


def log_losses(numbers: pl.Series, positive: pl.Series) -> pl.Series:
    """Computes −ln of the probability of the truth, at least `MIN_PROBABILITY`.

    >>> log_losses(pl.Series([1.0, 0.0, 1.0]), pl.Series([True, False, False])).round(2).to_list()
    [0.0, 0.0, 34.54]
    """
    return _minus_log(numbers.zip_with(positive, 1.0 - numbers))


def _minus_log(given: pl.Series) -> pl.Series:
    # No logarithm of a probability is above 0.
    return given.clip(MIN_PROBABILITY).log().abs()


def _given(rows: TargetRows) -> pl.Series:
    """Selects the number that was given to the true class of each row."""
    true = true_class(rows)
    given = repeat(0, rows.count, pl.Float64)
    for place, column in enumerate(rows.answers.get_columns()):
        given = number_of(column).zip_with(true == place, given)
    return given


def _entropy(rate: float) -> float:
    """Computes the entropy of a share between 0 and 1, in nats."""
    return -rate * math.log(rate) - (1 - rate) * math.log(1 - rate)


def _bins(numbers: pl.Series) -> pl.Series:
    return (numbers * _BINS).floor().clip(upper_bound=_BINS - 1).cast(pl.UInt8)


LOSSES: tuple[type[RowMetric], ...] = (LogLoss, NormalizedLogLoss, BrierScore)
"""The losses of probabilities."""
