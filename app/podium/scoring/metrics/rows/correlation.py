"""Computes correlations of a column of numbers with the truth: of the numbers themselves, and of
their ranks."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import polars as pl

from podium.scoring.columns import ColumnType
from podium.scoring.metrics.rows.base import OfSplit, RowMetric, SplitMetric
from podium.scoring.metrics.rows.forms import NUMBERS, lack_of_numbers
from podium.scoring.metrics.rows.means import exact_sum, mean_of, whole_weights
from podium.scoring.metrics.rows.targets import TargetRows


@dataclass(frozen=True)
class Correlation(SplitMetric):
    """A correlation of two columns of numbers. Constant answers have 0, and no standard error."""

    is_bounded: ClassVar[bool] = True
    lower_bound: ClassVar[int | None] = -1
    types_of_one: ClassVar[tuple[ColumnType, ...]] = NUMBERS

    def lack(self, rows: TargetRows) -> str | None:
        """Refuses truths that are all equal."""
        lack = lack_of_numbers(rows)
        return lack or ("all truths are equal" if rows.targets.n_unique() < 2 else None)


@dataclass(frozen=True)
class _Centered:
    """A column minus its mean, divided by the largest distance from it, and the mean square."""

    values: pl.Series
    square: float

    @classmethod
    def of(cls, column: pl.Series, rows: TargetRows) -> _Centered:
        apart = column - mean_of(column, rows).value
        largest = float(apart.abs().max())  # type: ignore[arg-type]
        if column.n_unique() < 2 or not largest:
            return cls(apart, 0.0)
        # Divided twice, as the reciprocal of a tiny number is infinite.
        values = apart / largest
        return cls(values, mean_of(values * values, rows).value)


class PearsonCorrelation(Correlation):
    """The correlation of the numbers with the truth: covariance / √(product of both variances).

    Only what lies on a straight line is seen; scale and origin of the numbers mean nothing. Source:
    Pearson 1895; SciPy's `pearsonr`.

    Truths 1, 2, 3 and numbers 1, 3, 2: the products of distances from 2 add up to 1, squares to 2
    and 2, so 1/2.

    >>> PearsonCorrelation().example_value([1, 2, 3], [1.0, 3.0, 2.0])
    0.5
    """

    key: ClassVar[str] = "pearson"
    formula: ClassVar[str] = "covariance of numbers and truths / sqrt(product of their variances)"
    source: ClassVar[str] = "Pearson 1895; SciPy pearsonr"

    def of_split(self, rows: TargetRows) -> OfSplit:
        """Computes the value r; with both columns centered and of variance 1, a row moves it by w
        (x y − r (x² + y²) / 2) / Σ w."""
        x, y = (_Centered.of(column, rows) for column in (rows.targets, rows.numbers))
        if not x.square or not y.square:
            return OfSplit(Fraction(0), None)
        root = math.sqrt(x.square) * math.sqrt(y.square)
        value = mean_of(x.values * y.values, rows).value / root
        squares = x.values * x.values / x.square + y.values * y.values / y.square
        moves = mean_of(x.values * y.values / root - value / 2 * squares, rows).moves
        return OfSplit(Fraction(max(-1.0, min(1.0, value))), moves)


class SpearmanCorrelation(Correlation):
    """The correlation of the ranks of the numbers with those of the truth; equal numbers share the
    mean of their ranks.

    Only the order of the numbers matters. Source: Spearman 1904; SciPy's `spearmanr`.

    Truths 10, 20, 90 and numbers 1, 3, 2: ranks 1, 2, 3 and 1, 3, 2 correlate by 1/2.

    >>> SpearmanCorrelation().example_value([10, 20, 90], [1.0, 3.0, 2.0])
    0.5
    """

    key: ClassVar[str] = "spearman"
    formula: ClassVar[str] = "correlation of the ranks of numbers and truths; ties share their mean"
    source: ClassVar[str] = "Spearman 1904; SciPy spearmanr"
    takes_weights: ClassVar[bool] = False

    def of_split(self, rows: TargetRows) -> OfSplit:
        """Computes the value, C / √(A B) of the mean products of centered ranks; a row moves these
        also by moving the ranks of all rows above it."""
        x, y = (_MidRanks.of(column) for column in (rows.targets, rows.numbers))
        a, b, c = (_mean(u.share * v.share) for u, v in ((x, x), (y, y), (x, y)))
        if not a or not b:
            return OfSplit(Fraction(0), None)
        value = c / math.sqrt(a * b)
        moved = x.share * y.share - 3 * c + x.moved(y.share) + y.moved(x.share)
        by_a = x.share * x.share - 3 * a + 2 * x.moved(x.share)
        by_b = y.share * y.share - 3 * b + 2 * y.moved(y.share)
        moves = moved / math.sqrt(a * b) - value / 2 * (by_a / a + by_b / b)
        return OfSplit(Fraction(max(-1.0, min(1.0, value))), moves / float(rows.count))


class NormalizedGini(Correlation):
    """Σ w y b of the numbers / the same of the truths themselves, where b are the weights of rows
    below one, less those above: how much of the truth is gathered by the order of the numbers.

    For truths 0 and 1 it is 2 · AUC − 1. Equal numbers share their places; where there are none it
    is Kaggle's, which leaves them in the order of the file. Source: Gini 1912; Kaggle's Allstate
    2011 and Liberty Mutual 2015.

    Truths 1, 2, 9 and numbers 1, 3, 2: 1 · −2 + 2 · 2 + 9 · 0 = 2 of 1 · −2 + 2 · 0 + 9 · 2 = 16.

    >>> NormalizedGini().example_value([1, 2, 9], [1.0, 3.0, 2.0])
    0.125
    """

    key: ClassVar[str] = "gini_normalized"
    formula: ClassVar[str] = (
        "sum of truth · (rows with a lower number - rows with a higher one) / the same by the order"
        " of the truths"
    )
    source: ClassVar[str] = "Gini 1912; Kaggle Allstate 2011, Liberty Mutual 2015"

    def of_split(self, rows: TargetRows) -> OfSplit:
        """Computes the value N / D of sums over pairs of rows; with those of its own pairs n and d,
        a row moves it by (n − value · d) / D."""
        weights = whole_weights(rows)
        own = weights.cast(pl.Float64)
        # The balances add up to 0, so the origin of the truths means nothing.
        gains = own * (rows.targets - mean_of(rows.targets, rows).value)
        sums, pairs = [], []
        for column in (rows.numbers, rows.targets):
            balance = _balance(column, weights).cast(pl.Float64)
            sums.append(exact_sum(gains * balance))
            pairs.append(gains * balance - own * _balance(column, gains))
        value = max(-1.0, min(1.0, float(sums[0] / sums[1])))
        moves = (pairs[0] - value * pairs[1]) / float(sums[1])
        return OfSplit(Fraction(value), moves)


def _balance(column: pl.Series, weights: pl.Series) -> pl.Series:
    """Sums for each row the weights of those with a lower number, less those with a higher one."""
    place = column.rank("dense").cast(pl.UInt32) - 1
    table = pl.DataFrame({"place": place, "weight": weights}).sort("place", "weight")
    sums = table.group_by("place", maintain_order=True).agg(pl.col("weight").sum())["weight"]
    before = sums.cum_sum() - sums
    return (before + before - sums.sum() + sums).gather(place)


@dataclass(frozen=True)
class _MidRanks:
    """The `share` of rows below each, ties half, less 1/2, and the index of each row's value among
    the distinct ones."""

    share: pl.Series
    place: pl.Series

    @classmethod
    def of(cls, column: pl.Series) -> _MidRanks:
        ranks = column.rank("average")
        twice = 2.0 * ranks - float(len(column) + 1)
        return cls(twice / float(2 * len(column)), column.rank("dense").cast(pl.UInt32) - 1)

    def moved(self, other: pl.Series) -> pl.Series:
        """Averages, for each row, [it is below] · the other's value over all rows, ties half."""
        sums = (
            pl.DataFrame({"place": self.place, "value": other})
            .sort("place", "value")
            .group_by("place", maintain_order=True)
            .agg(pl.col("value").sum())
        )["value"]
        above = sums.reverse().cum_sum().reverse() - sums / 2
        return above.gather(self.place) / float(len(other))


def _mean(values: pl.Series) -> float:
    return float(exact_sum(values) / len(values))


CORRELATIONS: tuple[type[RowMetric], ...] = (
    PearsonCorrelation,
    SpearmanCorrelation,
    NormalizedGini,
)
"""The metrics of numbers and of their ranks."""
