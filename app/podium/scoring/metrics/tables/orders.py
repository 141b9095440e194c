"""Metrics of how many pairs of rows are in the right order: Kendall's τ and the concordance
index."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import polars as pl

from podium.scoring.metrics.tables.adding import exact_sum, whole_weights
from podium.scoring.metrics.tables.base import TableMeasure, TableMetric, TargetRows
from podium.scoring.metrics.tables.correlation import Correlation
from podium.scoring.metrics.tables.dominance import below_and_tied, below_in_both
from podium.scoring.metrics.tables.forms import NUMBERS, lack_of_numbers, numbers_of
from podium.scoring.tables.columns import ColumnType

EVENT = "event"
"""The column of the solution that tells whether the time is that of the event (1), or the last at
which there had been none (0)."""


class KendallCorrelation(Correlation):
    """τ-b: (pairs of rows in the right order − pairs in the wrong one) / √(pairs with different
    truths · pairs with different numbers).

    Only the order of the numbers matters. Source: Kendall 1945; SciPy's `kendalltau`.

    Truths 1, 2, 3 and numbers 1, 3, 2: two pairs are right and one is wrong, of three: 1/3.

    >>> rows = TargetRows(pl.DataFrame({"y": [1, 2, 3]}), pl.DataFrame({"y": [1.0, 3.0, 2.0]}))
    >>> round(float(KendallCorrelation().measure(rows).value), 3)
    0.333
    """

    key: ClassVar[str] = "kendall"
    formula: ClassVar[str] = (
        "(pairs of rows in the right order - pairs in the wrong one)"
        " / sqrt(pairs with different truths · pairs with different numbers)"
    )
    source: ClassVar[str] = "Kendall 1945; SciPy kendalltau"
    takes_weights: ClassVar[bool] = False

    def measure(self, rows: TargetRows) -> TableMeasure:
        """The value, N / √(A B) of sums of whole numbers over rows; with those of its own pairs n,
        a and b, a row moves it by 2 n / √(A B) − value · (a / A + b / B)."""
        x, y = numbers_of(rows)
        net = _right_less_wrong(x, y)
        apart_x, apart_y = (rows.count - _alike(each) for each in (x, y))
        total, all_x, all_y = (int(each.sum()) for each in (net, apart_x, apart_y))
        if not all_x or not all_y:
            return TableMeasure(Fraction(0), None)
        value = math.copysign(math.sqrt(Fraction(total * total, all_x * all_y)), total)
        root = math.sqrt(all_x) * math.sqrt(all_y)
        moves = 2.0 * net / root - value * (apart_x / all_x + apart_y / all_y)
        return TableMeasure(Fraction(value), moves)


def _right_less_wrong(x: pl.Series, y: pl.Series) -> pl.Series:
    """For each row the pairs in the right order, less those in the wrong one (Int64). One count
    takes long, that of rows lower in both; the others follow from it."""
    one = pl.repeat(1, len(x), dtype=pl.Int64, eager=True)
    lower_x, lower_y, higher_y = (each.rank("min").cast(pl.Int64) - 1 for each in (x, y, -y))
    both_lower = below_in_both(x, y, one)
    x_lower = lower_x - both_lower - below_and_tied(x, y, one)
    y_lower = lower_y - both_lower - below_and_tied(y, x, one)
    both_higher = higher_y - x_lower - below_and_tied(-y, x, one)
    return both_lower + both_higher - x_lower - y_lower


def _alike(values: pl.Series) -> pl.Series:
    """The number of rows with the same value as each, Int64."""
    table = values.alias("value").to_frame()
    return table.select(pl.len().over("value").cast(pl.Int64)).to_series()


@dataclass(frozen=True)
class ConcordanceIndex(TableMetric):
    """The share of comparable pairs of rows in which the earlier time has the lower number; equal
    numbers count half.

    Numbers say when: the higher, the later (negate a risk). Two rows are comparable where their
    times differ. Where the solution has a column `event`, times without an event (0) are only known
    to be later than that: two rows are comparable where the earlier one has an event, or where both
    times are equal and one of them has one, which is then the earlier. Source: Harrell et al. 1982;
    lifelines' `concordance_index`.

    Times 1, 2, 3, the second without an event; numbers 1, 3, 2: the first is before both others,
    which are not comparable: 2/2.

    >>> truth = pl.DataFrame({"time": [1, 2, 3], "event": [1, 0, 1]})
    >>> answers = pl.DataFrame({"time": [1.0, 3.0, 2.0]})
    >>> float(ConcordanceIndex().measure(TargetRows(truth, answers)).value)
    1.0
    """

    key: ClassVar[str] = "concordance"
    formula: ClassVar[str] = (
        "share of comparable pairs of rows in which the earlier time has the lower number, ties"
        " half"
    )
    source: ClassVar[str] = "Harrell et al. 1982; lifelines concordance_index"
    upper_bound: ClassVar[int | None] = 1
    types_of_one: ClassVar[tuple[ColumnType, ...]] = NUMBERS
    companions: ClassVar[tuple[str, ...]] = (EVENT,)

    def lack(self, rows: TargetRows) -> str | None:
        """Truths without a pair to compare."""
        lack = lack_of_numbers(rows)
        if lack is not None:
            return lack
        if not _events(rows).is_in([0, 1]).all():
            return f"the column {EVENT} has 0 and 1 alone"
        _, comparable = _comparable(rows)
        return None if comparable.sum() else "no two rows are comparable"

    def measure(self, rows: TargetRows) -> TableMeasure:
        """The value N / M of weights of pairs; with those of its own pairs n and m, a row moves it
        by (n − value · m) / M."""
        _, numbers = numbers_of(rows)
        weights, events = whole_weights(rows), _events(rows)
        times, comparable = _comparable(rows)
        later = _below_ties_half(-times, -numbers, weights)
        earlier = _below_ties_half(times, numbers, weights * events)
        own = weights.cast(pl.Float64)
        concordant = own * (later * events + earlier) / 2.0
        all_ = own * comparable
        total = exact_sum(all_)
        value = float(exact_sum(concordant) / total)
        moves = (concordant - value * all_) / float(total / 2)
        return TableMeasure(Fraction(value), moves)


def _below_ties_half(first: pl.Series, second: pl.Series, weights: pl.Series) -> pl.Series:
    """Twice the weights (Float64) of rows that are lower in both; those that are equal in the
    second count once."""
    below = below_in_both(first, second, weights)
    or_tied = below + below_and_tied(first, second, weights)
    return below.cast(pl.Float64) + or_tied.cast(pl.Float64)


def _events(rows: TargetRows) -> pl.Series:
    """1 for a time of an event, else 0, Int64."""
    if EVENT in rows.truth.columns[1:]:
        return rows.truth[EVENT].cast(pl.Int64)
    return pl.repeat(1, rows.count, dtype=pl.Int64, eager=True)


def _comparable(rows: TargetRows) -> tuple[pl.Series, pl.Series]:
    """The order of times, those without an event after those with one, from 1; and the weights of
    the rows that each is comparable with (Float64)."""
    times, _ = numbers_of(rows)
    events, weights = _events(rows), whole_weights(rows)
    table = pl.DataFrame({"time": times, "event": 1 - events})
    order = table.select(pl.struct("time", "event").rank("dense").cast(pl.Int64)).to_series()
    sums = (
        pl.DataFrame({"order": order, "all": weights, "events": weights * events})
        .group_by("order")
        .sum()
        .sort("order")
    )
    after = sums["all"].sum() - sums["all"].cum_sum()
    before = sums["events"].cum_sum() - sums["events"]
    later, earlier = (each.gather(order - 1).cast(pl.Float64) for each in (after, before))
    return order, later * events + earlier


ORDERS: tuple[type[TableMetric], ...] = (KendallCorrelation, ConcordanceIndex)
"""The metrics of this family."""
