"""Computes metrics of decided classes: accuracy and F1, over all rows or class by class.

`forms.LabelledRows` defines the forms of answers that determine a label; `binary.decisions` decides
between two classes by any threshold.
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
    RowMetric,
    SplitMetric,
    TruthForm,
)
from podium.scoring.metrics.rows.forms import (
    LABELS,
    LabelledRows,
    lack_of_labels,
)
from podium.scoring.metrics.rows.means import mean_of, whole_weights
from podium.scoring.metrics.rows.targets import TargetRows
from podium.scoring.repeating import repeat


@dataclass(frozen=True)
class Tally:
    """The weights of rows, in whole numbers, by class: those with this `truth`, those with this
    answer (`given`), and those with both, `right`. `weights` are those of the rows, Float64."""

    labels: LabelledRows
    weights: pl.Series
    truth: list[int]
    given: list[int]
    right: list[int]
    total: int

    @classmethod
    def of(cls, rows: TargetRows) -> Tally:
        """Tallies rows whose truth `lack` accepts."""
        labels, weights = LabelledRows.of(rows), whole_weights(rows)
        table = pl.DataFrame({"truth": labels.truth, "given": labels.answers, "weight": weights})
        counts = table.group_by("truth", "given").agg(pl.col("weight").sum())
        truth, given, right = ([0] * labels.count for _ in range(3))
        for one, other, weight in counts.iter_rows():
            truth[one] += weight
            given[other] += weight
            right[one] += weight * (one == other)
        return cls(labels, weights.cast(pl.Float64), truth, given, right, sum(truth))

    def by_truth(self, values: list[float]) -> pl.Series:
        """Looks up the value of the class of each row's truth."""
        return pl.Series(values, dtype=pl.Float64).gather(self.labels.truth)

    def by_answer(self, values: list[float]) -> pl.Series:
        """Looks up the value of the class of each row's answer."""
        return pl.Series(values, dtype=pl.Float64).gather(self.labels.answers)


@dataclass(frozen=True)
class LabelMetric(SplitMetric):
    """A metric of decided classes."""

    truth_form: ClassVar[TruthForm] = "class"
    is_bounded: ClassVar[bool] = True
    types_of_one: ClassVar[tuple[ColumnType, ...]] = LABELS
    types_of_several: ClassVar[tuple[ColumnType, ...]] = ("number",)
    least_classes: ClassVar[int] = 1
    """The number of distinct truths that a split needs."""

    def lack(self, rows: TargetRows) -> str | None:
        """Refuses truths that do not name a class, or too few classes."""
        return lack_of_labels(rows, least=self.least_classes)


class Accuracy(LabelMetric):
    """The share of rows whose label is the truth, by weight.

    Source: scikit-learn's `accuracy_score`.

    Of the labels a, b, b one is answered as another: 2/3.

    >>> round(Accuracy().example_value(["a", "b", "b"], ["a", "b", "a"]), 3)
    0.667
    """

    key: ClassVar[str] = "accuracy"
    formula: ClassVar[str] = "share of rows whose label is the truth"
    source: ClassVar[str] = "scikit-learn accuracy_score"

    def of_split(self, rows: TargetRows) -> OfSplit:
        """Computes the value; a row moves it by w (right − value) / Σ w."""
        return mean_of(LabelledRows.of(rows).right, rows).measure()


class BalancedAccuracy(LabelMetric):
    """The mean over the classes of the truth of the share of their rows that are decided right.

    A class that is answered and is not a truth of the split has no share. Source: Brodersen et al.
    2010; scikit-learn's `balanced_accuracy_score`.

    Of three rows of a all are right, of the only one of b none: (1 + 0) / 2.

    >>> BalancedAccuracy().example_value(["a", "a", "a", "b"], ["a", "a", "a", "a"])
    0.5
    """

    key: ClassVar[str] = "balanced_accuracy"
    formula: ClassVar[str] = (
        "mean over the classes of the truth of the share of their rows that are decided right"
    )
    source: ClassVar[str] = "Brodersen et al. 2010; scikit-learn balanced_accuracy_score"

    def of_split(self, rows: TargetRows) -> OfSplit:
        """Computes the value; with C classes, a row of class c, of weight W and share r, moves it
        by w (right − r) / (C W)."""
        tally = Tally.of(rows)
        shares = [
            right / truth if truth else 0.0
            for right, truth in zip(tally.right, tally.truth, strict=True)
        ]
        classes = sum(truth > 0 for truth in tally.truth)
        value = math.fsum(shares) / classes
        pull = [1 / (classes * truth) if truth else 0.0 for truth in tally.truth]
        apart = tally.labels.right - tally.by_truth(shares)
        return OfSplit(Fraction(value), tally.weights * apart * tally.by_truth(pull))


