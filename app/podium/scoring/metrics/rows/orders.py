"""Computes metrics of how many pairs of rows are in the right order: Kendall's τ, with and without
weights of ranks, and the concordance index."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import polars as pl

from podium.scoring.columns import ColumnType
from podium.scoring.metrics.rows.base import OfSplit, RowMetric, SplitMetric
from podium.scoring.metrics.rows.correlation import Correlation
from podium.scoring.metrics.rows.forms import NUMBERS, lack_of_numbers
from podium.scoring.metrics.rows.means import exact_sum, whole_weights
from podium.scoring.metrics.rows.targets import TargetRows
from podium.scoring.repeating import repeat

EVENT = "event"
"""The column of the solution with 1 where the time is that of the event, and 0 where it is
censored: the last time at which the event had not happened."""


class KendallCorrelation(Correlation):
    """τ-b: (pairs of rows in the right order − pairs in the wrong one) / √(pairs with different
    truths · pairs with different numbers).

    Only the order of the numbers matters. Source: Kendall 1945; SciPy's `kendalltau`.

    Truths 1, 2, 3 and numbers 1, 3, 2: two pairs are right and one is wrong, of three: 1/3.

    >>> round(KendallCorrelation().example_value([1, 2, 3], [1.0, 3.0, 2.0]), 3)
    0.333
    """

    key: ClassVar[str] = "kendall"
    formula: ClassVar[str] = (
        "(pairs of rows in the right order - pairs in the wrong one)"
        " / sqrt(pairs with different truths · pairs with different numbers)"
    )
    source: ClassVar[str] = "Kendall 1945; SciPy kendalltau"
    takes_weights: ClassVar[bool] = False

    def of_split(self, rows: TargetRows) -> OfSplit:
        """Computes the value, N / √(A B) of sums of whole numbers over rows; with those of its own
        pairs n, a and b, a row moves it by 2 n / √(A B) − value · (a / A + b / B)."""
        x, y = rows.targets, rows.numbers
        net = _right_less_wrong(x, y)
        apart_x, apart_y = (rows.count - _alike(each) for each in (x, y))
        total, all_x, all_y = (int(each.sum()) for each in (net, apart_x, apart_y))
        if not all_x or not all_y:
            return OfSplit(Fraction(0), None)
        value = math.copysign(math.sqrt(Fraction(total * total, all_x * all_y)), total)
        root = math.sqrt(all_x) * math.sqrt(all_y)
        moves = 2.0 * net / root - value * (apart_x / all_x + apart_y / all_y)
        return OfSplit(Fraction(value), moves)


class WeightedKendall(Correlation):
    """τ of pairs of rows that weigh the more the higher they rank: 1 / rank of one + 1 / rank of
    the other, the mean over the ranks by truth, then by number, and those by number, then by truth.

    The highest numbers are in front. Ties are neither right nor wrong, as in `kendall`. There is no
    standard error: the first ranks weigh so much that values of many rows spread as those of few.
    Source: Vigna 2015; SciPy's `weightedtau`.

    Truths 3, 2, 1 and numbers 3, 1, 2: by truth the pairs weigh 3/2, 4/3 and, the wrong one, 5/6,
    by number the same, so (3/2 + 4/3 − 5/6) / (3/2 + 4/3 + 5/6) = 2 / (11/3).

    >>> round(WeightedKendall().example_value([3, 2, 1], [3.0, 1.0, 2.0]), 4)
    0.5455
    """

    key: ClassVar[str] = "kendall_weighted"
    formula: ClassVar[str] = (
        "(pairs in the right order - pairs in the wrong one) / sqrt(pairs with different truths"
        " · pairs with different numbers), a pair weighs 1 / rank + 1 / rank"
    )
    source: ClassVar[str] = "Vigna 2015; SciPy weightedtau"
    takes_weights: ClassVar[bool] = False

    def of_split(self, rows: TargetRows) -> OfSplit:
        """Computes the value, the mean of two of N / √(A B), from sums over rows of 1 / rank by the
        counts of its own pairs."""
        x, y = rows.targets, rows.numbers
        if y.n_unique() < 2:
            return OfSplit(Fraction(0), None)
        net = _right_less_wrong(x, y)
        counts = (net, rows.count - _alike(x), rows.count - _alike(y))
        taus = []
        for first, second in ((x, y), (y, x)):
            shares = _shares(first, second)
            above, by_x, by_y = (exact_sum(shares * each.cast(pl.Float64)) for each in counts)
            taus.append(math.copysign(math.sqrt(above * above / (by_x * by_y)), above))
        return OfSplit(Fraction(sum(taus) / 2), None)


def _shares(first: pl.Series, second: pl.Series) -> pl.Series:
    """Computes 1 / rank of each row, the highest in `first` and then in `second` in front; the mean
    of these where rows are equal in both."""
    ranks = {"first": first.rank("dense"), "second": second.rank("dense")}
    rows = pl.int_range(len(first), dtype=pl.UInt32, eager=True)
    table = pl.DataFrame({"row": rows, **ranks}).sort("first", "second", descending=True)
    table = table.with_columns(share=1.0 / (pl.int_range(pl.len()) + 1))
    shares = table.with_columns(pl.col("share").mean().over("first", "second"))
    return shares.sort("row")["share"]


def _right_less_wrong(x: pl.Series, y: pl.Series) -> pl.Series:
    """Counts for each row the pairs in the right order minus those in the wrong one (Int64). Only
    one count is slow, that of rows lower in both; the others follow from it."""
    one = repeat(1, len(x), pl.Int64)
    lower_x, lower_y, higher_y = (each.rank("min").cast(pl.Int64) - 1 for each in (x, y, -y))
    both_lower = below_in_both(x, y, one)
    x_lower = lower_x - both_lower - below_and_tied(x, y, one)
    y_lower = lower_y - both_lower - below_and_tied(y, x, one)
    both_higher = higher_y - x_lower - below_and_tied(-y, x, one)
    return both_lower + both_higher - x_lower - y_lower


def _alike(values: pl.Series) -> pl.Series:
    """Counts the rows with the same value as each, Int64."""
    table = values.alias("value").to_frame()
    return table.select(pl.len().over("value").cast(pl.Int64)).to_series()


@dataclass(frozen=True)
class ConcordanceIndex(SplitMetric):
    """The share of comparable pairs of rows in which the earlier time has the lower number; equal
    numbers count half.

    Numbers say when: the higher, the later (negate a risk). Two rows are comparable where their
    times differ. Where the solution has a column `event`, times without an event (0) are only known
    to be later than that: two rows are comparable where the earlier one has an event, or where both
    times are equal and one of them has one, which is then the earlier. Source: Harrell et al. 1982;
    lifelines' `concordance_index`.

    Times 1, 2, 3, the second without an event; numbers 1, 3, 2: the first is before both others,
    which are not comparable: 2/2.

    >>> truth = {"time": [1, 2, 3], "event": [1, 0, 1]}
    >>> ConcordanceIndex().example_value(truth, {"time": [1.0, 3.0, 2.0]})
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
        """Refuses truths without a pair to compare."""
        lack = lack_of_numbers(rows)
        if lack is not None:
            return lack
        if not _events(rows).is_in([0, 1]).all():
            return f"the column {EVENT} has 0 and 1 alone"
        _, comparable = _comparable(rows)
        return None if comparable.sum() else "no two rows are comparable"

    def of_split(self, rows: TargetRows) -> OfSplit:
        """Computes the value N / M of weights of pairs; with those of its own pairs n and m, a row
        moves it by (n − value · m) / M."""
        weights, events = whole_weights(rows), _events(rows)
        times, comparable = _comparable(rows)
        later = _below_ties_half(-times, -rows.numbers, weights)
        earlier = _below_ties_half(times, rows.numbers, weights * events)
        own = weights.cast(pl.Float64)
        concordant = own * (later * events + earlier) / 2.0
        all_ = own * comparable
        total = exact_sum(all_)
        value = float(exact_sum(concordant) / total)
        moves = (concordant - value * all_) / float(total / 2)
        return OfSplit(Fraction(value), moves)


