"""Computes areas under the precision-recall curve, with both ways of interpolation between its
points.

Only the order of numbers matters. The curve has a point for each distinct score: precision and
recall of all pairs with at least this score.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import polars as pl

from podium.scoring.metrics.rows.base import Classes, OfSplit, RowMeasure, split_by_split
from podium.scoring.metrics.rows.forms import BinaryMetric
from podium.scoring.metrics.rows.means import exact_sum, slices, whole_weights
from podium.scoring.metrics.rows.targets import TargetRows
from podium.scoring.metrics.sums import sums_by_slot
from podium.scoring.repeating import repeat


class PrecisionArea(BinaryMetric):
    """Σ over the points of (recall − recall of the point before) · precision between both.

    The standard error is that of the derivative by the weight of each unit. It is right with some
    hundred positive pairs; with fewer, intervals are too narrow.
    """

    is_bounded: ClassVar[bool] = True
    classes: ClassVar[Classes] = "both in a split"

    before: ClassVar[float]
    """The weight of the previous point's precision between two points."""

    def measure_part(self, rows: TargetRows) -> RowMeasure:
        """Computes the value by split."""
        curves = {split: _Curve.of(rows, split) for split in rows.splits}
        values, lines = {}, {}
        for split, curve in curves.items():
            credit = (1 - self.before) * curve.precision + self.before * curve.precision_before
            total = exact_sum(curve.positives * credit)
            values[split] = Fraction(float(total / curve.total))
            lines[split] = _Moves.of(curve, credit, float(values[split]), self.before)

        def parts() -> Iterator[tuple[pl.Series, pl.Series]]:
            for split, curve in curves.items():
                for part in _parts_of(rows, split):
                    yield part.slots, lines[split].of_pairs(part, curve.scores)

        return RowMeasure(values, sums_by_slot(parts(), size=rows.units.height))


class AveragePrecisionOfRows(PrecisionArea):
    """Σ (R_n − R_(n − 1)) · P_n over the different scores, the highest first: precision and recall
    of all rows with at least this score, in steps and without interpolation.

    Tied rows are one step. It is the mean of the precision at each positive row. Source:
    scikit-learn's `average_precision_score`, as in RecSys Challenge 2021.

    Positives score 0.8 and 0.4, negatives 0.4 and 0.1: 1/2 · 1 + 1/2 · 2/3 = 0.833.

    >>> round(AveragePrecisionOfRows().example_value([1, 1, 0, 0], [0.8, 0.4, 0.4, 0.1]), 3)
    0.833
    """

    key: ClassVar[str] = "average_precision"
    formula: ClassVar[str] = (
        "sum over the different scores, the highest first, of (recall − recall before) · precision"
        " of all rows with at least this score"
    )
    source: ClassVar[str] = "scikit-learn average_precision_score; RecSys Challenge 2021"
    before: ClassVar[float] = 0.0

    def measure_part(self, rows: TargetRows) -> RowMeasure:
        """Computes the value by split, by weight where rows have weights."""
        if rows.weights is not None:
            return split_by_split(_weighted, rows)
        return super().measure_part(rows)


def _weighted(rows: TargetRows) -> OfSplit:
    """Computes average precision by weight. A row of a class y contributes to the precision T of
    its step and of all lower ones, with weights M: it moves the value by w (y (T of its step −
    value) + Σ positives (y − T) / M) / all positives."""
    steps = ScoreSteps.of(rows)
    positive, negative, more_p, more_n = steps.table.drop("place").get_columns()
    size = positive + negative + more_p + more_n
    precision, total = (positive + more_p) / size, float(positive.sum())
    value = float(exact_sum(positive * precision) / Fraction(total))
    after, after_hits = (
        each.reverse().cum_sum().reverse()
        for each in (positive / size, positive * precision / size)
    )
    of_positive = precision - value + after - after_hits
    return OfSplit(Fraction(value), steps.moves(of_positive / total, -after_hits / total))


class PrecisionRecallArea(PrecisionArea):
    """Σ (R_n − R_(n − 1)) · (P_n + P_(n − 1)) / 2 over the different scores, the highest first: the
    area under straight lines between the points. The first one starts at precision 1.

    Straight lines are too optimistic (Davis & Goadrich 2006): `average_precision` has steps. It is
    here because RecSys Challenge 2020 ranked by it: `precision_recall_curve` and `auc` of
    scikit-learn.

    Positives score 0.8 and 0.4, negatives 0.4 and 0.1: 1/2 · (1 + 1) / 2 + 1/2 · (1 + 2/3) / 2 =
    0.917.

    >>> round(PrecisionRecallArea().example_value([1, 1, 0, 0], [0.8, 0.4, 0.4, 0.1]), 3)
    0.917
    """

    key: ClassVar[str] = "pr_auc"
    formula: ClassVar[str] = (
        "area under straight lines between the points of precision by recall, from precision 1"
    )
    source: ClassVar[str] = "RecSys Challenge 2020; scikit-learn precision_recall_curve, auc"
    takes_weights: ClassVar[bool] = False
    before: ClassVar[float] = 0.5


