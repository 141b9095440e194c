"""Areas under the ROC curve: the chance that a positive pair scores above a negative one, over all
pairs of a split, or unit by unit. Pairs with the same score count half.

Numbers mean nothing but an order: any increasing function of them gives the same value.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import ClassVar

import polars as pl

from podium.scoring.kernel.ranks import pair_columns, placements
from podium.scoring.metrics.pairs.adding import SIDES, mean_over_units, slices
from podium.scoring.metrics.pairs.base import Classes, PairMeasure, PairMetric
from podium.scoring.metrics.sums import exact_sums, sums_by_slot
from podium.scoring.pairs.answers import ScoredPairs
from podium.scoring.task import TaskKind


class AreaUnderCurve(PairMetric):
    """The share of all combinations of a positive and a negative pair in which the positive one
    scores higher, ties half: the area under the ROC curve.

    Counted in whole numbers, so the value is exact. The standard error is that of DeLong, DeLong &
    Clarke-Pearson 1988 for units of several pairs, as in Obuchowski 1997. Source: Hanley & McNeil
    1982; scikit-learn's `roc_auc_score`.

    Positives score 0.8 and 0.4, negatives 0.4 and 0.1: (1 + 1 + 1/2 + 1) / 4 = 0.875.

    >>> y, alike = pl.Series([1, 1, 0, 0]), pl.zeros(4, pl.UInt8, eager=True)
    >>> pair_columns(pl.Series([0.8, 0.4, 0.4, 0.1]), y, alike, size=1).rows()
    [(7, 2, 2)]
    """

    key: ClassVar[str] = "auc"
    formula: ClassVar[str] = (
        "share of combinations of a positive and a negative pair in which the positive one scores"
        " higher, ties half"
    )
    source: ClassVar[str] = "Hanley & McNeil 1982; scikit-learn roc_auc_score"
    tasks: ClassVar[tuple[TaskKind, ...]] = ("scores",)
    is_bounded: ClassVar[bool] = True
    upper_bound: ClassVar[int | None] = 1
    classes: ClassVar[Classes] = "both in a split"

    def measure(self, scored: ScoredPairs) -> PairMeasure:
        """The value by split.

        With the share V of the other class that a pair beats, a unit moves
        Σ (V − auc) / P over its positive pairs and Σ (V − auc) / N over its negative ones.
        """
        placed = placements(scored.numbers, scored.targets > 0, scored.side, size=SIDES)
        counts = _classes(scored)
        twice = _twice(scored, placed, counts)
        values, centre, pull = {}, [0.0] * SIDES, [0.0] * (2 * SIDES)
        for split in scored.splits:
            negatives, positives = counts[2 * split], counts[2 * split + 1]
            values[split] = twice.get(split, 0) / Fraction(2 * positives * negatives)
            centre[split] = float(values[split])
            pull[2 * split : 2 * split + 2] = 1 / negatives, 1 / positives

        def parts() -> Iterator[tuple[pl.Series, pl.Series]]:
            for start, part in slices(scored):
                # A split that is not scored may have no other class.
                shares = placed.slice(start, len(part.side)).fill_nan(0.0)
                moved = shares - pl.Series(centre).gather(part.side)
                yield part.slots, moved * pl.Series(pull).gather(_class_of(part))

        return PairMeasure(values, sums_by_slot(parts(), size=scored.units.height))


def _class_of(part: ScoredPairs) -> pl.Series:
    """Twice the split, and one more for a positive pair."""
    return part.side * 2 + (part.targets > 0).cast(pl.UInt8)


def _classes(scored: ScoredPairs) -> Counter[int]:
    """The pairs by their class."""
    counts: Counter[int] = Counter()
    for _, part in slices(scored):
        counts.update(dict(_class_of(part).value_counts().iter_rows()))
    return counts


def _twice(scored: ScoredPairs, placed: pl.Series, counts: Counter[int]) -> dict[int, Fraction]:
    """By split the combinations in which the positive pair scores higher, twice, and those with
    equal scores: whole numbers, as the shares of positive pairs are halves of negative ones."""
    halves = pl.Series([2.0 * counts[2 * split] for split in range(SIDES)])
    twice: dict[int, Fraction] = {}
    for start, part in slices(scored):
        positive = part.targets > 0
        side = part.side.filter(positive)
        shares = placed.slice(start, len(part.side)).filter(positive).fill_nan(0.0)
        for split, total in exact_sums((shares * halves.gather(side)).round(), side).items():
            twice[split] = twice.get(split, Fraction(0)) + total
    return twice


class GroupedArea(PairMetric):
    """A mean over units (users, or contexts: the task's unit) of the area of each."""

    tasks: ClassVar[tuple[TaskKind, ...]] = ("scores", "rerank")
    is_bounded: ClassVar[bool] = True
    upper_bound: ClassVar[int | None] = 1
    classes: ClassVar[Classes] = "both in a unit"

    @abstractmethod
    def weights(self, classes: pl.DataFrame) -> pl.Series:
        """The weight of each unit (Float64) by its counts of `positives` and `negatives`."""

    def measure(self, scored: ScoredPairs) -> PairMeasure:
        """The value by split: a mean over the units that have both classes. `notes` count the
        others, as `units_of_one_class`."""
        positive, size = scored.targets > 0, scored.units.height
        found = pair_columns(scored.numbers, positive, scored.slots, size=size)
        both = (found["positives"] > 0) & (found["negatives"] > 0)
        weights = self.weights(found) * both.cast(pl.Float64)
        all_ = found["positives"].cast(pl.UInt64) * found["negatives"] * 2
        areas = found["twice"] / all_.set(~both, 1)
        return mean_over_units(areas, weights, scored, left_out="units_of_one_class")


class MeanArea(GroupedArea):
    """The mean over units of the area under the ROC curve of their own pairs.

    All units count alike. Those whose pairs are all positive or all negative have no area: they are
    left out, and counted. Source: Zhou et al., Deep Interest Network, 2018, without weights; the
    `AUC` of MIND (Wu et al. 2020), where a unit is an impression.

    A user with areas 1, one with 0.5 and one without a negative pair: (1 + 0.5) / 2 = 0.75.

    >>> MeanArea().weights(pl.DataFrame({"positives": [1, 2], "negatives": [3, 2]})).to_list()
    [1.0, 1.0]
    """

    key: ClassVar[str] = "gauc"
    formula: ClassVar[str] = "mean over units with both classes of the auc of their own pairs"
    source: ClassVar[str] = "Zhou et al. 2018; Wu et al. 2020"

    def weights(self, classes: pl.DataFrame) -> pl.Series:
        """1 for all."""
        return pl.repeat(1.0, classes.height, dtype=pl.Float64, eager=True)


class WeightedMeanArea(GroupedArea):
    """The mean over units of the area under the ROC curve of their own pairs, weighted by their
    number of pairs.

    Units whose pairs are all positive or all negative are left out, and counted. Source: Zhou et
    al., Deep Interest Network, 2018, who weight users by their impressions.

    A user of 4 pairs with area 1, one of 2 with 0.5: (4 · 1 + 2 · 0.5) / 6 = 0.833.

    >>> classes = pl.DataFrame({"positives": [1, 1], "negatives": [3, 1]})
    >>> WeightedMeanArea().weights(classes).to_list()
    [4.0, 2.0]
    """

    key: ClassVar[str] = "gauc_weighted"
    formula: ClassVar[str] = (
        "mean over units with both classes of the auc of their own pairs, weighted by their number"
        " of pairs"
    )
    source: ClassVar[str] = "Zhou et al. 2018"

    def weights(self, classes: pl.DataFrame) -> pl.Series:
        """The number of pairs."""
        return (classes["positives"] + classes["negatives"]).cast(pl.Float64)