@dataclass(frozen=True)
class ClassF1(LabelMetric):
    """A mean over classes of F1 = 2 TP / (2 TP + FP + FN), those of the truth and those of the
    answers."""

    @abstractmethod
    def shares(self, tally: Tally) -> list[float]:
        """Computes the weight of each class; their sum is 1."""

    @abstractmethod
    def moves_of_shares(self, tally: Tally, scores: list[float], value: float) -> pl.Series:
        """Computes the influence of each row through the weights of classes, times the sum of
        weights of rows."""

    def of_split(self, rows: TargetRows) -> OfSplit:
        """Computes the value. With T and P the weights of a class among truths and answers, a row
        moves its F1 by w (2 [both are of it] − F1 · ([truth is] + [answer is])) / (T + P)."""
        tally = Tally.of(rows)
        sizes = [truth + given for truth, given in zip(tally.truth, tally.given, strict=True)]
        scores = [
            2 * right / size if size else 0.0
            for right, size in zip(tally.right, sizes, strict=True)
        ]
        shares = self.shares(tally)
        value = math.fsum(share * score for share, score in zip(shares, scores, strict=True))
        pull = [share / size if size else 0.0 for share, size in zip(shares, sizes, strict=True)]
        pulled = [each * score for each, score in zip(pull, scores, strict=True)]
        moves = 2.0 * tally.labels.right * tally.by_truth(pull)
        moves -= tally.by_truth(pulled) + tally.by_answer(pulled)
        moves += self.moves_of_shares(tally, scores, value) / float(tally.total)
        return OfSplit(Fraction(value), tally.weights * moves)


class MacroF1(ClassF1):
    """The plain mean over classes of F1 = 2 TP / (2 TP + FP + FN).

    Classes are those of the truth and those that are answered in the split, so that a class that is
    answered wrongly, and is not a truth, counts as 0. Source: scikit-learn's `f1_score` with
    `average="macro"`.

    Truths a, a, b; answered a, b, b: F1 is 2/3 for a and 2/3 for b.

    >>> round(MacroF1().example_value(["a", "a", "b"], ["a", "b", "b"]), 3)
    0.667
    """

    key: ClassVar[str] = "f1_macro"
    formula: ClassVar[str] = "mean over classes of 2 TP / (2 TP + FP + FN)"
    source: ClassVar[str] = "scikit-learn f1_score, average macro"

    def shares(self, tally: Tally) -> list[float]:
        """Weighs all classes that occur equally."""
        occurs = [truth + given > 0 for truth, given in zip(tally.truth, tally.given, strict=True)]
        return [each / sum(occurs) for each in occurs]

    def moves_of_shares(self, tally: Tally, scores: list[float], value: float) -> pl.Series:
        """Returns zeros, as the weights are constant."""
        return repeat(0, len(tally.weights), pl.Float64)


class WeightedF1(ClassF1):
    """The mean over classes of F1 = 2 TP / (2 TP + FP + FN), weighed by their share of the truth.

    Source: scikit-learn's `f1_score` with `average="weighted"`.

    Truths a, a, b; answered a, a, a: F1 is 4/5 for a and 0 for b, so 2/3 · 4/5.

    >>> round(WeightedF1().example_value(["a", "a", "b"], ["a", "a", "a"]), 3)
    0.533
    """

    key: ClassVar[str] = "f1_weighted"
    formula: ClassVar[str] = (
        "mean over classes of 2 TP / (2 TP + FP + FN), weighed by their rows in the truth"
    )
    source: ClassVar[str] = "scikit-learn f1_score, average weighted"

    def shares(self, tally: Tally) -> list[float]:
        """Computes the share of each class in the truth."""
        return [truth / tally.total for truth in tally.truth]

    def moves_of_shares(self, tally: Tally, scores: list[float], value: float) -> pl.Series:
        """Computes the influence of a row on the weight of its class."""
        return tally.by_truth(scores) - value


class MicroF1(Accuracy):
    """2 Σ TP / (2 Σ TP + Σ FP + Σ FN), the sums over all classes.

    Each row has one label, so a wrong one is a false positive of one class and a false negative of
    another: it is the accuracy, and stands here for who looks for it. Source: scikit-learn's
    `f1_score` with `average="micro"`.

    >>> round(MicroF1().example_value(["a", "b", "b"], ["a", "b", "a"]), 3)
    0.667
    """

    key: ClassVar[str] = "f1_micro"
    formula: ClassVar[str] = "2 TP / (2 TP + FP + FN) of the sums over classes, which is accuracy"
    source: ClassVar[str] = "scikit-learn f1_score, average micro"


LABEL_METRICS: tuple[type[RowMetric], ...] = (
    Accuracy,
    BalancedAccuracy,
    MacroF1,
    MicroF1,
    WeightedF1,
)
"""The metrics of this family."""
