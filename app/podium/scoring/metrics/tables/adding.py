"""Sums and means over the rows of a table that do not depend on their order, and what moves
them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import polars as pl

from podium.scoring.metrics.sums import as_whole_numbers, exact_sums
from podium.scoring.metrics.tables.base import TableMeasure, TargetRows


def exact_sum(values: pl.Series) -> Fraction:
    """The sum of finite values, exact down to 2**-93 of the largest.

    >>> exact_sum(pl.Series([0.1] * 10 + [-0.1] * 10))
    Fraction(0, 1)
    """
    keys = pl.zeros(len(values), dtype=pl.UInt8, eager=True)
    above, below = (exact_sums(each.clip(0.0), keys) for each in (values, -values))
    return above.get(0, Fraction(0)) - below.get(0, Fraction(0))


def whole_weights(rows: TargetRows) -> pl.Series:
    """The weights as whole numbers (Int64) in some unit, 1 without any, so that their sums are
    exact. They are rounded to a part of 2**39 of the largest in 4 million rows, and finer in
    fewer."""
    if rows.weights is None:
        return pl.repeat(1, rows.count, dtype=pl.Int64, eager=True)
    whole, _ = as_whole_numbers(rows.weights)
    return whole.clip(1)


@dataclass(frozen=True)
class Mean:
    """A weighted mean, rounded once, and what each row moves it."""

    value: float
    moves: pl.Series

    def measure(self) -> TableMeasure:
        """The mean as the value of a metric."""
        return TableMeasure(Fraction(self.value), self.moves)


def mean_of(values: pl.Series, rows: TargetRows) -> Mean:
    """Σ w v / Σ w, which a row moves by w (v − mean) / Σ w.

    >>> rows = TargetRows(*[pl.DataFrame({"x": [1.0, 3.0]})] * 2, pl.Series([3.0, 1.0]))
    >>> found = mean_of(pl.Series([1.0, 3.0]), rows)
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