@dataclass(frozen=True)
class _Curve:
    """The points of a split whose recall exceeds that of the previous point: the distinct `scores`
    of its positive pairs, ascending. By score, all Float64: `positives` with this one; `least` and
    `least_before`, the pairs with at least this one and with a higher one; and the precision of
    both."""

    scores: pl.Series
    positives: pl.Series
    least: pl.Series
    least_before: pl.Series
    precision: pl.Series
    precision_before: pl.Series
    total: int

    @classmethod
    def of(cls, rows: TargetRows, split: int) -> _Curve:
        """Computes the curve of a split that has both classes."""
        mine = [part.numbers.filter(part.positive) for part in _parts_of(rows, split)]
        steps = pl.concat(mine).alias("score").value_counts().sort("score")
        scores, positives = steps["score"], steps["count"].cast(pl.Float64)
        higher, tied = _negatives(rows, split, scores)
        hits = positives.reverse().cum_sum().reverse()
        least, hits_before = hits + higher + tied, hits - positives
        least_before = hits_before + higher
        return cls(
            scores,
            positives,
            least,
            least_before,
            hits / least,
            # Before anything is predicted, nothing is wrong.
            (hits_before / least_before).fill_nan(1.0),
            int(positives.sum()),
        )


def _negatives(rows: TargetRows, split: int, scores: pl.Series) -> tuple[pl.Series, pl.Series]:
    """Counts for each score the negative pairs with a higher one, and with the same."""

    def found() -> Iterator[tuple[pl.Series, pl.Series]]:
        size = len(scores) + 1
        for part in _parts_of(rows, split):
            numbers = part.numbers.filter(~part.positive)
            lower = scores.search_sorted(numbers, side="left")
            tied = scores.search_sorted(numbers, side="right") - lower
            at = lower.cast(pl.UInt32) + tied.cast(pl.UInt32) * size
            yield at, repeat(1.0, len(at), pl.Float64)

    size = len(scores) + 1
    counts = sums_by_slot(found(), size=2 * size)
    apart, tied = counts.head(size), counts.slice(size, size - 1)
    # Those that lie above number n of the scores are above all before it, too.
    above = (apart.slice(1) + tied.shift(-1, fill_value=0.0)).reverse().cum_sum().reverse()
    return above, tied


@dataclass(frozen=True)
class _Moves:
    """The influence of a pair, by the number of the curve's scores that are not above its own
    (`up_to`), and, for a negative pair, by that of the scores below its own (`below`)."""

    of_positive: pl.Series
    up_to: pl.Series
    below: pl.Series

    @classmethod
    def of(cls, curve: _Curve, credit: pl.Series, value: float, before: float) -> _Moves:
        """Computes the influence of one more pair on Σ positives · credit / all positives.

        A pair of score s and class y contributes to every point with a score up to s, whose
        precision T / M it moves by (y − T / M) / M, and of the points before those with a score
        below s; a positive one brings its own credit.
        """
        after = _running((1 - before) * curve.positives / curve.least)
        after_hits = _running((1 - before) * curve.positives * curve.precision / curve.least)
        weight = before * curve.positives / curve.least_before.replace(0.0, math.inf)
        earlier, earlier_hits = _running(weight), _running(weight * curve.precision_before)
        own = credit - value + (after - after_hits).slice(1)
        own += (earlier - earlier_hits).head(len(credit))
        return cls(own / curve.total, -after_hits / curve.total, -earlier_hits / curve.total)

    def of_pairs(self, part: TargetRows, scores: pl.Series) -> pl.Series:
        """Looks up the influence of each pair."""
        up_to = scores.search_sorted(part.numbers, side="right")
        below = scores.search_sorted(part.numbers, side="left")
        of_negative = self.up_to.gather(up_to) + self.below.gather(below)
        last = len(scores) - 1
        return self.of_positive.gather(below.clip(0, last)).zip_with(part.positive, of_negative)


def _parts_of(rows: TargetRows, split: int) -> Iterator[TargetRows]:
    """Yields the pairs of a split in slices."""
    for _, part in slices(rows):
        yield part.filtered(part.side == split)


def _running(values: pl.Series) -> pl.Series:
    """Sums the first values: of none, of one, … of all."""
    return pl.concat([pl.Series([0.0]), values.cum_sum()])


@dataclass(frozen=True)
class ScoreSteps:
    """The distinct numbers of weighted rows, descending: `positive` and `negative` are the weights
    of both classes at each (Float64), with the prefix `more` at higher ones; `place` is the step of
    each row."""

    table: pl.DataFrame
    place: pl.Series
    is_positive: pl.Series
    weights: pl.Series

    @classmethod
    def of(cls, rows: TargetRows) -> ScoreSteps:
        """Groups the rows of a split into steps."""
        weights, is_positive = whole_weights(rows), rows.positive
        place = (-rows.numbers).rank("dense").cast(pl.UInt32) - 1
        positive = weights * is_positive.cast(pl.Int64)
        by_class = {"positive": positive, "negative": weights - positive}
        sums = pl.DataFrame({"place": place, **by_class}).group_by("place").sum().sort("place")
        both = pl.col("positive", "negative")
        more = (both.cum_sum() - both).name.prefix("more_")
        table = sums.with_columns(more).cast(pl.Float64)
        return cls(table, place, is_positive, weights.cast(pl.Float64))

    def moves(self, of_positive: pl.Series, of_negative: pl.Series) -> pl.Series:
        """Looks up the influence of each row by that of its class at its step, times its weight."""
        of_rows = (each.gather(self.place) for each in (of_positive, of_negative))
        positive, negative = of_rows
        return self.weights * positive.zip_with(self.is_positive, negative)
