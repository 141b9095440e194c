"""Computes metrics of rows that are decided positive: those with a number of at least a threshold.

All but accuracy are ratios of sums over all rows of a split, with TP, FP and FN counted by weight.
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

import polars as pl

from podium.scoring.metrics.rows.base import Classes, RowMeasure, WithHundredths
from podium.scoring.metrics.rows.forms import BinaryMetric
from podium.scoring.metrics.rows.means import MeanMetric, added, ratio
from podium.scoring.metrics.rows.targets import TargetRows


class BinaryAccuracy(MeanMetric, BinaryMetric):
    """The share of pairs that are decided right: p ≥ 0.5 says positive.

    Source: scikit-learn's `accuracy_score`.

    A positive with p = 0.8 and a negative with p = 0.5, which is decided wrong: 1/2.

    >>> BinaryAccuracy().example_value([1, 0], [0.8, 0.5])
    0.5
    """

    key: ClassVar[str] = "accuracy"
    formula: ClassVar[str] = (
        "share of pairs whose p is at least 0.5 if, and only if, they are positive"
    )
    source: ClassVar[str] = "scikit-learn accuracy_score"
    is_bounded: ClassVar[bool] = True
    needs_probabilities: ClassVar[bool] = True

    def losses(self, rows: TargetRows) -> pl.Series:
        """Returns 1 where the decision is right, else 0."""
        return ((rows.numbers >= 0.5) == rows.positive).cast(pl.Float64)


class DecidedRatio(WithHundredths, BinaryMetric):
    """(d + p) TP / (d · rows that are decided positive + p · positive rows), 0 where nothing is
    decided positive: precision where p is 0, recall where d is 0, else F with β² = p / d."""

    of_decided: ClassVar[int]
    """The factor d."""
    of_positive: ClassVar[int]
    """The factor p."""
    hundredths_word: ClassVar[str] = "threshold"
    is_bounded: ClassVar[bool] = True
    needs_probabilities: ClassVar[bool] = True
    classes: ClassVar[Classes] = "both in a split"

    def measure_part(self, rows: TargetRows) -> RowMeasure:
        """Computes the value by split, of sums by weight."""
        found = ratio(added(rows, self._hits), added(rows, self._sizes), rows)
        return RowMeasure({s: Fraction(value) for s, value in found.values.items()}, found.moves)

    def _hits(self, rows: TargetRows) -> pl.Series:
        right = (self._chosen(rows) & rows.positive).cast(pl.Float64)
        return float(self.of_decided + self.of_positive) * right

    def _sizes(self, rows: TargetRows) -> pl.Series:
        chosen, positive = (each.cast(pl.Float64) for each in (self._chosen(rows), rows.positive))
        return float(self.of_decided) * chosen + float(self.of_positive) * positive

    def _chosen(self, rows: TargetRows) -> pl.Series:
        """True where a row is decided positive."""
        return rows.numbers >= self.hundredths / 100


class BinaryPrecision(DecidedRatio):
    """TP / (TP + FP): the share of what is decided positive that is positive.

    A p of at least the threshold says positive. The threshold is written in hundredths behind the
    name: `precision_binary_30` has 0.30; `precision_binary` is `precision_binary_50`. Where nothing
    is decided positive it is 0. Source: van Rijsbergen 1979; scikit-learn's `precision_score`.

    A positive with p = 0.8 and a negative with p = 0.5: 1 / (1 + 1).

    >>> BinaryPrecision().example_value([1, 0], [0.8, 0.5])
    0.5
    >>> BinaryPrecision().name, BinaryPrecision(5).name
    ('precision_binary', 'precision_binary_05')
    """

    key: ClassVar[str] = "precision_binary"
    formula: ClassVar[str] = (
        "TP / (TP + FP) over all pairs; a pair is said to be positive where p is at least the"
        " threshold"
    )
    source: ClassVar[str] = "van Rijsbergen 1979; scikit-learn precision_score"
    of_decided: ClassVar[int] = 1
    of_positive: ClassVar[int] = 0


class BinaryRecall(DecidedRatio):
    """TP / (TP + FN): the share of positive rows that are decided positive.

    A p of at least the threshold says positive. The threshold is written in hundredths behind the
    name: `recall_binary_30` has 0.30; `recall_binary` is `recall_binary_50`. Deciding that all are
    positive has 1. Source: van Rijsbergen 1979; scikit-learn's `recall_score`.

    Positives with p = 0.8 and 0.4, a negative with 0.5: 1 / (1 + 1).

    >>> BinaryRecall().example_value([1, 1, 0], [0.8, 0.4, 0.5])
    0.5
    """

    key: ClassVar[str] = "recall_binary"
    formula: ClassVar[str] = (
        "TP / (TP + FN) over all pairs; a pair is said to be positive where p is at least the"
        " threshold"
    )
    source: ClassVar[str] = "van Rijsbergen 1979; scikit-learn recall_score"
    of_decided: ClassVar[int] = 0
    of_positive: ClassVar[int] = 1


class BinaryF1(DecidedRatio):
    """2 · TP / (2 · TP + FP + FN): the harmonic mean of precision and recall of what is decided.

    A p of at least the threshold says positive. The threshold is written in hundredths behind the
    name: `f1_binary_30` has 0.30; `f1_binary` is `f1_binary_50`. All pairs of a split are decided
    together. With few hits values are far from normal, and their intervals too narrow. Source: van
    Rijsbergen 1979; scikit-learn's `f1_score`.

    A positive with p = 0.8 and a negative with p = 0.5: 2 / (2 + 1 + 0) = 2/3.

    >>> round(BinaryF1().example_value([1, 0], [0.8, 0.5]), 3)
    0.667
    >>> BinaryF1().name, BinaryF1(5).name
    ('f1_binary', 'f1_binary_05')
    """

    key: ClassVar[str] = "f1_binary"
    formula: ClassVar[str] = (
        "2 TP / (2 TP + FP + FN) over all pairs; a pair is said to be positive where p is at least"
        " the threshold"
    )
    source: ClassVar[str] = "van Rijsbergen 1979; scikit-learn f1_score"
    of_decided: ClassVar[int] = 1
    of_positive: ClassVar[int] = 1


class BinaryF2(DecidedRatio):
    """5 TP / (5 TP + FP + 4 FN): F with β = 2, which weighs recall more than precision.

    A p of at least the threshold says positive. The threshold is written in hundredths behind the
    name: `f2_binary_30` has 0.30; `f2_binary` is `f2_binary_50`. Source: van Rijsbergen 1979;
    scikit-learn's `fbeta_score` with `beta=2`.

    A positive with p = 0.8 and a negative with p = 0.5: 5 / (5 + 1 + 0).

    >>> round(BinaryF2().example_value([1, 0], [0.8, 0.5]), 3)
    0.833
    """

    key: ClassVar[str] = "f2_binary"
    formula: ClassVar[str] = (
        "5 TP / (5 TP + FP + 4 FN) over all pairs; a pair is said to be positive where p is at"
        " least the threshold"
    )
    source: ClassVar[str] = "van Rijsbergen 1979; scikit-learn fbeta_score, beta 2"
    of_decided: ClassVar[int] = 1
    of_positive: ClassVar[int] = 4


class BinaryFHalf(DecidedRatio):
    """1.25 TP / (1.25 TP + FP + 0.25 FN): F with β = 0.5, which weighs precision more than recall.

    A p of at least the threshold says positive. The threshold is written in hundredths behind the
    name: `f05_binary_30` has 0.30; `f05_binary` is `f05_binary_50`. Source: van Rijsbergen 1979;
    scikit-learn's `fbeta_score` with `beta=0.5`.

    A positive with p = 0.8 and a negative with p = 0.5: 1.25 / (1.25 + 1 + 0).

    >>> round(BinaryFHalf().example_value([1, 0], [0.8, 0.5]), 3)
    0.556
    """

    key: ClassVar[str] = "f05_binary"
    formula: ClassVar[str] = (
        "1.25 TP / (1.25 TP + FP + 0.25 FN) over all pairs; a pair is said to be positive where p"
        " is at least the threshold"
    )
    source: ClassVar[str] = "van Rijsbergen 1979; scikit-learn fbeta_score, beta 0.5"
    of_decided: ClassVar[int] = 4
    of_positive: ClassVar[int] = 1


DECISIONS: tuple[type[DecidedRatio], ...] = (
    BinaryPrecision,
    BinaryRecall,
    BinaryF1,
    BinaryF2,
    BinaryFHalf,
)
"""The ratios of this family."""
