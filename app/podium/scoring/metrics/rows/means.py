"""Computes sums and means of rows that do not depend on their order, and the influence of rows.

Rows are processed in slices, so that memory stays bounded.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

import polars as pl

from podium.scoring.metrics.rows.base import OfSplit, RowMeasure, RowMetric
from podium.scoring.metrics.rows.targets import TargetRows
from podium.scoring.metrics.sums import as_whole_numbers, exact_sums, sums_by_slot
from podium.scoring.repeating import repeat
from podium.scoring.splits import SPLIT_NAMES

SIDES = 1 + max(SPLIT_NAMES)
"""One more than the largest number of a split."""

_SLICE = 1 << 19

Values = Callable[[TargetRows], pl.Series]
"""Computes values of at least 0, Float64, from rows."""


@dataclass(frozen=True)
class Sums:
    """Sums of values of at least 0: `by_split`, exact, without splits whose sum is 0; and `by_unit`
    (Float64), for each row of `TargetRows.units`."""

    by_split: dict[int, Fraction]
    by_unit: pl.Series


@dataclass(frozen=True)
class Ratio:
    """The ratio Σ above / Σ below by split, rounded once, and the influence of each unit on it."""

    values: dict[int, float]
    moves: pl.Series


class MeanMetric(RowMetric):
    """A metric that is a weighted mean of losses, or of gains, over rows, or a function of this
    mean.

    A new one is a subclass with `losses` and, where the value is not the mean itself, `of_mean` and
    `slope`. All rows of a split count alike, however many a unit has.
    """

    @abstractmethod
    def losses(self, rows: TargetRows) -> pl.Series:
        """Computes the number of each row that is averaged, at least 0."""

    def of_mean(self, mean: float) -> float:
        """Computes the value for this mean."""
        return mean

    def slope(self, value: float) -> float:
        """Computes the derivative of the value with respect to the mean; `value` is above 0."""
        return 1.0

    def measure_part(self, rows: TargetRows) -> RowMeasure:
        """Computes the value by split: one float64, by one division of the exact sum.

        With L_u losses summed over the rows of a unit, whose weights are n_u, and their mean over
        all rows μ = Σ L / Σ n, a unit moves slope / Σ n · (L_u − μ · n_u).
        """
        mean = ratio(added(rows, self.losses), sizes_of(rows), rows)
        values = {split: self.of_mean(each) for split, each in mean.values.items()}
        slopes = {split: self.slope(value) for split, value in values.items() if value}
        moves = by_side(slopes, rows.units["split"]) * mean.moves
        return RowMeasure({split: Fraction(value) for split, value in values.items()}, moves)


def slices(rows: TargetRows) -> Iterator[tuple[int, TargetRows]]:
    """Yields the rows in slices, each with the index of its first row."""
    for begin, end in zip(rows.starts, (*rows.starts[1:], rows.count), strict=True):
        for start in range(begin, end, _SLICE):
            yield start, rows.slice(start, min(_SLICE, end - start))


def added(rows: TargetRows, values: Values) -> Sums:
    """Sums a function of each row, by weight."""
    by_split: dict[int, Fraction] = {}

    def parts() -> Iterator[tuple[pl.Series, pl.Series]]:
        for _, part in slices(rows):
            found = values(part)
            found = found if part.weights is None else part.weights * found
            for split, total in exact_sums(found, part.side).items():
                by_split[split] = by_split.get(split, Fraction(0)) + total
            yield part.slots, found

    by_unit = sums_by_slot(parts(), size=rows.units.height)
    return Sums(by_split, by_unit)


def sizes_of(rows: TargetRows) -> Sums:
    """Sums the weights of rows: their number, where they have none."""
    if rows.weights is not None:
        return added(rows, lambda part: repeat(1.0, part.count, pl.Float64))
    counts = rows.units.group_by("split").agg(pl.col("pairs").cast(pl.UInt64).sum())
    by_split = {split: Fraction(count) for split, count in counts.iter_rows()}
    return Sums(by_split, rows.units["pairs"].cast(pl.Float64))


def positives_of(rows: TargetRows) -> Sums:
    """Sums the weights of rows whose target is above 0."""
    return added(rows, lambda part: part.positive.cast(pl.Float64))


def ratio(above: Sums, below: Sums, rows: TargetRows) -> Ratio:
    """Computes the ratio of two sums, 0 where there is nothing to divide by.

    With a_u above and b_u below of a unit, it moves the ratio r by (a_u − r · b_u) / Σ b.
    """
    values, pull = {}, {}
    for split in rows.splits:
        total = below.by_split.get(split)
        values[split] = float(above.by_split.get(split, Fraction(0)) / total) if total else 0.0
        pull[split] = float(1 / total) if total else 0.0
    side = rows.units["split"]
    centered = above.by_unit - by_side(values, side) * below.by_unit
    return Ratio(values, by_side(pull, side) * centered)


def mean_over_units(
    values: pl.Series, weights: pl.Series, rows: TargetRows, *, left_out: str
) -> RowMeasure:
    """Averages a finite value of each unit, by their weights (Float64). Units with the weight 0 are
    excluded; those of them that have rows are counted in the notes, as `left_out`. Where only one
    unit of a split remains, the moves are unknown: the variance between units cannot be
    estimated."""
    units, counted = rows.units, weights > 0
    side = units["split"]
    above, below = (Sums(exact_sums(each, side), each) for each in (weights * values, weights))
    mean = ratio(above, below, rows)
    sizes = dict(side.filter(counted).value_counts().iter_rows())
    others = dict(side.filter(~counted & (units["pairs"] > 0)).value_counts().iter_rows())
    return RowMeasure(
        {split: Fraction(value) for split, value in mean.values.items()},
        mean.moves if all(sizes[split] > 1 for split in rows.splits) else None,
        {left_out: {split: others.get(split, 0) for split in rows.splits}},
    )


def by_side(values: dict[int, float], side: pl.Series) -> pl.Series:
    """Looks up the value of the split of each row, 0 for a split without one."""
    return pl.Series([values.get(split, 0.0) for split in range(SIDES)]).gather(side)


def exact_sum(values: pl.Series) -> Fraction:
    """Sums finite values, exactly down to 2**-93 of the largest.

    >>> exact_sum(pl.Series([0.1] * 10 + [-0.1] * 10))
    Fraction(0, 1)
    """
    keys = repeat(0, len(values), pl.UInt8)
    above, below = (exact_sums(each.clip(0.0), keys) for each in (values, -values))
    return above.get(0, Fraction(0)) - below.get(0, Fraction(0))


def whole_weights(rows: TargetRows) -> pl.Series:
    """Scales the weights to whole numbers (Int64), 1 without any, so that their sums are exact.
    They are rounded to a multiple of 2**-39 of the largest in 4 million rows, and finer in
    fewer."""
    if rows.weights is None:
        return repeat(1, rows.count, pl.Int64)
    whole, _ = as_whole_numbers(rows.weights)
    return whole.clip(1)


@dataclass(frozen=True)
class Mean:
    """A weighted mean over one split, rounded once, and the influence of each row on it."""

    value: float
    moves: pl.Series

    def measure(self) -> OfSplit:
        """Converts the mean to the value of a metric."""
        return OfSplit(Fraction(self.value), self.moves)


def mean_of(values: pl.Series, rows: TargetRows) -> Mean:
    """Computes Σ w v / Σ w over the rows of a split, which a row moves by w (v − mean) / Σ w.

    >>> from podium.scoring.metrics.rows.targets import rows_of
    >>> found = mean_of(pl.Series([1.0, 3.0]), rows_of([1.0, 3.0], [1.0, 3.0], [3.0, 1.0]))
    >>> found.value, found.moves.to_list()
    (1.5, [-0.375, 0.375])
    """
    weights = rows.weights
    if weights is None:
        value = float(exact_sum(values) / rows.count)
        return Mean(value, (values - value) / float(rows.count))
    total = exact_sum(weights)
    value = float(exact_sum(weights * values) / total)
    return Mean(value, weights * (values - value) / float(total))
