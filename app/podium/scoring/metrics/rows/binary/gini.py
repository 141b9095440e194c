"""Computes Gini coefficients of two classes, 2 · AUC − 1: over all rows of a split, and how stable
it is from week to week."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, Self

import polars as pl

from podium.scoring.metrics.rows.base import OfSplit, RowMeasure, SplitMetric
from podium.scoring.metrics.rows.binary.areas import AreaUnderCurve, CurveArea, area_of
from podium.scoring.metrics.rows.forms import lack_of_one_class
from podium.scoring.metrics.rows.targets import TargetRows
from podium.scoring.metrics.sums import sums_by_slot

WEEK = "week"
"""The column of the solution with the number of the week of each row, or of any other period."""

FALL, SPREAD = 88, 0.5
"""The weights of a falling trend and of the spread around it."""


class BinaryGini(AreaUnderCurve):
    """2 · AUC − 1: the share of combinations of a positive and a negative row in the right order
    less that in the wrong one.

    Source: Somers 1962 (his D); Kaggle's Porto Seguro 2017, where ties go by the order of the file;
    here they count for neither.

    Positives score 0.8 and 0.4, negatives 0.4 and 0.1: three combinations are right, and one is
    neither: 3 / 4.

    >>> BinaryGini().example_value([1, 1, 0, 0], [0.8, 0.4, 0.4, 0.1])
    0.75
    """

    key: ClassVar[str] = "gini_binary"
    formula: ClassVar[str] = (
        "2 · auc - 1: share of combinations of a positive and a negative row in the right order"
        " less that in the wrong one"
    )
    source: ClassVar[str] = "Somers 1962; Kaggle Porto Seguro 2017"
    lower_bound: ClassVar[int | None] = -1

    def measure_part(self, rows: TargetRows) -> RowMeasure:
        """Computes the value by split; a unit moves it twice as much as the area."""
        found = super().measure_part(rows)
        moves = None if found.moves is None else 2 * found.moves
        return RowMeasure({split: 2 * value - 1 for split, value in found.values.items()}, moves)


@dataclass(frozen=True)
class _Trend:
    """The straight line through values at 0, 1, …, by least squares: their `mean`, its `slope`, and
    the `spread` around it, √(mean squared distance). `distances` are exact."""

    mean: Fraction
    slope: Fraction
    distances: Sequence[Fraction]
    spread: float

    @classmethod
    def of(cls, values: Sequence[Fraction]) -> Self:
        """Fits the line to at least two values."""
        count = len(values)
        mean = sum(values, Fraction(0)) / count
        apart = list(_from_the_middle(count))
        square = sum(x * x for x in apart)
        slope = sum((x * v for x, v in zip(apart, values, strict=True)), Fraction(0)) / square
        distances = [v - mean - slope * x for x, v in zip(apart, values, strict=True)]
        spread = math.sqrt(sum(each * each for each in distances) / count)
        return cls(mean, slope, distances, spread)

    def pulls(self) -> list[float]:
        """Computes the derivatives of mean + FALL · min(0, slope) − SPREAD · spread by each
        value."""
        count = len(self.distances)
        apart = list(_from_the_middle(count))
        fall = FALL / sum(x * x for x in apart) if self.slope < 0 else Fraction(0)
        spread = SPREAD / (self.spread * count) if self.spread else 0.0
        return [
            1 / count + float(fall * x) - spread * float(each)
            for x, each in zip(apart, self.distances, strict=True)
        ]


def _from_the_middle(count: int) -> Iterator[Fraction]:
    return (Fraction(2 * place - count + 1, 2) for place in range(count))


class GiniStability(CurveArea, SplitMetric):
    """Mean over weeks of 2 · AUC − 1, plus 88 · min(0, slope), less 0.5 · spread: the slope of the
    straight line through the weeks' values, and the standard deviation of what is left beside it.

    The solution has a column `week` with a number; weeks that occur follow each other, as far apart
    as they may be. Each has both classes, in each split. Rows are sampled for the standard error,
    not weeks. Source: Kaggle's Home Credit 2024.

    The first week has Gini 1, the second 0: 1/2 − 88 · 1 − 0.5 · 0.

    >>> truth = {"y": [1, 0, 1, 0], "week": [1, 1, 2, 2]}
    >>> GiniStability().example_value(truth, {"y": [0.9, 0.1, 0.5, 0.5]})
    -87.5
    """

    key: ClassVar[str] = "gini_stability"
    formula: ClassVar[str] = (
        "mean over weeks of 2 · auc - 1, + 88 · min(0, slope over weeks), - 0.5 · standard"
        " deviation around that slope"
    )
    source: ClassVar[str] = "Kaggle Home Credit 2024"
    lower_bound: ClassVar[int | None] = None
    companions: ClassVar[tuple[str, ...]] = (WEEK,)

    def lack(self, rows: TargetRows) -> str | None:
        """Refuses truths without weeks, with one alone, or with one of one class."""
        if WEEK not in rows.truth.columns[1:]:
            return f"the solution needs a column {WEEK}"
        lack = lack_of_one_class(rows)
        if lack is not None:
            return lack
        weeks = list(_weeks_of(rows))
        for week, _, part in weeks:
            lack = lack_of_one_class(part)
            if lack is not None:
                return f"{WEEK} {week:g}: {lack}"
        return None if len(weeks) > 1 else f"there is one {WEEK} alone"

    def of_split(self, rows: TargetRows) -> OfSplit:
        """Computes the value; a row moves it by the derivative by its week's value."""
        weeks = [(places, area_of(part)) for _, places, part in _weeks_of(rows)]
        trend = _Trend.of([2 * area.value - 1 for _, area in weeks])
        value = float(trend.mean + FALL * min(Fraction(0), trend.slope)) - SPREAD * trend.spread
        moves = [
            (places, 2 * pull * area.moves)
            for pull, (places, area) in zip(trend.pulls(), weeks, strict=True)
            if area.moves is not None
        ]
        return OfSplit(Fraction(value), sums_by_slot(moves, size=rows.count))


def _weeks_of(rows: TargetRows) -> Iterator[tuple[float, pl.Series, TargetRows]]:
    """Yields the number of each week in order, the places of its rows (UInt32), and these."""
    weeks = rows.truth[WEEK]
    alone = replace(rows, truth=rows.truth.drop(WEEK))
    for week in weeks.unique().sort():
        mine = weeks == week
        yield float(week), mine.arg_true(), alone.filtered(mine)


GINIS: tuple[type[CurveArea], ...] = (BinaryGini, GiniStability)
"""The metrics of this family."""
