"""Losses of probabilities: logarithmic loss, alone and against that of the base rate, and the Brier
score.

Where a target is above 0, a pair is positive, and the probability is that of being so.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import ClassVar

import polars as pl

from podium.scoring.metrics.pairs.adding import added, by_side, pairs_of, positives_of, ratio
from podium.scoring.metrics.pairs.base import Classes, PairMeasure, PairMetric
from podium.scoring.metrics.pairs.means import MeanMetric
from podium.scoring.pairs.answers import ScoredPairs
from podium.scoring.task import TaskKind

LEAST_PROBABILITY = 1e-15
"""ε: the truth counts as if it had been given at least this probability."""


class LogLoss(MeanMetric):
    """Mean of −ln q, q being the probability that was given to what is true: p or 1 − p.

    q is raised to ε = 1e-15 where it is less, so that no loss is above 34.54. Source:
    scikit-learn's `log_loss`, which had this ε before version 1.2 and has 2.2e-16 since.

    A positive with p = 0.8 and a negative with p = 0.5: (−ln 0.8 − ln 0.5) / 2 = 0.458.

    >>> round(LogLoss().terms(pl.Series([0.8, 0.5]), pl.Series([1, 0])).mean(), 3)
    0.458
    """

    key: ClassVar[str] = "log_loss"
    formula: ClassVar[str] = (
        "mean of −ln(p) over positive and −ln(1 − p) over negative pairs; the logarithm is of no"
        " less than 1e-15"
    )
    source: ClassVar[str] = "scikit-learn log_loss"
    tasks: ClassVar[tuple[TaskKind, ...]] = ("scores",)
    higher_is_better: ClassVar[bool] = False
    needs_probabilities: ClassVar[bool] = True

    def terms(self, numbers: pl.Series, targets: pl.Series) -> pl.Series:
        """−ln q."""
        return log_losses(numbers, targets)


class BrierScore(MeanMetric):
    """Mean of (p − y)², y being 1 for a positive pair and 0 for a negative one.

    Source: Brier 1950, in its form for two classes; scikit-learn's `brier_score_loss`.

    A positive with p = 0.8 and a negative with p = 0.5: (0.04 + 0.25) / 2 = 0.145.

    >>> round(BrierScore().terms(pl.Series([0.8, 0.5]), pl.Series([1, 0])).mean(), 3)
    0.145
    """

    key: ClassVar[str] = "brier"
    formula: ClassVar[str] = "mean of (p − y)^2 over all pairs, y being 1 for a positive pair"
    source: ClassVar[str] = "Brier 1950; scikit-learn brier_score_loss"
    tasks: ClassVar[tuple[TaskKind, ...]] = ("scores",)
    higher_is_better: ClassVar[bool] = False
    needs_probabilities: ClassVar[bool] = True

    def terms(self, numbers: pl.Series, targets: pl.Series) -> pl.Series:
        """The squared distances."""
        apart = numbers - (targets > 0).cast(pl.Float64)
        return apart * apart


class NormalizedEntropy(PairMetric):
    """Logarithmic loss / entropy of the base rate: 1 for who always says the base rate.

    The base rate π is the share of positive pairs in the split, or in the group of it, and its
    entropy −π ln π − (1 − π) ln(1 − π). Losses are those of `log_loss`. Source: He et al.,
    Practical lessons from predicting clicks on ads at Facebook, 2014.

    A positive with p = 0.8 and a negative with p = 0.5, π = 0.5: 0.458 / ln 2 = 0.661.

    >>> round(log_losses(pl.Series([0.8, 0.5]), pl.Series([1, 0])).mean() / _entropy(0.5), 3)
    0.661
    """

    key: ClassVar[str] = "normalized_entropy"
    formula: ClassVar[str] = "log_loss / entropy of the share of positive pairs"
    source: ClassVar[str] = "He et al. 2014"
    tasks: ClassVar[tuple[TaskKind, ...]] = ("scores",)
    higher_is_better: ClassVar[bool] = False
    needs_probabilities: ClassVar[bool] = True
    classes: ClassVar[Classes] = "both in a split"

    at_none: ClassVar[int] = 0
    """The value where there is no loss."""
    per_entropy: ClassVar[int] = 1
    """The part of the value that a loss as large as the entropy adds."""

    def measure(self, scored: ScoredPairs) -> PairMeasure:
        """The value by split.

        With the loss L, the rate π and the entropy H(π) of a split, L / H is moved by
        (moves of L − L / H · H'(π) · moves of π) / H, H'(π) = ln((1 − π) / π).
        """
        pairs = pairs_of(scored)
        loss = ratio(added(scored, log_losses), pairs, scored)
        rate = ratio(positives_of(scored), pairs, scored)
        values, by_loss, by_rate = {}, {}, {}
        for split in scored.splits:
            entropy, found = _entropy(rate.values[split]), rate.values[split]
            share = loss.values[split] / entropy
            values[split] = Fraction(self.at_none + self.per_entropy * share)
            by_loss[split] = self.per_entropy / entropy
            by_rate[split] = -by_loss[split] * share * math.log((1 - found) / found)
        side = scored.units["split"]
        moves = by_side(by_loss, side) * loss.moves + by_side(by_rate, side) * rate.moves
        return PairMeasure(values, moves)


class RelativeCrossEntropy(NormalizedEntropy):
    """100 · (1 − logarithmic loss / entropy of the base rate): the share of the entropy, in per
    cent, that is explained.

    100 is perfect, 0 is to say the base rate always, and worse is below 0. The base rate is that of
    the split, or of the group of it. Source: RecSys Challenge 2020 (Belli et al.).

    A positive with p = 0.8 and a negative with p = 0.5: 100 · (1 − 0.661) = 33.9.

    >>> losses = log_losses(pl.Series([0.8, 0.5]), pl.Series([1, 0]))
    >>> round(100 * (1 - losses.mean() / _entropy(0.5)), 1)
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


def log_losses(numbers: pl.Series, targets: pl.Series) -> pl.Series:
    """−ln of the probability of what is true, or of `LEAST_PROBABILITY`.

    >>> log_losses(pl.Series([1.0, 0.0, 1.0]), pl.Series([1, 0, 0])).round(2).to_list()
    [0.0, 0.0, 34.54]
    """
    given = numbers.zip_with(targets > 0, 1.0 - numbers)
    # No logarithm of a probability is above 0.
    return given.clip(LEAST_PROBABILITY).log().abs()


def _entropy(rate: float) -> float:
    """The entropy of a share between 0 and 1, in nats."""
    return -rate * math.log(rate) - (1 - rate) * math.log(1 - rate)
