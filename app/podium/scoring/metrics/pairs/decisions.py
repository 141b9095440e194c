"""Decisions: a probability of at least a threshold says that a pair is positive."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import polars as pl

from podium.scoring.metrics.pairs.adding import added, ratio
from podium.scoring.metrics.pairs.base import Classes, PairMeasure, PairMetric
from podium.scoring.metrics.pairs.means import MeanMetric
from podium.scoring.pairs.answers import ScoredPairs
from podium.scoring.task import TaskKind


class Accuracy(MeanMetric):
    """The share of pairs that are decided right: p ≥ 0.5 says positive.

    Source: scikit-learn's `accuracy_score`.

    A positive with p = 0.8 and a negative with p = 0.5, which is decided wrong: 1/2.

    >>> Accuracy().terms(pl.Series([0.8, 0.5]), pl.Series([1, 0])).mean()
    0.5
    """

    key: ClassVar[str] = "accuracy"
    formula: ClassVar[str] = (
        "share of pairs whose p is at least 0.5 if, and only if, they are positive"
    )
    source: ClassVar[str] = "scikit-learn accuracy_score"
    tasks: ClassVar[tuple[TaskKind, ...]] = ("scores",)
    is_bounded: ClassVar[bool] = True
    upper_bound: ClassVar[int | None] = 1
    needs_probabilities: ClassVar[bool] = True

    def terms(self, numbers: pl.Series, targets: pl.Series) -> pl.Series:
        """1 where the decision is right."""
        return ((numbers >= 0.5) == (targets > 0)).cast(pl.Float64)


@dataclass(frozen=True)
class BinaryF1(PairMetric):
    """2 · TP / (2 · TP + FP + FN): the harmonic mean of precision and recall of what is decided.

    A p of at least the threshold says positive. The threshold is written in hundredths behind the
    name: `f1_binary_30` has 0.30; `f1_binary` is `f1_binary_50`. All pairs of a split are decided
    together. With few hits values are far from normal, and their intervals too narrow. Source: van
    Rijsbergen 1979; scikit-learn's `f1_score`.

    A positive with p = 0.8 and a negative with p = 0.5: 2 / (2 + 1 + 0) = 2/3.

    >>> BinaryF1().name, BinaryF1(5).name
    ('f1_binary', 'f1_binary_05')
    """

    hundredths: int = 50
    """The threshold, 1 to 99."""

    key: ClassVar[str] = "f1_binary"
    formula: ClassVar[str] = (
        "2 TP / (2 TP + FP + FN) over all pairs; a pair is said to be positive where p is at least"
        " the threshold"
    )
    source: ClassVar[str] = "van Rijsbergen 1979; scikit-learn f1_score"
    tasks: ClassVar[tuple[TaskKind, ...]] = ("scores",)
    is_bounded: ClassVar[bool] = True
    upper_bound: ClassVar[int | None] = 1
    needs_probabilities: ClassVar[bool] = True
    classes: ClassVar[Classes] = "both in a split"

    def __post_init__(self) -> None:
        """Refuses a threshold that decides nothing."""
        if not 1 <= self.hundredths <= 99:
            raise ValueError(f"{self.key} needs a threshold in hundredths, 01 to 99")

    @property
    def name(self) -> str:
        """The name, with its threshold where that is not 0.5."""
        return self.key if self.hundredths == 50 else f"{self.key}_{self.hundredths:02}"

    def measure(self, scored: ScoredPairs) -> PairMeasure:
        """The value by split: the ratio of twice the hits to those that are said to be positive and
        those that are."""
        threshold = self.hundredths / 100
        hits = added(scored, lambda p, y: 2.0 * ((p >= threshold) & (y > 0)).cast(pl.Float64))
        sizes = added(
            scored,
            lambda p, y: (p >= threshold).cast(pl.Float64) + (y > 0).cast(pl.Float64),
        )
        found = ratio(hits, sizes, scored)
        return PairMeasure({s: Fraction(value) for s, value in found.values.items()}, found.moves)