def _below_ties_half(first: pl.Series, second: pl.Series, weights: pl.Series) -> pl.Series:
    """Sums twice the weights (Float64) of rows that are lower in both; those equal in the second
    count once."""
    below = below_in_both(first, second, weights)
    or_tied = below + below_and_tied(first, second, weights)
    return below.cast(pl.Float64) + or_tied.cast(pl.Float64)


def _events(rows: TargetRows) -> pl.Series:
    """Returns 1 for a time of an event, else 0, Int64."""
    if EVENT in rows.truth.columns[1:]:
        return rows.truth[EVENT].cast(pl.Int64)
    return repeat(1, rows.count, pl.Int64)


def _comparable(rows: TargetRows) -> tuple[pl.Series, pl.Series]:
    """Ranks times, those without an event after those with one, from 1; and sums the weights of the
    rows that each is comparable with (Float64)."""
    events, weights = _events(rows), whole_weights(rows)
    table = pl.DataFrame({"time": rows.targets, "event": 1 - events})
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


def below_in_both(first: pl.Series, second: pl.Series, weights: pl.Series) -> pl.Series:
    """Sums for each row the weights (Int64) of those that are lower in `first` and lower in
    `second`.

    Rows are sorted by the first column. Then the binary digits of each row's rank in the second are
    processed from the highest: at the first digit in which two ranks differ, the lower one has a 0,
    and rows with a 1 count those with a 0 before them that have the same higher digits.

    >>> first, second = pl.Series([1, 2, 3]), pl.Series([1, 3, 2])
    >>> below_in_both(first, second, pl.Series([1, 1, 1])).to_list()
    [0, 1, 1]
    """
    place = second.rank("dense").cast(pl.UInt32) - 1
    table = _numbered(weights).with_columns(first=first.rank("dense"), place=place)
    # Equal rows of the first column: none comes before a higher rank in the second.
    table = table.sort("first", "place", descending=[False, True]).drop("first")
    table = table.with_columns(found=pl.lit(0, dtype=pl.Int64))
    highest = int(table["place"].max() or 0)  # type: ignore[arg-type]
    for digit in reversed(range(highest.bit_length())):
        table = _with_digit(table.sort(pl.col("place") // (2 << digit), maintain_order=True), digit)
    return table.sort("row")["found"]


def below_and_tied(first: pl.Series, second: pl.Series, weights: pl.Series) -> pl.Series:
    """Sums for each row the weights (Int64) of those that are lower in `first` and equal in
    `second`.

    >>> first, second = pl.Series([1, 2, 2, 1]), pl.Series([5, 5, 5, 6])
    >>> below_and_tied(first, second, pl.Series([1, 1, 1, 1])).to_list()
    [0, 1, 1, 0]
    """
    ranks = {"first": first.rank("dense"), "second": second.rank("dense")}
    table = _numbered(weights).with_columns(**ranks).sort("second", "first")
    before = table["weight"].cum_sum() - table["weight"]
    is_new = (table["second"] != table["second"].shift(1)).fill_null(value=True)
    is_newer = is_new | (table["first"] != table["first"].shift(1)).fill_null(value=True)
    found = _at_last(before, is_newer) - _at_last(before, is_new)
    return table.with_columns(found=found).sort("row")["found"]


def _numbered(weights: pl.Series) -> pl.DataFrame:
    rows = pl.int_range(len(weights), dtype=pl.UInt32, eager=True)
    return pl.DataFrame({"row": rows, "weight": weights})


def _at_last(values: pl.Series, is_first: pl.Series) -> pl.Series:
    """Looks up the value of the last row up to each that is the first of its group."""
    none = pl.Series([None], dtype=pl.Int64)
    return values.zip_with(is_first, none).fill_null(strategy="forward")


def _with_digit(table: pl.DataFrame, digit: int) -> pl.DataFrame:
    """Adds the counts of rows with a 1 at this digit, in a table of rows sorted by their higher
    digits."""
    places = table["place"]
    group, is_one = places // (2 << digit), places // (1 << digit) % 2 == 1
    lower = table["weight"].set(is_one, 0)
    before = lower.cum_sum() - lower
    is_first = (group != group.shift(1)).fill_null(value=True)
    found = table["found"] + (before - _at_last(before, is_first)).set(~is_one, 0)
    return table.with_columns(found.alias("found"))


ORDERS: tuple[type[RowMetric], ...] = (KendallCorrelation, WeightedKendall, ConcordanceIndex)
"""The metrics of this family."""
